// A merge queue over a repository and checks that exist in memory alone, for the laws of its scheduling.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import type { ConflictPath } from '../git/merge/merge-outcome.ts';
import { REFS } from '../git/store/ref-names.ts';
import type { MergeQueue, MergeRequest } from '../ports/merge-request.ts';
import type { CheckOutcome, StartCheck } from './run-check.ts';
import type { MergeQueueRepository } from './merge-history.ts';
import { startMergeQueue } from './merge-queue.ts';
import { PATIENCE_MS } from '../../../test/patience.given.ts';

export type Files = Readonly<Record<string, string>>;

interface Commit {
  readonly files: Files;
  readonly parents: readonly string[];
  readonly message: string;
}

export interface FakeRepository extends MergeQueueRepository {
  readonly base: string;
  /** A commit on top of the base with these files changed. */
  readonly work: (files: Files) => string;
  readonly filesOf: (commit: string) => Files;
  /** Every value that the branch has had. */
  readonly landed: readonly string[];
  /** Moves the branch behind the merge queue's back. */
  readonly moveTo: (commit: string) => void;
}

const idOf = (value: unknown): string => createHash('sha1').update(JSON.stringify(value)).digest('hex');

/** Conflicts in files that `settled` names are settled by remembered resolutions. */
export function fakeRepository(settled: Files = {}): FakeRepository {
  const commits = new Map<string, Commit>();
  const add = (commit: Commit): string => {
    const id = idOf(commit);
    commits.set(id, commit);
    return id;
  };
  const at = (id: string): Commit => commits.get(id) ?? { files: {}, parents: [], message: '' };
  const base = add({ files: {}, parents: [], message: 'base' });
  const contains = (one: string, other: string): boolean =>
    one === other || at(one).parents.some((parent) => contains(parent, other));
  const landed: string[] = [];
  /** All refs but the run branch: the fence. */
  const refs = new Map<string, string>();
  const isBranch = (ref: string): boolean => ref === REFS.runBranch('run-1');
  return {
    base,
    landed,
    work: (files) => add({ files, parents: [base], message: 'work' }),
    filesOf: (commit) => at(commit).files,
    moveTo: (commit) => void landed.push(commit),
    read: async (ref) => (isBranch(ref) ? landed.at(-1) : refs.get(ref)),
    commitTree: async ({ parents, message }) => add({ files: {}, parents, message }),
    swap: async ({ ref, from, to, fence }) => {
      await setImmediate();
      if (fence !== undefined && refs.get(fence.ref) !== fence.commit)
        return { type: 'failed', failure: { code: 'ref-moved', ref: fence.ref } };
      if (!isBranch(ref)) {
        if (refs.get(ref) !== from) return { type: 'moved', at: refs.get(ref) };
        refs.set(ref, to);
        return { type: 'swapped' };
      }
      if (landed.at(-1) !== from) return { type: 'moved', at: landed.at(-1) };
      if (to !== from) landed.push(to);
      return { type: 'swapped' };
    },
    treeOf: async (commit) => idOf(sorted(at(commit).files)),
    parentsOf: async (commit) => at(commit).parents,
    messageOf: async (commit) => at(commit).message,
    isAncestor: async (one, other) => contains(other, one),
    learn: async () => [],
    changedPaths: async (from, to) =>
      Object.keys(at(to).files)
        .filter((path) => at(to).files[path] !== at(from).files[path])
        .map((path) => ({ path, change: 'modified', modeFrom: '', modeTo: '', blobFrom: '', blobTo: '' })),
    mergeOnto: async ({ onto, tip, message, usesResolutions }) => {
      await setImmediate();
      if (contains(onto, tip)) return { type: 'unchanged' };
      const [ours, theirs] = [at(onto).files, at(tip).files];
      const clashes = Object.keys(theirs).filter((path) => path in ours && ours[path] !== theirs[path]);
      const isSettled = usesResolutions && clashes.every((path) => path in settled);
      if (clashes.length > 0 && !isSettled)
        return { type: 'conflict', paths: clashes.map(toConflict), tree: '', says: [] };
      const resolved = Object.fromEntries(clashes.map((path) => [path, settled[path] ?? '']));
      const files = { ...ours, ...theirs, ...resolved };
      const commit = add({ files, parents: [onto, tip], message });
      return { type: 'merged', commit, tree: idOf(sorted(files)), resolved: clashes };
    },
  };
}

const toConflict = (path: string): ConflictPath => ({
  path,
  base: undefined,
  ours: 'a',
  theirs: 'b',
  kind: 'contents',
});
const sorted = (files: Files): readonly (readonly [string, string])[] =>
  Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1));

