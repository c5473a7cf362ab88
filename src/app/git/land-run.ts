// Lands a run branch: prepared in memory, checked again when the target has moved, and moved by one compare-and-swap.
//
// land-run/N1. Nothing moves before a person has confirmed the preview.
// land-run/N2. The landed commit has a tree that passed: the run's own, or one that was checked just before.
// land-run/N3. Every landing can be repeated: a finished one is recognised as landed.
import type { SandboxFailure } from '../../core/protocol/sandbox-failure.ts';
import type { GitFailed, GitRefused } from '../../shell/git/run/git-error.ts';
import type { State } from '../../core/engine/state.ts';
import type { Limits } from '../../core/protocol/assignment.ts';
import type { MergeSettings, TakeRule } from '../../core/plan/plan.ts';
import { stepEnvironment } from '../given-for.ts';
import { CLOCK } from '../local-parts.ts';
import { checkerFor, type Integration } from '../git-parts.ts';
import type { Refusal } from '../../core/view/text/refusal.ts';

export type LandStrategy = 'auto' | 'fast-forward' | 'merge' | 'squash';

export interface LandRunRequest {
  readonly run: string;
  /** One for the end of each task's work, the oldest first; empty when nothing was merged. */
  readonly commits: readonly { readonly task: string; readonly commit: string }[];
  /** The tree of the last commit has passed the checks; the tree of a partial landing may be unchecked. */
  readonly isChecked: boolean;
  /** The checks for a result that is unchecked or whose target has moved, and the limits of each command. */
  readonly checks: readonly string[];
  readonly limits: Limits;
  readonly state: State;
  /** Files that never conflict. */
  readonly take: readonly TakeRule[];
  /** The commit that the run starts from. */
  readonly base: string;
  readonly home: string;
  readonly integration: Integration;
  /** A branch of the user's. */
  readonly target: string;
  readonly how: LandStrategy;
  readonly strategy: MergeSettings['strategy'];
  readonly isDry: boolean;
  /** Whether to proceed with this landing. */
  readonly confirm: (preview: Preview) => Promise<boolean>;
  /** Called before each check of a merge with a target that has moved. */
  readonly onCheck?: ((checking: { readonly target: string; readonly command: string }) => void) | undefined;
}

/** The commit that the target would point to. */
export interface Preview {
  readonly target: string;
  readonly from: string;
  readonly commit: string;
  /** The target has new commits since the run began, so the merge of both is checked first. */
  readonly hasMoved: boolean;
  /** The tasks whose work lands, in merge order. */
  readonly tasks: readonly string[];
  readonly files: number;
}

/** What came of a landing. */
export type LandOutcome =
  | {
      readonly type: 'landed';
      readonly target: string;
      readonly from: string;
      readonly commit: string;
      readonly checkout: string | undefined;
    }
  | { readonly type: 'ready'; readonly preview: Preview }
  /** Nothing was committed yet, or the target has it all already. */
  | { readonly type: 'nothing'; readonly why: 'no-commits' | 'landed-before'; readonly target: string }
  | { readonly type: 'declined' }
  /** The target has moved, and conflicts with the run in these paths. */
  | { readonly type: 'conflict'; readonly target: string; readonly paths: readonly string[] }
  | { readonly type: 'refused'; readonly refusal: Refusal }
  /** The target moved again each time it was landed on. */
  | { readonly type: 'outrun'; readonly target: string }
  | Exclude<Rechecked, { type: 'passed' }>;

export async function landRun(request: LandRunRequest): Promise<LandOutcome> {
  const { commits, target } = request;
  const tip = commits.at(-1)?.commit;
  if (tip === undefined) return { type: 'nothing', why: 'no-commits', target };
  const tasks = commits.map(({ task }) => task);
  const whole = await prepare(request, { commit: tip, tasks });
  if (whole.type === 'landed') return { type: 'nothing', why: 'landed-before', target };
  if (whole.type !== 'ready') return ofGit(whole, target);
  const preview = await previewOf(request, { ready: whole, tasks });
  if (request.isDry) return { type: 'ready', preview };
  if (!(await request.confirm(preview))) return { type: 'declined' };
  const parts =
    request.strategy === 'per_task'
      ? commits.map(({ commit, task }) => ({ commit, tasks: [task] }))
      : [{ commit: tip, tasks }];
  return landParts(request, preview, parts);
}

interface Part {
  readonly commit: string;
  readonly tasks: readonly string[];
}

