// P3: each claim settles alone. Whatever is ended for another's sake is ended because the plan or a person says so; and
// under `fail_fast` it is told to end in the same append.
import type { CompiledTask } from '../../src/core/compile/compiled.ts';
import type { Command } from '../../src/core/engine/command.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { isInside, setBackBy, type Invariant, type Sight } from './invariant.ts';

type Ending = Extract<RunEvent, { readonly task: string; readonly reason: unknown; readonly cause: unknown }>;

export const settledAlone: Invariant = {
  name: 'P3 each claim settles alone',
  watch: (sight, broken) => {
    const said: Command[] = [];
    /** What was just when somebody was told to end is just when they do, though the cause may have been reset since. */
    const just = new Set<string>();
    return {
      handled: (answers) => {
        for (const { command } of answers) if (command !== undefined) said.push(command);
      },
      before: (event) => {
        if (!('cause' in event) || event.type === 'run.paused' || isOfSubplan(sight, event)) return;
        const { type, task, reason, cause } = event;
        const why = `${task} ${reason} ${cause}`;
        if (just.has(why) || isJustified(sight, event, said)) return void just.add(why);
        broken(`${type} of ${task} says ${reason} because of ${cause ?? 'nobody'}, which is not so.`);
      },
      appended: (events) => {
        // What a person resets goes on, though what failed beside it has not been reset.
        if (events.some((event) => setBackBy(event).length > 0)) return;
        for (const event of events) {
          if (event.type === 'task.ended' && event.ending === 'failed') checkEndedAtOnce(sight, event.task, broken);
        }
      },
    };
  },
};

/** A subplan passes on the reason of one of its tasks. */
const isOfSubplan = ({ compiled }: Sight, { task }: Ending): boolean =>
  taskOf(compiled.tasks, task)?.task.type === 'subplan';

const taskOf = (tasks: readonly CompiledTask[], path: string | undefined): CompiledTask | undefined =>
  tasks.find(({ task }) => task.path === path);

function isJustified(sight: Sight, event: Ending, said: readonly Command[]): boolean {
  const { task, reason, cause } = event;
  switch (reason) {
    case 'fail_fast':
      return isFailFast(sight, task, cause);
    case 'race':
      return isRacer(sight, task, cause) || (event.type === 'task.skipped' && isBehindLoser(sight, task, cause));
    case 'cancelled':
      return isSaid(said, 'cancel', task);
    case 'skipped':
      return isSaid(said, 'skip', task);
    case 'rejected':
      return said.some((command) => command.type === 'reject');
    case 'need':
      return cause?.startsWith(`${task}/`) === true || isUnmet(sight, task);
    default:
      return true;
  }
}

const isSaid = (said: readonly Command[], type: Command['type'], task: string): boolean =>
  said.some(
    (command) =>
      command.type === type &&
      'tasks' in command &&
      (command.tasks.length === 0 || command.tasks.some((name) => isInside(task, name) || isInside(name, task))),
  );

/** The cause failed, and the scope around it, or a join that needs both, fails fast. */
function isFailFast({ compiled, state }: Sight, task: string, cause: string | undefined): boolean {
  const failed = taskOf(compiled.tasks, cause);
  if (failed === undefined || !isBad(state().tasks[failed.index]?.ended?.ending)) return false;
  const around = failed.parent === undefined ? undefined : compiled.tasks[failed.parent];
  const { failureMode } = around?.task.settings ?? compiled.plan.settings;
  const isOfScope = failureMode === 'fail_fast' && (around === undefined || isInside(task, around.task.path));
  const isOfJoin = failed.dependents.some((dependent) => {
    const join = compiled.tasks[dependent];
    const isStrict = join?.task.type === 'join' && join.task.onError === 'fail_fast';
    return isStrict && (join?.needs.some((need) => isInside(task, compiled.tasks[need]?.task.path ?? '')) ?? false);
  });
  return isOfScope || isOfJoin;
}

const isBad = (ending: string | undefined): boolean => ending === 'failed' || ending === 'cancelled';

/** The cause is a race that the task, or what it stands in, ran in. */
function isRacer({ compiled }: Sight, task: string, cause: string | undefined): boolean {
  const race = taskOf(compiled.tasks, cause);
  if (race?.task.needs.type !== 'race') return false;
  return race.needs.some((need) => isInside(task, compiled.tasks[need]?.task.path ?? ''));
}

/** Some need of the task, or of what it stands in, lost that race or is skipped because of it. */
function isBehindLoser({ compiled, state }: Sight, path: string, cause: string | undefined): boolean {
  const own = taskOf(compiled.tasks, path);
  for (let at = own; at !== undefined; at = at.parent === undefined ? undefined : compiled.tasks[at.parent]) {
    const ends = at.needs.map((need) => state().tasks[need]?.ended);
    if (ends.some((ended) => ended?.reason === 'race' && ended.cause === cause)) return true;
  }
  return false;
}

/** Some need of the task, or of what it stands in, has ended badly. */
function isUnmet({ compiled, state }: Sight, path: string): boolean {
  const own = taskOf(compiled.tasks, path);
  for (let at = own; at !== undefined; at = at.parent === undefined ? undefined : compiled.tasks[at.parent]) {
    if (at.needs.some((need) => isBad(state().tasks[need]?.ended?.ending))) return true;
  }
  return false;
}

/** A failure under `fail_fast` leaves nothing of its scope going on, unless it is part of a race. */
function checkEndedAtOnce({ compiled, state }: Sight, path: string, broken: (message: string) => never): void {
  const failed = taskOf(compiled.tasks, path);
  const isRaced = failed?.dependents.some((dependent) => compiled.tasks[dependent]?.task.needs.type === 'race');
  if (failed === undefined || isRaced === true || state().tasks[failed.index]?.ended === undefined) return;
  const around = failed.parent === undefined ? undefined : compiled.tasks[failed.parent];
  const { failureMode } = around?.task.settings ?? compiled.plan.settings;
  if (failureMode !== 'fail_fast') return;
  for (const { task, cancelling } of state().claims.values()) {
    const sibling = compiled.tasks[task]?.task.path ?? '';
    if (cancelling === undefined && (around === undefined || isInside(sibling, around.task.path)))
      broken(`${path} failed under fail_fast, and ${sibling} goes on.`);
  }
}
