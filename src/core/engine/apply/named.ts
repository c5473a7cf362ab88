// The parts of the compiled plan that an event names.
import { assert } from '../../assert.ts';
import type { Compiled, CompiledStep, CompiledTask } from '../../compile/compiled.ts';

export function taskNamed(compiled: Compiled, path: string): CompiledTask {
  const index = compiled.indexOf.get(path);
  const task = index === undefined ? undefined : compiled.tasks[index];
  assert(task !== undefined, `The log speaks of the task ${path}, which the plan of this run does not have.`);
  return task;
}

export function stepNamed(task: CompiledTask, id: string | undefined): CompiledStep {
  const step = task.steps.find((candidate) => candidate.step.id === id);
  assert(step !== undefined, `The log speaks of the step ${id} of ${task.task.path}, which has no such step.`);
  return step;
}
