// The wait of a task in a few words, for its row in a list; `explain` shows all of it.
import { taskAt } from '../../engine/facts.ts';
import type { State } from '../../engine/state.ts';
import { formatMoment } from '../chart/format.ts';
import { waitsOfTask } from '../run/explain-task.ts';
import type { TaskStatus } from '../run/task-tree.ts';
import type { Wait } from '../run/wait.ts';
import { nameOf } from './run-names.ts';
import { quoted } from './styled-text.ts';

/** The state of the run, and when it is looked at. */
export interface SeenAt {
  readonly state: State;
  readonly now: number;
}

type WaitingTask = Pick<TaskStatus, 'task' | 'stage'>;

const NEEDS_SHOWN_MAX = 3;

/** The first wait of a task. Only visible rows are computed. */
export function waitText(task: WaitingTask, { state, now }: SeenAt): string {
  const index = state.compiled.indexOf.get(task.task);
  if (index === undefined) return task.stage;
  const compiled = taskAt(state, index);
  const gate = compiled.task.type === 'gate' ? 'gate, ' : '';
  if (task.stage === 'waiting') {
    const left = compiled.needs.filter((need) => state.tasks[need]?.ended === undefined);
    const names = left.slice(0, NEEDS_SHOWN_MAX).map((need) => quoted(taskAt(state, need).task.id));
    const more = left.length - names.length;
    if (names.length > 0) return `${gate}after ${names.join(', ')}${more > 0 ? ` +${more}` : ''}`;
  }
  const [wait] = waitsOfTask(state, compiled, {
    now,
    given: { inputs: state.run.inputs, env: {} },
    expected: undefined,
  });
  return wait === undefined ? task.stage : `${gate}${shortWait(wait, now)}`;
}

function shortWait(wait: Wait, now: number): string {
  switch (wait.type) {
    case 'needs':
      return `after ${wait.of.map(({ task }) => quoted(task)).join(', ')}`;
    case 'inside':
      return 'open';
    case 'subplan':
      return `after ${quoted(wait.task)} opens`;
    case 'steps':
      return `after ${wait.of.map(quoted).join(', ')}`;
    case 'tokens':
      if (wait.of.type === 'pool') return `waits: pool ${quoted(wait.of.pool)}`;
      return wait.of.type === 'merge-slots' ? 'waits to merge' : 'waits for a slot';
    case 'closed':
      return `pool ${quoted(wait.pool)} closed`;
    case 'throttled':
      return `pool ${quoted(wait.pool)} throttled`;
    case 'hold':
      return `waits: pool ${quoted(wait.pool)}${wait.task === undefined ? '' : ` of ${quoted(wait.task)}`}`;
    case 'paused':
    case 'task-paused':
      return 'paused';
    case 'backoff':
      return `backs off${wait.until > now ? ` ${formatMoment(Math.ceil((wait.until - now) / 1000) * 1000)}` : ''}`;
    case 'budget':
      return 'waits for budget';
    case 'answer':
      return 'asks you';
    case 'precedence':
      return `after ${wait.of.map(quoted).join(', ')}`;
    case 'nothing':
      return 'ready';
  }
}

/** The holders of the tokens that a task waits for. */
export function holdersText(task: WaitingTask, { state, now }: SeenAt): string {
  const index = state.compiled.indexOf.get(task.task);
  if (index === undefined || task.stage === 'waiting' || taskAt(state, index).children.length > 0) return '';
  const given = { inputs: state.run.inputs, env: {} };
  const [wait] = waitsOfTask(state, taskAt(state, index), { now, given, expected: undefined });
  const holders = wait !== undefined && 'holders' in wait ? wait.holders : [];
  const more = holders.length - NEEDS_SHOWN_MAX;
  const names = [...holders.slice(0, NEEDS_SHOWN_MAX).map(nameOf), ...(more > 0 ? [`${more} more`] : [])];
  return names.length === 0 ? '' : `held by ${quoted(names.join(', '))}`;
}
