// Settings of the user's repository, as git would read them there.
import { partsOf } from '../run/git.ts';
import type { Git } from '../run/git.ts';

export interface Setting {
  /** Section and name in lower case. */
  readonly key: string;
  readonly value: string;
}

/** All effective settings, the stronger later, without Heddle's own overrides. */
export async function readSettings(git: Git): Promise<readonly Setting[]> {
  const parts = partsOf(await git.must(['config', '--list', '-z', '--show-scope']));
  const settings: Setting[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    if (parts[index] !== 'command') settings.push(readSetting(parts[index + 1] ?? ''));
  }
  return settings;
}

/** A name without a value means true. */
function readSetting(part: string): Setting {
  const end = part.indexOf('\n');
  return end === -1 ? { key: part, value: 'true' } : { key: part.slice(0, end), value: part.slice(end + 1) };
}

export const settingOf = (settings: readonly Setting[], key: string): string | undefined =>
  settings.findLast((setting) => setting.key === key)?.value;
