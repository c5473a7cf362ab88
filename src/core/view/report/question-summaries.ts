// The questions of a run to people, and the answers.
import { taskNamed } from '../../engine/facts.ts';
import type { RunEvent } from '../../engine/event.ts';
import type { Answer } from '../../engine/events/event-fields.ts';
import { answerIn, questionIn, type AskedQuestion } from '../../engine/events/event-table.ts';
import type { RunInputs } from '../../engine/scope.ts';
import type { State } from '../../engine/state.ts';
import { openQuestion } from '../run/open-question.ts';
import { reasonOf } from '../run/reason-text.ts';

export interface QuestionSummary extends AskedQuestion {
  readonly text: string;
  readonly startMs: number;
  /** Undefined while the question is open. */
  endMs: number | undefined;
  /** The answer as text; undefined while the question is open. */
  answer: string | undefined;
}

interface Asking {
  readonly state: State;
  readonly events: readonly RunEvent[];
  readonly given: RunInputs;
}

export function questionSummaries(asking: Asking): readonly QuestionSummary[] {
  const startedAt = asking.events[0]?.at ?? 0;
  const summaries: QuestionSummary[] = [];
  const open = new Map<string, QuestionSummary>();
  for (const event of asking.events) {
    if (!('task' in event)) continue;
    const ms = Math.max(0, event.at - startedAt);
    const answer = answerIn(event);
    const question = open.get(keyOf(event));
    if (answer !== undefined && question !== undefined) {
      open.delete(keyOf(event));
      Object.assign(question, { endMs: Math.max(question.startMs, ms), answer: answerText(answer) });
    }
    const asked = questionIn(asking.state.compiled, event);
    if (asked === undefined) continue;
    const text = ('question' in event ? event.question : undefined) ?? questionText(asking, asked);
    const summary = { ...asked, text, startMs: ms, endMs: undefined, answer: undefined };
    summaries.push(summary);
    open.set(keyOf(asked), summary);
  }
  return summaries;
}

const keyOf = (about: { readonly task: string; readonly step?: string | undefined }): string =>
  `${about.task} ${about.step ?? ''}`;

function questionText({ state, given }: Asking, { type, task, step }: AskedQuestion): string {
  if (type === 'conflict') return `How is the work of ${task} to be made to fit?`;
  if (step !== undefined) return `Is what the step ${step} of ${task} came to good?`;
  const { index, task: about } = taskNamed(state.compiled, task);
  if (about.type === 'join') return `Is what the join ${task} came to good?`;
  const gate = { task: index, step: undefined, attempt: 1, asks: undefined, until: undefined };
  return openQuestion(state, gate, given).text;
}

function answerText(answer: Answer): string {
  switch (answer.type) {
    case 'approved':
      return 'approved';
    case 'resolved':
      return 'resolved by hand';
    case 'retry':
      return 'to be done again';
    case 'answered':
      return `answered: ${answer.text}`;
    case 'decided':
      if (!answer.decision.isAllowed) return 'refused';
      return answer.decision.isForTask ? 'allowed, for all turns of the task' : 'allowed';
    case 'ended': {
      const { ending, reason, cause } = answer.ended;
      return reason === undefined ? ending : reasonOf(reason, cause);
    }
  }
}