/** Numbers below another, the same for every seed. */
export function dice(seed: number): (limit: number) => number {
  let count = 0;
  return (limit) => {
    count += 1;
    return createHash('sha1').update(`${seed} ${count}`).digest().readUInt32BE() % limit;
  };
}

export interface FakeChecks {
  readonly startCheck: StartCheck;
  /** What was checked, in the order of the starts: the files and the command. */
  readonly made: readonly { readonly files: Files; readonly command: string }[];
  /** The most that were at work at once. */
  readonly most: () => number;
  /** The files that are being checked. */
  readonly atWork: () => readonly Files[];
}

export interface FakeChecksOptions {
  readonly repository: FakeRepository;
  readonly seed: number;
  /** Whether the command passes; the number counts how often it was run on these files. */
  readonly passes: (files: Files, command: string, time: number) => boolean | 'never ends';
}

/** Checks end in an order of their own. */
export function fakeChecks({ repository, seed, passes }: FakeChecksOptions): FakeChecks {
  const below = dice(seed);
  const made: { files: Files; command: string }[] = [];
  const times = new Map<string, number>();
  const atWork: Files[] = [];
  let most = 0;
  const startCheck: StartCheck = ({ commit, command }) => {
    const files = repository.filesOf(commit);
    const key = idOf([sorted(files), command]);
    const time = (times.get(key) ?? 0) + 1;
    times.set(key, time);
    made.push({ files, command });
    atWork.push(files);
    most = Math.max(most, atWork.length);
    const running = { isStopped: false };
    const ended = (async (): Promise<CheckOutcome> => {
      const verdict = passes(files, command, time);
      let left = verdict === 'never ends' ? Infinity : below(8);
      for (; left > 0 && !running.isStopped; left -= 1) await setImmediate();
      // Ending takes its time as well.
      for (let more = running.isStopped ? 20 : 0; more > 0; more -= 1) await setImmediate();
      atWork.splice(atWork.indexOf(files), 1);
      if (running.isStopped) return { type: 'stopped' };
      return verdict === true ? { type: 'passed' } : { type: 'failed', tail: `${command} says no` };
    })();
    return { ended, stop: () => void (running.isStopped = true) };
  };
  return { startCheck, made, most: () => most, atWork: () => [...atWork] };
}

export interface Riding {
  readonly queue: MergeQueue;
  readonly outcomes: readonly WorkOutcome[];
  /** Waits until so many are reported. */
  readonly until: (count: number) => Promise<void>;
}

export interface RideOptions {
  readonly repository: FakeRepository;
  readonly checks: Pick<FakeChecks, 'startCheck'>;
  readonly width: number;
  readonly home?: string;
  /** Called with each outcome at the moment it is reported. */
  readonly onOutcome?: (outcome: WorkOutcome) => void;
}

export function ride(request: RideOptions): Riding {
  const { repository, checks, width, home = givenHome(), onOutcome } = request;
  const outcomes: WorkOutcome[] = [];
  const queue = startMergeQueue(
    {
      run: 'run-1',
      home,
      repository,
      candidates: async () => ({ type: 'failed', failure: { code: 'no-ports' } }),
      environment: {},
      clock: { now: () => Date.now(), monotonic: () => performance.now() },
      report: (reported) => {
        for (const outcome of reported) {
          outcomes.push(outcome);
          onOutcome?.(outcome);
        }
      },
      width,
    },
    checks.startCheck,
  );
  onTestFinished(() => queue.close());
  const until = async (count: number): Promise<void> => {
    const begin = performance.now();
    while (outcomes.length < count) {
      if (performance.now() - begin > PATIENCE_MS)
        throw new Error(`Only ${outcomes.length} of ${count} were reported.`);
      await setTimeout(1);
    }
  };
  return { queue, outcomes, until };
}

export function givenHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'heddle-queue-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

export const mergeRequestFor = (
  request: Partial<MergeRequest> & Pick<MergeRequest, 'task' | 'tip' | 'base'>,
): MergeRequest => ({
  work: 'merge',
  step: undefined,
  attempt: 1,
  checksOfDone: {},
  at: 1_000,
  intent: `What ${request.task} is for.`,
  answer: '',
  agents: [],
  take: [],
  checks: ['all'],
  limits: { timeoutMs: PATIENCE_MS, idleTimeoutMs: PATIENCE_MS },
  hasConflicted: false,
  isToStop: false,
  ...request,
});
