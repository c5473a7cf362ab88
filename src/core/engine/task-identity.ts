// The identity of a task: its work, the tasks it needs and the check of its result.
//
// task-identity/N1. A task whose identity has changed is another task: work done for the old task does not count for
//     it.
// task-identity/N2. Everything else is settings: agents, limits, pools, budgets, estimates, descriptions. Settings may
//     change while a task runs, and hold for the attempts that begin after the change.
import type { CompiledTask } from '../compile/compiled.ts';
import type { Need, Step, Task } from '../plan/plan.ts';

/** The parts of an identity, each under its name in messages. */
type Parts = Readonly<Record<string, unknown>>;

/** The parts in which two tasks of one path differ, in words; none when they are the same task. */
export function differences(before: Task, after: Task): readonly string[] {
  if (before.type !== after.type) return ['kind'];
  const old = partsOf(before);
  const parts = partsOf(after);
  const names = [...new Set([...Object.keys(old), ...Object.keys(parts)])];
  return names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(parts[name]));
}

function partsOf(task: Task): Parts {
  const { when, output, item } = task;
  const shared = { needs: needOf(task.needs), condition: when, output, item };
  switch (task.type) {
    case 'work':
      return {
        ...shared,
        [WORD_OF_FORM[task.form]]: task.steps.map(stepOf),
        loop: task.repeat,
        files: task.files,
        check: task.check,
        hold: task.hold,
      };
    case 'gate':
      return { ...shared, question: task.question };
    case 'join':
      return { ...shared, 'rule for errors': task.onError };
    case 'subplan':
    case 'for_each':
      return shared;
  }
}

const WORD_OF_FORM = { prompt: 'prompt', run: 'command', steps: 'steps' } as const;

/** The order in which needs are written does not count. */
const needOf = (need: Need): unknown => ({ ...need, of: [...new Set(need.of)].sort() });

function stepOf(step: Step): unknown {
  const { id, type, async, needs, when, output, onResult, onError } = step;
  const text = step.type === 'prompt' ? step.prompt : step.type === 'run' ? step.run : undefined;
  return { id, type, async, needs, when, output, onResult, onError, text };
}

/** Whether tokens of one task fit the other: the same stages, and the same paths between its steps. */
export function haveSameStages(before: CompiledTask, after: CompiledTask): boolean {
  return JSON.stringify(stagesOf(before)) === JSON.stringify(stagesOf(after));
}

function stagesOf({ places, steps }: CompiledTask): unknown {
  const { worked, checking, queued, merging, conflicted, resolving, asking } = places;
  const stages = [worked, checking, queued, merging, conflicted, resolving, asking].map((place) => place !== undefined);
  return [stages, steps.map(({ ready, asking: asks }) => [ready.length, asks !== undefined])];
}
