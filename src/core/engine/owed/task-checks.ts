// The commands that judge the work of a task, with their values in them, from the state alone.
import type { CompiledTask } from '../../compile/compiled.ts';
import { renderScript, scriptThatFails, type RenderedScript } from '../../plan/expressions/shell-command.ts';
import { readTemplate } from '../../plan/expressions/template.ts';
import { scopeOf, type Given } from '../expressions/scope.ts';
import { factsOf, taskAt } from '../facts.ts';
import type { State } from '../state.ts';

/** The task's own check; undefined when it has none. */
export function renderCheck(state: State, task: CompiledTask, given: Given): RenderedScript | undefined {
  const { task: of } = task;
  if (of.type !== 'work' || of.check === undefined) return undefined;
  return renderScript(of.check, scopeOf(state, task, { references: readTemplate(of.check).references, given }));
}

/** The check of merged trees reads nothing of single tasks. */
const renderMergeCheck = ({ task }: CompiledTask, { inputs, env }: Given): RenderedScript | undefined =>
  task.settings.merge.check === undefined ? undefined : renderScript(task.settings.merge.check, { inputs, env });

/** What the merged work of a task must pass, and that of others with it: each command once. */
export function checksOfMerge(
  state: State,
  task: CompiledTask,
  { given, others }: { readonly given: Given; readonly others: readonly CompiledTask[] },
): readonly string[] {
  const rendered = [
    renderCheck(state, task, given),
    renderMergeCheck(task, given),
    ...others.map((other) => renderCheck(state, other, given)),
  ];
  return [...new Set(rendered.flatMap((check) => (check === undefined ? [] : [scriptOf(check)])))];
}

/** A check without its values fails and says why; the tree without the task's work fails it as well. */
const scriptOf = (check: RenderedScript): string =>
  check.type === 'rendered' ? check.script : scriptThatFails(check.message);

/** What the work of one task must pass on its own account; undefined for a name that the plan does not have. */
export function checksOf(state: State, path: string, given: Given): readonly string[] | undefined {
  const index = state.compiled.indexOf.get(path);
  return index === undefined ? undefined : checksOfMerge(state, taskAt(state, index), { given, others: [] });
}

/** What the work of the whole run must pass: the checks for merges first, then those of the tasks that are done. */
export function checksOfRun(state: State, given: Given): readonly string[] {
  const { tasks, plan } = state.compiled;
  const ofPlan = plan.settings.merge.check;
  const done = tasks.filter(({ index }) => factsOf(state, index).ended?.ending === 'done');
  const rendered = [
    ofPlan === undefined ? undefined : renderScript(ofPlan, { inputs: given.inputs, env: given.env }),
    ...done.map((task) => renderMergeCheck(task, given)),
    ...done.map((task) => renderCheck(state, task, given)),
  ];
  return [...new Set(rendered.flatMap((check) => (check === undefined ? [] : [scriptOf(check)])))];
}
