// The stages of a run for people and programs, and which one an event of a task leads to.
import type { Compiled } from '../../compile/compiled.ts';
import type { Ending, RunEvent } from '../../engine/event.ts';

/** Where a task, a step, a pool or the run stands; of what has ended, how. */
export type Stage =
  | 'waiting'
  | 'open'
  | 'ready'
  | 'working'
  | 'checking'
  | 'queued'
  | 'merging'
  | 'conflicted'
  | 'resolving'
  | 'asking'
  | Ending
  | 'new'
  | 'going'
  | 'paused'
  | 'ended'
  | 'closed';

export type TaskEvent = Exclude<Extract<RunEvent, { task: string }>, { step: string }>;

export function stageAfter(compiled: Compiled, event: TaskEvent, from: Stage): Stage {
  switch (event.type) {
    case 'task.opened':
      return typeOf(compiled, event.task) === 'gate' ? 'asking' : 'open';
    case 'task.dropped':
      // A subplan that is dropped has still to see its tasks dropped.
      return typeOf(compiled, event.task) === 'subplan' ? 'open' : event.ending;
    case 'task.ended':
      return event.ending;
    case 'task.repeated':
    case 'check.failed':
    case 'check.returned':
    case 'merge.failed':
    case 'task.resolved':
    case 'task.rolledBack':
      return 'open';
    case 'task.conflicted':
    case 'resolve.returned':
    case 'resolve.dropped':
      return 'conflicted';
    case 'resolve.claimed':
      return 'resolving';
    case 'resolve.ended':
      return event.ending === 'failed' ? 'conflicted' : 'open';
    case 'task.queued':
    case 'task.requeued':
    case 'check.passed':
      return 'queued';
    case 'task.merging':
      return 'merging';
    case 'check.claimed':
      return 'checking';
    case 'task.held':
    case 'task.released':
    case 'task.condemned':
    case 'check.condemned':
    case 'check.recalled':
    case 'merge.condemned':
    case 'resolve.condemned':
    case 'resolve.recalled':
    case 'resolve.raised':
      return from;
  }
}

const typeOf = ({ indexOf, tasks }: Compiled, path: string): string | undefined =>
  tasks[indexOf.get(path) ?? -1]?.task.type;
