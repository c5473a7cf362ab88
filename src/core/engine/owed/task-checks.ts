// The commands that judge the work of a task, with their values in them, from the state alone.
import type { CompiledTask } from '../../compile/compiled.ts';
import { renderScript, scriptThatFails, type RenderedScript } from '../../plan/expressions/shell-command.ts';
import { readTemplate } from '../../plan/expressions/template.ts';
import { scopeOf, type Given } from '../expressions/scope.ts';
import type { Ended } from '../event.ts';
import { factsOf } from '../facts.ts';
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

/** By task that is done, what its work must pass on its own account. */
export function checksOfDone(state: State, given: Given): Readonly<Record<string, readonly string[]>> {
  const known = RENDERED.get(given) ?? new WeakMap<Ended, readonly string[]>();
  RENDERED.set(given, known);
  const checks: Record<string, readonly string[]> = {};
  for (const task of state.compiled.tasks) {
    const { ended } = factsOf(state, task.index);
    if (ended?.ending !== 'done') continue;
    const rendered = known.get(ended) ?? checksOfMerge(state, task, { given, others: [] });
    known.set(ended, rendered);
    checks[task.task.path] = rendered;
  }
  return checks;
}

/** Values of a task that is done do not change, so its checks are rendered once, and not with every merge. */
const RENDERED = new WeakMap<Given, WeakMap<Ended, readonly string[]>>();

/** What the work of a run, or of some of its tasks, must pass: the checks for merges first, then those of done tasks. */
export function checksOfRun(state: State, given: Given, only?: ReadonlySet<string>): readonly string[] {
  const { tasks, plan } = state.compiled;
  const ofPlan = plan.settings.merge.check;
  const done = tasks.filter(
    ({ index, task }) => factsOf(state, index).ended?.ending === 'done' && only?.has(task.path) !== false,
  );
  const rendered = [
    ofPlan === undefined ? undefined : renderScript(ofPlan, { inputs: given.inputs, env: given.env }),
    ...done.map((task) => renderMergeCheck(task, given)),
    ...done.map((task) => renderCheck(state, task, given)),
  ];
  return [...new Set(rendered.flatMap((check) => (check === undefined ? [] : [scriptOf(check)])))];
}
