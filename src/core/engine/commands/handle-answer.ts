// Finds the question that a person's answer is for, and handles the answer.
import type { AnswerTo, Command } from '../command.ts';
import { taskAt } from '../facts.ts';
import type { Decided, Outcome } from '../outcome.ts';
import type { Question, State } from '../state.ts';
import { accepted, refused, type Handled } from './handled.ts';
import type { OfQuestion, QuestionNote } from './reply.ts';

export function answerQuestion(
  state: State,
  { type, ...to }: Extract<Command, { readonly type: 'approve' | 'reject' }>,
): Handled {
  const { task } = to;
  const question = questionOf(state, to);
  if ('code' in question) return refused(question);
  const id = stepOf(state, question);
  if (question.permission !== undefined && id !== undefined)
    return decide(state, question, { task, step: id, decision: type === 'approve' ? 'yes' : 'no', text: '' });
  const name = nameOf(state, question);
  if (question.asks !== undefined && type === 'approve') return refused({ code: 'question.wants-text', ...name });
  if (isOfConflict(state, question) && type === 'approve') return refused({ code: 'conflict.unresolved', task });
  const code = type === 'approve' ? 'question.approved' : 'question.rejected';
  return accepted({ type: 'answered', task, step: id, attempt: question.attempt, answer: type }, { code, ...name });
}

/** A person's answer to an agent's question. */
export function answerAgent(state: State, { text, ...to }: Extract<Command, { readonly type: 'answer' }>): Handled {
  const { task } = to;
  const question = questionOf(state, to);
  if ('code' in question) return refused(question);
  const id = stepOf(state, question);
  const name = nameOf(state, question);
  if (question.asks === undefined || id === undefined) return refused({ code: 'question.wants-yes-or-no', ...name });
  const { attempt } = question;
  if (question.permission === undefined)
    return accepted({ type: 'replied', task, step: id, attempt, text }, { code: 'question.answered', ...name });
  const decided = decidedIn(text);
  if (decided !== undefined) return decide(state, question, { task, step: id, ...decided });
  return refused({ code: 'permission.wants-yes-or-no', ...name, text });
}

function decide(
  state: State,
  question: Question,
  reply: Omit<Extract<Outcome, { type: 'replied' }>, 'type' | 'attempt'> & { readonly decision: Decided },
): Handled {
  const { attempt } = question;
  const { decision } = reply;
  return accepted(
    { type: 'replied', attempt, ...reply },
    { code: 'permission.decided', ...nameOf(state, question), decision },
  );
}

/** The question of the answer, or why there is none. */
function questionOf(state: State, { task, step, attempt }: AnswerTo): Question | QuestionNote {
  const index = state.compiled.indexOf.get(task);
  const ofTask = [...state.questions.values()].filter((question) => question.task === index);
  const asked = step === undefined ? ofTask : ofTask.filter((question) => stepOf(state, question) === step);
  const [question] = asked;
  if (question === undefined) {
    const others = [...state.questions.values()].map((other) => nameOf(state, other));
    return { code: 'question.none', task, step, others };
  }
  if (asked.length > 1)
    return { code: 'question.several', task, steps: asked.map((each) => stepOf(state, each) ?? '') };
  const isOutdated = attempt !== undefined && attempt !== question.attempt;
  return isOutdated ? { code: 'question.outdated', ...nameOf(state, question) } : question;
}

/** A person resolved a conflict. */
export function mergeByHand(state: State, { task, commit }: Extract<Command, { readonly type: 'merge' }>): Handled {
  const index = state.compiled.indexOf.get(task);
  const question = [...state.questions.values()].find((each) => each.task === index && isOfConflict(state, each));
  if (question === undefined) return refused({ code: 'conflict.none', task });
  const { attempt } = question;
  return accepted({ type: 'resolved', task, attempt, commit }, { code: 'conflict.resolved', task });
}

const isOfConflict = (state: State, { task, step }: Question): boolean =>
  step === undefined && taskAt(state, task).task.type === 'work';

function stepOf(state: State, { task, step }: Question): string | undefined {
  return step === undefined ? undefined : taskAt(state, task).steps[step]?.step.id;
}

function nameOf(state: State, question: Question): OfQuestion {
  const { task, steps } = taskAt(state, question.task);
  return { task: task.path, step: steps.length === 1 ? undefined : stepOf(state, question) };
}

interface DecidedWords {
  readonly decision: Decided;
  /** The person's additional text for the agent. */
  readonly text: string;
}

const MEANT: Readonly<Record<string, Decided>> = {
  yes: 'yes',
  y: 'yes',
  allow: 'yes',
  always: 'always',
  no: 'no',
  n: 'no',
  deny: 'no',
};

/** They grant only at the end of a sentence: `always ask me` and `allow nothing` do not mean yes. */
const ENDING: ReadonlySet<string> = new Set(['allow', 'always']);

/** Undefined when the words are neither a yes nor a no: a permission is never guessed. */
/** Parses a person's answer to a permission request. */
function decidedIn(words: string): DecidedWords | undefined {
  const [, word = '', sign = '', rest = ''] = /^\s*([a-z]+)([,.;:!]*)(?:\s+([\s\S]*))?$/iu.exec(words) ?? [];
  const known = word.toLowerCase();
  const decision = Object.hasOwn(MEANT, known) ? MEANT[known] : undefined;
  const text = rest.trim();
  if (decision === undefined || (ENDING.has(known) && sign === '' && text !== '')) return undefined;
  return { decision, text };
}
