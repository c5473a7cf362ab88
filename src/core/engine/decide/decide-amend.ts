// From a person's command to amend the plan to its events: work that must not continue is stopped first.
import { compile } from '../../compile/compile.ts';
import { isInside } from '../../compile/compiled.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { AmendCommand, ExpectedChanges } from '../command.ts';
import type { PlanGiven, RunEvent } from '../event.ts';
import { taskAt } from '../facts.ts';
import type { State } from '../state.ts';
import { preempt } from './cancel.ts';
import { amendmentOf, type Amendment } from '../amendment.ts';
import { downstreamOf } from '../restarts.ts';

export function* decideAmend(state: State, command: AmendCommand, at: number): Generator<RunEvent, void> {
  const { plan, priorities, expects } = command;
  const amendment = amendmentOf(state, compile(plan));
  if (amendment.refused.length > 0 || !isAsShown(expectedOf(state, amendment), expects)) return;
  if (amendment.toStop.length === 0) return yield amended(state, { plan, priorities, amendment, at });
  yield { type: 'plan.amending', at, plan, priorities, tasks: pathsOf(state, toHold(state, amendment)) };
  yield* preempt(state, amendment.toStop, at);
}

/** The event of the pending amendment, once the claims that it stops are over. */
export function nextAmended(state: State, at: number): RunEvent | undefined {
  const { amending, claims, compiled } = state;
  if (amending === undefined) return undefined;
  if ([...claims.values()].some(({ task }) => isInside(compiled, amending.tasks, task))) return undefined;
  const amendment = amendmentOf(state, amending.compiled);
  if (amendment.toStop.length > 0) return undefined;
  return amended(state, { ...amending, amendment, at });
}

/** The tasks whose claims are stopped, and all tasks that could continue from them. */
function toHold(state: State, { restarted, cancelled, toStop }: Amendment): Iterable<TaskIndex> {
  return new Set([...downstreamOf(state, [...restarted.keys(), ...cancelled]), ...toStop.map(({ task }) => task)]);
}

interface Amended extends PlanGiven {
  readonly amendment: Amendment;
  readonly at: number;
}

function amended(state: State, { plan, priorities, amendment, at }: Amended): RunEvent {
  const { compiled, restarted, changed, reopened, added, cancelled, again } = amendment;
  return {
    type: 'plan.amended',
    at,
    plan,
    priorities,
    restarted: pathsOf(state, restarted.keys()),
    changed: pathsOf(state, changed.keys()),
    reopened: pathsOf(state, reopened),
    added: added.map((index) => compiled.tasks[index]?.task.path ?? ''),
    cancelled: pathsOf(state, cancelled),
    again: again.map(({ task, why: { reason, cause } }) => ({ task: taskAt(state, task).task.path, reason, cause })),
  };
}

const pathsOf = (state: State, indices: Iterable<TaskIndex>): readonly string[] =>
  [...indices].sort((one, other) => one - other).map((index) => taskAt(state, index).task.path);

/** The changes that a person confirms before an amendment. */
export function expectedOf(state: State, { compiled, restarted, added, cancelled }: Amendment): ExpectedChanges {
  return {
    restarted: pathsOf(state, restarted.keys()),
    added: added.map((index) => compiled.tasks[index]?.task.path ?? ''),
    cancelled: pathsOf(state, cancelled),
  };
}

export function isAsShown(is: ExpectedChanges, shown: ExpectedChanges): boolean {
  return (['restarted', 'added', 'cancelled'] as const).every(
    (verb) => JSON.stringify([...is[verb]].sort()) === JSON.stringify([...shown[verb]].sort()),
  );
}
