// Which question of a run a person's answer is for.
import type { Command } from '../command.ts';
import { taskAt } from '../facts.ts';
import type { Decided, Outcome } from '../outcome.ts';
import type { Question, State } from '../state.ts';
import { decidedIn } from './decided-in.ts';
import { listed } from './listed.ts';

export type AnswerCommand = Extract<Command, { readonly type: 'approve' | 'reject' }>;

export interface Answering {
  readonly outcome: Outcome | undefined;
  /** Without a full stop. */
  readonly says: string;
}

export function answerQuestion(state: State, { type, task, step }: AnswerCommand): Answering {
  const question = questionOf(state, task, step);
  if (typeof question === 'string') return { outcome: undefined, says: question };
  const id = stepOf(state, question);
  if (question.permission !== undefined && id !== undefined)
    return decide(state, question, { task, step: id, decision: type === 'approve' ? 'yes' : 'no', text: '' });
  if (question.asks !== undefined && type === 'approve') {
    const says = `${nameOf(state, question)} wants words, not a yes: heddle answer ${task} "…"; or heddle reject ${task}`;
    return { outcome: undefined, says };
  }
  const about = { task, step: id, attempt: question.attempt };
  const word = isOfConflict(state, question) ? 'merged again as it stands' : 'approved';
  const says = `${nameOf(state, question)} is ${type === 'approve' ? word : 'rejected'}`;
  return { outcome: { type: 'answered', ...about, answer: type }, says };
}

/** A person's words for an agent that has asked for them. */
export function answerAgent(
  state: State,
  { task, step, text }: Extract<Command, { readonly type: 'answer' }>,
): Answering {
  const question = questionOf(state, task, step);
  if (typeof question === 'string') return { outcome: undefined, says: question };
  const id = stepOf(state, question);
  if (question.asks === undefined || id === undefined)
    return { outcome: undefined, says: `${nameOf(state, question)} asks for a yes or a no: heddle approve or reject` };
  const { attempt } = question;
  if (question.permission === undefined)
    return { outcome: { type: 'told', task, step: id, attempt, text }, says: `${nameOf(state, question)} is told` };
  const decided = decidedIn(text);
  if (decided !== undefined) return decide(state, question, { task, step: id, ...decided });
  const says = `${nameOf(state, question)} asks for a permission, and “${firstOf(text)}” is neither yes nor no: heddle answer ${task} yes, no or always, with any words after it`;
  return { outcome: undefined, says };
}

const WORDS_SHOWN_MAX = 40;

const firstOf = (text: string): string => (text.length > WORDS_SHOWN_MAX ? `${text.slice(0, WORDS_SHOWN_MAX)}…` : text);

const DECIDED: Readonly<Record<Decided, string>> = {
  yes: 'may do it',
  no: 'may not, and goes on without it',
  always: 'may do it, in all its later turns too',
};

function decide(
  state: State,
  question: Question,
  told: Omit<Extract<Outcome, { type: 'told' }>, 'type' | 'attempt'> & { readonly decision: Decided },
): Answering {
  const { attempt } = question;
  return { outcome: { type: 'told', attempt, ...told }, says: `${nameOf(state, question)} ${DECIDED[told.decision]}` };
}

/** The one that is meant, or why there is none. */
function questionOf(state: State, task: string, step: string | undefined): Question | string {
  const index = state.compiled.indexOf.get(task);
  const ofTask = [...state.questions.values()].filter((question) => question.task === index);
  const asked = step === undefined ? ofTask : ofTask.filter((question) => stepOf(state, question) === step);
  const [question] = asked;
  if (question === undefined) return notAsked(state, step === undefined ? task : `${task}/${step}`);
  if (asked.length === 1) return question;
  return `${task} asks about ${listed(asked.map((each) => stepOf(state, each) ?? ''))}; name the step`;
}

/** A person has resolved a conflict and says so. */
export function mergeByHand(state: State, { task, commit }: Extract<Command, { readonly type: 'merge' }>): Answering {
  const index = state.compiled.indexOf.get(task);
  const question = [...state.questions.values()].find((each) => each.task === index && isOfConflict(state, each));
  if (question === undefined) return { outcome: undefined, says: `${task} has no conflict that waits for a person` };
  const { attempt } = question;
  return { outcome: { type: 'resolved', task, attempt, commit }, says: `${task} is checked and merged again` };
}

const isOfConflict = (state: State, { task, step }: Question): boolean =>
  step === undefined && taskAt(state, task).task.type === 'work';

function notAsked(state: State, name: string): string {
  const others = [...state.questions.values()].map((question) => nameOf(state, question));
  if (others.length === 0) return `${name} asks nothing`;
  return `${name} asks nothing; ${listed(others)} ${others.length === 1 ? 'does' : 'do'}`;
}

function stepOf(state: State, { task, step }: Question): string | undefined {
  return step === undefined ? undefined : taskAt(state, task).steps[step]?.step.id;
}

function nameOf(state: State, question: Question): string {
  const { task, steps } = taskAt(state, question.task);
  const step = stepOf(state, question);
  return step === undefined || steps.length === 1 ? task.path : `${task.path}/${step}`;
}
