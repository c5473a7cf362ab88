// Starts the real loop on fake ports, again and again: after each crash, each failed append, and whenever a person has
// moved a waiting run on.
import { claimsOf } from '../../src/core/engine/owed/owed.ts';
import type { RunInputs } from '../../src/core/engine/scope.ts';
import type { State } from '../../src/core/engine/state.ts';
import { assert } from '../../src/core/assert.ts';
import { judgeFragment } from '../../src/core/grow/judge-fragment.ts';
import type { Sync } from '../../src/core/protocol/sync.ts';
import { runLoop, type LoopAmended } from '../../src/shell/loop/loop.ts';
import type { Appended, Log, RunOver } from '../../src/shell/ports/log.ts';
import type { Mail, Mailbox } from '../../src/shell/ports/host-link.ts';
import type { Disk, Watch } from './disk.ts';
import type { Fault } from './faults.ts';
import { HERE, startHost, type Host, type Machine } from './simulated-host.ts';
import { mergeWorld, type Link } from './merge-host.ts';
import type { Repository } from './simulated-repository.ts';
import { killWorker } from './start-worker.ts';
import { simulatedMergeQueue } from './simulated-merge-queue.ts';
import type { World } from './world.ts';

/** Thrown out of the loop when the coordinator's process ends in the middle of something. */
export const CRASH = new Error('The coordinator crashed.');

export const GIVEN: RunInputs = {
  inputs: { yes: true, no: false, items: ['a', 'b'] },
  env: {},
  judge: (state, draft, written) => judgeFragment(state, draft, { written }),
};

/** Beyond a lease, so that hosts wait in vain for that long. */
const DOWN_MAX_MS = 120_000;
/** A loop that takes this many turns in one moment of virtual time never sleeps. */
const TURNS_AT_ONCE_MAX = 2_000;
const CRASHES_MAX = 25;

/** What has come for the coordinator and was not taken yet. */
export interface Received {
  syncs: Sync[];
  mayHaveCommands: boolean;
  /** The last command that it has read: others come while an append is on the way. */
  commandsRead: number;
  isUp: boolean;
  /** Somebody had asked the run to stop when its plan was amended. */
  wasStopping: boolean;
}

export interface Office {
  readonly world: World;
  readonly disk: Disk;
  readonly machine: Machine;
  /** By name of the host. */
  readonly links: Map<string, Link>;
  readonly repository: Repository;
  readonly received: Received;
  /** Lets the next thing happen, and fails the trial when time is up. */
  readonly advance: (deadline: number) => 'happened' | 'nothing';
}

/** Carries the run out from wherever the log stands, until its coordinator ends in one way or another. */
export async function coordinate(office: Office): Promise<RunOver | LoopAmended | 'crashed' | 'asleep'> {
  const { world, received } = office;
  Object.assign(received, { syncs: [], mayHaveCommands: false, isUp: true });
  world.observer.coordinatorStarts();
  const sleep = sleeping(world);
  const carrying = runLoop({
    compiled: world.compiled,
    given: GIVEN,
    log: logOf(office),
    mailbox: mailboxOf(office, sleep),
    clock: { now: world.wall, monotonic: world.timeline.now },
    onFolded: (state) => meetHost(office, state),
    onRefused: (refused) => world.observer.refused(refused),
    onEvents: (_, state) => world.observer.decided(state),
    staysMs: () => (world.trial.stays ? Infinity : 0),
    wasStopping: received.wasStopping,
    leaseMs: leaseFor(world),
  }).then(notLeft, (error: unknown): 'crashed' => {
    if (error !== CRASH) throw error;
    return 'crashed';
  });
  // The observer notes the actions of a coordinator that wakes; its end is not awaited.
  carrying.catch(() => undefined);
  try {
    return await Promise.race([carrying, sleep.fallenAsleep]);
  } finally {
    received.isUp = false;
    leaveHost(office);
  }
}

const LEASES_MS = [65_000, 90_000, 120_000] as const;

/** Servers that follow each other need not give the same lease; undefined leaves it to the loop. */
const leaseFor = ({ trial, dice, timeline }: World): number | undefined =>
  trial.isLong ? LEASES_MS[dice.named(`lease at ${timeline.now()}`).below(LEASES_MS.length)] : undefined;

function notLeft(over: Awaited<ReturnType<typeof runLoop>>): RunOver | LoopAmended {
  assert(over.type !== 'left', 'Only a server leaves a run that goes on.');
  return over;
}

/** A coordinator whose process is stopped, and goes on when another has long taken the run over. */
interface Sleep {
  readonly fallenAsleep: Promise<'asleep'>;
  readonly isStale: () => boolean;
  /** What it had heard and not read when it fell asleep is there when it wakes. */
  readonly until: (mail: Mail) => Promise<Mail>;
}

const SLEEP_MAX_MS = 60_000;

function sleeping({ timeline, dice }: World): Sleep {
  let isStale = false;
  let fall: (how: 'asleep') => void = () => undefined;
  const fallenAsleep = new Promise<'asleep'>((resolve) => {
    fall = resolve;
  });
  return {
    fallenAsleep,
    isStale: () => isStale,
    until: (mail) => {
      isStale = true;
      fall('asleep');
      const afterMs = dice.of('coordinator sleeps').below(SLEEP_MAX_MS);
      return new Promise((wake) => timeline.schedule(afterMs, () => wake(mail)));
    },
  };
}

/** How long a run has no coordinator after a crash. */
export const downMs = ({ dice }: World): number => {
  const random = dice.of('crash while waiting');
  return random.happens(0.15) ? random.below(DOWN_MAX_MS) : random.below(4_000);
};

