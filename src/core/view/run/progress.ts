// One line per event for programs that follow a run: whom it is about, from which stage to which, with whom at work.
//
// Q1. A fold with a memory of its own, so it needs no state and costs the same for every event.
// Q2. Claims whose spells overlap in a chain are one group: a claim that is made when nothing is at work opens the next.
import { compile } from '../../compile/compile.ts';
import type { Compiled } from '../../compile/compiled.ts';
import type { Permission, Reason, Spend } from '../../protocol/result.ts';
import type { PlanAmended, RunEvent } from '../../engine/event.ts';
import { stageAfter, type Stage, type TaskEvent } from './stage-after.ts';

export interface Progress {
  readonly run: string;
  readonly type: RunEvent['type'];
  readonly at: number;
  readonly task: string | undefined;
  readonly step: string | undefined;
  /** Of the step, the check or the merge that the event is about. */
  readonly attempt: number | undefined;
  readonly from: Stage | undefined;
  readonly to: Stage | undefined;
  /** Of events about something that is or was at work. */
  readonly group: number | undefined;
  /** How long what is over was at work: a spell, or a task from its first spell on. */
  readonly ms: number | undefined;
  readonly reason: Reason | undefined;
  readonly cause: string | undefined;
  readonly reserve: Spend | undefined;
  readonly spend: Spend | undefined;
  readonly pool: string | undefined;
  readonly until: number | undefined;
  /** Of a pool: how many of its tokens may be held at once. */
  readonly width: number | undefined;
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

type StepEvent = Extract<RunEvent, { step: string }>;
type WholeEvent = Exclude<RunEvent, { task: string }>;

interface Known {
  stage: Stage;
  checks: number;
  merges: number;
  /** The latest attempt on a conflict. */
  resolve: number;
  startedAt: number | undefined;
  /** When its check, its merge or its turn on a conflict was claimed. */
  claimedAt: number;
  /** The latest spells of its steps. */
  readonly steps: Map<string, Attempt>;
}

interface Attempt {
  readonly attempt: number;
  readonly at: number;
}

interface Memory {
  compiled: Compiled;
  readonly tasks: Map<string, Known>;
  runStage: Stage;
  atWork: number;
  group: number;
}

/** Tell it every event of one run, in order. */
export function followProgress(run: string, compiled: Compiled): (event: RunEvent) => Progress {
  const memory: Memory = { compiled, tasks: new Map(), runStage: 'new', atWork: 0, group: 0 };
  return (event) => {
    const { from, to, attempt, group, ms } = moved(memory, event);
    return {
      run,
      type: event.type,
      at: event.at,
      task: 'task' in event ? event.task : undefined,
      step: 'step' in event ? event.step : undefined,
      attempt,
      from,
      to,
      group,
      ms,
      reason: 'reason' in event ? event.reason : undefined,
      cause: 'cause' in event ? event.cause : undefined,
      reserve: 'reserve' in event ? event.reserve : undefined,
      spend: 'spend' in event ? event.spend : undefined,
      pool: 'pool' in event ? event.pool : undefined,
      until: 'until' in event ? event.until : undefined,
      width: 'width' in event ? event.width : undefined,
      question: 'question' in event ? event.question : undefined,
      permission: 'permission' in event ? event.permission : undefined,
      agent: 'agent' in event ? event.agent : undefined,
      tasks: 'tasks' in event ? event.tasks : undefined,
      amended: event.type === 'plan.amended' ? amendedBy(event) : undefined,
      paths: 'paths' in event ? event.paths : undefined,
      with: 'with' in event ? event.with : undefined,
    };
  };
}

function moved(memory: Memory, event: RunEvent): Moved {
  if ('step' in event) return movedStep(memory, event);
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
    case 'tasks.revived':
      for (const task of event.tasks) forget(memory, task);
      // Only what has ended is revived, and a run in which something is to be done again has not ended.
      return goTo(memory.runStage === 'ended' ? 'going' : memory.runStage);
    case 'amendment.accepted':
    case 'plan.amended':
      if (event.type === 'plan.amended') followAmended(memory, event);
      return goTo(memory.runStage === 'ended' ? 'going' : memory.runStage);
    case 'pool.closed':
      return { from: 'open', to: 'closed' };
    case 'pool.opened':
      return { from: 'closed', to: 'open' };
    case 'pool.narrowed':
    case 'pool.widened':
      return { from: 'open', to: 'open' };
  }
}

/** The stages of a step follow from the event alone. */
function movedStep(memory: Memory, event: StepEvent): Moved {
  const known = knownOf(memory, event.task);
  const spell = known.steps.get(event.step);
  const attempt = spell?.attempt;
  const ms = spell === undefined ? undefined : Math.max(0, event.at - spell.at);
  switch (event.type) {
    case 'step.claimed':
      known.startedAt ??= event.at;
      known.steps.set(event.step, event);
      return { from: 'ready', to: 'working', attempt: event.attempt, group: claimed(memory) };
    case 'step.ended':
      return { from: 'working', to: event.ending, attempt, group: over(memory), ms };
    case 'step.returned':
      return { from: 'working', to: 'ready', attempt, group: over(memory), ms };
    case 'step.asked':
      return { from: 'working', to: 'asking', attempt, group: over(memory), ms };
    case 'step.condemned':
    case 'step.recalled':
    case 'step.raised':
      return { from: 'working', to: 'working', attempt, group: memory.group };
    case 'step.dropped':
      return { from: 'ready', to: event.ending };
    case 'step.joined':
      return { from: 'ready', to: 'done' };
    case 'step.answered':
      return { from: 'asking', to: event.ending, attempt };
    case 'step.retried':
      return { from: 'asking', to: 'ready', attempt };
  }
}

