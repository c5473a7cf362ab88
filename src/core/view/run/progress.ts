// One line per event for programs that follow a run: whom it is about, from which stage to which, and in which group.
//
// Q1. A fold with a memory of its own, so it needs no state and costs the same for every event.
// Q2. Claims that overlap in a chain are one group: a claim that is made when nothing is running opens the next.
import type { Compiled } from '../../compile/compiled.ts';
import { taskNamed } from '../../engine/apply/transition-of.ts';
import type { ClaimEvent, PlanAmended, RunEvent } from '../../engine/event.ts';
import type { WorkType } from '../../protocol/assignment.ts';
import type { Permission, Reason, Spend } from '../../protocol/result.ts';
import {
  claimed,
  followAmended,
  forget,
  knownOf,
  over,
  rollBack,
  stageIn,
  type Known,
  type Memory,
} from './progress-memory.ts';
import { phaseAfterClaim, type Stage, type Standing } from './stage.ts';

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
  /** How long a claim that is over was running; of a task, since its first claim. */
  readonly ms: number | undefined;
  /** Of a failed check, alone or after merging: how often the task has gone back to its agent. */
  readonly redo: number | undefined;
  readonly reason: Reason | undefined;
  readonly cause: string | undefined;
  readonly reserve: Spend | undefined;
  readonly spend: Spend | undefined;
  readonly pool: string | undefined;
  readonly until: number | undefined;
  /** Of a pool: how many of its tokens may be held at once. */
  readonly limit: number | undefined;
  /** What an agent wants to know, and what it asks leave for when that is it. */
  readonly question: string | undefined;
  readonly permission: Permission | undefined;
  /** Who has the step, where the plan names several. */
  readonly agent: string | undefined;
  readonly tasks: readonly string[] | undefined;
  readonly amended: Pick<PlanAmended, 'restarted' | 'added' | 'cancelled'> | undefined;
  /** Of a conflict: in which files, and with the work of which tasks. */
  readonly paths: readonly string[] | undefined;
  readonly with: readonly string[] | undefined;
}

type Moved = Partial<Pick<Progress, 'from' | 'to' | 'attempt' | 'group' | 'ms'>>;

type WholeEvent = Exclude<RunEvent, { task: string }>;
type StepEvent = Extract<RunEvent, { type: `step.${string}` }>;
type TaskEvent = Exclude<Extract<RunEvent, { task: string }>, ClaimEvent | StepEvent>;

/** Tell it every event of one run, in order. */
export function followProgress(run: string, compiled: Compiled): (event: RunEvent) => Progress {
  const memory: Memory = { compiled, tasks: new Map(), runStage: 'new', running: 0, group: 0 };
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
      cause: 'cause' in event ? event.cause : undefined,
      reserve: 'reserve' in event ? event.reserve : undefined,
      spend: 'spend' in event ? event.spend : undefined,
      pool: 'pool' in event ? event.pool : undefined,
      until: 'until' in event ? event.until : undefined,
      limit: 'limit' in event ? event.limit : undefined,
      question: 'question' in event ? event.question : undefined,
      permission: 'permission' in event ? event.permission : undefined,
      agent: 'agent' in event ? event.agent : undefined,
      tasks: 'tasks' in event ? event.tasks : undefined,
      amended: event.type === 'plan.amended' ? amendedBy(event) : undefined,
      paths: 'conflict' in event ? event.conflict?.paths : undefined,
      with: 'conflict' in event ? event.conflict?.with : undefined,
    };
  };
}

function moved(memory: Memory, event: RunEvent): Moved {
  if ('work' in event) return movedClaim(memory, event);
  if ('step' in event) return { from: 'ready', to: event.type === 'step.joined' ? 'done' : event.ending };
  if ('task' in event) return movedTask(memory, event);
  return movedWhole(memory, event);
}

function movedWhole(memory: Memory, event: WholeEvent): Moved {
  const goTo = (to: Stage): Moved => {
    const from = memory.runStage;
    memory.runStage = to;
    return { from, to };
  };
  switch (event.type) {
    case 'run.started':
    case 'run.resumed':
      return goTo('going');
    case 'run.paused':
      return goTo('paused');
    case 'run.ended':
      return goTo('ended');
    case 'task.reset':
      for (const task of event.tasks) forget(memory, task);
      // Only what has ended is revived, and a run in which something is to be done again has not ended.
      return goTo(memory.runStage === 'ended' ? 'going' : memory.runStage);
    case 'plan.amending':
    case 'plan.amended':
      if (event.type === 'plan.amended') followAmended(memory, event);
      return goTo(memory.runStage === 'ended' ? 'going' : memory.runStage);
    case 'pool.closed':
      return { from: 'open', to: 'closed' };
    case 'pool.opened':
      return { from: 'closed', to: 'open' };
    case 'pool.throttled':
    case 'pool.restored':
      return { from: 'open', to: 'open' };
  }
}

