// Ends what an agent left at work in sessions of its own: every process that carries the marks of the claim.
//
// Limit: elsewhere than on Linux the environment of others cannot be read, and only the group is ended. When agents are to
// be run there without isolation, walk the tree of processes while the program lives.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { TAGS } from './environment-tags.ts';

const GRACE_MS = 500;
const LOOK_EVERY_MS = 20;
/** What forks faster than it is killed would keep us here for ever. */
const KILLS_MAX = 100;

/** Resolves when none is left, or when they cannot be ended. */
export async function endTaggedProcesses(environment: Readonly<Record<string, string>>): Promise<void> {
  const marks = Object.values(TAGS).flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [Buffer.from(`${name}=${value}\0`)];
  });
  // Without the folder of its store, the marks might be another claim's.
  if (process.platform !== 'linux' || environment[TAGS.home] === undefined) return;
  let found = marked(marks);
  signalAll(found, 'SIGTERM');
  for (let waitedMs = 0; found.length > 0 && waitedMs < GRACE_MS; waitedMs += LOOK_EVERY_MS) {
    await setTimeout(LOOK_EVERY_MS);
    found = marked(marks);
  }
  for (let kills = 0; found.length > 0 && kills < KILLS_MAX; kills += 1) {
    signalAll(found, 'SIGKILL');
    await setTimeout(LOOK_EVERY_MS);
    found = marked(marks);
  }
}

function marked(marks: readonly Buffer[]): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    const environment = ifThere(() => readFileSync(`/proc/${pid}/environ`));
    return environment !== undefined && marks.every((mark) => environment.includes(mark)) ? [pid] : [];
  });
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) ifThere(() => process.kill(pid, signal));
}

/** A process may be gone, or somebody else's, at any moment; then there is nothing to know or do. */
function ifThere<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
