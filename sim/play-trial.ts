// Plays one trial to its end: builds the world, lets the coordinator run in it, and says what happened.
import { createHash } from 'node:crypto';
import { compile } from '../src/core/compile/compile.ts';
import type { Compiled } from '../src/core/compile/compiled.ts';
import { runStarted } from '../src/core/engine/apply/fold.ts';
import type { Order } from '../src/core/engine/order.ts';
import { parsePlan } from '../src/core/plan/build/parse.ts';
import type { Sync } from '../src/core/protocol/sync.ts';
import { chance } from '../src/core/schedule/chance.ts';
import type { Invariant } from './invariants/invariant.ts';
import { INVARIANTS } from './invariants/invariants.ts';
import { openObserver, type Violation } from './invariants/open-observer.ts';
import { inWorlds } from './expected.ts';
import { planFeatures } from './plan-features.ts';
import type { Trial } from './trial.ts';
import { coordinate, downMs, GIVEN, type Office, type Received } from './world/coordinator.ts';
import { counting } from './world/counts.ts';
import { disk } from './world/disk.ts';
import { dice, type Dice } from './world/faults.ts';
import { startFarHost } from './fleet/far-host.ts';
import { emptyMachine, HERE } from './world/simulated-host.ts';
import { startMergeHosts, type Link } from './world/merge-host.ts';
import { network } from './world/network.ts';
import { people, type People } from './world/people.ts';
import { BASE, repository } from './world/simulated-repository.ts';
import { timeline, type Timeline } from './world/timeline.ts';
import type { Worker } from './world/worker.ts';
import type { World } from './world/world.ts';

export interface Played {
  readonly counts: Readonly<Record<string, number>>;
  readonly violation: Violation | undefined;
  /** The last things that happened. */
  readonly story: readonly string[];
  /** Of everything that was written and said: two plays of one trial have the same. */
  readonly digest: string;
}

/** The world begins here on the calendar. */
const EPOCH_MS = 1_750_000_000_000;
/** Once faults have ceased a run ends within this. */
const CALM_MAX_MS = 16 * 3_600_000;
const HAPPENINGS_MAX = 400_000;
const STORY_MAX = 60;
const JUMP_EVERY_MS = 7_000;
const JUMP_MAX_MS = 3_600_000;

/** Undefined when the plan of the trial is wrong, as when one was made smaller without care. */
export async function playTrial(
  trial: Trial,
  invariants: readonly Invariant[] = INVARIANTS,
): Promise<Played | undefined> {
  const parsed = parsePlan(trial.plan, { file: 'trial.yaml' });
  if (parsed.plan === undefined) return undefined;
  const compiled = compile(parsed.plan);
  const order = orderOf(trial, compiled);
  const story: string[] = [];
  const hash = createHash('sha256');
  const scene = openScene({ trial, compiled, order, invariants }, (line) => {
    story.push(line);
    if (story.length > STORY_MAX) story.shift();
    hash.update(line);
  });
  for (const feature of planFeatures(compiled)) scene.office.world.counts.add(`plan with ${feature}`);
  const violation = await playToEnd(scene);
  hash.update(scene.office.disk.text());
  const { counts } = scene.office.world;
  for (const name of inWorlds(counts.all())) counts.add(name);
  return { counts: counts.all(), violation, story, digest: hash.digest('hex') };
}

interface Setting {
  readonly trial: Trial;
  readonly compiled: Compiled;
  readonly order: Order;
  readonly invariants: readonly Invariant[];
}

interface Scene {
  readonly office: Office;
  readonly crowd: People;
}

