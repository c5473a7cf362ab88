// What of a plan stays as it was when its run began, whatever a changed plan says.
import type { Plan } from '../../plan/plan.ts';

/** One sentence for each change that no run can follow. */
export function fixedParts(before: Plan, after: Plan): readonly string[] {
  const known = new Set(before.inputs.map(({ name }) => name));
  const asked = after.inputs.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  return [
    before.base === after.base
      ? undefined
      : `The run started from ${before.base}; another base (${after.base}) takes another run`,
    before.sandbox.tree === after.sandbox.tree
      ? undefined
      : `The trees of sandboxes are settled when a run starts; put sandbox.tree back to ${before.sandbox.tree}`,
    before.sandbox.isolation === after.sandbox.isolation
      ? undefined
      : `Isolation is settled when a run starts; put sandbox.isolation back to ${before.sandbox.isolation}`,
    asked.length === 0
      ? undefined
      : `Inputs are given when a run starts, and this one was not given ${asked.join(', ')}`,
  ].filter((sentence) => sentence !== undefined);
}
