// The agents of all turns, from the log alone, and violations of the rules for choosing agents.
//
// C1. Where a plan names several agents, each claim names the agent of the turn, and it is one of them.
// C2. An agent is skipped only while it backs off (a limit, an overload) or after a failure of its own; a skipped agent
//     gets no turn.
// C3. A limit counts as no attempt, and causes a backoff.
// C4. An agent is excluded for good at most once in a step, so a list of agents ends.
// C5. A failure of the work excludes no agent. With `escalate` it moves the step on to the next agent, and nothing else does.
import type { Compiled, CompiledStep } from '../../src/core/compile/compiled.ts';
import type { Reason } from '../../src/core/protocol/result.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';

type Claimed = Extract<RunEvent, { type: 'claim.made' }>;
type Returned = Extract<RunEvent, { type: 'claim.returned' }>;

const LIMITS: ReadonlySet<Reason> = new Set(['quota', 'rate_limit']);
const FOR_GOOD: ReadonlySet<Reason> = new Set([
  'authentication',
  'bad_request',
  'context',
  'refused',
  'permission',
  'cut_off',
]);

/** Excluded agents of a step, and until when. */
type Left = Map<string, number>;

export interface Choices {
  /** Violations by an event, before it is applied. */
  readonly hear: (event: RunEvent, compiled: Compiled) => string | undefined;
  /** The agent of a running step. */
  readonly agentOf: (task: string, step: string) => string | undefined;
  /** A person skips a backoff. */
  readonly hurry: () => void;
  /** How often another agent than the first of a list got a turn, and the first one again after that. */
  readonly takenOver: () => number;
  readonly cameBack: () => number;
  /** How often the next agent of `escalate` got a turn. */
  readonly escalated: () => number;
}

/** Facts from the log so far. */
interface Books {
  readonly left: Map<string, Left>;
  readonly atWork: Map<string, string | undefined>;
  /** By pool, or by agent where it has none. */
  readonly dry: Map<string, number>;
  readonly latest: Map<string, string>;
  /** By step: how often its work was not good enough. */
  readonly rungs: Map<string, number>;
  /** Backoffs until then may be skipped, because a person asked for it. */
  hurriedUntil: number;
  takenOver: number;
  cameBack: number;
  escalated: number;
}

export function watchChoices(): Choices {
  const books: Books = {
    left: new Map(),
    atWork: new Map(),
    dry: new Map(),
    latest: new Map(),
    rungs: new Map(),
    hurriedUntil: 0,
    takenOver: 0,
    cameBack: 0,
    escalated: 0,
  };
  return {
    agentOf: (task, step) => books.atWork.get(`${task}/${step}`),
    takenOver: () => books.takenOver,
    cameBack: () => books.cameBack,
    escalated: () => books.escalated,
    hurry: () => hurry(books),
    hear: (event, compiled) => hear(books, event, compiled),
  };
}

function hurry(books: Books): void {
  const rests = [...[...books.left.values()].flatMap((others) => [...others.values()]), ...books.dry.values()];
  books.hurriedUntil = Math.max(books.hurriedUntil, ...rests.filter((until) => until < Infinity));
}

function hear(books: Books, event: RunEvent, compiled: Compiled): string | undefined {
  const { left, dry } = books;
  for (const task of setBackBy(event)) {
    forget(left, `${task}/`);
    if (event.type !== 'task.rolledBack') forget(books.rungs, `${task}/`);
  }
  if (event.type === 'task.rolledBack') rollBack(books, event, compiled);
  if (isSentBack(event)) climb(books, event.task, redoStep(event.task, compiled));
  if (event.type === 'pool.opened') dry.delete(event.pool);
  const step = 'task' in event ? stepOf(event, compiled) : undefined;
  if (step === undefined) return undefined;
  switch (event.type) {
    case 'claim.made':
      return claim(books, event, { step, compiled });
    case 'claim.returned':
      return comeBack(books, event, { step, compiled });
    case 'claim.ended':
      if (event.work === 'step') left.delete(keyOf(event.task, step));
      return undefined;
    case 'step.skipped':
      left.delete(keyOf(event.task, step));
      return undefined;
    case 'claim.answered':
      // A manual retry clears the excluded agents; an answer goes back to the agent that asked.
      if (event.ending !== undefined || event.says === undefined) left.delete(keyOf(event.task, step));
  }
  return undefined;
}

interface About {
  readonly step: CompiledStep;
  readonly compiled: Compiled;
}

function claim(books: Books, event: Claimed, { step, compiled }: About): string | undefined {
  const { left, dry, atWork, latest } = books;
  const key = keyOf(event.task, step);
  const list = agentsOf(step, books.rungs.get(key) ?? 0);
  atWork.set(key, event.agent ?? list[0]);
  if (event.work === 'resolve' || (list.length < 2 && event.agent === undefined)) return undefined;
  if (event.agent === undefined || !list.includes(event.agent))
    return `${key} is claimed for ${event.agent ?? 'nobody'}, and its agents are ${list.join(', ')}.`;
  const restOf = (each: string): number =>
    Math.max(left.get(key)?.get(each) ?? 0, dry.get(accountOf(compiled, each)) ?? 0);
  if (restOf(event.agent) > Math.max(event.at, books.hurriedUntil))
    return `${key} goes to ${event.agent}, who is not to be asked.`;
  const passed = list.slice(0, list.indexOf(event.agent)).find((each) => restOf(each) <= event.at);
  if (passed !== undefined) return `${key} goes to ${event.agent}, and ${passed} is passed over for no reason.`;
  if ((books.rungs.get(key) ?? 0) > 0 && event.agent !== agentsOf(step, 0)[0]) books.escalated += 1;
  if (event.agent !== list[0]) books.takenOver += 1;
  else if ((latest.get(key) ?? event.agent) !== event.agent) books.cameBack += 1;
  latest.set(key, event.agent);
  return undefined;
}

