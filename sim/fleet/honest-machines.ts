// What machines say is true, or has no effect: commits are on the server before the log has them (push, then report), lies are
// recorded, and what a machine had and forgot is not begun there again, as if it had cost nothing.
import { claimKey } from '../../src/core/protocol/assignment.ts';
import { claimsOf, isFar, mergesOf, type Invariant } from '../invariants/invariant.ts';

/** Only what is on the server is built on (push, then report). */
export const deliveredFirst: Invariant = {
  name: 'P2 a commit is on the server before the log has it',
  watch: (sight, broken) => ({
    before: (event) => {
      if (!('work' in event) || (event.work !== 'step' && event.work !== 'resolve') || !('result' in event)) return;
      const commit = event.result?.commit;
      if (commit !== undefined && !sight.delivered.has(commit))
        broken(`The log has ${commit} of ${event.task}, and the server has not.`);
    },
  }),
};

export const liesRecorded: Invariant = {
  name: 'K8 a lie changes nothing and is recorded',
  watch: (sight, broken) => {
    /** Reports that are to be refused. */
    let lies: readonly string[] = [];
    const nameOf = (host: string, key: string): string => `${key} by ${host}`;
    return {
      heard: (syncs, mayHaveCommands) => {
        const claims = new Map([...claimsOf(sight), ...mergesOf(sight)]);
        // A command may take the claim away before the report is read.
        lies = syncs.flatMap(({ host, done }) =>
          mayHaveCommands || !isFar(sight, host)
            ? []
            : done.flatMap((outcome) => {
                const claim = claims.get(claimKey(outcome));
                return claim === undefined || claim.host === host ? [] : [nameOf(host, claimKey(outcome))];
              }),
        );
      },
      refused: (reports) => {
        for (const { host, claim } of reports) {
          const known = new Map([...claimsOf(sight), ...mergesOf(sight)]).get(claimKey(claim));
          sight.counts.add('lie recorded');
          if (!isFar(sight, host) || known?.host === host)
            broken(`A report of ${host} on ${claimKey(claim)} is refused, and the claim is its own.`);
          lies = lies.filter((lie) => lie !== nameOf(host, claimKey(claim)));
        }
      },
      waits: () => {
        if (lies.length > 0) broken(`${lies.join(', ')} is reported, which is a lie, and nobody has recorded it.`);
      },
      left: () => {
        lies = [];
      },
    };
  },
};

export const forgottenIsLost: Invariant = {
  name: 'K6 what a machine forgot is lost',
  watch: (sight, broken) => {
    const listed = new Set<string>();
    return {
      waits: () => {
        for (const [host, { latest }] of sight.talk.hosts)
          for (const { claim } of isFar(sight, host) ? latest.held : [])
            if (sight.workers.has(claimKey(claim))) listed.add(claimKey(claim));
      },
      starts: (claim) => {
        if (listed.has(claimKey(claim))) broken(`${claimKey(claim)} begins again, and its machine had it before.`);
      },
    };
  },
};
