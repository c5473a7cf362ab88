// Ends the checks that a killed coordinator left at work. A run has one coordinator, so at its start whatever carries the
// marks of a check of its merges is an orphan.
//
// Limit: elsewhere than on Linux the environment of others cannot be read, and orphans run to their end.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { TAGS } from '../../exec/environment-tags.ts';

export interface Marked {
  readonly home: string;
  readonly run: string;
}

/** In the place of a task and of folders; no task can have this name. */
export const MERGE_MARK = '@merge';

export const marksOf = ({ home, run }: Marked, number: number): Readonly<Record<string, string>> => ({
  [TAGS.home]: home,
  [TAGS.run]: run,
  [TAGS.task]: MERGE_MARK,
  [TAGS.step]: '',
  [TAGS.attempt]: String(number),
});

const LOOK_EVERY_MS = 20;
/** One that forks faster than it is killed would keep us here for ever. */
const LOOKS_MAX = 100;

/** They are disposable, so they are killed without being asked. */
export async function endOrphans(marked: Marked): Promise<void> {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const found = findChecks(marked);
    if (found.length === 0) return;
    for (const pid of found) ifThere(() => process.kill(pid, 'SIGKILL'));
    await setTimeout(LOOK_EVERY_MS);
  }
}

export function findChecks({ home, run }: Marked): readonly number[] {
  if (process.platform !== 'linux') return [];
  const marks = [`${TAGS.home}=${home}`, `${TAGS.run}=${run}`, `${TAGS.task}=${MERGE_MARK}`];
  const pids = (ifThere(() => readdirSync('/proc')) ?? []).filter((name) => /^\d+$/.test(name));
  return pids
    .filter((pid) => {
      const entries = ifThere(() => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')) ?? [];
      return marks.every((mark) => entries.includes(mark));
    })
    .map(Number)
    .filter((pid) => pid !== process.pid);
}

/** A process may be gone, or somebody else's, at any moment; then there is nothing to know or do. */
function ifThere<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
