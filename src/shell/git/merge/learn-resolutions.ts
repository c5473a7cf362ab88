// Learns from a task's finished work how its conflicts were resolved: from the commits alone, so that a process that
// was killed can learn it again.
//
// learn-resolutions/R1. A commit that resolves a conflict has both sides as parents, and the last line of its message
//     names the task.
// learn-resolutions/R2. The learnt resolution is the task's work just before its next conflict, including repairs after
//     a failed check.
import type { Git } from '../run/git.ts';
import type { TreesMerged } from './merge-outcome.ts';
import type { Sides } from './write-conflict.ts';
import type { Resolutions } from './resolutions.ts';

const SIGNATURE = 'Heddle-Resolves: ';

export const resolutionMessage = (task: string, subject: string): string => `${subject}\n\n${SIGNATURE}${task}\n`;

export interface LearnRequest {
  readonly task: string;
  readonly tip: string;
  /** The base commit of the run: no earlier commit is the task's. */
  readonly base: string;
}

export interface LearnWorld {
  readonly git: Git;
  readonly resolutions: Resolutions;
  /** Merges without remembered resolutions. */
  readonly merge: (sides: Sides) => Promise<TreesMerged>;
}

/** At most this many conflicts of one task are examined, the latest first. */
const CONFLICTS_MAX = 20;

/** Returns the paths with a learnt resolution. */
export async function learn(world: LearnWorld, { task, tip, base }: LearnRequest): Promise<readonly string[]> {
  const { git, resolutions, merge } = world;
  const learnt: string[] = [];
  let settled = tip;
  for (const { ours, theirs } of await resolvedIn(git, { task, tip, base })) {
    const met = await merge({ ours, theirs });
    if (met.type === 'conflict') learnt.push(...(await resolutions.remember(met.paths, settled)));
    settled = ours;
  }
  return learnt;
}

async function resolvedIn(git: Git, { task, tip, base }: LearnRequest): Promise<readonly Sides[]> {
  const signed = `^${SIGNATURE}${task.replaceAll(/[.[\]*^$\\]/g, String.raw`\$&`)}$`;
  const which = ['--first-parent', '--min-parents=2', '--max-parents=2', `--max-count=${CONFLICTS_MAX}`];
  const listed = await git.line(['rev-list', ...which, '--parents', `--grep=${signed}`, tip, `^${base}`]);
  return listed.split('\n').flatMap((line) => {
    const [, ours, theirs] = line.split(' ');
    return ours === undefined || theirs === undefined ? [] : [{ ours, theirs }];
  });
}
