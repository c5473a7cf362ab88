// The questions of a run to people, and the answers.
import { taskAt } from '../../engine/facts.ts';
import type { RunEvent } from '../../engine/event.ts';
import { isQuestion } from '../../engine/events/event-table.ts';
import type { Given } from '../../engine/scope.ts';
import type { State } from '../../engine/state.ts';
import { openQuestion } from '../run/open-question.ts';
import { reasonOf } from '../run/reason-text.ts';

export interface QuestionSummary {
  /**
   * `gate`: a gate of the plan; `question`: a question of an agent; `permission`: an agent's request to use a tool;
   * `conflict`: work that git cannot merge.
   */
  readonly type: 'gate' | 'question' | 'permission' | 'conflict';
  readonly task: string;
  readonly step: string | undefined;
  readonly text: string;
  readonly startMs: number;
  /** Undefined while the question is open. */
  endMs: number | undefined;
  /** The answer as text; undefined while the question is open. */
  answer: string | undefined;
}

export interface Asking {
  readonly state: State;
  readonly events: readonly RunEvent[];
  readonly given: Given;
}

type OfTask = Extract<RunEvent, { task: string }>;

export function tellQuestions(asking: Asking): readonly QuestionSummary[] {
  const startedAt = asking.events[0]?.at ?? 0;
  const told: QuestionSummary[] = [];
  const open = new Map<string, QuestionSummary>();
  for (const event of asking.events) {
    if (!('task' in event)) continue;
    const ms = Math.max(0, event.at - startedAt);
    const answered = answerIn(event);
    for (const key of answered?.keys ?? []) {
      const question = open.get(key);
      if (question === undefined) continue;
      open.delete(key);
      Object.assign(question, { endMs: Math.max(question.startMs, ms), answer: answered?.answer });
    }
    const asked = askedIn(asking, event);
    if (asked === undefined) continue;
    const question = { ...asked, task: event.task, startMs: ms, endMs: undefined, answer: undefined };
    told.push(question);
    open.set(keyOf(event.task, asked.step), question);
  }
  return told;
}

const keyOf = (task: string, step: string | undefined): string => `${task} ${step ?? ''}`;

type Asked = Pick<QuestionSummary, 'type' | 'step' | 'text'>;

function askedIn(asking: Asking, event: OfTask): Asked | undefined {
  const { task } = event;
  if (!isQuestion(asking.state.compiled, event)) return undefined;
  if (event.type === 'task.opened') return { type: 'gate', step: undefined, text: gateText(asking, task) };
  if (event.type === 'step.gated') return aboutStep(task, event.step);
  if (event.type === 'task.gated')
    return { type: 'gate', step: undefined, text: `Is what the join ${task} came to good?` };
  if (event.type !== 'claim.asked' || event.work !== 'step') return conflictOf(task);
  return event.question === undefined
    ? aboutStep(task, event.step)
    : { type: event.permission === undefined ? 'question' : 'permission', step: event.step, text: event.question };
}

const aboutStep = (task: string, step: string | undefined): Asked => ({
  type: 'gate',
  step,
  text: `Is what the step ${step} of ${task} came to good?`,
});

const conflictOf = (task: string): Asked => ({
  type: 'conflict',
  step: undefined,
  text: `How is the work of ${task} to be made to fit?`,
});

function gateText({ state, given }: Asking, path: string): string {
  const task = taskAt(state, state.compiled.indexOf.get(path) ?? 0).index;
  return openQuestion(state, { task, step: undefined, attempt: 1, asks: undefined, until: undefined }, given).text;
}

interface Answered {
  readonly keys: readonly string[];
  readonly answer: string;
}

function answerIn(event: OfTask): Answered | undefined {
  const { task } = event;
  switch (event.type) {
    case 'claim.answered':
      return { keys: [keyOf(task, event.step)], answer: event.ending === 'done' ? 'approved' : toldIn(event) };
    case 'task.resolved':
      return { keys: [keyOf(task, undefined)], answer: 'resolved by hand' };
    case 'task.ended':
      return { keys: [keyOf(task, undefined)], answer: event.ending === 'done' ? 'approved' : wordOf(event) };
  }
  return undefined;
}

function toldIn(event: Extract<OfTask, { type: 'claim.answered' }>): string {
  const { says, decision } = event;
  if (event.ending !== undefined) return wordOf(event);
  if (decision === undefined) return says === undefined ? 'to be done again' : `answered: ${says}`;
  if (!decision.isAllowed) return 'refused';
  return decision.isForTask ? 'allowed, for all turns of the task' : 'allowed';
}

const wordOf = ({ reason, cause, ending }: Extract<OfTask, { type: 'task.ended' | 'claim.answered' }>): string =>
  reason === undefined ? (ending ?? '') : reasonOf(reason, cause);
