// Judges outputs of steps and joins against their schemas, for a limited time. A schema that refers to itself in several
// branches takes time exponential in the depth of an output, and a model decides how deep its output is.
import { runInNewContext } from 'node:vm';
import type { JsonSchema } from '../core/plan/plan.ts';
import { misfitOfOutput } from '../core/plan/expressions/output-fit.ts';

const JUDGE_MS_MAX = 5_000;
const TIMED_OUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** A short reason why the value does not fit; undefined when it does. */
export function judgeOutput(schema: JsonSchema, value: unknown, limitMs = JUDGE_MS_MAX): string | undefined {
  let misfit: string | undefined;
  const judge = (): void => void (misfit = misfitOfOutput(schema, value));
  try {
    runInNewContext('judge()', { judge }, { timeout: limitMs });
  } catch (cause) {
    // It is an error of the other context.
    const isOver = typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === TIMED_OUT;
    if (!isOver) throw cause;
    return `it cannot be judged within ${limitMs / 1000} seconds; make the schema simpler`;
  }
  return misfit;
}
