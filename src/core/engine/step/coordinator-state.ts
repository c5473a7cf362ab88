// The state of one coordinator: the state from the log, and besides it only facts that may be lost, such as the leases
// of hosts. It determines what the run waits for, when the run is over and when to wake up.
import { leaseEnd, startDispatcher, type Dispatcher } from '../../protocol/dispatcher.ts';
import { nextWake } from '../decide/next.ts';
import { nextWorkWake } from '../decide/switches.ts';
import { owed } from '../owed/owed.ts';
import type { Evaluator } from '../evaluator.ts';
import type { RunInputs } from '../scope.ts';
import type { State } from '../state.ts';

export interface CoordinatorState {
  readonly state: State;
  readonly dispatcher: Dispatcher;
  readonly evaluator: Evaluator;
  readonly given: RunInputs;
  /** `evaluator` and `given` belong to the current plan: nothing is decided after it is amended. */
  readonly stopsWhenAmended: boolean;
  /** A person asked the run to stop, and claims are still running. */
  isStopping: boolean;
  /** The time of the last activity, by the monotonic clock. */
  quietSince: number;
}

export interface CoordinatorOptions {
  readonly evaluator: Evaluator;
  readonly given: RunInputs;
  readonly stopsWhenAmended?: boolean;
  readonly isStopping?: boolean;
  /** False for simulated work, which no host holds: no lease ends. */
  readonly hasHosts?: boolean;
  /** For how long a host may be silent; the dispatcher has the usual time. */
  readonly leaseMs?: number | undefined;
  /** The time by the monotonic clock. */
  readonly at: number;
}

export function startCoordinator(
  state: State,
  { evaluator, given, stopsWhenAmended = false, isStopping = false, hasHosts = true, leaseMs, at }: CoordinatorOptions,
): CoordinatorState {
  return {
    state,
    dispatcher: startDispatcher(hasHosts ? owed(state) : [], at, leaseMs),
    evaluator,
    given,
    stopsWhenAmended,
    isStopping,
    quietSince: at,
  };
}

/** The input that an idle run waits for when time alone will not advance it; `repair`: of a broken set-up. */
export type WaitsFor = 'answer' | 'resume' | 'repair';

export type LoopEnd =
  | { readonly type: 'ended'; readonly state: State }
  /** Nothing is running, and only a person can advance the run. */
  | { readonly type: 'waiting'; readonly for: WaitsFor; readonly state: State }
  /** A person asked the run to stop; nothing is running. */
  | { readonly type: 'stopped'; readonly state: State };

/** For how many milliseconds the coordinator stays when only a person can advance the run. */
export type StaysMs = (why: WaitsFor) => number;

/** Undefined while the coordinator has work or waits for an event; `at` is by the monotonic clock. */
export function runEndOf(coordinator: CoordinatorState, at: number, staysMs: StaysMs): LoopEnd | undefined {
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

/** The person's input that the run waits for, when nothing is running and time alone will not advance it. */
export function waitsFor(state: State): WaitsFor | undefined {
  if (state.claims.size > 0) return undefined;
  if (state.run.stage === 'paused') return state.run.pausedFor === undefined ? 'resume' : 'repair';
  if (nextWorkWake(state) !== undefined) return undefined;
  return state.questions.size > 0 ? 'answer' : 'resume';
}

export interface Time {
  /** The time of the run: milliseconds since the epoch, never earlier than the latest event. */
  readonly now: number;
  /** By the monotonic clock, for leases. */
  readonly at: number;
}

/**
 * How long the coordinator can sleep without input: until a backoff is over, a lease expires, or a person has not
 * answered for too long. Undefined when only input can advance the run.
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
