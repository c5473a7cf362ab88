// A text of the plan for people and agents, with its values.
import type { CompiledTask } from '../../compile/compiled.ts';
import { readTemplate, renderTemplate } from '../../plan/expressions/template.ts';
import { scopeOf, type RunInputs } from '../scope.ts';
import type { State } from '../state.ts';

/** A text whose values are gone is given as written in the plan. */
export function renderedOrWritten(
  state: State,
  task: CompiledTask,
  { text, given }: { readonly text: string; readonly given: RunInputs },
): string {
  const { references } = readTemplate(text);
  const answer = renderTemplate(text, scopeOf(state, task, { references, given }));
  return (answer.type === 'rendered' ? answer.text : text).trim();
}
