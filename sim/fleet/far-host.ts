// A host on another machine, as the server passes its messages on. It comes and goes: it dies and comes back as another
// program, at times with an empty disk or after its lease; it drains and leaves; it lags; it lies about claims of others.
//
// far-host/F1. An outcome with a commit is reported when the commit is on the server (push, then report).
// far-host/F2. A reply is to the program that sent the message, as over one connection: a later program never gets it.
import { claimKey, type ClaimRef } from '../../src/core/protocol/assignment.ts';
import type { Sync } from '../../src/core/protocol/sync.ts';
import type { WorkOutcome } from '../../src/core/protocol/work-outcome.ts';
import type { Link } from '../world/merge-host.ts';
import { network, type Network } from '../world/network.ts';
import { commitOf, emptyMachine, startHost, type Host, type Machine } from '../world/simulated-host.ts';
import { killWorker } from '../world/start-worker.ts';
import type { World } from '../world/world.ts';
import type { FarHost } from './draw-fleet.ts';
import { lieOf } from './lie-of.ts';

interface Fleet {
  readonly world: World;
  readonly deliver: (sync: Sync) => boolean;
  readonly links: Map<string, Link>;
}

const LOOK_EVERY_MS = 5_000;
/** Beyond a lease. */
const AWAY_MAX_MS = 200_000;
/** Within a lease. */
const LAG_MAX_MS = 80_000;
const DRAIN_MAX_MS = 120_000;
const DELIVERY_MAX_MS = 40_000;

export function startFarHost({ world, deliver, links }: Fleet, far: FarHost): void {
  const machine = emptyMachine();
  const link = network(world, true, deliver);
  let sender: Host | undefined;
  links.set(far.name, { network: link, host: () => sender });
  const send = (sync: Sync, host: Host): void => {
    sender = host;
    link.toCoordinator(sync, host);
  };
  joinAs(1, { world, far, machine, send, follows: [] });
}

interface Joining {
  readonly world: World;
  readonly far: FarHost;
  readonly machine: Machine;
  readonly send: Network['toCoordinator'];
  /** Programs that have had its disk, the present one last. */
  readonly follows: string[];
}

/** What its program is about. */
interface Mood {
  isDraining: boolean;
  isLeaving: boolean;
  silentUntil: number;
  drainsUntil: number;
}

function joinAs(program: number, joining: Joining): void {
  const { world, far, machine, send } = joining;
  joining.follows.push(instanceOf(far.name, program));
  const mood: Mood = { isDraining: false, isLeaving: false, silentUntil: 0, drainsUntil: 0 };
  const host = startHost({
    world,
    machine,
    name: far.name,
    width: far.width,
    openMergeQueue: undefined,
    send: (sync, sender) => {
      if (world.timeline.now() >= mood.silentUntil || world.isCalm()) send(sync, sender);
    },
    says: (sync) => ({ ...sync, ...lieOf(world, far.name, sync), ...addedByServer(joining, program, mood) }),
    deliver: (outcome, then) => deliverTo(world, outcome, then),
  });
  host.recover(
    [...machine.workers.values()].filter(({ key }) => !machine.acknowledged.has(key)).map(({ claim }) => claim),
  );
  if (program > 1) world.counts.add('far host came back');
  const look = (): void => {
    if (host.isGone()) return;
    if (!goesOn(joining, { host, mood })) return comeBack(program, joining);
    world.timeline.schedule(LOOK_EVERY_MS, look);
  };
  world.timeline.schedule(LOOK_EVERY_MS, look);
}

/** Never believed from the wire. */
const addedByServer = (
  { far: { name, labels, agents, warm }, follows }: Joining,
  program: number,
  { isDraining, isLeaving }: Mood,
): Partial<Sync> => ({
  isRemote: true,
  instance: instanceOf(name, program),
  follows: [...follows],
  labels,
  agents,
  warm,
  isDraining,
  isLeaving,
});

const instanceOf = (name: string, program: number): string => `${name}, program ${program}`;

interface Program {
  readonly host: Host;
  readonly mood: Mood;
}

/** Whether the program goes on after what the dice say. */
function goesOn({ world, far, machine, follows }: Joining, { host, mood }: Program): boolean {
  const { dice, timeline } = world;
  const now = timeline.now();
  if (dice.strikes('far host lags')) mood.silentUntil = now + dice.of('far host lags').below(LAG_MAX_MS);
  if (dice.strikes('far host dies')) {
    world.say(`the host ${far.name} dies`);
    host.die();
    if (dice.strikes('far host forgets')) {
      loseDisk(machine);
      follows.length = 0;
    }
    return false;
  }
  if (!mood.isDraining && dice.strikes('far host drains')) {
    mood.isDraining = true;
    mood.drainsUntil = now + dice.of('far host drains').below(DRAIN_MAX_MS);
  }
  if (!mood.isDraining) return true;
  if (host.isIdle() && !mood.isLeaving && dice.strikes('far host leaves')) {
    mood.isLeaving = true;
    host.sendSoon();
    return true;
  }
  if (mood.isLeaving) {
    world.say(`the host ${far.name} leaves`);
    host.die();
    return false;
  }
  if (now >= mood.drainsUntil) mood.isDraining = false;
  return true;
}

/** Everything on the machine is gone, with its workers. */
function loseDisk(machine: Machine): void {
  for (const worker of machine.workers.values()) killWorker(worker);
  machine.workers.clear();
  machine.refused.clear();
  machine.acknowledged.clear();
}

function comeBack(program: number, joining: Joining): void {
  const { world } = joining;
  const awayMs = world.dice.of('far host dies').below(AWAY_MAX_MS);
  world.timeline.schedule(awayMs, () => joinAs(program + 1, joining));
}

/** Tried again until it is through, unless the server refuses it. */
function deliverTo(world: World, outcome: WorkOutcome, then: (outcome: WorkOutcome) => void): void {
  const { dice, timeline, delivered } = world;
  const key = claimKey(outcome);
  const delayMs = dice.strikesNamed('delivery delayed', key) ? dice.of('delivery delayed').below(DELIVERY_MAX_MS) : 20;
  timeline.schedule(delayMs, () => {
    if (dice.strikesNamed('delivery refused', key)) return then(unsaved(outcome));
    const commit = commitOf(outcome);
    if (commit !== undefined) delivered.add(commit);
    then(outcome);
  });
}

function unsaved(outcome: WorkOutcome): WorkOutcome {
  const { work, task, step, attempt, spend }: ClaimRef & Pick<WorkOutcome, 'spend'> = outcome;
  const result = {
    ok: false,
    response: 'A link leaves the tree.',
    output: undefined,
    exitCode: undefined,
    commit: undefined,
  };
  return { type: 'failed', work, task, step, attempt, spend, reason: 'unsaved', isFinal: false, result };
}
