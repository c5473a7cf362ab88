// Amends the plan of a run: reads and proves the changed plan, previews the effect on each task, submits it.
//
// amend/A1. The effect is the previewed effect: the coordinator compares, and a run that has changed is previewed again.
// amend/A2. Nothing is written before the changed plan was read, compiled and proved.
import { amendmentOf, type AmendRefusal, type Amendment } from '../../core/engine/amendment.ts';
import type { ExpectedChanges } from '../../core/engine/command.ts';
import { hasCoordinator, type OpenProject } from '../open-project.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { PlanGiven } from '../../core/engine/event.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import type { State } from '../../core/engine/state.ts';
import { CLOCK } from '../local-parts.ts';
import { arePlansEqual } from '../../core/plan/plan-json.ts';
import { compile } from '../../core/compile/compile.ts';
import { mustBeOwned } from './must-be-owned.ts';
import { environmentFor } from '../given-for.ts';
import { readEngineNote } from '../engine-note.ts';
import { eventsFrom, foldRun, type FoldedRun } from '../fold-run.ts';
import { expectedOf } from '../../core/engine/decide/decide-amend.ts';
import { factsOf } from '../../core/engine/facts.ts';
import { isUnsound, proveNet, type Proof } from '../plan/checked-plan.ts';
import { mustBeRunnable } from './runnable.ts';
import { planChanges, taskChanges, type PlanChange, type TaskChange } from '../../core/engine/plan-changes.ts';
import { planIn } from '../../core/engine/apply/fold.ts';
import { post } from './post-resume.ts';
import { prioritiesFor } from '../run-history.ts';
import type { Replied } from '../../core/engine/commands/reply.ts';
import { awaitReply } from './command-reply.ts';
import { regrow } from '../../core/engine/decide/regrow.ts';
import { runLoop } from '../../shell/loop/loop.ts';

export type PlanChanged =
  | { readonly type: 'changed'; readonly changed: PlanGiven }
  | { readonly type: 'unsound'; readonly proof: Proof };

/** The plan that the run would follow. Settings from the command line at the start of the run stay in force. */
export async function changePlan(
  { project, store }: OpenProject,
  { compiled, state }: FoldedRun,
  given: Plan,
): Promise<PlanChanged> {
  const { sandbox, target } = compiled.plan;
  const isInPlace = state.run.base === undefined && sandbox.tree === 'none';
  const plan = regrow(state, {
    ...given,
    sandbox: isInPlace ? { ...given.sandbox, tree: sandbox.tree } : given.sandbox,
    target: given.target ?? target,
  });
  await mustBeRunnable(plan, project);
  const changed = compile(plan);
  const proof = proveNet(changed);
  if (isUnsound(proof)) return { type: 'unsound', proof };
  const { policy } = state.order;
  const priorities = prioritiesFor(store, changed, { policy, seed: state.run.seed });
  return { type: 'changed', changed: { plan, priorities } };
}

/** The effect of an amendment on a run in its logged state. */
export interface AmendmentPreview {
  readonly run: string;
  readonly stage: State['run']['stage'];
  readonly isRunning: boolean;
  /** Of the log that the preview was computed from. */
  readonly position: number;
  readonly changed: PlanGiven;
  /** The run follows exactly this plan already. */
  readonly isSame: boolean;
  readonly expects: ExpectedChanges;
  readonly tasks: readonly TaskChange[];
  readonly plan: readonly PlanChange[];
  /** Tasks that failed and stay failed until they are retried. */
  readonly stillFailed: readonly string[];
  /** Why it cannot be done. */
  readonly refused: readonly AmendRefusal[];
}

function previewAmendment({ record, state, events, position }: FoldedRun, changed: PlanGiven): AmendmentPreview {
  const amendment = amendmentOf(state, compile(changed.plan));
  return {
    run: record.run,
    stage: state.run.stage,
    isRunning: state.claims.size > 0,
    position,
    changed,
    isSame: arePlansEqual(changed.plan, planIn(events)),
    expects: expectedOf(state, amendment),
    tasks: taskChanges(state, amendment),
    plan: planChanges(state, amendment),
    stillFailed: stillFailedIn(state, amendment),
    refused: amendment.refused,
  };
}

