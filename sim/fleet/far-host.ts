// A host on another machine, as the server passes its messages on. It comes and goes: it dies and comes back as another
// program, at times with an empty disk or after its lease; it drains and leaves; it lags; it lies about claims of others.
//
// far-host/F1. An outcome with a commit is reported when the commit is on the server (push, then report).
// far-host/F2. A reply is to the program that sent the message, as over one connection: a later program never gets it.
import { claimKey, type ClaimRef } from '../../src/core/protocol/assignment.ts';
import type { Sync } from '../../src/core/protocol/sync.ts';
import type { WorkOutcome } from '../../src/core/protocol/work-outcome.ts';
import type { Link } from '../world/merge-host.ts';
import { LEASE_LOOK_MS } from '../world/end-in-time.ts';
import { network, type Network } from '../world/network.ts';
import { commitOf, emptyMachine, startHost, type Host, type Machine } from '../world/simulated-host.ts';
import { killWorker } from '../world/start-worker.ts';
import type { Worker } from '../world/worker.ts';
import type { World } from '../world/world.ts';
import type { FarHost } from './draw-fleet.ts';
import { lieOf } from './lie-of.ts';
import { machineClock, type MachineClock } from './machine-clock.ts';

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
/** Around a lease. */
const STILL_MIN_MS = 30_000;
const STILL_MAX_MS = 200_000;
/** Clocks of machines are this much faster or slower than each other. */
const CLOCK_SPREAD = 0.03;

export function startFarHost({ world, deliver, links }: Fleet, far: FarHost): void {
  const link = network(world, true, deliver);
  let sender: Host | undefined;
  links.set(far.name, { network: link, host: () => sender });
  const sendFrom = ({ whenAwake }: MachineClock, sync: Sync, host: Host): void => {
    sender = {
      ...host,
      receive: (reply) => whenAwake(() => host.receive(reply)),
      answered: (sentAt) => whenAwake(() => host.answered(sentAt)),
    };
    link.toCoordinator(sync, sender);
  };
  moveIn(1, { world, far, sendFrom });
}

interface Moving {
  readonly world: World;
  readonly far: FarHost;
  readonly sendFrom: (time: MachineClock, sync: Sync, host: Host) => void;
}

/** A program on a machine that nobody with its name has used before. */
function moveIn(program: number, moving: Moving): void {
  const { world, far, sendFrom } = moving;
  const speed = 1 + (world.dice.named(`clock of ${instanceOf(far.name, program)}`).next() - 0.5) * CLOCK_SPREAD;
  const time = machineClock(world.timeline, speed);
  const machine = emptyMachine(time.clock, time.isJustAwake);
  const send = (sync: Sync, host: Host): void => sendFrom(time, sync, host);
  joinAs(program, { ...moving, machine, time, send, follows: [] });
  standStillAtTimes(world, machine, time);
}

/** Its workers are at work again when each has had the time to look at its lease. */
function standStillAtTimes(world: World, machine: Machine, time: MachineClock): void {
  const { dice, timeline, observer } = world;
  const alive = (): readonly Worker[] => [...machine.workers.values()].filter(({ isAlive }) => isAlive);
  const goOn = (): void => {
    for (const worker of alive()) {
      worker.isStill = false;
      observer.goesOn(worker);
    }
    timeline.schedule(LOOK_EVERY_MS, look);
  };
  const look = (): void => {
    if (!dice.strikes('machine stands still')) return timeline.schedule(LOOK_EVERY_MS, look);
    const stillMs = STILL_MIN_MS + dice.of('machine stands still').below(STILL_MAX_MS);
    time.standStill(stillMs);
    for (const worker of alive()) worker.isStill = true;
    timeline.schedule(stillMs + LEASE_LOOK_MS, goOn);
  };
  timeline.schedule(LOOK_EVERY_MS, look);
}

interface Joining extends Moving {
  readonly machine: Machine;
  readonly time: MachineClock;
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
  const { world, far, machine, time, send } = joining;
  joining.follows.push(instanceOf(far.name, program));
  const mood: Mood = { isDraining: false, isLeaving: false, silentUntil: 0, drainsUntil: 0 };
  const host = startHost({
    world: { ...world, timeline: time.timeline },
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
    if (isReplaced(joining, host)) return moveIn(program + 1, joining);
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

/** Another machine takes its name, while its workers are at work on one that nobody hears any more. */
function isReplaced({ world, far, machine }: Joining, host: Host): boolean {
  if (!world.dice.strikes('far host replaced')) return false;
  world.say(`another machine takes the name of ${far.name}`);
  host.die();
  for (const worker of machine.workers.values()) worker.isCutOff = true;
  return true;
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
