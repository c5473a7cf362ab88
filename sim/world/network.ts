// What carries messages between host and coordinator, and loses, delays, repeats and reorders them.
import type { Reply, Sync } from '../../src/core/protocol/sync.ts';
import type { Chance } from '../../src/core/schedule/chance.ts';
import type { Host } from './simulated-host.ts';
import type { World } from './world.ts';

export interface Network {
  readonly toCoordinator: (sync: Sync, host: Host) => void;
  readonly toHost: (reply: Reply, host: Host | undefined) => void;
}

interface Ways {
  readonly dropped: 'message dropped' | 'reply dropped';
  readonly repeated: 'message repeated' | 'reply repeated';
  readonly delayed: 'message delayed' | 'reply delayed';
}

const MESSAGES: Ways = { dropped: 'message dropped', repeated: 'message repeated', delayed: 'message delayed' };
const REPLIES: Ways = { dropped: 'reply dropped', repeated: 'reply repeated', delayed: 'reply delayed' };
const DELAY_MAX_MS = 25_000;
/** Beyond a lease, so that what a host holds is at times declared lost. */
const CUT_OFF_MIN_MS = 40_000;
const CUT_OFF_MAX_MS = 240_000;

/** A message is answered after this time at the latest, if only to say that it was heard. */
const ANSWERED_MS = 15_000;

/** Only the link to another machine can be cut off. */
export function network(world: World, isRemote: boolean, deliver: (sync: Sync) => boolean): Network {
  const cutOffUntil = new Map<Ways, number>();
  const isCutOff = (ways: Ways): boolean => world.timeline.now() < (cutOffUntil.get(ways) ?? 0) && !world.isCalm();
  const cutOff = (fault: 'host cut off' | 'messages cut off' | 'replies cut off', ...directions: Ways[]): void => {
    if (!isRemote || !world.dice.strikes(fault)) return;
    const until = world.timeline.now() + CUT_OFF_MIN_MS + world.dice.of(fault).below(CUT_OFF_MAX_MS);
    for (const ways of directions) cutOffUntil.set(ways, until);
  };
  const carry = (ways: Ways, arrive: () => void): void => {
    if (isCutOff(ways)) return world.counts.add('message lost while cut off');
    if (world.dice.strikes(ways.dropped)) return;
    const random = world.dice.of(ways.delayed);
    world.timeline.schedule(delayOf(world, ways, random), arrive);
    if (world.dice.strikes(ways.repeated)) world.timeline.schedule(delayOf(world, ways, random), arrive);
  };
  return {
    toCoordinator: (sync, host) => {
      const sentAt = host.sentAt();
      cutOff('host cut off', MESSAGES, REPLIES);
      cutOff('messages cut off', MESSAGES);
      cutOff('replies cut off', REPLIES);
      carry(MESSAGES, () => {
        // What a host inside the coordinator's process had sent is gone with both.
        if (host.isGone() || !deliver(sync)) return;
        world.timeline.schedule(ANSWERED_MS, () => {
          if (!isCutOff(REPLIES)) host.answered(sentAt);
        });
      });
    },
    toHost: (reply, host) => carry(REPLIES, () => host?.receive(reply)),
  };
}

function delayOf({ dice }: World, { delayed }: Ways, random: Chance): number {
  return dice.strikes(delayed) ? random.below(DELAY_MAX_MS) : 1 + random.below(20);
}
