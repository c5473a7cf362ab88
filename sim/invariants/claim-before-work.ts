// P2: a fact is durable before the transition that it permits begins; and the fence: one worker for a claim, one claim at a time
// for a step.
import { claimKey, isSameClaim, type ClaimRef } from '../../src/core/protocol/assignment.ts';
import { claimsOf, isFar, isForsaken, isToEnd, mergesOf, type Invariant, type Sight } from './invariant.ts';

export const claimBeforeWork: Invariant = {
  name: 'P2 what is begun was claimed',
  watch: (sight, broken) => ({
    replied: ({ start, cancel }, host) => {
      const claims = new Map([...claimsOf(sight), ...mergesOf(sight)]);
      const told = new Set(cancel.map(claimKey));
      for (const { claim, work } of start) {
        const known = claims.get(claimKey(claim));
        // A merge that is to end is given together with that.
        const mayEnd = claim.work === 'merge' && told.has(claimKey(claim));
        if (known === undefined) broken(`${claimKey(claim)} is to start, and the log holds no claim on it.`);
        else if (work.type === 'merge' && work.tip !== sight.state().tasks[known.task]?.tip)
          broken(`${claimKey(claim)} is to merge ${work.tip}, and the log does not say so.`);
        else if (isToEnd(known) && !mayEnd)
          broken(`${claimKey(claim)} is to start, and the log says that it is to end.`);
      }
      for (const claim of cancel) {
        const known = claims.get(claimKey(claim));
        const isLie = isFar(sight, host) && known?.host !== host;
        if (known !== undefined && !isToEnd(known) && !isLie && !isHeldByOther(sight, host, claim))
          broken(`${claimKey(claim)} is to be cancelled, and the log does not say so.`);
      }
    },
    starts: (claim, isLate) => {
      const key = claimKey(claim);
      // The claim was lost meanwhile, and what begins is as forsaken as what was at work there.
      if (isLate && !claimsOf(sight).has(key)) return;
      if (!claimsOf(sight).has(key)) broken(`A worker starts ${key}, and the log holds no claim on it.`);
      for (const other of sight.workers.values()) {
        const isSame = other.claim.task === claim.task && other.claim.step === claim.step;
        if (other.isAlive && isSame && !isForsaken(sight, other))
          broken(`A worker starts ${key} while ${other.key} is at work.`);
      }
    },
  }),
};

/** Of two hosts that hold one claim the other goes on with it (dispatcher/K5). */
const isHeldByOther = ({ talk }: Sight, host: string, claim: ClaimRef): boolean =>
  talk.hosts
    .entries()
    .some(
      ([name, { latest, given }]) =>
        name !== host && [...latest.held.map((held) => held.claim), ...given].some((each) => isSameClaim(each, claim)),
    );
