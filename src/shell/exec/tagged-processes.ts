// Finds processes by the tags in their environment, and ends them with their groups: daemons that left the group of
// their step, and processes that a killed worker or coordinator left running.
//
// exec/T1. A process is ended only when it carries all requested tags and belongs to this user.
// exec/T2. Nothing is remembered between two scans: each signal goes to processes that were found a moment before.
//
// Limit: a program that was started with an emptied environment, outside of the group of any tagged one, is not found.
// Limit: elsewhere than on Linux the environment of other processes cannot be read, and only groups are ended. To run
// there without isolation, walk the process tree while the program lives.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { processGroupOf, parentOf, sessionOf } from './process.ts';

/** The environment variables that tag every process of a claim, so that none is left running unknown. */
export const TAGS = {
  run: 'HEDDLE_RUN',
  task: 'HEDDLE_TASK',
  step: 'HEDDLE_STEP',
  attempt: 'HEDDLE_ATTEMPT',
  /** The store's folder: identifies the project. */
  home: 'HEDDLE_HOME',
} as const;

const LOOK_EVERY_MS = 20;
/** Bounds the loop against a program that forks faster than it is killed. */
const KILLS_MAX = 100;

export interface TaggedProcesses {
  /** Takes an environment as the system stores it: `NAME=value`, each terminated by a zero byte. */
  readonly matches: (environment: Buffer) => boolean;
  /** Processes that are never ended, in addition to this one. */
  readonly spared?: () => Iterable<number>;
}

/** Matches an environment that has all of these tags. */
export function withTags(tags: Readonly<Record<string, string>>): TaggedProcesses['matches'] {
  const entries = Object.entries(tags).map(([name, value]) => Buffer.from(`${name}=${value}\0`));
  return (environment) => entries.every((entry) => environment.includes(entry));
}

export function findTaggedProcesses(tagged: TaggedProcesses): readonly number[] {
  if (process.platform !== 'linux') return [];
  const spared = sparedBy(tagged);
  const user = process.getuid?.();
  return (ifThere(() => readdirSync('/proc')) ?? []).flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || spared.has(pid)) return [];
    const isTagged = ifThere(() => tagged.matches(readFileSync(`/proc/${pid}/environ`)));
    return isTagged === true && ifThere(() => statSync(`/proc/${pid}`).uid) === user ? [pid] : [];
  });
}

export interface StepTags {
  readonly run: string;
  readonly task: string | undefined;
  readonly step: string | undefined;
  readonly attempt: string | undefined;
  readonly home: string | undefined;
}

/** The tags of an environment; undefined when it is of no run. */
export function tagsIn(valueOf: (name: string) => string | undefined): StepTags | undefined {
  const run = valueOf(TAGS.run);
  if (run === undefined || run === '') return undefined;
  const [task, step, attempt, home] = [TAGS.task, TAGS.step, TAGS.attempt, TAGS.home].map(valueOf);
  return { run, task, step, attempt, home };
}

/** Bounds the walk to the first process. */
const ANCESTORS_MAX = 64;

/**
 * The tags of the nearest process above this one that has any, or of the one that began its session: a program may have
 * started this one without its own environment. Limit: known on Linux alone, and a program that cleared its environment,
 * left its session and has lost its parent is known by nothing.
 */
export function tagsAbove(pid: number = process.pid): StepTags | undefined {
  let above = parentOf(pid);
  for (let walked = 0; above !== undefined && walked < ANCESTORS_MAX; walked += 1) {
    const tags = tagsOf(above);
    if (tags !== undefined) return tags;
    above = parentOf(above);
  }
  // A parent that has ended leaves the session behind.
  const session = sessionOf(pid);
  return session === undefined || session === pid ? undefined : tagsOf(session);
}

function tagsOf(pid: number): StepTags | undefined {
  const entries = (ifThere(() => readFileSync(`/proc/${pid}/environ`, 'utf8')) ?? '').split('\0').map((entry) => {
    const at = entry.indexOf('=');
    return [entry.slice(0, at), entry.slice(at + 1)] as const;
  });
  const values = new Map(entries);
  return tagsIn((name) => values.get(name));
}

/** Resolves when none is left, or when the rest cannot be ended. Without a grace they get SIGKILL immediately. */
export async function endTaggedProcesses(tagged: TaggedProcesses, graceMs: number): Promise<void> {
  let found = findTaggedProcesses(tagged);
  if (graceMs > 0) signalAll(found, 'SIGTERM', tagged);
  for (let waitedMs = 0; found.length > 0 && waitedMs < graceMs; waitedMs += LOOK_EVERY_MS) {
    await setTimeout(LOOK_EVERY_MS);
    found = findTaggedProcesses(tagged);
  }
  for (let kills = 0; found.length > 0 && kills < KILLS_MAX; kills += 1) {
    signalAll(found, 'SIGKILL', tagged);
    await setTimeout(LOOK_EVERY_MS);
    found = findTaggedProcesses(tagged);
  }
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals, tagged: TaggedProcesses): void {
  const safe = new Set([...sparedBy(tagged)].map((pid) => processGroupOf(pid)));
  const groups = new Set(pids.map((pid) => processGroupOf(pid)));
  for (const pid of pids) ifThere(() => process.kill(pid, signal));
  // Untagged members of a group are ended with it; a group that contains a spared process is left alone.
  for (const group of groups) if (group !== undefined && !safe.has(group)) ifThere(() => process.kill(-group, signal));
}

const sparedBy = ({ spared }: TaggedProcesses): ReadonlySet<number> => new Set([process.pid, ...(spared?.() ?? [])]);

/** A process may exit, or belong to another user, at any moment; both count as not found. */
function ifThere<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