function crashOn({ world }: Office, fault: Fault): void {
  if (world.counts.of('crash') >= CRASHES_MAX || !world.dice.strikes(fault)) return;
  world.counts.add('crash');
  world.say(`the coordinator crashes: ${fault}`);
  throw CRASH;
}

function logOf(office: Office): Log {
  const { world, disk, received } = office;
  const watch: Watch = {
    reading: () => crashOn(office, 'crash while reading'),
    before: (): Appended | undefined => {
      crashOn(office, 'crash before append');
      if (world.dice.strikes('append failed')) return { type: 'failed', failure: { code: 'full', file: 'memory' } };
      return world.dice.strikes('append fenced') ? { type: 'fenced', by: undefined } : undefined;
    },
    carry: (write) => carry(office, write),
    written: (events, answers) => world.observer.appended(events, answers),
    after: () => crashOn(office, 'crash after append'),
  };
  const log = disk.own(watch);
  return {
    ...log,
    commands: () => {
      const commands = log.commands();
      received.commandsRead = commands.at(-1)?.id ?? received.commandsRead;
      return commands;
    },
  };
}

const APPEND_DELAY_MAX_MS = 12_000;

/** An append to an engine on another machine: it takes its time, its answer is lost, or it outlives its coordinator. */
function carry({ world, advance }: Office, write: () => Appended): Appended {
  const { dice, timeline, counts } = world;
  if (dice.strikes('append left behind')) {
    timeline.schedule(dice.of('append left behind').below(APPEND_DELAY_MAX_MS), () =>
      counts.add(write().type === 'appended' ? 'late append written' : 'late append fenced'),
    );
    world.say('the coordinator crashes while an append is on the way');
    counts.add('crash');
    throw CRASH;
  }
  if (dice.strikes('append answer lost')) {
    write();
    return { type: 'failed', failure: { code: 'engine', why: 'unanswered', engine: 'world', cause: 'no answer' } };
  }
  if (!dice.strikes('append delayed')) return write();
  const random = dice.of('append delayed');
  const first = random.happens(0.5) ? write() : undefined;
  const until = timeline.now() + random.below(APPEND_DELAY_MAX_MS);
  while (timeline.now() < until) advance(until);
  return first ?? write();
}

function mailboxOf(office: Office, sleep: Sleep): Mailbox {
  const { world, links, disk } = office;
  let turnsAtOnce = 0;
  let lastAt = -1;
  return {
    next: async (withinMs) => {
      // It has had its one turn after it woke.
      if (sleep.isStale()) throw CRASH;
      world.observer.waits(disk.commands().filter(({ id }) => id <= office.received.commandsRead).length);
      crashOn(office, 'crash while waiting');
      if (world.dice.strikes('coordinator sleeps')) return sleep.until(unread(world));
      turnsAtOnce = world.timeline.now() === lastAt ? turnsAtOnce + 1 : 0;
      lastAt = world.timeline.now();
      if (turnsAtOnce > TURNS_AT_ONCE_MAX)
        world.observer.violate('termination', 'The loop turns without ever sleeping.');
      return waitForMail(office, withinMs === undefined ? Infinity : world.timeline.now() + withinMs);
    },
    reply: (host, reply) => {
      if (sleep.isStale())
        world.observer.violate(
          'P2 what is begun was claimed',
          'A coordinator tells a host what to do, and another has its run.',
        );
      crashOn(office, 'crash before reply');
      const link = links.get(host);
      if (link === undefined)
        return world.observer.violate('hosts are told what is owed', `A reply goes to the unknown host ${host}.`);
      world.observer.replied(reply, host);
      return link.network.toHost(reply, link.host());
    },
  };
}

/** One more message of the host, which holds what it held. */
function unread({ observer }: World): Mail {
  const latest = observer.latest(HERE);
  return {
    syncs: latest === undefined ? [] : [{ ...latest, number: latest.number + 1, done: [] }],
    mayHaveCommands: false,
  };
}

function waitForMail({ world, received, advance }: Office, deadline: number): Mail {
  const isQuiet = (): boolean => received.syncs.length === 0 && !received.mayHaveCommands;
  if (!world.dice.strikes('wakes for nothing')) while (isQuiet() && advance(deadline) === 'happened');
  const mail = { syncs: received.syncs, mayHaveCommands: received.mayHaveCommands };
  received.syncs = [];
  received.mayHaveCommands = false;
  world.observer.heard(mail.syncs, mail.mayHaveCommands);
  return mail;
}

/** A host inside the coordinator's process begins with it, and looks for what an earlier one has left. */
function meetHost({ world, machine, repository, links }: Office, state: State): void {
  if (machine.host !== undefined) return;
  const merges = world.trial.mergesAt !== 'there';
  const host: Host = startHost({
    world,
    machine,
    name: HERE,
    width: world.trial.width,
    openMergeQueue: merges ? simulatedMergeQueue({ world: mergeWorld(world), repository, name: HERE }) : undefined,
    send: (sync, sender) => links.get(HERE)?.network.toCoordinator(sync, sender),
  });
  host.recover(claimsOf(state));
}

/** It dies with its coordinator, and by the dice its workers with it; one on another machine hears nothing of it. */
function leaveHost({ world, machine }: Office): void {
  if (world.trial.host === 'remote') return;
  machine.host?.die();
  machine.host = undefined;
  if (!world.dice.strikes('workers die with the coordinator')) return;
  for (const worker of machine.workers.values()) {
    if (!worker.isAlive) continue;
    killWorker(worker);
    world.counts.add('worker lost with the coordinator');
  }
}
