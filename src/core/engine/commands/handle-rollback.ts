// Handles the command to roll a task back to before a step.
import type { RollbackCommand } from '../command.ts';
import { rollbackOf, type Refusal } from './rollback.ts';
import type { State } from '../state.ts';
import { accepted, pathOf, refused, type Handled } from './handled.ts';
import { obstacleNote } from './handle-retry.ts';
import type { ReplyNote } from './reply.ts';

export function rollBackByHand(state: State, command: RollbackCommand): Handled {
  const { task, step } = command;
  const rollback = rollbackOf(state, command);
  if (rollback.type === 'refused') return refused(noteFor(state, command, rollback.why));
  const others = rollback.tasks.filter((index) => index !== rollback.task.index);
  return accepted(command, {
    code: 'task.rolled-back',
    task,
    step,
    tasks: others.map((index) => pathOf(state, index)),
  });
}

const CODES = {
  'in place': 'rollback.in-place',
  'no such step': 'rollback.no-such-step',
  'not open': 'rollback.not-open',
  done: 'rollback.done',
  'at work': 'rollback.running',
  'not begun': 'rollback.not-begun',
} as const;

function noteFor(state: State, { task, step }: RollbackCommand, why: Refusal): ReplyNote {
  switch (why.type) {
    case 'unfinished':
    case 'beside':
      return { code: `rollback.${why.type}`, task, step, earlier: why.step };
    case 'obstacle':
      return obstacleNote(state, state.compiled.indexOf.get(task) ?? -1, why.obstacle);
    case 'in place':
    case 'no such step':
    case 'not open':
    case 'done':
    case 'at work':
    case 'not begun':
      return { code: CODES[why.type], task, step };
  }
}
