// A plan written in TypeScript. It becomes text and goes through the parser of plan files, so it is the same plan, with
// the same diagnostics.
import { parsePlan, type Parsed } from '../build/parse.ts';
import type { CheckedPlan } from './checked-names.ts';
import type { PlanSpec } from './plan-spec.ts';

/** A plan that was written as an object: its file, the plan and the diagnostics. */
export interface DefinedPlan extends Parsed {
  /** The plan as a file; JSON is YAML. `printPlan` of the plan writes it for people. */
  readonly text: string;
}

/** Makes a plan of an object with the keys of a plan file. A misspelt agent, pool, step or need does not compile. */
export function plan<const Spec extends PlanSpec>(
  spec: Spec & CheckedPlan<Spec>,
  { file = 'plan' }: { readonly file?: string } = {},
): DefinedPlan {
  const text = `${asYaml({ heddle: 1, ...spec })}\n`;
  return { text, ...parsePlan(text, { file }) };
}

/** Characters that JSON leaves as they are and YAML forbids or takes for the end of a line. */
const ESCAPED = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;

const asYaml = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replaceAll(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
