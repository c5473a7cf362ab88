// The command with which a person does at a terminal what a tool would do with a plan.
import type { NamedPlan } from '../../app/plan/load-plan.ts';
import { shellLine } from '../../core/view/text/command-line.ts';

const SAVED_AS = 'PLAN.yaml';

export interface TypedCommand {
  /** Before the plan. */
  readonly words: readonly string[];
  readonly plan: NamedPlan;
  /** After it. */
  readonly flags?: readonly string[];
}

export function typedLine({ words, plan: { text, file }, flags = [] }: TypedCommand): string {
  const named = text === undefined ? (file ?? []) : SAVED_AS;
  const line = shellLine(['heddle', ...words, ...[named].flat(), ...flags]);
  return text === undefined ? line : `${line} (after saving the plan as ${SAVED_AS})`;
}
