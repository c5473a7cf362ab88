// Inputs of a run from outside its log: environment values, and the check of joined data.
import type { Compiled } from '../core/compile/compiled.ts';
import type { RunInputs } from '../core/engine/scope.ts';
import { isDraft } from '../core/plan/grown-plan.ts';
import type { Plan } from '../core/plan/plan.ts';
import type { History } from '../core/simulate/estimate.ts';

/** The check of joined data takes a while to load, and most plans join none. */
export async function fitsFor({ tasks }: Compiled): Promise<RunInputs['fits']> {
  const isJoined = tasks.some(
    ({ task, steps }) =>
      // What a draft will add is not known yet.
      isDraft(task) ||
      (task.type === 'join' && task.output !== undefined) ||
      steps.some(({ step }) => step.type === 'join' && step.output !== undefined),
  );
  if (!isJoined) return undefined;
  const { judgeOutput } = await import('./judge-output.ts');
  return (schema, value) => judgeOutput(schema, value);
}

/** The judge of fragments brings the parser of plans along, and most plans do not grow. */
export async function judgeFor({ tasks }: Compiled, readHistory: () => History): Promise<RunInputs['judge']> {
  if (!tasks.some(({ task }) => isDraft(task))) return undefined;
  const { judgeFragment } = await import('../core/grow/judge-fragment.ts');
  let history: History | undefined;
  return (state, draft, written) => judgeFragment(state, draft, { written, history: (history ??= readHistory()) });
}

/** Reads only the variables that the plan names, anew at each start: environment values are not stored. */
export function environmentFor(plan: Plan): Readonly<Record<string, string>> {
  return Object.fromEntries(
    plan.env.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The environment of this process, for what it starts. Only a server has use for the address of its engine, and the password in it. */
export function stepEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || name === 'HEDDLE_ENGINE' ? [] : [[name, value]],
    ),
  );
}
