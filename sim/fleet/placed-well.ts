// dispatcher/K1 to K9 where there are several machines: a claim is with one host at a time, on the one that the log says, which
// has the labels and the agent; no host waits while there is work for it; what a liar says changes nothing and is recorded.
import { claimKey, type ClaimRef } from '../../src/core/protocol/assignment.ts';
import type { Sync } from '../../src/core/protocol/sync.ts';
import type { Claim } from '../../src/core/engine/state.ts';
import { placeableOf } from '../../src/core/engine/owed/placeable.ts';
import {
  claimsOf,
  isFar,
  isForsaken,
  isToEnd,
  mergesOf,
  refOf,
  type HostTalk,
  type Invariant,
  type Sight,
} from '../invariants/invariant.ts';
import { VALUELESS } from '../trial.ts';
import { HERE } from '../world/simulated-host.ts';

/** No lease is shorter. */
const LEASE_MIN_MS = 60_000;
/** No lease is longer. */
const LEASE_MAX_MS = 125_000;

export const placedWell: Invariant = {
  name: 'K a claim is on one machine, which suits it',
  watch: (sight, broken) =>
    sight.trial.fleet.length === 0
      ? {}
      : {
          before: (event) => {
            if (event.type === 'claim.placed' && event.host !== undefined) sight.counts.add('placed on a far host');
            if (event.type === 'claim.waiting') sight.counts.add(`waits for ${event.why}`);
          },
          replied: ({ number, start, cancel }, host) => {
            const heard = sight.talk.hosts.get(host);
            if (heard === undefined || heard.latest.number !== number || heard.isAnswered)
              return broken(`Message ${number} of ${host} is answered, and the latest is ${heard?.latest.number}.`);
            const begun = start.map(({ claim }) => claim).filter(({ work }) => work !== 'merge');
            const { want } = heard.latest;
            if (begun.length > want) broken(`${host} wants ${want} claims and is given ${begun.length}.`);
            for (const claim of begun) checkFits(sight, { claim, host, latest: heard.latest }, broken);
            const told = new Set(cancel.map(claimKey));
            for (const key of toEndAt(sight, host, heard))
              if (!told.has(key)) broken(`${key} is to end, and ${host} is not told.`);
            return undefined;
          },
          started: (worker) => {
            if (!isFar(sight, worker.host) || isForsaken(sight, worker)) return;
            const others = [...sight.workers.values()].filter((other) => other.isAlive && other.key !== worker.key);
            if (others.some(({ host }) => isFar(sight, host))) sight.counts.add('far work overlapped');
            const beside = others.find(
              (other) =>
                other.claim.task === worker.claim.task && other.host !== worker.host && !isForsaken(sight, other),
            );
            if (beside !== undefined)
              broken(
                `${worker.key} begins on ${worker.host}, and ${beside.key} of its task is at work on ${beside.host}.`,
              );
          },
          waits: () => checkWaiting(sight, broken),
        },
};

const claimOf = (sight: Sight, claim: ClaimRef): Claim | undefined =>
  (claim.work === 'merge' ? mergesOf(sight) : claimsOf(sight)).get(claimKey(claim));

interface Begun {
  readonly claim: ClaimRef;
  readonly host: string;
  readonly latest: Sync;
}

function checkFits(sight: Sight, { claim, host, latest }: Begun, broken: (message: string) => never): void {
  const key = claimKey(claim);
  const known = claimsOf(sight).get(key);
  if (known === undefined || isToEnd(known)) return broken(`${key} is to start on ${host}, and is not owed.`);
  if (known.host !== (isFar(sight, host) ? host : undefined))
    broken(`${key} is to start on ${host}, and the log says ${known.host ?? HERE}.`);
  if (!suits(sight, latest, claim)) broken(`${key} is to start on ${host}, which does not suit it.`);
  if (latest.isDraining === true) broken(`${key} is to start on ${host}, which drains.`);
  if (heldElsewhere(sight, host).has(key)) broken(`${key} is to start on ${host}, and another host has it.`);
  if (staleAt(sight, latest).length > 0)
    broken(`${key} is to start on ${host}, which still has something that is over.`);
}

/** Whether a host has the labels, the agent and the kind of work. */
function suits(sight: Sight, { does, labels, agents, isRemote }: Sync, claim: ClaimRef): boolean {
  const { on, agent, isHere } = placeableOf(sight.state(), claim);
  const isEquipped = agent === undefined || agents === undefined || agents.includes(agent);
  return (
    does.includes(claim.work) &&
    !(isHere && isRemote === true) &&
    isEquipped &&
    on.every((label) => labels?.includes(label) === true)
  );
}

