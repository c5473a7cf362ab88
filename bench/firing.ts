// How fast a net is played with a token object on every place, beside engines that do less or do it the usual way, and
// whether memory grows with the net and no faster. Runs alone:
//   node bench/firing.ts [--tasks N] [--repeats N]

import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { buildNet } from '../src/core/net/lay-net.ts';
import { nextEnabled } from '../src/core/net/enabled-set.ts';
import { fire } from '../src/core/net/fire.ts';
import { startPlay } from '../src/core/net/play.ts';
import { chance } from '../src/core/schedule/chance.ts';
import { countDown, playMaps, scanWaiters } from './reference-engines.ts';
import type { Net } from '../src/core/net/net.ts';
import type { Graph } from './reference-engines.ts';

export interface FiringOptions {
  readonly tasks: number;
  /** Each figure is the best of so many, in the thread's own processor time, so that a busy machine disturbs little. */
  readonly repeats: number;
}

export interface FiringFigure {
  readonly name: string;
  readonly tasks: number;
  readonly firingsPerSecond: number;
}

export interface FiringRatio {
  readonly ours: FiringFigure;
  readonly reference: FiringFigure;
  readonly ratio: number;
}

export interface MemoryFigure {
  readonly tasks: number;
  /** Places, transitions and arcs together. */
  readonly parts: number;
  /** The net and a play of it. */
  readonly bytes: number;
  readonly bytesPerPart: number;
}

export interface FiringReport {
  readonly ratios: readonly FiringRatio[];
  readonly poolShare: number;
  readonly memory: readonly MemoryFigure[];
}

export const firingDefaults: FiringOptions = { tasks: 100_000, repeats: 5 };

const POOL_SIZE = 16;
const NEEDS_OF_TASK = 2;
/** Sizes at which the slow references still finish. */
const SCAN_TASKS = 2_000;
const MAP_TASKS = 1_000;
/** Small nets are played several at a time: the clock of a thread is coarse. */
const TASKS_OF_BATCH = 100_000;
const MEMORY_TASKS = [1_000, 10_000, 100_000] as const;

interface Token {
  readonly firing: number;
}

export function benchFiring({ tasks, repeats }: FiringOptions): FiringReport {
  const plain = graphOf(tasks);
  const measure = (name: string, size: number, run: () => () => number): FiringFigure =>
    best({ name, size, repeats, run });
  const measureOnce = (name: string, size: number, run: () => number): FiringFigure =>
    best({ name, size, repeats: 1, run: () => run });
  const dag = measure('DAG, token objects', tasks, playing(dagNet(plain)));
  const pooled = measure('DAG, one pool', tasks, playing(poolNet(plain)));
  const counters = measure('counter loop, no tokens', tasks, () => countDown(plain));
  const middle = poolNet(graphOf(SCAN_TASKS));
  const small = dagNet(graphOf(MAP_TASKS));
  const smallPooled = poolNet(graphOf(MAP_TASKS));
  return {
    ratios: [
      ratioOf(dag, counters),
      ratioOf(pooled, counters),
      ratioOf(
        measure('DAG, one pool', SCAN_TASKS, playing(middle)),
        measureOnce('scan the waiters', SCAN_TASKS, () => scanWaiters(middle)),
      ),
      ratioOf(
        measure('DAG, token objects', MAP_TASKS, playing(small)),
        measureOnce('maps of objects', MAP_TASKS, () => playMaps(small)),
      ),
      ratioOf(
        measure('DAG, one pool', MAP_TASKS, playing(smallPooled)),
        measureOnce('maps of objects', MAP_TASKS, () => playMaps(smallPooled)),
      ),
    ],
    poolShare: pooled.firingsPerSecond / dag.firingsPerSecond,
    memory: MEMORY_TASKS.map(measureMemory),
  };
}

/** Starting is part of neither side: the run handed back only fires. */
function playing(net: Net): () => () => number {
  return () => {
    const play = startPlay<Token>({ net, colour: () => ({ firing: 0 }) });
    return () => {
      let firings = 0;
      for (let next = nextEnabled(play); next !== undefined; next = nextEnabled(play)) {
        firings += 1;
        fire(play, next, { firing: firings });
      }
      return firings;
    };
  };
}

interface Measured {
  readonly name: string;
  readonly size: number;
  readonly repeats: number;
  readonly run: () => () => number;
}