/** One after the other; the commits before a failed one stay landed. */
async function landParts(request: LandRunRequest, { from }: Preview, parts: readonly Part[]): Promise<LandOutcome> {
  const { target } = request;
  let last: Extract<LandOutcome, { type: 'landed' }> | undefined;
  for (const part of parts) {
    const landed = await landPart(request, part);
    if (landed.type === 'nothing') continue;
    if (landed.type !== 'landed') return landed;
    last = { ...landed, from, checkout: landed.checkout ?? last?.checkout };
  }
  return last ?? { type: 'nothing', why: 'landed-before', target };
}

/** How often to retry when the target moves during the checks. */
const TRIES_MAX = 5;

async function landPart(request: LandRunRequest, part: Part): Promise<LandOutcome> {
  const { integration, target } = request;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const ready = await prepare(request, part);
    if (ready.type === 'landed') return { type: 'nothing', why: 'landed-before', target };
    if (ready.type !== 'ready') return ofGit(ready, target);
    const { from, commit } = ready;
    if (ready.hasMoved || !request.isChecked) {
      const onCheck = (command: string): void => request.onCheck?.({ target, command });
      const checked = await recheck({ ...request, commit, onCheck });
      if (checked.type !== 'passed') return checked;
    }
    const landed = await integration.repository.land({ target, from, to: commit, updatesCheckout: true });
    if (landed.type === 'landed') return { type: 'landed', target, from, commit, checkout: landed.checkout };
    if (landed.type !== 'moved') return ofGit(landed, target);
  }
  return { type: 'outrun', target };
}

type GitOutcome = GitFailed | GitRefused | { readonly type: 'conflict'; readonly paths: readonly string[] };

function ofGit(outcome: GitOutcome, target: string): LandOutcome {
  if (outcome.type === 'conflict') return { ...outcome, target };
  return outcome.type === 'refused' ? { type: 'refused', refusal: { code: 'git', failure: outcome.failure } } : outcome;
}

const prepare = ({ run, state, integration, target, how, take }: LandRunRequest, { commit, tasks }: Part) =>
  integration.repository.prepareLanding({
    commit,
    target,
    how,
    message: messageFor(run, tasks),
    at: CLOCK.now(),
    take,
    author: state.run.author,
  });

const messageFor = (run: string, tasks: readonly string[]): string =>
  tasks.length === 1
    ? `Land ${tasks[0] ?? ''} of ${run}`
    : `Land ${run}\n\n${tasks.map((task) => `- ${task}`).join('\n')}`;

interface Previewing {
  readonly ready: { readonly from: string; readonly commit: string; readonly hasMoved: boolean };
  readonly tasks: readonly string[];
}

async function previewOf({ integration, target }: LandRunRequest, { ready, tasks }: Previewing): Promise<Preview> {
  const { from, commit, hasMoved } = ready;
  const files = (await integration.repository.changedPaths(from, commit)).length;
  return { target, from, commit, hasMoved, tasks, files };
}

interface RecheckRequest {
  readonly run: string;
  /** Commands that must all pass. */
  readonly checks: readonly string[];
  readonly limits: Limits;
  readonly home: string;
  readonly integration: Integration;
  readonly commit: string;
  /** Called before each check that is really made. */
  readonly onCheck: (command: string) => void;
}

type Rechecked =
  | { readonly type: 'passed' }
  | { readonly type: 'check failed'; readonly command: string; readonly tail: string }
  | { readonly type: 'failed'; readonly failure: SandboxFailure };

/** Checks the commit to land in a disposable tree, by all checks of the tasks that it contains. */
async function recheck(request: RecheckRequest): Promise<Rechecked> {
  const { run, checks, limits, home, integration, commit, onCheck } = request;
  const tree = await integration.repository.treeOf(commit);
  const { remembered, start } = checkerFor({ run, home, integration, environment: stepEnvironment() });
  for (const command of checks) {
    if (remembered.of({ tree, command }, Infinity)?.type === 'passed') continue;
    onCheck(command);
    const checked = await start({ commit, command, limits }).ended;
    if (checked.type === 'error') return { type: 'failed', failure: checked.failure };
    if (checked.type === 'stopped') return { type: 'failed', failure: { code: 'check-stopped', command } };
    if (checked.type === 'failed') return { type: 'check failed', command, tail: checked.tail };
    remembered.passed({ tree, command });
  }
  return { type: 'passed' };
}
