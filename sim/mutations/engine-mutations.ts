// Faults in the net and in the engine: steps, tasks and money.
import type { Mutation } from './mutation.ts';

export const STEPS: readonly Mutation[] = [
  {
    fault: 'fences are ignored: a late report of an earlier attempt is believed',
    text: `  return claim?.attempt === ref.attempt ? claim : undefined;`,
    instead: `  return ref.work !== 'merge' || claim?.attempt === ref.attempt ? claim : undefined;`,
  },
  {
    fault: 'a check has no fence of its own',
    text: `attempt: factsOf(state, task.index).checks + 1 }`,
    instead: `attempt: 1 }`,
  },
  {
    fault: 'a failed step is tried again without a backoff',
    text: `    const until =
      at + backoffMs(`,
    instead: `    const until =
      at + 0 * backoffMs(`,
  },
  {
    fault: 'a failed step is tried again without limit',
    text: `isRetryable && tried < step.step.attemptsMax`,
    instead: `isRetryable`,
  },
  {
    fault: 'a quota that ran out does not close its pool for long',
    text: `Math.max(wanted, at + LIMIT_BACKOFF_MIN_MS)`,
    instead: `wanted`,
  },
  {
    fault: 'a step that finishes after it was preempted is done again',
    text: `    case 'finished':
      return eventOfResult(`,
    instead: `    case 'finished':
      if (claim.preempting)
        return { type: 'claim.returned', ...about, reason: 'cancelled', counted: false, until: at, pool: undefined };
      return eventOfResult(`,
  },
  {
    fault: 'a lost step counts as done',
    text: `      return { type: 'claim.returned', ...about, reason: 'crashed', counted: false, until: at, pool: undefined };`,
    instead: `      return { type: 'claim.ended', ...about, ...ENDED_WELL, result };`,
  },
  {
    fault: 'a step that goes back keeps its pool tokens',
    text: `gives: [...ready, ...held] });`,
    instead: `gives: ready });`,
  },
  {
    fault: 'a step that ends gives its tokens back twice',
    text: `gives: [...next, ...held] });`,
    instead: `gives: [...next, ...held, ...held] });`,
  },
  {
    fault: 'a check takes no slot of a cap',
    text: `around.resources.heldBy(around.outlined.index, [])`,
    instead: `[...around.resources.heldBy(around.outlined.index, [])].slice(0, 0)`,
  },
  {
    fault: 'what backs off is never woken',
    text: `if (until <= now) releaseTransition(state, transition);`,
    instead: `if (until <= 0) releaseTransition(state, transition);`,
  },
  {
    fault: 'what backs off is claimed at once',
    text: `{ ...token, tried, until }`,
    instead: `{ ...token, tried, until: 0 }`,
  },
  {
    fault: 'those that waited for money are not looked at again',
    text: `  releaseDeferred(state, 'budget');`,
    instead: ``,
  },
  {
    fault: 'under the serial policy several are at work',
    text: `state.order.policy === 'serial' && state.claims.size > 0`,
    instead: `state.order.policy === 'serial' && state.claims.size > 1`,
  },
];

export const TASKS: readonly Mutation[] = [
  {
    fault: 'a failure under fail_fast does not end its siblings',
    text: `  if (failureMode !== 'fail_fast') return state;`,
    instead: `  if (failureMode.length > 0) return state;`,
  },
  {
    fault: 'every failure ends its siblings',
    text: `  if (failureMode !== 'fail_fast') return state;`,
    instead: ``,
  },
  {
    fault: 'what is ended from outside does not say why',
    text: `{ ending: reason === 'skipped' ? 'skipped' : 'cancelled', reason, cause }`,
    instead: `{ ending: reason === 'skipped' ? 'skipped' : 'cancelled', reason: undefined, cause }`,
  },
  {
    fault: 'an event is applied and not logged',
    text: `    apply(state, event);
    events.push(event);`,
    instead: `    apply(state, event);
    if (event.type !== 'pool.opened') events.push(event);`,
  },
  {
    fault: 'a reset task counts its attempts from one',
    text: `Object.assign(step, { ended: undefined, result: undefined, ...NOTHING_SAID });`,
    instead: `Object.assign(step, { ended: undefined, result: undefined, ...NOTHING_SAID, attempts: 0 });`,
  },
  {
    fault: 'a paused run goes on claiming',
    text: `demands.length === 0 ? onlyGoing :`,
    instead: `demands.length === 0 ? [] :`,
  },
  {
    fault: 'a step of a paused task is claimed',
    text: `  isInside(compiled, deferred.paused, task) || (amending !== undefined`,
    instead: `  (task < 0 && isInside(compiled, deferred.paused, task)) || (amending !== undefined`,
  },
  {
    fault: 'to resume a run releases no paused task',
    text: `  if (state.run.stage !== 'ended') yield* release(state, new Set(rootsOf(state)), at);`,
    instead: ``,
  },
  {
    fault: 'to stop a run preempts nothing',
    text: `    if (claim.preempting || claim.cancelling !== undefined ||`,
    instead: `    if (claim.attempt > 0 ||`,
  },
];

export const MONEY: readonly Mutation[] = [
  {
    fault: 'a cost that was not reported counts as nothing',
    text: `usd: spend.usd ?? reserved.usd,`,
    instead: `usd: spend.usd ?? 0,`,
  },
  {
    fault: 'what others have reserved is not kept free',
    text: `if (exact(spent[part] + reserved[part] + wanted) > limit) answer = { type: 'later' };`,
    instead: ``,
  },
  {
    fault: 'a settled step keeps its reservation',
    text: `    addTo(account.reserved, reserved, -1);
    addTo(account.spent, final, 1);`,
    instead: `    addTo(account.spent, final, 1);`,
  },
  {
    fault: 'live cost is not heard',
    text: `outcomes.push(...spendingOf({ ...sync, held }, known?.latest), ...lostHere);`,
    instead: `outcomes.push(...lostHere);`,
  },
  {
    fault: 'a step that takes a budget over its ceiling goes on',
    text: `if (claim.cancelling === undefined && over !== undefined)`,
    instead: `if (claim.cancelling !== undefined && over !== undefined)`,
  },
  {
    fault: 'a ceiling that stops what runs lets running steps go on',
    text: `  return account.atCeiling === 'stop' ? 'stop' : undefined;`,
    instead: `  return undefined;`,
  },
  {
    fault: 'a ceiling that stops what runs lets more steps start',
    text: `    if (isReached && atCeiling === 'stop') return { type: 'never', budget };`,
    instead: ``,
  },
];
