// Results of checks by tree and command, so that nothing is checked twice, in this process or after a restart.
//
// remembered-checks/R1. A pass stays a pass. A failure counts only for merges that were claimed before it was found: a
//     later retry is checked again, because the environment of a check may have been repaired.
// remembered-checks/R2. A lost or damaged note costs one more check and nothing else.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type RememberedCheck =
  | { readonly type: 'passed' }
  /** `times` failures in a row, the last of them `at`. */
  | { readonly type: 'failed'; readonly times: number; readonly at: number; readonly tail: string };

export interface RememberedChecks {
  /** The result that counts for a merge that was claimed at that time. */
  readonly of: (about: About, claimedAt: number) => RememberedCheck | undefined;
  readonly passed: (about: About) => void;
  readonly failed: (about: About, failure: CheckFailure) => void;
}

export interface CheckFailure {
  readonly at: number;
  readonly tail: string;
  /** Earlier failures are added to `times` when they count for a merge that was claimed at this time. */
  readonly claimedAt: number;
}

export interface About {
  /** The id of the tree. */
  readonly tree: string;
  readonly command: string;
}

/** Notes are cached in memory, so that the disk is read once. */
export function rememberChecks(folder: string): RememberedChecks {
  const known = new Map<string, RememberedCheck | undefined>();
  const look = (name: string): RememberedCheck | undefined => {
    if (!known.has(name)) known.set(name, read(join(folder, name)));
    return known.get(name);
  };
  const keep = (name: string, remembered: RememberedCheck): void => {
    known.set(name, remembered);
    write(folder, name, remembered);
  };
  const of = (about: About, claimedAt: number): RememberedCheck | undefined => {
    const found = look(nameOf(about));
    return found?.type === 'failed' && found.at < claimedAt ? undefined : found;
  };
  return {
    of,
    passed: (about) => keep(nameOf(about), { type: 'passed' }),
    failed: (about, { at, tail, claimedAt }) => {
      const before = of(about, claimedAt);
      const times = before?.type === 'failed' ? before.times + 1 : 1;
      keep(nameOf(about), { type: 'failed', times, at, tail });
    },
  };
}

const nameOf = ({ tree, command }: About): string =>
  `${createHash('sha256').update(`${tree}\0${command}`).digest('hex')}.json`;

function read(file: string): RememberedCheck | undefined {
  let note: unknown;
  try {
    note = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Missing, or truncated by a power cut: the check is run again.
    return undefined;
  }
  if (typeof note !== 'object' || note === null || !('type' in note)) return undefined;
  if (note.type === 'passed') return { type: 'passed' };
  if (!('times' in note && 'at' in note && 'tail' in note)) return undefined;
  return { type: 'failed', times: Number(note.times), at: Number(note.at), tail: String(note.tail) };
}

function write(folder: string, name: string, remembered: RememberedCheck): boolean {
  const aside = join(folder, `${name}.${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(aside, JSON.stringify(remembered));
    renameSync(aside, join(folder, name));
    return true;
  } catch {
    // A full disk: this process remembers, and another one checks again.
    return false;
  }
}