function comeBack(books: Books, event: Returned, { step, compiled }: About): string | undefined {
  const { left, dry, atWork } = books;
  const key = keyOf(event.task, step);
  if (event.work === 'step' && event.counted && OF_STRENGTH.has(event.reason)) climb(books, event.task, step);
  const agent = atWork.get(key);
  const { reason, counted, until, at, pool } = event;
  if (LIMITS.has(reason)) {
    if (counted || until <= at) return `${key} has come to a limit, which counts as an attempt or needs no rest.`;
    const account = pool ?? (agent === undefined ? undefined : accountOf(compiled, agent));
    if (account !== undefined) dry.set(account, Math.max(until, dry.get(account) ?? 0));
  }
  // A machine that could not begin the turn says nothing about the agent, and another machine has it.
  if (event.work === 'resolve' || agent === undefined || counted || event.unbegunOn !== undefined) return undefined;
  const others = left.get(key) ?? new Map<string, number>();
  left.set(key, others);
  if (LIMITS.has(reason) || reason === 'overloaded') others.set(agent, until);
  if (!FOR_GOOD.has(reason) || agentsOf(step, books.rungs.get(key) ?? 0).length < 2) return undefined;
  if (others.get(agent) === Infinity) return `${key} is left by ${agent} a second time.`;
  others.set(agent, Infinity);
  return undefined;
}

const keyOf = (task: string, { step }: CompiledStep): string => `${task}/${step.id}`;

/** The agents that may have the step now, in order. */
function agentsOf({ step }: CompiledStep, rung: number): readonly string[] {
  if (step.type !== 'prompt' || step.agent === undefined) return [];
  const { escalation = [step.agent] } = step;
  const own = escalation[Math.min(rung, escalation.length - 1)] ?? step.agent;
  const others = step.fallbacks.filter(({ isOnlyEscalation, agent }) => isOnlyEscalation !== true && agent !== own);
  return [own, ...others.map(({ agent }) => agent)];
}

const OF_STRENGTH: ReadonlySet<Reason> = new Set(['context', 'turns', 'output']);

/** Whether the work of the task was not accepted: by a check, alone or merged, or by a round with feedback. */
const isSentBack = (event: RunEvent): event is Extract<RunEvent, { type: 'claim.ended' | 'task.repeated' }> =>
  (event.type === 'claim.ended' && event.redo !== undefined) ||
  (event.type === 'task.repeated' && event.says !== undefined);

/** The last turn in sequence whose work is kept. */
function redoStep(task: string, { tasks, indexOf }: Compiled): CompiledStep | undefined {
  const steps = tasks[indexOf.get(task) ?? -1]?.steps ?? [];
  const own = steps.filter(({ step }) => step.type === 'prompt' && step.isReadOnly !== true);
  return own.findLast(({ step }) => !step.async) ?? (own.length > 0 ? steps[0] : undefined);
}

function climb({ rungs }: Books, task: string, step: CompiledStep | undefined): void {
  if (step !== undefined) rungs.set(keyOf(task, step), (rungs.get(keyOf(task, step)) ?? 0) + 1);
}

/** The step that is rolled back to and those after it begin anew, and the tasks that use them. */
function rollBack({ rungs }: Books, event: Extract<RunEvent, { type: 'task.rolledBack' }>, compiled: Compiled): void {
  for (const task of event.tasks) if (task !== event.task) forget(rungs, `${task}/`);
  const steps = compiled.tasks[compiled.indexOf.get(event.task) ?? -1]?.steps ?? [];
  const from = steps.findIndex(({ step }) => step.id === event.to);
  for (const step of steps.slice(Math.max(from, 0))) rungs.delete(keyOf(event.task, step));
}

const accountOf = ({ plan }: Compiled, agent: string): string =>
  plan.agents.find(({ name }) => name === agent)?.pool ?? `agent ${agent}`;

function stepOf(event: Extract<RunEvent, { task: string }>, { tasks, indexOf }: Compiled): CompiledStep | undefined {
  const task = tasks[indexOf.get(event.task) ?? -1];
  return 'step' in event ? task?.steps.find(({ step }) => step.id === event.step) : undefined;
}

function setBackBy(event: RunEvent): readonly string[] {
  if (event.type === 'task.reset' || event.type === 'task.rolledBack') return event.tasks;
  return event.type === 'plan.amended' ? [...event.restarted, ...event.changed, ...event.cancelled] : [];
}

function forget(left: Map<string, unknown>, prefix: string): void {
  for (const key of left.keys()) if (key.startsWith(prefix)) left.delete(key);
}
