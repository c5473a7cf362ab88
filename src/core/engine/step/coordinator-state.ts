// What one coordinator knows of its run: the state that the log gives, and besides it only what can be lost, such as the
// leases of hosts. What the run waits for, when it is over and when to wake follow from it.
import { leaseEnd, startDispatcher, type Dispatcher } from '../../protocol/dispatcher.ts';
import { nextWake } from '../decide/next.ts';
import { nextWorkWake } from '../decide/switches.ts';
import type { Evaluator } from '../expressions/evaluator.ts';
import type { Given } from '../expressions/scope.ts';
import type { State } from '../state.ts';

export interface CoordinatorState {
  readonly state: State;
  readonly dispatcher: Dispatcher;
  readonly evaluator: Evaluator;
  readonly given: Given;
  /** `evaluator` and `given` were made for the plan as it stands: nothing is decided after it is amended. */
  readonly stopsWhenAmended: boolean;
  /** A person asked the run to stop, and it has not yet. */
  isStopping: boolean;
  /** Since when nothing has happened, by the clock that never goes back. */
  quietSince: number;
}

export interface Coordinating {
  readonly evaluator: Evaluator;
  readonly given: Given;
  readonly stopsWhenAmended?: boolean;
  readonly isStopping?: boolean;
  /** The time by the clock that never goes back. */
  readonly at: number;
}

export function startCoordinator(
  state: State,
  { evaluator, given, stopsWhenAmended = false, isStopping = false, at }: Coordinating,
): CoordinatorState {
  return {
    state,
    dispatcher: startDispatcher(),
    evaluator,
    given,
    stopsWhenAmended,
    isStopping,
    quietSince: at,
  };
}

/** What a run with nothing running waits for when time alone will not move it on; `repair`, of a set-up that is broken. */
export type WaitsFor = 'answer' | 'resume' | 'repair';

export type RunEnd =
  | { readonly type: 'ended'; readonly state: State }
  /** Nothing is running, and only a person can move the run on. */
  | { readonly type: 'waiting'; readonly for: WaitsFor; readonly state: State }
  /** A person asked it to stop; nothing is running. */
  | { readonly type: 'stopped'; readonly state: State };

/** For how many milliseconds to stay when only a person can move the run on. */
export type StaysMs = (why: WaitsFor) => number;

/** Undefined while the coordinator has something to do or to wait for; `at` is by the clock that never goes back. */
export function endOf(coordinator: CoordinatorState, at: number, staysMs: StaysMs): RunEnd | undefined {
  const { state, isStopping } = coordinator;
  if (state.run.stage === 'ended') return { type: 'ended', state };
  if (isStopping && state.claims.size === 0) return { type: 'stopped', state };
  const why = waitsFor(state);
  return why === undefined || leftToStayMs(coordinator, at, staysMs(why)) > 0
    ? undefined
    : { type: 'waiting', for: why, state };
}

const leftToStayMs = ({ quietSince }: CoordinatorState, at: number, staysMs: number): number =>
  staysMs - (at - quietSince);

/** What of a person the run waits for, when nothing is running and time alone will not move it on. */
export function waitsFor(state: State): WaitsFor | undefined {
  if (state.claims.size > 0) return undefined;
  if (state.run.stage === 'paused') return state.run.pausedFor === undefined ? 'resume' : 'repair';
  if (nextWorkWake(state) !== undefined) return undefined;
  return state.questions.size > 0 ? 'answer' : 'resume';
}

export interface Time {
  /** The run's: milliseconds since the epoch, never earlier than the latest event. */
  readonly now: number;
  /** By the clock that never goes back, for leases. */
  readonly at: number;
}

/**
 * How long there is nothing to do unless something comes: until a backoff is over, a lease runs out, or nobody has
 * answered for too long. Undefined when only something that comes can move the run on.
 */
export function msToWait(coordinator: CoordinatorState, { now, at }: Time, staysMs: StaysMs): number | undefined {
  const { state, dispatcher } = coordinator;
  const wake = nextWake(state);
  const lease = leaseEnd(dispatcher);
  const why = waitsFor(state);
  const shortest = Math.min(
    wake === undefined ? Infinity : wake - now,
    lease === undefined ? Infinity : lease - at,
    why === undefined ? Infinity : leftToStayMs(coordinator, at, staysMs(why)),
  );
  return shortest === Infinity ? undefined : Math.max(0, shortest);
}
