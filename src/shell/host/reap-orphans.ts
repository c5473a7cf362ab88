// Ends what is left of claims that are over: daemons that left their group, and the steps of workers that were killed.
//
// V1. A process is ended only when it carries the marks of a claim that is over, and belongs to this user.
// V2. Nothing is remembered between two looks: each signal goes to what was found a moment before.
//
// Limit: a program that was started with an emptied environment, outside of the group of any marked one, is not found.
// Limit: elsewhere than on Linux the environment of others cannot be read, and only what a worker's own care for its
// group covers is ended. When Heddle is to run there without a worker's help, put the group into the note.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { claimInEnvironment, type Marked } from './claim-tags.ts';

const GRACE_MS = 500;
const LOOK_EVERY_MS = 25;
/** A program that forks faster than it is killed would keep us here for ever. */
const KILLS_MAX = 100;

export interface Sweeping extends Marked {
  readonly isOver: (key: string) => boolean;
  /** Processes that are never ended: ours and our workers. */
  readonly spared: () => ReadonlySet<number>;
}

export interface Sweeper {
  /** Resolves when nothing is left of what was over at the call, and never rejects. Calls at one time share the work. */
  readonly sweep: () => Promise<void>;
}

export function openSweeper(sweeping: Sweeping): Sweeper {
  let current: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    current = endLeftovers(sweeping).finally(() => {
      current = undefined;
    });
    return current;
  };
  const sweep = (): Promise<void> => {
    if (current === undefined) return begin();
    // The one that is going on may have looked before this call; one more sees everything.
    following ??= current.then(() => {
      following = undefined;
      return begin();
    });
    return following;
  };
  return { sweep };
}

async function endLeftovers(sweeping: Sweeping): Promise<void> {
  let found = findLeftovers(sweeping);
  signalAll(found, 'SIGTERM', sweeping);
  for (let waitedMs = 0; found.length > 0 && waitedMs < GRACE_MS; waitedMs += LOOK_EVERY_MS) {
    await setTimeout(LOOK_EVERY_MS);
    found = findLeftovers(sweeping);
  }
  for (let kills = 0; found.length > 0 && kills < KILLS_MAX; kills += 1) {
    signalAll(found, 'SIGKILL', sweeping);
    await setTimeout(LOOK_EVERY_MS);
    found = findLeftovers(sweeping);
  }
}

export function findLeftovers(sweeping: Sweeping): readonly number[] {
  if (process.platform !== 'linux') return [];
  const claimIn = claimInEnvironment(sweeping);
  const spared = sweeping.spared();
  const user = process.getuid?.();
  return (ifThere(() => readdirSync('/proc')) ?? []).flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || spared.has(pid)) return [];
    const key = ifThere(() => claimIn(readFileSync(`/proc/${pid}/environ`)));
    const isLeft = key !== undefined && sweeping.isOver(key);
    return isLeft && ifThere(() => statSync(`/proc/${pid}`).uid) === user ? [pid] : [];
  });
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals, { spared }: Sweeping): void {
  const safe = new Set([...spared()].map((pid) => groupOf(pid)));
  const groups = new Set(pids.map((pid) => groupOf(pid)));
  for (const pid of pids) ifThere(() => process.kill(pid, signal));
  // Members of its group that hid their marks go with it; a group with one of ours in it stays.
  for (const group of groups) if (group !== undefined && !safe.has(group)) ifThere(() => process.kill(-group, signal));
}

function groupOf(pid: number): number | undefined {
  const stat = ifThere(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const group = Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[GROUP]);
  return group > 1 ? group : undefined;
}

/** Field 5 of the file, counted after the name. */
const GROUP = 2;

/** A process may be gone, or somebody else's, at any moment; then there is nothing to know or do. */
function ifThere<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