function movedClaim(memory: Memory, event: ClaimEvent): Moved {
  const known = knownOf(memory, event.task);
  const key = event.work === 'step' ? (event.step ?? '') : event.work;
  const madeAt = known.claims.get(key);
  const before = stageIn(memory, event.task);
  const stages = (): Moved =>
    event.work === 'step' ? stepStages(event) : { from: before, to: stageIn(memory, event.task) };
  const { attempt } = event;
  switch (event.type) {
    case 'claim.made':
      if (event.work === 'step') known.startedAt ??= event.at;
      known.claims.set(key, event.at);
      if (event.work === 'step') known.runningSteps.add(key);
      else known.claim = event.work;
      return { ...stages(), attempt, group: claimed(memory) };
    case 'claim.raised':
    case 'claim.preempting':
    case 'claim.cancelling':
      return { ...stages(), attempt, group: memory.group };
    case 'claim.answered':
      known.askingSteps.delete(key);
      return { ...stages(), attempt };
    case 'claim.returned':
    case 'claim.asked':
    case 'claim.ended':
      known.claims.delete(key);
      settle(memory, known, event);
      return {
        ...stages(),
        attempt,
        group: over(memory),
        ms: madeAt === undefined ? undefined : Math.max(0, event.at - madeAt),
      };
  }
}

function settle(
  { compiled }: Memory,
  known: Known,
  event: Extract<ClaimEvent, { type: 'claim.returned' | 'claim.asked' | 'claim.ended' }>,
): void {
  const { work, step = '' } = event;
  if (work === 'step') {
    known.runningSteps.delete(step);
    if (event.type === 'claim.asked') known.askingSteps.add(step);
    return;
  }
  known.claim = undefined;
  known.phase = phaseAfterClaim(taskNamed(compiled, event.task), event);
}

/** The stages of a step follow from the event alone. */
function stepStages(event: ClaimEvent): Moved {
  switch (event.type) {
    case 'claim.made':
      return { from: 'ready', to: 'working' };
    case 'claim.raised':
    case 'claim.preempting':
    case 'claim.cancelling':
      return { from: 'working', to: 'working' };
    case 'claim.returned':
      return { from: 'working', to: 'ready' };
    case 'claim.asked':
      return { from: 'working', to: 'asking' };
    case 'claim.answered':
      return { from: 'asking', to: event.ending ?? 'ready' };
    case 'claim.ended':
      return { from: 'working', to: event.ending };
  }
}

function movedTask(memory: Memory, event: TaskEvent): Moved {
  const known = knownOf(memory, event.task);
  const from = stageIn(memory, event.task);
  known.phase = phaseAfter(memory, event, known.phase);
  if (event.type === 'task.rolledBack') rollBack(memory, event);
  const ms = event.type === 'task.ended' ? sinceStart(known, event.at) : undefined;
  return { from, to: stageIn(memory, event.task), ms };
}

function phaseAfter({ compiled }: Memory, event: TaskEvent, before: Standing['phase']): Standing['phase'] {
  switch (event.type) {
    case 'task.opened':
    case 'task.repeated':
    case 'task.resolved':
    case 'task.rolledBack':
      return 'open';
    case 'task.skipped':
      // A subplan that is skipped has still to see its tasks skipped.
      return taskNamed(compiled, event.task).task.type === 'subplan' ? 'open' : event.ending;
    case 'task.ended':
      return event.ending;
    case 'task.queued':
      return 'queued';
    case 'task.escalated':
      return 'conflicted';
    case 'task.paused':
    case 'task.released':
    case 'task.cancelling':
      return before;
  }
}

const sinceStart = ({ startedAt }: Known, at: number): number | undefined =>
  startedAt === undefined ? undefined : Math.max(0, at - startedAt);

const amendedBy = ({ restarted, added, cancelled }: PlanAmended) => ({ restarted, added, cancelled });
