// Everything of a run that waits for a person: questions, permissions, conflicts, ceilings; with the tasks that each blocks.
import type { CompiledTask } from '../../compile/compiled.ts';
import { factsOf, taskAt } from '../../engine/facts.ts';
import type { RunInputs } from '../../engine/scope.ts';
import type { Account } from '../../engine/ledger.ts';
import type { Question, State } from '../../engine/state.ts';
import { reachableFrom } from '../../graph/reach.ts';
import type { InboxItem } from '../../protocol/web.ts';
import { openQuestion } from './open-question.ts';
import { listedTasks, taskTree } from './task-tree.ts';

export type WaitingItem = Omit<InboxItem, 'project' | 'run' | 'isUp'>;

/** Further blocked tasks are only counted. */
const BLOCKED_MAX = 5;

export function inboxOf(state: State, given: RunInputs): readonly WaitingItem[] {
  if (state.run.stage === 'ended') return [];
  const questions = [...state.questions.values()];
  const accounts = reachedAccounts(state);
  if (questions.length === 0 && accounts.length === 0) return [];
  const costs = costsOf(state);
  return [
    ...questions.map((question) => questionItem(state, question, { given, costs })),
    ...accounts.map((account) => ceilingItem(state, account)),
  ];
}

interface Around {
  readonly given: RunInputs;
  readonly costs: ReadonlyMap<string, number>;
}

function questionItem(state: State, question: Question, { given, costs }: Around): WaitingItem {
  const { task, step, attempt, text, until, permission, answers } = openQuestion(state, question, given);
  const compiled = taskAt(state, question.task);
  return {
    type: typeOf(question, compiled),
    task,
    step,
    attempt,
    text,
    until,
    permission,
    answers,
    ...blockedBy(state, compiled),
    usd: costs.get(task) ?? 0,
    ceilingUsd: undefined,
  };
}

function typeOf({ asks, permission, step }: Question, { task }: CompiledTask): WaitingItem['type'] {
  if (permission !== undefined) return 'permission';
  if (asks !== undefined) return 'question';
  if (step !== undefined) return 'judgement';
  return task.type === 'gate' ? 'gate' : 'conflict';
}

/** All tasks after it, and after the subplans around it, that have not ended. */
function blockedBy(state: State, { index }: CompiledTask): Pick<WaitingItem, 'blocks' | 'blocksCount'> {
  const reached = reachableFrom(afterOf(state, index), (each) => [
    ...afterOf(state, each),
    ...taskAt(state, each).children,
  ]);
  const paths = [...reached].flatMap((each) => {
    const { task } = taskAt(state, each);
    return task.type === 'subplan' || factsOf(state, each).ended !== undefined ? [] : [task.path];
  });
  return { blocks: paths.slice(0, BLOCKED_MAX), blocksCount: paths.length };
}

/** The end of the last task of a subplan lets the tasks after the subplan start. */
function afterOf(state: State, index: number): readonly number[] {
  const { dependents, parent } = taskAt(state, index);
  return parent === undefined ? dependents : [...dependents, ...afterOf(state, parent)];
}

function reachedAccounts({ ledger }: State): readonly Account[] {
  const accounts = new Set([ledger.run, ...ledger.around.flat()]);
  return [...accounts].filter(({ isReached }) => isReached);
}

function ceilingItem(state: State, { task, spent, ceiling }: Account): WaitingItem {
  const index = task === undefined ? undefined : state.compiled.indexOf.get(task);
  const blocked = index === undefined ? { blocks: [], blocksCount: 0 } : blockedBy(state, taskAt(state, index));
  return {
    type: 'ceiling',
    task,
    step: undefined,
    attempt: undefined,
    text: '',
    until: undefined,
    permission: undefined,
    answers: [],
    ...blocked,
    usd: spent.usd,
    ceilingUsd: ceiling.usd,
  };
}

const costsOf = (state: State): ReadonlyMap<string, number> =>
  new Map(listedTasks(taskTree(state, state.run.now)).map(({ task, usd }) => [task, usd]));
