// P2: a fact is durable before the transition that it permits begins; and the fence: one worker for a claim, one claim at a time
// for a step.
import { claimKey } from '../../src/core/protocol/assignment.ts';
import { claimsOf, isToEnd, type Invariant } from './invariant.ts';

export const claimBeforeWork: Invariant = {
  name: 'P2 what is begun was claimed',
  watch: (sight, broken) => ({
    replied: ({ start, cancel }) => {
      const claims = claimsOf(sight);
      for (const { claim } of start) {
        const known = claims.get(claimKey(claim));
        if (known === undefined) broken(`${claimKey(claim)} is to start, and the log holds no claim on it.`);
        else if (isToEnd(known)) broken(`${claimKey(claim)} is to start, and the log says that it is to end.`);
      }
      for (const claim of cancel) {
        const known = claims.get(claimKey(claim));
        if (known !== undefined && !isToEnd(known))
          broken(`${claimKey(claim)} is to be cancelled, and the log does not say so.`);
      }
    },
    starts: (claim) => {
      const key = claimKey(claim);
      if (!claimsOf(sight).has(key)) broken(`A worker starts ${key}, and the log holds no claim on it.`);
      for (const other of sight.workers.values()) {
        const isSame = other.claim.task === claim.task && other.claim.step === claim.step;
        if (other.isAlive && isSame) broken(`A worker starts ${key} while ${other.key} is at work.`);
      }
    },
  }),
};
