// The plan that a run is amended to, from the text that its log holds.
import { compile } from '../../compile/compile.ts';
import type { Compiled } from '../../compile/compiled.ts';
import { parsePlan } from '../../plan/build/parse.ts';

/** Undefined when the text is no plan; one that an event holds was examined before it was written. */
export function readPlan(text: string): Compiled | undefined {
  const { plan } = parsePlan(text, { file: 'plan.yaml', isExamined: true });
  return plan === undefined ? undefined : compile(plan);
}