function best({ name, size, repeats, run }: Measured): FiringFigure {
  let firingsPerSecond = 0;
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const started = Array.from({ length: repeats === 1 ? 1 : Math.ceil(TASKS_OF_BATCH / size) }, run);
    const begin = performance.now();
    const firings = started.reduce((sum, play) => sum + play(), 0);
    firingsPerSecond = Math.max(firingsPerSecond, (firings * 1e3) / (performance.now() - begin));
  }
  return { name, tasks: size, firingsPerSecond };
}

function ratioOf(ours: FiringFigure, reference: FiringFigure): FiringRatio {
  return { ours, reference, ratio: ours.firingsPerSecond / reference.firingsPerSecond };
}

/** Tasks that each need two of the thousand before them. */
function graphOf(tasks: number): Graph {
  const random = chance(1);
  const needs = Array.from({ length: tasks }, (_, task) => {
    const some = new Set<number>();
    const wanted = Math.min(task, NEEDS_OF_TASK);
    for (let need = 0; need < wanted; need += 1) some.add(task - 1 - random.below(Math.min(task, 1_000)));
    return [...some];
  });
  return { needs };
}

/** By task: the places it takes from and gives to, one place a need. */
function placesOfTasks({ needs }: Graph, place: (id: string, tokens: number) => number) {
  const takes: number[][] = needs.map(() => []);
  const gives: number[][] = needs.map(() => []);
  for (const [task, some] of needs.entries()) {
    if (some.length === 0) takes[task]?.push(place(`begin ${task}`, 1));
    for (const need of some) {
      const between = place(`${need} before ${task}`, 0);
      takes[task]?.push(between);
      gives[need]?.push(between);
    }
  }
  return { takes, gives };
}

function dagNet(graph: Graph): Net {
  const builder = buildNet();
  const { takes, gives } = placesOfTasks(graph, (id, tokens) => builder.place({ id }, { tokens }));
  for (const task of graph.needs.keys()) {
    builder.transition({ id: `task ${task}` }, { takes: takes[task] ?? [], gives: gives[task] ?? [] });
  }
  return builder.build();
}

function poolNet(graph: Graph): Net {
  const builder = buildNet();
  const pool = builder.place({ id: 'pool' }, { tokens: POOL_SIZE, counted: true });
  const { takes, gives } = placesOfTasks(graph, (id, tokens) => builder.place({ id }, { tokens }));
  for (const task of graph.needs.keys()) {
    const working = builder.place({ id: `working ${task}` });
    builder.transition({ id: `start ${task}` }, { takes: [...(takes[task] ?? []), pool], gives: [working] });
    builder.transition({ id: `end ${task}` }, { takes: [working], gives: [...(gives[task] ?? []), pool] });
  }
  return builder.build();
}

function measureMemory(tasks: number): MemoryFigure {
  const graph = graphOf(tasks);
  const before = bytesInUse();
  const net = poolNet(graph);
  const play = startPlay<Token>({ net, colour: () => ({ firing: 0 }) });
  const bytes = bytesInUse() - before;
  const parts = play.net.places.length + net.transitions.length + net.takes.place.length + net.gives.place.length;
  return { tasks, parts, bytes, bytesPerPart: bytes / parts };
}

function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  // Twice, because memory outside the heap is freed only after its owner.
  for (const collectOnce of [collect, collect]) if (typeof collectOnce === 'function') collectOnce();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

export function printFiring({ ratios, poolShare, memory }: FiringReport): void {
  const millions = ({ firingsPerSecond }: FiringFigure): string => (firingsPerSecond / 1e6).toPrecision(3);
  console.table(
    ratios.map(({ ours, reference, ratio }) => ({
      ours: ours.name,
      tasks: ours.tasks,
      'M firings/s': millions(ours),
      reference: reference.name,
      'its M firings/s': millions(reference),
      ratio: Number(ratio.toPrecision(3)),
    })),
  );
  console.log(`With one pool of ${POOL_SIZE}: ${(poolShare * 100).toFixed(0)} % of the speed without.`);
  console.table(
    memory.map(({ tasks, parts, bytes, bytesPerPart }) => ({
      tasks,
      'places + transitions + arcs': parts,
      MB: Number((bytes / 1e6).toFixed(2)),
      'bytes per part': Number(bytesPerPart.toFixed(1)),
    })),
  );
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { tasks: { type: 'string' }, repeats: { type: 'string' } } });
  const tasks = Number(values.tasks ?? firingDefaults.tasks);
  const repeats = Number(values.repeats ?? firingDefaults.repeats);
  printFiring(benchFiring({ tasks, repeats }));
}
