// Why a run cannot follow a changed plan.
import type { Plan } from '../../plan/plan.ts';

export type AmendRefusal =
  /** Another amendment of the run is not over yet. */
  | { readonly code: 'amend.pending' }
  /** Settled when the run started. */
  | { readonly code: 'amend.base'; readonly before: string; readonly after: string }
  | { readonly code: 'amend.tree' | 'amend.isolation'; readonly before: string }
  /** The run was not given these inputs. */
  | { readonly code: 'amend.inputs'; readonly names: readonly string[] }
  /** The changed plan does not have the task, whose work is done. */
  | { readonly code: 'amend.done.removed'; readonly task: string }
  | { readonly code: 'amend.done.redefined'; readonly task: string; readonly parts: readonly string[] }
  /** The task is done on top of `by`, which would begin anew. */
  | { readonly code: 'amend.done.used'; readonly task: string; readonly by: string }
  | { readonly code: 'amend.merging'; readonly task: string };

/** Changes to what is settled when a run starts. */
export function refusalsOfSettled(before: Plan, after: Plan): readonly AmendRefusal[] {
  const known = new Set(before.inputs.map(({ name }) => name));
  const names = after.inputs.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  const { tree, isolation } = before.sandbox;
  const refusals: AmendRefusal[] = [];
  if (before.base !== after.base) refusals.push({ code: 'amend.base', before: before.base, after: after.base });
  if (tree !== after.sandbox.tree) refusals.push({ code: 'amend.tree', before: tree });
  if (isolation !== after.sandbox.isolation) refusals.push({ code: 'amend.isolation', before: isolation });
  if (names.length > 0) refusals.push({ code: 'amend.inputs', names });
  return refusals;
}
