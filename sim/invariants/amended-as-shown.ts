// N3: an amendment does what its preview showed, and no kept task depends on a restarted one.
import type { AmendCommand } from '../../src/core/engine/command.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import type { Invariant, Sight } from './invariant.ts';

export const amendedAsShown: Invariant = {
  name: 'N3 an amendment does what was shown and keeps what stands by itself',
  watch: (sight, broken) => ({
    after: (event) => {
      if (event.type === 'plan.amended') checkGround(sight, broken);
    },
    appended: (events, answers) => {
      for (const { command } of answers) if (command?.type === 'amend') checkShown(command, events, broken);
    },
  }),
};

/** Who needs all of some others has begun only after they had ended. */
function checkGround({ compiled, state }: Sight, broken: (message: string) => never): void {
  const { tasks } = state();
  for (const { task, index, needs } of compiled.tasks) {
    const facts = tasks[index];
    const hasLeftItsDoor = facts?.openedAt !== undefined || facts?.ended !== undefined;
    const missing = task.needs.type === 'all' ? needs.find((need) => tasks[need]?.ended === undefined) : undefined;
    if (hasLeftItsDoor && missing !== undefined)
      broken(`${task.path} is kept, and ${compiled.tasks[missing]?.task.path}, which it needs, begins anew.`);
  }
}

/** What is done is what the person was shown who agreed to it. */
function checkShown(
  { plan, expects }: AmendCommand,
  events: readonly RunEvent[],
  broken: (message: string) => never,
): void {
  const made = events.find((event) => event.type === 'plan.amended' && inOrder(event.plan) === inOrder(plan));
  if (made?.type !== 'plan.amended' || events.some(({ type }) => type === 'plan.amending')) return;
  for (const verb of ['restarted', 'added', 'cancelled'] as const) {
    const [done, shown] = [[...made[verb]].sort().join(), [...expects[verb]].sort().join()];
    if (done !== shown) broken(`The plan is amended, and ${done} are ${verb} where ${shown} were shown to be.`);
  }
}

/** The log may write the keys of a plan in another order. */
const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
