// How many workers are wanted as soon as a run begins.
import type { Compiled, CompiledTask } from '../../core/compile/compiled.ts';

/** What lasts longer is worth a worker of its own, whatever that takes to start. */
const LONG_MS = 250;

/** One for each step that can begin at once and is known to last; of others nobody knows before they have begun. */
export const firstWorkers = ({ plan, tasks }: Compiled): number => Math.min(plan.cap, tasks.filter(beginsLong).length);

function beginsLong({ task, needs, steps }: CompiledTask): boolean {
  const [first] = steps;
  if (task.type !== 'work' || needs.length > 0 || first === undefined) return false;
  const { step } = first;
  return step.type === 'prompt' || (step.estimateMs ?? task.estimateMs ?? 0) >= LONG_MS;
}
