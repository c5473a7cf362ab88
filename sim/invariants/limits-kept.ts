// P11: a retry follows a backoff, and retries are bounded; the claim of a silent host is given up after a lease and not
// before.
import { claimKey } from '../../src/core/protocol/assignment.ts';
import {
  claimAbout,
  claimsOf,
  isFar,
  isOfStep,
  isSentBack,
  setBackBy,
  type Invariant,
  type OfStep,
  type Sight,
} from './invariant.ts';

/** No lease is longer, and a loop that waits for one wakes soon after. */
const LEASE_MAX_MS = 125_000;
const QUOTA_REST_MIN_MS = 10_000;

interface Tries {
  counted: number;
  until: number;
  /** Whose rest it is, where another may be asked meanwhile. */
  of: string | undefined;
}

export const limitsKept: Invariant = {
  name: 'P11 attempts, backoffs and leases are kept',
  watch: (sight, broken) => {
    const tries = new Map<string, Tries>();
    return {
      before: (happened) => {
        if (happened.type === 'task.repeated' || isSentBack(happened)) forget(tries, happened.task);
        for (const task of setBackBy(happened)) forget(tries, task);
        if (!isOfStep(happened)) return;
        const event = happened;
        const key = `${event.task}/${event.step}`;
        // Only the step's own agent gets the turn on a conflict.
        const agent = event.work === 'step' ? claimAbout(sight, event)?.agent : undefined;
        if (event.type === 'claim.returned')
          tries.set(key, returned(sight, { event, agent, before: tries.get(key), broken }));
        const rest = tries.get(key);
        const isOfAnother = rest?.of !== undefined && event.type === 'claim.made' && event.agent !== rest.of;
        if (event.type === 'claim.made' && !isOfAnother && event.at < (rest?.until ?? 0))
          broken(`${key} is claimed at ${event.at}, and was to rest until ${tries.get(key)?.until}.`);
        if (event.type === 'claim.ended' || event.type === 'claim.asked' || event.type === 'claim.answered')
          tries.delete(key);
      },
      handled: (answers) => {
        // A person who says retry does not want to wait for a rest to be over.
        if (!answers.some(({ command }) => command?.type === 'retry')) return;
        for (const each of tries.values()) each.until = 0;
      },
      waits: () => {
        const claims = claimsOf(sight);
        for (const [host, { latest, heardAt }] of sight.talk.hosts) {
          const silentMs = sight.now() - heardAt;
          // Of a host on another machine the log says what it holds.
          const forgotten = latest.held.find(({ claim }) => {
            const known = claims.get(claimKey(claim));
            return known !== undefined && (!isFar(sight, host) || known.host === host);
          });
          if (silentMs >= LEASE_MAX_MS && forgotten !== undefined)
            broken(`${claimKey(forgotten.claim)} is still claimed, though ${host} was last heard ${silentMs} ms ago.`);
        }
      },
    };
  },
};

function forget(tries: Map<string, Tries>, task: string): void {
  for (const key of tries.keys()) if (key.startsWith(`${task}/`)) tries.delete(key);
}

interface Returned {
  readonly event: Extract<OfStep, { type: 'claim.returned' }>;
  readonly agent: string | undefined;
  readonly before: Tries | undefined;
  readonly broken: (message: string) => never;
}

function returned({ compiled, counts }: Sight, { event, agent, before, broken }: Returned): Tries {
  const { task, step, counted, reason, until, at } = event;
  const found = compiled.tasks[compiled.indexOf.get(task) ?? -1]?.steps.find((each) => each.step.id === step)?.step;
  const max = found?.attemptsMax ?? 1;
  const hasOthers =
    found?.type === 'prompt' && found.fallbacks.some(({ isOnlyEscalation }) => isOnlyEscalation !== true);
  if (counted) counts.add('retry after a failure');
  const count = (before?.counted ?? 0) + (counted ? 1 : 0);
  if (counted && until <= at) broken(`${task}/${step} failed and is to be tried again without a backoff.`);
  if (reason === 'quota' && until < at + QUOTA_REST_MIN_MS)
    broken(`${task}/${step} has no quota and is to ask again at once.`);
  if (count >= max) broken(`${task}/${step} failed ${count} times and is tried again; it has ${max} attempts.`);
  return { counted: count, until, of: hasOthers && !counted ? agent : undefined };
}
