// What is done to the parts of a cluster, and how each gets well again.
import { setTimeout } from 'node:timers/promises';
import type { Chance } from '../../../src/core/schedule/chance.ts';
import { ENGINE_LEASE_MS, type HostsWanted, type Machines, type Part } from './machines.given.ts';
import type { Watch } from './watch-owners.ts';

/** `machine` is a host with everything that runs on it; `cut` a host that is out of reach for longer than its lease. */
export const VICTIMS = ['host', 'machine', 'server', 'engine', 'link', 'cut'] as const;
export type Victim = (typeof VICTIMS)[number];

/** Work that was done and not reported may be gone with a machine, and is done elsewhere after a lease. */
export const mayLose = (victim: Victim): boolean => victim === 'machine' || victim === 'cut';

export const HOSTS: HostsWanted = { count: 3, leaseMs: 20_000 };
const DOWN_MS = 3_000;
const CUT_MS = 6_000;
const FLAPS = 12;

/** Resolves when the part is well again. */
export async function strike(
  cluster: Machines,
  victim: Victim,
  { random, watch }: { random: Chance; watch: Watch },
): Promise<string> {
  const among = (kind: string): Part => {
    const found = cluster.parts.filter(({ name }) => name.startsWith(kind));
    const chosen = found[random.below(found.length)];
    if (chosen === undefined) throw new Error(`There is no ${kind}.`);
    return chosen;
  };
  switch (victim) {
    case 'host':
      return await killed(among('host'), 'kill', random.below(DOWN_MS));
    case 'machine':
      return await killed(among('host'), 'die', random.below(DOWN_MS));
    case 'server': {
      const part = among('serve');
      watch.struck(part.pid());
      if (random.happens(0.3)) return await frozen(part, ENGINE_LEASE_MS + random.below(DOWN_MS));
      return await killed(part, random.happens(0.5) ? 'kill' : 'die', random.below(2 * ENGINE_LEASE_MS));
    }
    case 'engine':
      return await killed(among('engine'), 'die', random.below(DOWN_MS));
    case 'link':
      return await linkStruck(among(['host', 'serve', 'engine'][random.below(3)] ?? 'host'), random);
    case 'cut':
      return await cutOff(among('host'), HOSTS.leaseMs + random.below(CUT_MS));
  }
}

async function killed(part: Part, how: 'kill' | 'die', downMs: number): Promise<string> {
  part[how]();
  await setTimeout(downMs);
  await part.start();
  return `${part.name} ${how === 'kill' ? 'killed' : 'died'}, back after ${downMs} ms`;
}

async function frozen(part: Part, ms: number): Promise<string> {
  process.kill(part.pid(), 'SIGSTOP');
  await setTimeout(ms);
  process.kill(part.pid(), 'SIGCONT');
  return `${part.name} slept ${ms} ms`;
}

async function linkStruck(part: Part, random: Chance): Promise<string> {
  const { machine, name } = part;
  const how = ['lossy', 'slow', 'cut'][random.below(3)] ?? 'cut';
  if (how === 'cut') return await cutOff(part, random.below(CUT_MS));
  if (how === 'slow') machine.slow();
  for (let flap = 0; flap < FLAPS; flap += 1) {
    if (how === 'lossy') machine.cut();
    await setTimeout(random.below(300));
    if (how === 'lossy') machine.heal();
    await setTimeout(random.below(300));
  }
  machine.heal();
  return `${name} ${how}`;
}

async function cutOff({ machine, name }: Part, ms: number): Promise<string> {
  machine.cut();
  await setTimeout(ms);
  machine.heal();
  return `${name} cut off for ${ms} ms`;
}
