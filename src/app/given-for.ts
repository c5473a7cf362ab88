// What a run is given from outside besides its log: values of the environment, and the check of joined data.
import type { Compiled } from '../core/compile/compiled.ts';
import type { Given } from '../core/engine/expressions/scope.ts';
import type { Plan } from '../core/plan/plan.ts';

/** The check of joined data takes a while to load, and most plans join none. */
export async function fitsFor({ tasks }: Compiled): Promise<Given['fits']> {
  const isJoined = tasks.some(
    ({ task, steps }) =>
      (task.type === 'join' && task.output !== undefined) ||
      steps.some(({ step }) => step.type === 'join' && step.output !== undefined),
  );
  if (!isJoined) return undefined;
  const { misfitOfOutput } = await import('../core/plan/expressions/output-fit.ts');
  return misfitOfOutput;
}

/** Only what the plan names is read, and it is read anew at each start: values of the environment are not kept. */
export function environmentFor(plan: Plan): Readonly<Record<string, string>> {
  return Object.fromEntries(
    plan.env.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
