// The intent of a task, in the words of the plan.
import type { CompiledTask } from '../../compile/compiled.ts';
import type { Step } from '../../plan/plan.ts';
import { readTemplate, renderTemplate } from '../../plan/expressions/template.ts';
import { scopeOf, type Given } from '../scope.ts';
import type { State } from '../state.ts';

/** Maximum number of characters of one task's intent. */
const INTENT_MAX = 4_000;

/** The task's description, else its prompts, else its commands. */
export function intentOf(state: State, task: CompiledTask, given: Given): string {
  const { description, type } = task.task;
  const steps = type === 'work' ? task.task.steps : [];
  const prompts = steps.flatMap((step) => (step.type === 'prompt' ? [step.prompt] : []));
  const texts = prompts.length > 0 ? prompts : steps.flatMap(commandOf);
  const intent = description ?? texts.map((text) => rendered(state, task, { text, given })).join('\n\n');
  return intent.length > INTENT_MAX ? `${intent.slice(0, INTENT_MAX)}…` : intent;
}

const commandOf = (step: Step): readonly string[] => (step.type === 'run' ? [step.run] : []);

/** A text whose values are gone is given as written in the plan. */
function rendered(state: State, task: CompiledTask, { text, given }: { text: string; given: Given }): string {
  const { references } = readTemplate(text);
  const answer = renderTemplate(text, scopeOf(state, task, { references, given }));
  return (answer.type === 'rendered' ? answer.text : text).trim();
}