function openScene({ trial, compiled, order, invariants }: Setting, tell: (line: string) => void): Scene {
  const time = timeline();
  const counts = counting();
  const isCalm = (): boolean => time.now() >= trial.calmAtMs;
  const chances = dice({ seed: trial.seed, weather: trial.weather, counts, isCalm });
  const wall = jumpingClock(time, chances);
  const base = compiled.plan.sandbox.tree === 'none' ? undefined : BASE;
  const started = runStarted(compiled, order, { at: EPOCH_MS, seed: trial.seed, inputs: GIVEN.inputs, base });
  const branch = repository();
  const machine = emptyMachine(time.now);
  const workers = new Map<string, Worker>();
  const delivered = new Set<string>();
  const say = (line: string): void => tell(`${String(time.now()).padStart(9)} ${line}`);
  const observer = openObserver({
    trial,
    compiled,
    order,
    started,
    invariants,
    workers,
    delivered,
    repository: branch,
    counts,
    now: time.now,
    say,
  });
  const world: World = {
    trial,
    compiled,
    timeline: time,
    dice: chances,
    counts,
    workers,
    delivered,
    observer,
    wall,
    isCalm,
    say,
  };
  const received: Received = { syncs: [], mayHaveCommands: false, commandsRead: 0, isUp: false, wasStopping: false };
  const deliver = (sync: Sync): boolean => {
    if (received.isUp) received.syncs.push(sync);
    else counts.add('message to nobody');
    return received.isUp;
  };
  const link = network(world, trial.host === 'remote', deliver);
  const links = new Map<string, Link>([[HERE, { network: link, host: () => machine.host }]]);
  if (trial.mergesAt !== 'here') startMergeHosts({ world, repository: branch, deliver, links });
  for (const far of trial.fleet) startFarHost({ world, deliver, links }, far);
  const store = disk(started);
  const hint = (): void => {
    received.mayHaveCommands = true;
  };
  return {
    office: {
      world,
      disk: store,
      machine,
      links,
      repository: branch,
      received,
      advance: advancing(world),
    },
    crowd: people({ world, disk: store, hint }),
  };
}

/** A clock on a wall, which at times is set anew. */
function jumpingClock(time: Timeline, chances: Dice): () => number {
  let offset = 0;
  const jump = (): void => {
    if (chances.strikes('clock jumps'))
      offset += Math.round((chances.of('clock jumps').next() - 0.5) * 2 * JUMP_MAX_MS);
    time.schedule(JUMP_EVERY_MS, jump);
  };
  time.schedule(JUMP_EVERY_MS, jump);
  return () => EPOCH_MS + time.now() + offset;
}

/** Nothing goes on for ever: not the storm's end, nor the number of things that happen before it. */
function advancing({ timeline: time, trial, observer }: World): Office['advance'] {
  let happenings = 0;
  return (deadline) => {
    happenings += 1;
    if (time.now() > trial.calmAtMs + CALM_MAX_MS || happenings > HAPPENINGS_MAX)
      observer.violate(
        'termination',
        `The run has not ended ${Math.round(time.now() / 60_000)} minutes after it began.`,
      );
    return time.step(deadline);
  };
}

async function playToEnd({ office, crowd }: Scene): Promise<Violation | undefined> {
  const { world } = office;
  try {
    crowd.begin();
    while (await playOnce(office, crowd));
    world.observer.over();
  } catch (error) {
    return world.observer.violation() ?? { invariant: 'no bug is asserted', message: textOf(error) };
  }
  return world.observer.violation();
}

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** One coordinator, from its start to its end. Says whether there is to be another. */
async function playOnce(office: Office, crowd: People): Promise<boolean> {
  const { world, disk: store, advance } = office;
  const over = await coordinate(office);
  const type = typeof over === 'string' ? over : over.type;
  world.counts.add(`coordinator ${type}`);
  world.say(`the coordinator is over: ${type}`);
  world.observer.left(over);
  office.received.wasStopping = typeof over === 'object' && over.type === 'amended' && over.isStopping;
  if (type === 'ended') return crowd.resetEnded();
  // Another takes over at once.
  if (type === 'asleep' || type === 'amended') return true;
  if (type === 'waiting' || type === 'stopped') {
    while (store.commands().length === 0) advance(Infinity);
    return true;
  }
  const upAt = world.timeline.now() + downMs(world);
  while (world.timeline.now() < upAt) advance(upAt);
  return true;
}

function orderOf(trial: Trial, { tasks }: Compiled): Order {
  const { seed, policy, isShuffled } = trial;
  if (!isShuffled) return { policy, priorities: [], holds: [] };
  const random = chance(seed + 1);
  const priorities = tasks.map(({ steps }) => steps.map(() => random.below(9)));
  const all = tasks.flatMap(({ steps }) => steps.map(({ task, index }) => ({ task, step: index })));
  const holds = all.flatMap((held) => {
    const until = all[random.below(all.length)];
    return until === undefined || random.happens(0.7) ? [] : [{ held, until }];
  });
  return { policy, priorities, holds };
}
