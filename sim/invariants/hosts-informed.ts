// sync/H1, dispatcher/K1 to K4: the coordinator does not keep a host waiting when there is something to send, offers all
// that is owed and held by no host, once, and all merges to one host.
import { claimKey } from '../../src/core/protocol/assignment.ts';
import type { Claim } from '../../src/core/engine/state.ts';
import { VALUELESS } from '../trial.ts';
import { claimsOf, isToEnd, mergesOf, type HostTalk, type Invariant, type Sight } from './invariant.ts';

/** No lease is shorter. */
const LEASE_MIN_MS = 60_000;

/** What is to be sent to one host, by claim. */
interface Owed {
  /** Work to begin, of which the host is given as much as it wants. */
  readonly work: ReadonlySet<string>;
  /** Merges that it may be given, and whether it must be. */
  readonly merges: ReadonlySet<string>;
  readonly mustMerge: boolean;
  readonly cancel: ReadonlySet<string>;
}

export const hostsInformed: Invariant = {
  name: 'hosts are told what is owed',
  // Where there are several machines, a claim is for one of them: see placed-well.
  watch: (sight, broken) =>
    sight.trial.fleet.length > 0
      ? {}
      : {
          replied: ({ number, start, cancel }, host) => {
            const heard = sight.talk.hosts.get(host);
            if (heard === undefined || heard.latest.number !== number)
              return broken(`Message ${number} of ${host} is answered, and the latest is ${heard?.latest.number}.`);
            if (heard.isAnswered) return broken(`Message ${number} of ${host} is answered twice.`);
            const { want } = heard.latest;
            const owed = owedTo(sight, host, heard);
            const begun = start.filter(({ claim }) => claim.work !== 'merge').map(({ claim }) => claimKey(claim));
            const merged = start.filter(({ claim }) => claim.work === 'merge').map(({ claim }) => claimKey(claim));
            for (const key of begun)
              if (!owed.work.has(key)) broken(`${key} is offered to a host that holds it or must not begin anything.`);
            for (const key of merged)
              if (!owed.merges.has(key))
                broken(`The merge ${key} is offered to ${host}, and merges are with another host.`);
            if (begun.length > want) broken(`The host wants ${want} claims and is given ${begun.length}.`);
            if (begun.length < Math.min(want, owed.work.size))
              broken(`The host wants ${want} of ${owed.work.size} claims and is given ${begun.length}.`);
            if (owed.mustMerge && merged.length < owed.merges.size)
              broken(`${owed.merges.size} merges are owed, and ${host} is given ${merged.length}.`);
            const told = new Set(cancel.map(claimKey));
            for (const key of owed.cancel) if (!told.has(key)) broken(`${key} is to end, and its host is not told.`);
            return undefined;
          },
          waits: () => {
            for (const [host, heard] of sight.talk.hosts) {
              // A host that has been silent for a lease is forgotten, and told when it speaks again.
              if (heard.isAnswered || isSilent(sight, heard)) continue;
              const { latest } = heard;
              const { work, merges, mustMerge, cancel } = owedTo(sight, host, heard);
              if (latest.done.length > 0) broken(`Message ${latest.number} reports what is done and is not answered.`);
              if (work.size > 0 && latest.want > 0)
                broken(`${[...work].join(', ')} could begin, and the host is not told.`);
              if (merges.size > 0 && mustMerge)
                broken(`${[...merges].join(', ')} could be merged, and no host is told.`);
              if (cancel.size > 0) broken(`${[...cancel].join(', ')} is to end, and the host is not told.`);
            }
          },
        },
};

const isSilent = ({ now }: Sight, { heardAt }: HostTalk): boolean => now() - heardAt >= LEASE_MIN_MS;

const heldBy = ({ latest, given }: HostTalk): readonly string[] =>
  [...latest.held.map(({ claim }) => claim), ...given].map(claimKey);

/** What a host that says this is to receive, from what is durable. */
function owedTo(sight: Sight, host: string, { latest }: HostTalk): Owed {
  const claims = claimsOf(sight);
  const merges = mergesOf(sight);
  const holds = new Set(latest.held.map(({ claim }) => claimKey(claim)));
  const others = [...sight.talk.hosts].filter(([name]) => name !== host).map(([, talk]) => talk);
  const byOthers = new Set(others.flatMap(heldBy));
  const mergers = mergersOf(sight);
  const isMerging = (talk: HostTalk): boolean => mergers.has(talk);
  const stale = [...holds].filter((key) => !claims.has(key) && !merges.has(key));
  const mayMerge =
    latest.does.includes('merge') &&
    stale.length === 0 &&
    !others.some((talk) => isMerging(talk) && !isSilent(sight, talk));
  const toMerge = [...merges.keys()].filter((key) => mayMerge && !holds.has(key));
  const works = latest.does.includes('step');
  const isOpen = (key: string, claim: Claim): boolean =>
    works &&
    stale.length === 0 &&
    !holds.has(key) &&
    !byOthers.has(key) &&
    !isToEnd(claim) &&
    !isValueless(sight, claim);
  const ending = [...claims]
    .filter(([key, claim]) => works && isToEnd(claim) && !byOthers.has(key))
    .map(([key]) => key);
  const endingMerges = [...merges].filter(([key, claim]) => isToEnd(claim) && holds.has(key)).map(([key]) => key);
  return {
    work: new Set([...claims].filter(([key, claim]) => isOpen(key, claim)).map(([key]) => key)),
    merges: new Set(toMerge),
    mustMerge: mayMerge && !others.some(isMerging),
    cancel: new Set([...ending, ...endingMerges, ...stale]),
  };
}

/** Hosts that hold merges: of several that list one merge, the first (dispatcher/K5). */
function mergersOf({ talk: { hosts } }: Sight): ReadonlySet<HostTalk> {
  const holders = new Map<string, HostTalk>();
  for (const talk of hosts.values())
    for (const claim of latestClaims(talk))
      if (claim.work === 'merge' && !holders.has(claimKey(claim))) holders.set(claimKey(claim), talk);
  return new Set(holders.values());
}

const latestClaims = ({ latest, given }: HostTalk) => [...latest.held.map(({ claim }) => claim), ...given];

/** Its text has no value, so it is not given to anybody and fails of itself. */
function isValueless({ compiled }: Sight, { work, task, step }: Claim): boolean {
  const of = compiled.tasks[task]?.steps[step ?? -1]?.step;
  return work === 'step' && of?.type === 'run' && of.run.includes(VALUELESS);
}
