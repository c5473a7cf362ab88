// Caps, pools, merge slots and switches: places that claims take from or read.
//
// resources/R1. A claim takes all its resources in one firing, so nothing is held while waiting for more.
// resources/R2. A subplan holds nothing itself, so nesting cannot deadlock.
// resources/R3. A switch is two places of which exactly one holds a token; claims read the one that is on.
// resources/R4. Pausing and resuming a task only change the colour of one token, which no other transition takes, so
//   neither changes the behaviour of the net.
import { assert } from '../assert.ts';
import type { ArcTo } from '../net/net.ts';
import type { Plan, PoolDemand } from '../plan/plan.ts';
import { runCapOf } from '../plan/run-cap.ts';
import type { PoolParts, RunParts } from './compiled.ts';
import type { TaskIndex } from './meaning.ts';
import type { PlanLayer } from './lay-plan.ts';
import type { TaskOutline } from './task-outline.ts';

export interface Resources {
  readonly pools: ReadonlyMap<string, PoolParts>;
  readonly mergeSlots: number;
  readonly run: Omit<RunParts, 'start' | 'finish' | 'source' | 'sink'>;
  /** The tokens that work in a task takes when claimed and gives back when it is over. */
  readonly heldBy: (task: TaskIndex, pools: readonly PoolDemand[]) => readonly ArcTo[];
  /** The places that a claim reads: the run is active, and each of its pools is open. */
  readonly switchesOf: (pools: readonly PoolDemand[]) => readonly number[];
}

/** The most merges in the merge queue at once; the queue checks their combined result. */
export const MERGE_WINDOW = 8;

export function layResources(layer: PlanLayer, plan: Plan, { tasks }: TaskOutline): Resources {
  const cap = layer.sharedPlace(
    { id: 'run cap', type: 'cap', task: undefined },
    { tokens: runCapOf(plan), counted: true },
  );
  const mergeSlots = layer.sharedPlace(
    { id: 'merge slots', type: 'merge-slots' },
    { tokens: MERGE_WINDOW, counted: true },
  );
  const going = layer.sharedPlace(
    { id: 'run going', type: 'switch', pool: undefined, on: true },
    { tokens: 1, counted: true },
  );
  const paused = layer.sharedPlace({ id: 'run paused', type: 'switch', pool: undefined, on: false }, { counted: true });
  const pause = layer.sharedTransition(
    { id: 'pause run', type: 'run', transition: 'pause' },
    { takes: [going], gives: [paused] },
  );
  const resume = layer.sharedTransition(
    { id: 'resume run', type: 'run', transition: 'resume' },
    { takes: [paused], gives: [going] },
  );
  const holds = layer.sharedPlace({ id: 'task holds', type: 'holds' }, { tokens: 1, counted: true });
  const hold = layer.sharedTransition(
    { id: 'hold tasks', type: 'run', transition: 'hold' },
    { takes: [holds], gives: [holds] },
  );
  const pools = new Map(plan.pools.map(({ name, size }) => [name, layPool(layer, name, size)]));

  // Parents come before children, so the caps around a task are its parent's and perhaps its own.
  const capsOf: (readonly number[])[] = [];
  for (const { task, index, parent } of tasks) {
    const around = parent === undefined ? [cap] : (capsOf[parent] ?? []);
    capsOf.push(
      task.cap === undefined ? around : [...around, layCap(layer, index, { id: `${task.path} cap`, size: task.cap })],
    );
  }
  const onlyGoing = [going];
  const poolNamed = (name: string): PoolParts => {
    const pool = pools.get(name);
    assert(pool !== undefined, `A checked plan names only pools that exist, and ${name} does not.`);
    return pool;
  };
  return {
    pools,
    mergeSlots,
    run: { cap, mergeSlots, going, paused, pause, resume, holds, hold },
    heldBy: (task, demands) => {
      const caps = capsOf[task] ?? [];
      if (demands.length === 0) return caps;
      return [...caps, ...demands.map(({ pool, tokens }): ArcTo => [poolNamed(pool).place, tokens])];
    },
    switchesOf: (demands) =>
      demands.length === 0 ? onlyGoing : [going, ...demands.map(({ pool }) => poolNamed(pool).opened)],
  };
}

function layCap(layer: PlanLayer, task: TaskIndex, { id, size }: { id: string; size: number }): number {
  return layer.sharedPlace({ id, type: 'cap', task }, { tokens: size, counted: true });
}

function layPool(layer: PlanLayer, pool: string, size: number): PoolParts {
  const place = layer.sharedPlace({ id: `pool ${pool}`, type: 'pool', pool }, { tokens: size, counted: true });
  const opened = layer.sharedPlace(
    { id: `pool ${pool} open`, type: 'switch', pool, on: true },
    { tokens: 1, counted: true },
  );
  const closed = layer.sharedPlace({ id: `pool ${pool} closed`, type: 'switch', pool, on: false }, { counted: true });
  const close = layer.sharedTransition(
    { id: `close pool ${pool}`, type: 'pool', pool, transition: 'close' },
    { takes: [opened], gives: [closed] },
  );
  const open = layer.sharedTransition(
    { id: `open pool ${pool}`, type: 'pool', pool, transition: 'open' },
    { takes: [closed], gives: [opened] },
  );
  return { place, size, opened, closed, close, open };
}
