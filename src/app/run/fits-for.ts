// What checks the shape of joined data, for the plan as it stands. It takes a while to load, and most plans join none.
import type { Compiled } from '../../core/compile/compiled.ts';
import type { Given } from '../../core/engine/expressions/scope.ts';

export async function fitsFor({ tasks }: Compiled): Promise<Given['fits']> {
  const isJoined = tasks.some(
    ({ task, steps }) =>
      (task.type === 'join' && task.output !== undefined) ||
      steps.some(({ step }) => step.type === 'join' && step.output !== undefined),
  );
  if (!isJoined) return undefined;
  const { misfitOfOutput } = await import('../../core/plan/expressions/output-fit.ts');
  return misfitOfOutput;
}
