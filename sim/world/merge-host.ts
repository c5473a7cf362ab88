// A host on a machine of its own that does nothing but merge. When it dies it leaves nothing behind, and another begins
// under another name.
import { simulatedMergeQueue, type MergeWorld } from './simulated-merge-queue.ts';
import type { Repository } from './simulated-repository.ts';
import { emptyMachine, startHost, type Host } from './simulated-host.ts';
import { network, type Network } from './network.ts';
import type { Sync } from '../../src/core/protocol/sync.ts';
import type { World } from './world.ts';

/** How the coordinator reaches a host. */
export interface Link {
  readonly network: Network;
  readonly host: () => Host | undefined;
}

interface Hosting {
  readonly world: World;
  readonly repository: Repository;
  readonly deliver: (sync: Sync) => boolean;
  readonly links: Map<string, Link>;
}

const LOOK_EVERY_MS = 5_000;
const AWAY_MAX_MS = 60_000;

export function startMergeHosts(hosting: Hosting, count = 1): void {
  const { world, repository, deliver, links } = hosting;
  const name = `there ${count}`;
  const link = network(world, true, deliver);
  const machine = emptyMachine(world.timeline.now);
  const openMergeQueue = simulatedMergeQueue({ world: mergeWorld(world), repository, name });
  const host = startHost({ world, machine, name, width: 0, openMergeQueue, send: link.toCoordinator });
  links.set(name, { network: link, host: () => host });
  const look = (): void => {
    if (!world.dice.strikes('merge host dies')) return world.timeline.schedule(LOOK_EVERY_MS, look);
    world.say(`the host ${name} dies`);
    host.die();
    const awayMs = world.dice.of('merge host dies').below(AWAY_MAX_MS);
    world.timeline.schedule(awayMs, () => startMergeHosts(hosting, count + 1));
  };
  world.timeline.schedule(LOOK_EVERY_MS, look);
}

export const mergeWorld = (world: World): MergeWorld => ({
  ...world,
  violate: (message) => world.observer.violate('P6 what is done is merged, once', message),
});
