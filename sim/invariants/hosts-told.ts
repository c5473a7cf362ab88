// H1, K2, K3: the coordinator does not keep a host waiting when there is something to say, offers all that is owed and
// nobody holds, and says it once.
import { claimKey } from '../../src/core/protocol/assignment.ts';
import type { Claim } from '../../src/core/engine/state.ts';
import type { Sync } from '../../src/core/protocol/sync.ts';
import { VALUELESS } from '../trial.ts';
import { claimsOf, isToEnd, type Invariant, type Sight } from './invariant.ts';

/** No lease is shorter. */
const LEASE_MIN_MS = 60_000;

interface Owed {
  readonly start: ReadonlySet<string>;
  readonly cancel: ReadonlySet<string>;
}

export const hostsTold: Invariant = {
  name: 'hosts are told what is owed',
  watch: (sight, broken) => ({
    replied: ({ number, start, cancel }) => {
      const { latest, isAnswered } = sight.talk;
      if (latest === undefined || latest.number !== number)
        return broken(`Message ${number} is answered, and the latest is ${latest?.number}.`);
      if (isAnswered) return broken(`Message ${number} is answered twice.`);
      const owed = owedTo(sight, latest);
      for (const { claim } of start) {
        if (!owed.start.has(claimKey(claim)))
          broken(`${claimKey(claim)} is offered to a host that holds it or must not begin anything.`);
      }
      if (start.length > latest.want) broken(`The host wants ${latest.want} claims and is given ${start.length}.`);
      if (start.length < Math.min(latest.want, owed.start.size))
        broken(`The host wants ${latest.want} of ${owed.start.size} claims and is given ${start.length}.`);
      const told = new Set(cancel.map(claimKey));
      for (const key of owed.cancel) if (!told.has(key)) broken(`${key} is to end, and its host is not told.`);
      return undefined;
    },
    waits: () => {
      const { latest, isAnswered, heardAt = 0 } = sight.talk;
      // A host that has been silent for a lease is forgotten, and told when it speaks again.
      if (latest === undefined || isAnswered || sight.now() - heardAt >= LEASE_MIN_MS) return;
      const { start, cancel } = owedTo(sight, latest);
      if (latest.done.length > 0) broken(`Message ${latest.number} reports what is done and is not answered.`);
      if (start.size > 0 && latest.want > 0) broken(`${[...start].join(', ')} could begin, and the host is not told.`);
      if (cancel.size > 0) broken(`${[...cancel].join(', ')} is to end, and the host is not told.`);
    },
  }),
};

/** What a host that says this is to hear, from what is durable. */
function owedTo(sight: Sight, { held }: Sync): Owed {
  const claims = claimsOf(sight);
  const holds = new Set(held.map(({ claim }) => claimKey(claim)));
  const ending = [...claims].filter(([, claim]) => isToEnd(claim)).map(([key]) => key);
  const orphans = [...holds].filter((key) => !claims.has(key));
  const isOpen = (key: string, claim: Claim): boolean =>
    !holds.has(key) && !isToEnd(claim) && !isValueless(sight, claim);
  const open = [...claims].filter(([key, claim]) => isOpen(key, claim)).map(([key]) => key);
  return { start: new Set(orphans.length === 0 ? open : []), cancel: new Set([...ending, ...orphans]) };
}

/** Its text has no value, so it is not given to anybody and fails of itself. */
function isValueless({ compiled }: Sight, { task, step }: Claim): boolean {
  const of = compiled.tasks[task]?.steps[step ?? -1]?.step;
  return of?.type === 'run' && of.run.includes(VALUELESS);
}
