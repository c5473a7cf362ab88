// One line per event for programs that follow a run: the task or step, its stage before and after, and its group.
//
// Q1. A fold with a memory of its own: it needs no state and has the same cost for every event.
// Q2. Claims that overlap in a chain form one group: a claim that is made while nothing runs opens the next group.
import type { Compiled } from '../../compile/compiled.ts';
import { taskNamed } from '../../engine/facts.ts';
import type { ClaimEvent, PlanAmended, RunEvent } from '../../engine/event.ts';
import { claimRow, endsClaim } from '../../engine/events/claim-events.ts';
import type { Stage } from '../../engine/events/event-fields.ts';
import { tasksIn } from '../../engine/events/event-table.ts';
import { wholeRow, type WholeEvent } from '../../engine/events/run-events.ts';
import { stepRow, taskRow, type TaskEvent, type StepEvent } from '../../engine/events/task-events.ts';
import type { WorkType } from '../../protocol/assignment.ts';
import type { MovedConversation, WaitsForHost } from '../../protocol/placement.ts';
import type { SandboxBackend } from '../../protocol/sandbox-backend.ts';
import type { Permission, Reason, Spend } from '../../protocol/result.ts';
import {
  claimed,
  followAmended,
  followGrown,
  knownOf,
  over,
  reset,
  forgetRolledBack,
  stageIn,
  type KnownTask,
  type ProgressMemory,
} from './progress-memory.ts';

export interface Progress {
  readonly run: string;
  readonly type: RunEvent['type'];
  readonly at: number;
  /** Of a claim. */
  readonly work: WorkType | undefined;
  readonly task: string | undefined;
  readonly step: string | undefined;
  /** Of a claim. */
  readonly attempt: number | undefined;
  readonly from: Stage | undefined;
  readonly to: Stage | undefined;
  /** Of claims. */
  readonly group: number | undefined;
  /** The duration of a claim that has ended; of a task, the time since its first claim. */
  readonly ms: number | undefined;
  /** Of a failed check, before or after merging: how often the task has been sent back to its agent. */
  readonly redo: number | undefined;
  readonly reason: Reason | undefined;
  readonly cause: string | undefined;
  readonly reserve: Spend | undefined;
  readonly spend: Spend | undefined;
  readonly pool: string | undefined;
  readonly until: number | undefined;
  /** Of a pool: its effective limit. */
  readonly limit: number | undefined;
  /** The question of an agent, and the permission that it requests, if any. */
  readonly question: string | undefined;
  readonly permission: Permission | undefined;
  /** The agent of the step, where the plan names several. */
  readonly agent: string | undefined;
  readonly tasks: readonly string[] | undefined;
  readonly amended: Pick<PlanAmended, 'restarted' | 'added' | 'cancelled'> | undefined;
  /** Of a conflict: the files, and the tasks whose work conflicts. */
  readonly paths: readonly string[] | undefined;
  readonly with: readonly string[] | undefined;
  /** The host on another machine on which a claim was placed. */
  readonly host: string | undefined;
  /** The host that could not run a claim. */
  readonly unbegunOn: string | undefined;
  /** Why a claim waits for a host. */
  readonly waitsFor: WaitsForHost | undefined;
  /** What became of the conversation of a turn that was placed on another machine than the turn before it. */
  readonly conversation: MovedConversation | undefined;
  /** The trees and the isolation of the sandboxes of the run. */
  readonly sandboxes: SandboxBackend | undefined;
}

type Moved = Partial<Pick<Progress, 'from' | 'to' | 'attempt' | 'group' | 'ms'>>;

/** Takes every event of one run, in order. */
export function followProgress(run: string, compiled: Compiled): (event: RunEvent) => Progress {
  const memory: ProgressMemory = { compiled, tasks: new Map(), runStage: 'new', running: 0, group: 0 };
  return (event) => {
    const { from, to, attempt, group, ms } = moved(memory, event);
    return {
      run,
      type: event.type,
      at: event.at,
      work: 'work' in event ? event.work : undefined,
      task: 'task' in event ? event.task : undefined,
      step: 'step' in event ? event.step : undefined,
      attempt,
      from,
      to,
      group,
      ms,
      redo: 'redo' in event ? event.redo : undefined,
      reason: 'reason' in event ? event.reason : undefined,
      cause: causeOf(event),
      reserve: 'reserve' in event ? event.reserve : undefined,
      spend: 'spend' in event ? event.spend : undefined,
      pool: 'pool' in event ? event.pool : undefined,
      until: 'until' in event ? event.until : undefined,
      limit: 'limit' in event ? event.limit : undefined,
      question: 'question' in event ? event.question : undefined,
      permission: 'permission' in event ? event.permission : undefined,
      agent: 'agent' in event ? event.agent : undefined,
      tasks: tasksIn(event),
      amended: changedBy(event),
      paths: 'conflict' in event ? event.conflict?.paths : undefined,
      with: 'conflict' in event ? event.conflict?.with : undefined,
      host: 'host' in event ? event.host : undefined,
      unbegunOn: 'unbegunOn' in event ? event.unbegunOn : undefined,
      waitsFor: event.type === 'claim.waiting' ? event.why : undefined,
      conversation: event.type === 'claim.placed' ? event.conversation : undefined,
      sandboxes: 'sandboxes' in event ? event.sandboxes : undefined,
    };
  };
}

