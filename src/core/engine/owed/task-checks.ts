// The commands that check the work of a task, with their values filled in, from the state alone.
import type { CompiledTask } from '../../compile/compiled.ts';
import { renderScript, scriptThatFails, type RenderedScript } from '../../plan/expressions/shell-command.ts';
import { readTemplate } from '../../plan/expressions/template.ts';
import { scopeOf, type RunInputs } from '../scope.ts';
import type { Ended } from '../event.ts';
import { factsOf } from '../facts.ts';
import type { State } from '../state.ts';

/** The task's own check; undefined when it has none. */
export function renderCheck(state: State, task: CompiledTask, given: RunInputs): RenderedScript | undefined {
  const { task: of } = task;
  if (of.type !== 'work' || of.check === undefined) return undefined;
  return renderScript(of.check, scopeOf(state, task, { references: readTemplate(of.check).references, given }));
}

/** The check of merged trees reads no values of single tasks. */
const renderMergeCheck = ({ task }: CompiledTask, { inputs, env }: RunInputs): RenderedScript | undefined =>
  task.settings.merge.check === undefined ? undefined : renderScript(task.settings.merge.check, { inputs, env });

/** The checks of a task's merged work, together with the work of other tasks: each command once. */
export function checksOfMerge(
  state: State,
  task: CompiledTask,
  { given, others }: { readonly given: RunInputs; readonly others: readonly CompiledTask[] },
): readonly string[] {
  const rendered = [
    renderCheck(state, task, given),
    renderMergeCheck(task, given),
    ...others.map((other) => renderCheck(state, other, given)),
  ];
  return [...new Set(rendered.flatMap((check) => (check === undefined ? [] : [scriptOf(check)])))];
}

/** A check with missing values fails and says why; it also fails on the tree without the task's work. */
const scriptOf = (check: RenderedScript): string =>
  check.type === 'rendered' ? check.script : scriptThatFails(check.message);

/** By done task: the checks of its own work. */
export function checksOfDone(state: State, given: RunInputs): Readonly<Record<string, readonly string[]>> {
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

/** Values of a done task do not change, so its checks are rendered once, and not with every merge. */
const RENDERED = new WeakMap<RunInputs, WeakMap<Ended, readonly string[]>>();

/** The checks of a run's work, or of some of its tasks: the checks for merges first, then the checks of done tasks. */
export function checksOfRun(state: State, given: RunInputs, only?: ReadonlySet<string>): readonly string[] {
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