/** What hosts besides this one have, by what they said last and were given since; a liar has nothing. */
function heldElsewhere(sight: Sight, host: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [name, talk] of sight.talk.hosts)
    if (name !== host && !isSilent(sight, talk))
      for (const claim of ownOf(sight, name, talk)) found.add(claimKey(claim));
  return found;
}

/** Of what it lists and was given, that which the log places there. */
function ownOf(sight: Sight, host: string, { latest, given }: HostTalk): readonly ClaimRef[] {
  const placedOn = isFar(sight, host) ? host : undefined;
  return [...latest.held.map(({ claim }) => claim), ...given].filter((claim) => {
    const known = claimOf(sight, claim);
    return known !== undefined && known.host === placedOn;
  });
}

const isSilent = ({ now }: Sight, talk: HostTalk): boolean => now() - talk.heardAt >= LEASE_MIN_MS;

/** What it lists and is over. */
const staleAt = (sight: Sight, { held }: Sync): readonly ClaimRef[] =>
  held.map(({ claim }) => claim).filter((claim) => claimOf(sight, claim) === undefined);

/** What it has and is to end. */
function toEndAt(sight: Sight, host: string, talk: HostTalk): readonly string[] {
  const ending = ownOf(sight, host, talk).filter((claim) => {
    const known = claimOf(sight, claim);
    return known !== undefined && isToEnd(known) && !heldElsewhere(sight, host).has(claimKey(claim));
  });
  return [...ending, ...staleAt(sight, talk.latest)].map(claimKey);
}

/** The coordinator has done all that it could. */
function checkWaiting(sight: Sight, broken: (message: string) => never): void {
  for (const [host, talk] of sight.talk.hosts) {
    if (talk.isAnswered || isSilent(sight, talk)) continue;
    const { latest } = talk;
    if (latest.done.length > 0) broken(`Message ${latest.number} of ${host} reports what is done and is not answered.`);
    for (const key of toEndAt(sight, host, talk)) broken(`${key} is to end, and ${host} is not told.`);
    if (latest.want === 0 || latest.isDraining === true || latest.isLeaving === true) continue;
    // What an earlier coordinator gave to its own machine is kept for it (dispatcher/K7).
    if (!hasSpoken(sight, HERE)) continue;
    const idle = [...claimsOf(sight)].find(([key, claim]) => isFor(sight, { key, claim, host, latest }));
    if (idle !== undefined) broken(`${idle[0]} could begin on ${host}, which waits.`);
  }
}

const hasSpoken = (sight: Sight, host: string): boolean =>
  sight.talk.hosts.has(host) || sight.now() - sight.talk.startedAt >= LEASE_MAX_MS;

interface Offered {
  readonly key: string;
  readonly claim: Claim;
  readonly host: string;
  readonly latest: Sync;
}

/** Whether nobody has the claim, and this host could. */
function isFor(sight: Sight, { key, claim, host, latest }: Offered): boolean {
  const ref = refOf(sight, claim);
  const placedOn = isFar(sight, host) ? host : undefined;
  if (isToEnd(claim) || isValueless(sight, claim) || !suits(sight, latest, ref)) return false;
  if (claim.host !== undefined && (claim.host !== placedOn || isOfAnother(claim, latest))) return false;
  if (latest.held.some((held) => claimKey(held.claim) === key) || heldElsewhere(sight, host).has(key)) return false;
  return !hasTaskElsewhere(sight, ref, { host, latest });
}

/** A program that this one does not follow may have it still (dispatcher/K11). */
const isOfAnother = ({ instance }: Claim, latest: Sync): boolean =>
  instance !== undefined && instance !== latest.instance && latest.follows?.includes(instance) !== true;

/** Another claim of the task is on another machine, or may be (dispatcher/K9). */
function hasTaskElsewhere(sight: Sight, ref: ClaimRef, { host, latest }: Pick<Offered, 'host' | 'latest'>): boolean {
  const placedOn = isFar(sight, host) ? host : undefined;
  return [...claimsOf(sight).values()].some((other) => {
    const named = refOf(sight, other);
    if (named.task !== ref.task || claimKey(named) === claimKey(ref)) return false;
    if (other.host === placedOn) return other.host !== undefined && isOfAnother(other, latest);
    return other.host !== undefined || heldElsewhere(sight, host).has(claimKey(named));
  });
}

/** Its text has no value, so it is not given to anybody and fails of itself. */
function isValueless({ compiled }: Sight, { work, task, step }: Claim): boolean {
  const of = compiled.tasks[task]?.steps[step ?? -1]?.step;
  return work === 'step' && of?.type === 'run' && of.run.includes(VALUELESS);
}
