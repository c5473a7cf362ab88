// Changes by time alone: pools that close, open, are throttled and restored, and questions that time out.
//
// switches/V2. A question without an answer in time fails its step. Silence never means yes.
import { countAt } from '../../net/play.ts';
import { lowerLimit, RESTORE_AFTER_MS } from '../apply/turn-facts.ts';
import type { RunEvent } from '../event.ts';
import { timesIn } from '../deferred.ts';
import { taskAt } from '../facts.ts';
import type { State } from '../state.ts';

export function nextSwitch(state: State, at: number): RunEvent | undefined {
  return nextOfAccounts(state, at) ?? nextOfLimits(state, at) ?? nextOfQuestions(state, at);
}

function nextOfAccounts(state: State, at: number): RunEvent | undefined {
  for (const [pool, until] of state.exhausted) {
    const parts = state.compiled.pools.get(pool);
    const isClosed = parts !== undefined && countAt(state.play, parts.closed) > 0;
    // An exhausted pool is closed even when it could be opened at once, as after a long stop, so that each exhaustion
    // is one closing and one opening in the log.
    if (!isClosed) return { type: 'pool.closed', at, pool, until };
    if (until <= at) return { type: 'pool.opened', at, pool };
  }
  return undefined;
}

/** The effective limit of a pool is raised by this part of its size at a time. */
const RESTORED_SHARE = 1 / 8;

function nextOfLimits(state: State, at: number): RunEvent | undefined {
  for (const [pool, { limit, until, isNews }] of state.throttled) {
    const size = state.compiled.pools.get(pool)?.size ?? limit;
    const next = { at, pool, until: at + RESTORE_AFTER_MS };
    if (isNews) return { type: 'pool.throttled', ...next, limit: lowerLimit(state, pool, limit) };
    if (until <= at)
      return { type: 'pool.restored', ...next, limit: Math.min(size, limit + Math.ceil(size * RESTORED_SHARE)) };
  }
  return undefined;
}

function nextOfQuestions(state: State, at: number): RunEvent | undefined {
  for (const { task: index, step, attempt, until } of state.questions.values()) {
    if (until === undefined || until > at || step === undefined) continue;
    const { task, steps } = taskAt(state, index);
    const about = { at, work: 'step', task: task.path, step: steps[step]?.step.id, attempt } as const;
    return { type: 'claim.answered', ...about, ending: 'failed', reason: 'asked', cause: 'nobody answered in time' };
  }
  return undefined;
}

/** When work that backs off may be claimed, without any other input. */
export function nextWorkWake(state: State): number | undefined {
  const times = [...timesIn(state)].map(([, until]) => until);
  return earliestOf([...times, ...state.exhausted.values()]);
}

/** When the next switch is due. */
export function nextSwitchWake({ throttled, questions }: State): number | undefined {
  const widths = [...throttled.values()].map(({ until }) => until);
  const limits = [...questions.values()].flatMap(({ until }) => until ?? []);
  return earliestOf([...widths, ...limits]);
}

const earliestOf = (times: readonly number[]): number | undefined =>
  times.length === 0 ? undefined : times.reduce((one, other) => Math.min(one, other));