/** The cause: another task, or the provider's message. */
function causeOf(event: RunEvent): string | undefined {
  if ('cause' in event) return event.cause;
  return 'message' in event ? event.message : undefined;
}

function moved(memory: ProgressMemory, event: RunEvent): Moved {
  if ('work' in event) return movedClaim(memory, event);
  if ('step' in event) return movedStep(memory, event);
  if ('task' in event) return movedTask(memory, event);
  return movedWhole(memory, event);
}

function movedStep(memory: ProgressMemory, event: StepEvent): Moved {
  if (event.type === 'step.gated') knownOf(memory, event.task).askingSteps.add(event.step);
  return { from: 'ready', to: stepRow(event).to(event), attempt: 'attempt' in event ? event.attempt : undefined };
}

function movedWhole(memory: ProgressMemory, event: WholeEvent): Moved {
  if (event.type === 'task.reset') for (const task of event.tasks) reset(memory, task);
  if (event.type === 'task.lost') for (const { task } of event.tasks) knownOf(memory, task).phase = 'failed';
  if (event.type === 'plan.amended') followAmended(memory, event);
  if (event.type === 'plan.grown') followGrown(memory, event);
  const { stages } = wholeRow(event);
  if ('pool' in event) return stages ?? {};
  const from = memory.runStage;
  // A reset task makes an ended run active again.
  memory.runStage = stages?.to ?? (from === 'ended' ? 'going' : from);
  return { from, to: memory.runStage };
}

function movedClaim(memory: ProgressMemory, event: ClaimEvent): Moved {
  const known = knownOf(memory, event.task);
  const key = event.work === 'step' ? (event.step ?? '') : event.work;
  const { ofStep } = claimRow(event);
  const before = stageIn(memory, event.task);
  const madeAt = known.claims.get(key);
  noteClaim(memory, event, { known, key });
  const stages =
    event.work === 'step'
      ? { from: ofStep.from, to: ofStep.to(event) }
      : { from: before, to: stageIn(memory, event.task) };
  const ms = endsClaim(event) && madeAt !== undefined ? Math.max(0, event.at - madeAt) : undefined;
  return { ...stages, attempt: event.attempt, group: groupOf(memory, event), ms };
}

function groupOf(memory: ProgressMemory, event: ClaimEvent): number | undefined {
  if (event.type === 'claim.made') return claimed(memory);
  if (endsClaim(event)) return over(memory);
  return event.type === 'claim.answered' ? undefined : memory.group;
}

function noteClaim(
  { compiled }: ProgressMemory,
  event: ClaimEvent,
  { known, key }: { readonly known: KnownTask; readonly key: string },
): void {
  const isOfStep = event.work === 'step';
  if (event.type === 'claim.made') {
    known.claims.set(key, event.at);
    if (isOfStep) known.startedAt ??= event.at;
    if (isOfStep) known.runningSteps.add(key);
    else known.claim = event.work;
  }
  if (event.type === 'claim.answered') known.askingSteps.delete(key);
  if (!endsClaim(event)) return;
  known.claims.delete(key);
  if (isOfStep) known.runningSteps.delete(key);
  if (isOfStep && event.type === 'claim.asked') known.askingSteps.add(key);
  if (isOfStep) return;
  known.claim = undefined;
  known.phase = claimRow(event).phase?.(event, taskNamed(compiled, event.task)) ?? known.phase;
}

function movedTask(memory: ProgressMemory, event: TaskEvent): Moved {
  const known = knownOf(memory, event.task);
  const from = stageIn(memory, event.task);
  known.phase = taskRow(event).phase?.(event, taskNamed(memory.compiled, event.task)) ?? known.phase;
  if (event.type === 'task.opened') known.isOpened = true;
  if (event.type === 'task.rolledBack') forgetRolledBack(memory, event);
  const ms = event.type === 'task.ended' ? sinceStart(known, event.at) : undefined;
  return { from, to: stageIn(memory, event.task), ms };
}

const sinceStart = ({ startedAt }: KnownTask, at: number): number | undefined =>
  startedAt === undefined ? undefined : Math.max(0, at - startedAt);

type ChangedTasks = Pick<PlanAmended, 'restarted' | 'added' | 'cancelled'>;

/** The changes to the plan of the run, if it is an event of the plan. */
function changedBy(event: RunEvent): ChangedTasks | undefined {
  if (event.type === 'plan.grown')
    return { restarted: [], added: event.fragment.tasks.map(({ path }) => path), cancelled: [] };
  if (event.type !== 'plan.amended') return undefined;
  const { restarted, added, cancelled } = event;
  return { restarted, added, cancelled };
}
