// What setting a task back to before a step does, in words.
import type { RollbackCommand } from '../command.ts';
import { rollbackOf, type Refusal } from '../decide/rollback.ts';
import { taskAt } from '../facts.ts';
import type { State } from '../state.ts';
import type { Answering } from './answer-question.ts';
import { listed } from './listed.ts';
import { refusal } from './retry-words.ts';

export function rollBackByHand(state: State, command: RollbackCommand): Answering {
  const { task, step } = command;
  const rollback = rollbackOf(state, command);
  if (rollback.type === 'refused') return { outcome: undefined, says: wordsFor(state, command, rollback.why) };
  const others = rollback.tasks.filter((index) => index !== rollback.task.index);
  const also = others.length === 0 ? '' : `; with it ${listed(others.map((index) => taskAt(state, index).task.path))}`;
  return { outcome: command, says: `${task} goes back to before its step ${step}${also}` };
}

function wordsFor(state: State, { task, step }: RollbackCommand, why: Refusal): string {
  switch (why.type) {
    case 'in place':
      return 'The run works in place, so there is nothing to go back to';
    case 'no such step':
      return `${task} has no step ${step}`;
    case 'not open':
      return `${task} has not begun`;
    case 'done':
      return `${task} is done and stays as it is`;
    case 'at work':
      return `${task} is at work; stop it first`;
    case 'not begun':
      return `The step ${step} of ${task} has not begun`;
    case 'unfinished':
      return `The step ${why.step} of ${task}, before ${step}, has not ended well; go back to that`;
    case 'beside':
      return `The step ${why.step} of ${task} may have worked beside ${step}; go back to that`;
    case 'obstacle':
      return refusal(state, state.compiled.indexOf.get(task) ?? -1, why.obstacle);
  }
}