function movedTask(memory: Memory, event: TaskEvent): Moved {
  const known = knownOf(memory, event.task);
  const from = known.stage;
  const to = stageAfter(memory.compiled, event, from);
  known.stage = to;
  const ms = Math.max(0, event.at - known.claimedAt);
  switch (event.type) {
    case 'check.claimed':
      known.checks += 1;
      known.claimedAt = event.at;
      return { from, to, attempt: known.checks, group: claimed(memory) };
    case 'task.merging':
      known.merges += 1;
      known.claimedAt = event.at;
      return { from, to, attempt: known.merges, group: claimed(memory) };
    case 'check.passed':
    case 'check.failed':
    case 'check.returned':
      return { from, to, attempt: known.checks, group: over(memory), ms };
    case 'task.requeued':
    case 'task.conflicted':
    case 'merge.failed':
      return { from, to, attempt: known.merges, group: over(memory), ms };
    case 'resolve.claimed':
      known.resolve = event.attempt;
      known.claimedAt = event.at;
      return { from, to, attempt: event.attempt, group: claimed(memory) };
    case 'resolve.ended':
    case 'resolve.returned':
      return { from, to, attempt: known.resolve, group: over(memory), ms };
    case 'resolve.condemned':
    case 'resolve.recalled':
    case 'resolve.raised':
      return { from, to, attempt: known.resolve, group: memory.group };
    case 'task.rolledBack':
      rollBack(memory, event);
      return { from, to };
    case 'check.condemned':
    case 'check.recalled':
      return { from, to, attempt: known.checks, group: memory.group };
    case 'merge.condemned':
      return { from, to, attempt: known.merges, group: memory.group };
    case 'task.ended':
      return { from, to, ...endOfClaim(memory, known, from), ms: sinceStart(known, event.at) };
    case 'task.opened':
    case 'task.held':
    case 'task.released':
    case 'task.dropped':
    case 'task.condemned':
    case 'task.repeated':
    case 'task.queued':
    case 'task.resolved':
    case 'resolve.dropped':
      return { from, to };
  }
}

const sinceStart = ({ startedAt }: Known, at: number): number | undefined =>
  startedAt === undefined ? undefined : Math.max(0, at - startedAt);

/** A task may end with its check or its merge. */
function endOfClaim(memory: Memory, { checks, merges }: Known, from: Stage): Moved {
  if (from === 'checking') return { attempt: checks, group: over(memory) };
  if (from === 'merging') return { attempt: merges, group: over(memory) };
  return {};
}

/** What goes back with a task waits again; the task itself is open. */
function rollBack(memory: Memory, { task, tasks }: Extract<TaskEvent, { type: 'task.rolledBack' }>): void {
  const known = knownOf(memory, task);
  const { startedAt } = known;
  for (const each of tasks) forget(memory, each);
  Object.assign(known, { stage: 'open', startedAt });
  if (memory.runStage === 'ended') memory.runStage = 'going';
}

/** It waits again, and the subplans around it that had ended are open again. */
function forget(memory: Memory, path: string): void {
  const { indexOf, tasks } = memory.compiled;
  Object.assign(knownOf(memory, path), { stage: 'waiting', startedAt: undefined });
  const own = tasks[indexOf.get(path) ?? -1];
  for (let around = tasks[own?.parent ?? -1]; around !== undefined; around = tasks[around.parent ?? -1]) {
    const known = knownOf(memory, around.task.path);
    if (known.stage !== 'waiting') known.stage = 'open';
  }
}

const amendedBy = ({ restarted, added, cancelled }: PlanAmended) => ({ restarted, added, cancelled });

/** What is kept stands where it stood; the rest waits, or is gone. */
function followAmended(memory: Memory, { plan, restarted, changed, reopened, cancelled }: PlanAmended): void {
  memory.compiled = compile(plan);
  for (const path of cancelled) memory.tasks.delete(path);
  for (const path of [...restarted, ...changed]) forget(memory, path);
  for (const path of reopened) knownOf(memory, path).stage = 'open';
}

const UNSEEN = { stage: 'waiting', checks: 0, merges: 0, resolve: 0, startedAt: undefined, claimedAt: 0 } as const;

function knownOf({ tasks }: Memory, path: string): Known {
  const known = tasks.get(path);
  if (known !== undefined) return known;
  const fresh: Known = { ...UNSEEN, steps: new Map() };
  tasks.set(path, fresh);
  return fresh;
}

function claimed(memory: Memory): number {
  if (memory.atWork === 0) memory.group += 1;
  memory.atWork += 1;
  return memory.group;
}

function over(memory: Memory): number {
  memory.atWork -= 1;
  return memory.group;
}
