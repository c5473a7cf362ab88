// Asking for something at work to be stopped and done again later; a merge is short and comes to its end.
import type { CompiledTask } from '../../compile/compiled.ts';
import type { RunEvent } from '../event.ts';
import type { Claim } from '../state.ts';

export function recallOf(
  { task, steps }: CompiledTask,
  { type, step, attempt }: Claim,
  at: number,
): RunEvent | undefined {
  const about = { at, task: task.path };
  switch (type) {
    case 'step':
      return { type: 'step.recalled', ...about, step: steps[step ?? -1]?.step.id ?? '', attempt };
    case 'resolve':
      return { type: 'resolve.recalled', ...about, attempt };
    case 'check':
      return { type: 'check.recalled', ...about };
    case 'merge':
      return undefined;
  }
}
