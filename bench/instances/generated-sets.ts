// The sets that the benchmark draws when it is given no folder: shapes taken from a grid, one seed each.

import { generateProject, generateTaskGraph } from './generate-instance.ts';
import type { Instance } from './instance.ts';

export interface GeneratedOptions {
  readonly machines: readonly number[];
  /** Graphs of each set; undefined for a moderate number. */
  readonly limit: number | undefined;
  readonly seed: number;
}

const GRAPHS_DEFAULT = 24;
const TASK_SIZES = [50, 100, 1000];
const PROJECT_SIZES = [30, 60, 120];
const POOLS = 4;

export function generatedSets({ machines, limit, seed }: GeneratedOptions): readonly Instance[] {
  const graphs = Array.from({ length: limit ?? GRAPHS_DEFAULT }, (_, index) => index);
  const tasks = TASK_SIZES.flatMap((size) =>
    graphs.flatMap((index) => machines.map((width) => taskGraph({ size, index, seed: seed + index }, width))),
  );
  const projects = PROJECT_SIZES.flatMap((size) => graphs.map((index) => project({ size, index, seed: seed + index })));
  return [...tasks, ...projects];
}

interface Drawn {
  readonly size: number;
  readonly index: number;
  readonly seed: number;
}

/** Walks a grid: the index picks a value of each measure in turn, like the digits of a number. */
function pick<T>(values: readonly [T, ...T[]], index: number): T {
  return values[index % values.length] ?? values[0];
}

function taskGraph({ size, index, seed }: Drawn, machines: number): Instance {
  const shape = {
    tasks: size,
    machines,
    predecessorsMean: pick([1, 2, 3, 5, 10], index),
    layered: pick([false, true], index),
    durations: pick(['uniform', 'exponential', 'normal'] as const, Math.floor(index / 2)),
  };
  return {
    set: `tasks ${size}`,
    name: `${index} on ${machines}`,
    problem: generateTaskGraph(shape, seed),
    known: undefined,
  };
}

function project({ size, index, seed }: Drawn): Instance {
  const shape = {
    activities: size,
    pools: POOLS,
    networkComplexity: pick([1.5, 1.8, 2.1], index),
    resourceFactor: pick([0.25, 0.5, 0.75, 1], Math.floor(index / 3)),
    // The large sets of this kind are known for scarcer pools.
    resourceStrength: size > 60 ? pick([0.1, 0.2, 0.3, 0.4, 0.5], index) : pick([0.2, 0.5, 0.7, 1], index),
  };
  return { set: `project ${size}`, name: String(index), problem: generateProject(shape, seed), known: undefined };
}
