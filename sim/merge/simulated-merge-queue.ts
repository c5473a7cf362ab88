// A merge queue as the port asks it to be: it merges the longest part of what it is given that goes well, in order, and
// dies with its coordinator, at times between moving the run branch and saying so.
//
// N1. What is on the run branch is finished, whoever put it there and whatever is said of it since.
// N2. It puts nothing there that it is not told to merge at that moment.
import { mergesOf, type MergeRequest } from '../../src/core/engine/owed/merges.ts';
import type { MergeOutcome } from '../../src/core/protocol/work-outcome.ts';
import type { MergeQueue } from '../../src/shell/ports/host-link.ts';
import type { Landed, Repository } from './repository.ts';
import type { World } from '../world/world.ts';

const CHECK_MAX_MS = 20_000;
/** How long it may take to say what it has done. */
const REPORT_MAX_MS = 500;
/** How late it may say it for the second time. */
const AGAIN_MAX_MS = 60_000;

export interface SimulatedMergeQueue extends MergeQueue {
  readonly die: () => void;
  /** To be asked when the coordinator waits: it has told what is owed, and nothing else. */
  readonly checkTold: () => void;
}

interface Driving {
  readonly world: World;
  readonly repository: Repository;
  readonly report: (outcome: MergeOutcome) => void;
}

export function startMergeQueue({ world, repository, report }: Driving): SimulatedMergeQueue {
  let orders: readonly MergeRequest[] = [];
  const said = new Set<string>();
  let isGone = false;
  let isUnderWay = false;
  const random = world.dice.named('train');
  const open = (): readonly MergeRequest[] => orders.filter((order) => !said.has(keyOf(order)));
  const say = (outcome: MergeOutcome): void => {
    said.add(keyOf(outcome));
    repository.said.add(`${outcome.type} ${keyOf(outcome)}`);
    const tell = (afterMs: number): void =>
      world.timeline.schedule(afterMs, () => {
        if (!isGone) report(outcome);
      });
    tell(random.below(REPORT_MAX_MS));
    if (world.dice.strikes('second report')) tell(world.dice.of('second report').below(AGAIN_MAX_MS));
  };
  const drive = (): void => {
    if (isGone || isUnderWay || open().length === 0) return;
    isUnderWay = true;
    world.timeline.schedule(random.below(CHECK_MAX_MS), () => {
      isUnderWay = false;
      if (isGone) return;
      const batch = open();
      for (const outcome of merge({ world, repository }, batch.slice(0, 1 + random.below(batch.length)))) say(outcome);
      drive();
    });
  };
  return {
    give: (given) => {
      for (const order of given) checkDurable(world, order);
      orders = given;
      drive();
    },
    die: () => {
      isGone = true;
    },
    checkTold: () => {
      const owed = mergesOf(world.witness.state, NOTHING_GIVEN);
      if (owed.map(nameOf).join() !== orders.map(nameOf).join())
        world.witness.violate('the merge queue is told what is owed', `It is told ${orders.map(nameOf).join()}.`);
    },
  };
}

const NOTHING_GIVEN = { inputs: {}, env: {} };
const nameOf = (order: MergeRequest): string => `${keyOf(order)}${order.isToStop ? ' to stop' : ''}`;

const keyOf = ({ task, attempt }: { readonly task: string; readonly attempt: number }): string => `${task}#${attempt}`;

/** Merges in order until a check fails: what is behind is checked again without it. */
function merge(
  { world, repository }: Pick<Driving, 'world' | 'repository'>,
  batch: readonly MergeRequest[],
): readonly MergeOutcome[] {
  const outcomes: MergeOutcome[] = [];
  for (const order of batch) {
    const outcome = mergeOne(world, repository, order);
    outcomes.push(outcome);
    if (outcome.type === 'merge.failed') break;
  }
  return outcomes;
}

function mergeOne(world: World, repository: Repository, order: MergeRequest): MergeOutcome {
  const { task, attempt } = order;
  const about = { task, attempt };
  const found = repository.find(task);
  if (found !== undefined) return finished(world, order, found);
  if (order.isToStop) return { type: 'merge.stopped', ...about };
  const strikes = (fault: Parameters<typeof world.dice.strikesNamed>[0]): boolean =>
    world.dice.strikesNamed(fault, keyOf(order));
  if (strikes('merge conflicts')) {
    const others = repository.landed.slice(-2).map((each) => each.task);
    return { type: 'merge.conflict', ...about, paths: ['file'], with: others, onto: repository.head() };
  }
  if (strikes('merge check fails')) {
    const isBaseline = world.dice.of('merge check fails').happens(0.1);
    return { type: 'merge.failed', ...about, reason: 'check', tail: 'It does not hold together.', isBaseline };
  }
  if (strikes('merge is refused'))
    return { type: 'merge.failed', ...about, reason: 'refused', tail: 'There is no space left.', isBaseline: false };
  if (strikes('merge is outrun')) return { type: 'merge.outrun', ...about };
  world.say(`${task} is on the run branch`);
  return finished(world, order, repository.land(task, order.tip));
}

function finished({ witness }: World, { task, attempt, tip }: MergeRequest, landed: Landed): MergeOutcome {
  if (landed.tip !== tip)
    witness.violate(
      'P6 what is done is merged, once',
      `${task} is on the run branch as ${landed.tip}, and ${tip} is to be merged.`,
    );
  return { type: 'merge.finished', task, attempt, commit: landed.commit };
}

/** P2: what is to be merged has been claimed, and the log knows what is merged. */
function checkDurable({ witness }: World, { task, attempt, tip, isToStop }: MergeRequest): void {
  const { compiled, claims, tasks } = witness.state;
  const index = compiled.indexOf.get(task) ?? -1;
  const claim = [...claims.values()].find((each) => each.work === 'merge' && each.task === index);
  const isKnown = claim?.attempt === attempt && (claim.cancelling !== undefined) === isToStop;
  if (!isKnown || tasks[index]?.tip !== tip)
    witness.violate('P2 what is begun was claimed', `${task}#${attempt} is to be merged, and the log does not say so.`);
}