function stillFailedIn(state: State, { restarted, cancelled }: Amendment): readonly string[] {
  return state.compiled.tasks
    .filter(({ task, index }) => task.type === 'work' && factsOf(state, index).ended?.ending === 'failed')
    .filter(({ index }) => !restarted.has(index) && !cancelled.includes(index))
    .map(({ task }) => task.path);
}

export interface AmendReply {
  readonly replied: Replied;
  readonly isDone: boolean;
  /** The run is not any more as it was previewed. */
  readonly hasMovedOn: boolean;
}

export type Submitted =
  | ({ readonly type: 'replied' } & AmendReply)
  /** The same of a run that stays paused. */
  | ({ readonly type: 'paused' } & AmendReply)
  /** The run has no coordinator: the caller becomes the coordinator. `reply` reads the outcome of the amendment afterwards. */
  | { readonly type: 'vacant'; readonly reply: (open: OpenProject) => Promise<AmendReply> };

/** How often a run that moves on is previewed again before the caller has to call again. */
const PREVIEWS_MAX = 5;

export interface AmendRunRequest {
  readonly folded: FoldedRun;
  readonly changed: PlanGiven;
  /** Previews only. */
  readonly isDry: boolean;
  readonly onPreview: (preview: AmendmentPreview) => void;
  readonly confirm: (preview: AmendmentPreview) => Promise<boolean>;
  /** The run is not any more as it was previewed; the preview is made again. */
  readonly onMovedOn: (replied: Replied) => void;
}

export type AmendOutcome = { readonly preview: AmendmentPreview } & (
  | Submitted
  /** Nothing was submitted: a dry run, an impossible change, equal plans, or the caller declined. */
  | { readonly type: 'dry' | 'impossible' | 'same' | 'declined' }
);

export async function amendRun(open: OpenProject, request: AmendRunRequest): Promise<AmendOutcome> {
  const { folded, changed, isDry, onPreview, confirm, onMovedOn } = request;
  const { record } = folded;
  for (let times = 1; ; times += 1) {
    const preview = previewAmendment(times === 1 ? folded : foldRun(open.store, record), changed);
    onPreview(preview);
    if (preview.refused.length > 0) return { type: 'impossible', preview };
    if (preview.isSame) return { type: 'same', preview };
    if (isDry) return { type: 'dry', preview };
    if (!(await confirm(preview))) return { type: 'declined', preview };
    const submitted = await submitAmendment(open, record, preview);
    if (submitted.type === 'vacant' || !submitted.hasMovedOn || times === PREVIEWS_MAX)
      return { ...submitted, preview };
    onMovedOn(submitted.replied);
  }
}

async function submitAmendment(
  open: OpenProject,
  record: RunRecord,
  { changed, expects, position, stage, isRunning }: AmendmentPreview,
): Promise<Submitted> {
  const id = post(open, record, { type: 'amend', ...changed, expects });
  const reply = async (from: OpenProject): Promise<AmendReply> => {
    const replied = await awaitReply(from.store, id);
    const { events } = eventsFrom(from.store, record.run, position);
    const isDone = events.some(({ type }) => type === 'plan.amending' || type === 'plan.amended');
    const notes = replied.type === 'replied' ? replied.reply.notes : [];
    return { replied, isDone, hasMovedOn: notes.some(({ code }) => code === 'amend.outdated') };
  };
  if (hasCoordinator(open, record)) return { type: 'replied', ...(await reply(open)) };
  // Nothing starts in a run that is paused, so no host is needed. The log of one on an engine is written by servers alone.
  if (stage === 'paused' && !isRunning && readEngineNote(open.project) === undefined) {
    await amendAtOnce(open, record);
    return { type: 'paused', ...(await reply(open)) };
  }
  return { type: 'vacant', reply };
}

/** Handles the commands of a run in which nothing is running or can start, without a host. */
async function amendAtOnce({ store }: OpenProject, record: RunRecord): Promise<void> {
  const owned = store.own(record.run, { takesOver: false });
  mustBeOwned(owned, record.run);
  await runLoop({
    compiled: undefined,
    given: { env: environmentFor(planIn(owned.log.read())) },
    log: owned.log,
    mailbox: { next: () => Promise.resolve({ syncs: [], mayHaveCommands: false }), reply: () => undefined },
    clock: CLOCK,
    onFolded: () => undefined,
    onEvents: () => undefined,
    staysMs: () => 0,
  });
  owned.release();
}
