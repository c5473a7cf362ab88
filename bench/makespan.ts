// How long schedules are, by the ways in which steps are commonly started and by ours, as the mean ratio to the best
// known makespan, or to a lower bound where none is known. Runs alone:
//   node bench/makespan.ts [--data DIR] [--limit N] [--machines 2,4,8,16] [--samples N] [--seed N]

import { parseArgs } from 'node:util';
import { chance } from '../src/core/schedule/chance.ts';
import { lowerBounds } from '../src/core/schedule/bounds.ts';
import { listSchedule } from '../src/core/schedule/list-schedule.ts';
import { onlinePriorities } from '../src/core/schedule/online-priorities.ts';
import { longestRemainingHops, longestRemainingMs } from '../src/core/schedule/priorities.ts';
import type { Problem } from '../src/core/schedule/problem.ts';
import { schedulesDefault, searchSchedule } from '../src/core/schedule/search-schedule.ts';
import { engineMakespan } from './engine-run.ts';
import { generatedSets } from './instances/generated-sets.ts';
import type { Instance } from './instances/instance.ts';
import { loadFolder } from './instances/load-folder.ts';
import { references } from './instances/reference-policies.ts';

export interface MakespanOptions {
  /** A folder of instances; undefined to generate graphs. */
  readonly data: string | undefined;
  readonly limit: number | undefined;
  readonly machines: readonly number[];
  /** Schedules per search; undefined for the budget that plans get by default. */
  readonly samples: number | undefined;
  readonly seed: number;
}

export interface MakespanRow {
  readonly set: string;
  readonly count: number;
  /** Instances measured against a lower bound, since no best makespan is known. */
  readonly againstBound: number;
  /** Mean ratios, by column. */
  readonly ratios: Readonly<Record<string, number>>;
  /** Share of instances where the search met a proved bound. */
  readonly provedShare: number;
  readonly planMs: number;
  readonly planMsMax: number;
}

export interface MakespanReport {
  readonly rows: readonly MakespanRow[];
  readonly skipped: readonly string[];
}

export const makespanDefaults: MakespanOptions = {
  data: undefined,
  limit: undefined,
  machines: [2, 4, 8, 16],
  samples: undefined,
  seed: 1,
};

const WRONG_BY = 2;
/** Larger problems would keep the bench busy for too long; their column stays empty. */
const ENGINE_ACTIVITIES_MAX = 200;

export function makespan(options: MakespanOptions): MakespanReport {
  const { instances, skipped } =
    options.data === undefined ? { instances: generatedSets(options), skipped: [] } : loadFolder(options.data, options);
  const bySet = Map.groupBy(instances, ({ set }) => set);
  return { rows: [...bySet].map(([set, members]) => rowOf(set, members, options)), skipped };
}

interface Measured {
  readonly makespans: Readonly<Record<string, number>>;
  readonly best: number;
  readonly proved: boolean;
  readonly planMs: number;
}

function rowOf(set: string, members: readonly Instance[], options: MakespanOptions): MakespanRow {
  const measured = members.map((instance) => measure(instance, options));
  const mean = (value: (one: Measured) => number): number =>
    measured.reduce((sum, one) => sum + value(one), 0) / measured.length;
  const columns = Object.keys(measured[0]?.makespans ?? {});
  const ratio = (column: string) => (one: Measured) => (one.best > 0 ? (one.makespans[column] ?? 0) / one.best : 1);
  return {
    set,
    count: members.length,
    againstBound: members.filter(({ known }) => known === undefined).length,
    ratios: Object.fromEntries(columns.map((column) => [column, mean(ratio(column))])),
    provedShare: mean(({ proved }) => (proved ? 1 : 0)),
    planMs: mean(({ planMs }) => planMs),
    planMsMax: Math.max(...measured.map(({ planMs }) => planMs)),
  };
}

function measure({ problem, known }: Instance, { samples, seed }: MakespanOptions): Measured {
  const boundMs = lowerBounds(problem).bestMs;
  const budget = { schedulesMax: samples ?? schedulesDefault(problem), seed };
  const by = (priority: Float64Array): number => listSchedule(problem, { priority }).makespanMs;
  const begun = performance.now();
  const found = searchSchedule(problem, { ...budget, mayHold: true });
  const planMs = performance.now() - begun;
  const makespans = {
    serial: references.serial(problem),
    'barrier, fitting': references.barrierFitting(problem),
    'barrier, enabled': references.barrierEnabled(problem),
    FIFO: references.fifo(problem),
    'FIFO, skip': references.fifoSkipping(problem),
    hops: by(longestRemainingHops(problem)),
    'critical path': by(longestRemainingMs(problem)),
    [`path, wrong ×${WRONG_BY}`]: by(longestRemainingMs(misjudged(problem, seed))),
    'online rule': onlinePriorities(problem, boundMs).schedule.makespanMs,
    'search, order': searchSchedule(problem, { ...budget, mayHold: false }).schedule.makespanMs,
    search: found.schedule.makespanMs,
    engine: problem.count <= ENGINE_ACTIVITIES_MAX ? engineMakespan(problem, seed) : Number.NaN,
  };
  const proved = found.schedule.makespanMs <= Math.max(boundMs, known?.lower ?? 0);
  return { makespans, best: known?.upper ?? boundMs, proved, planMs };
}

/** The same problem with estimates that are wrong by up to a factor in both directions. */
function misjudged(problem: Problem, seed: number): Problem {
  const random = chance(seed);
  return {
    ...problem,
    durationMs: problem.durationMs.map((duration) => duration * WRONG_BY ** (2 * random.next() - 1)),
  };
}

export function printMakespan({ rows, skipped }: MakespanReport): void {
  console.log('Mean ratio of the makespan to the best known (*: to a lower bound, where no best is known).');
  const columns = [...Object.keys(rows[0]?.ratios ?? {}), 'proved', 'ms a plan', 'ms at most'];
  const cells = rows.map((row) => [
    `${row.set}${row.againstBound > 0 ? ' *' : ''}`,
    String(row.count),
    ...Object.values(row.ratios).map((ratio) => (Number.isNaN(ratio) ? '–' : ratio.toFixed(3))),
    `${Math.round(100 * row.provedShare)} %`,
    row.planMs.toFixed(0),
    row.planMsMax.toFixed(0),
  ]);
  printTable(['set', 'count', ...columns], cells);
  for (const sentence of skipped) console.log(`Skipped ${sentence}`);
  if (skipped.length > 0) console.log(`${skipped.length} files were skipped.`);
  if (rows.length === 0) console.log('No instance was found; give a folder of .stg, .sm or WfCommons .json files.');
}

function printTable(header: readonly string[], cells: readonly (readonly string[])[]): void {
  const widths = header.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)));
  for (const row of [header, ...cells]) {
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    );
  }
}

const TEXT = { type: 'string' } as const;

/** The flags of this bench, for `parseArgs`. */
export const MAKESPAN_FLAGS = { data: TEXT, limit: TEXT, machines: TEXT, samples: TEXT, seed: TEXT };

export function makespanOptions(values: Partial<Record<keyof typeof MAKESPAN_FLAGS, string>>): MakespanOptions {
  return {
    data: values.data,
    limit: values.limit === undefined ? undefined : Number(values.limit),
    machines: values.machines?.split(',').map(Number) ?? makespanDefaults.machines,
    samples: values.samples === undefined ? undefined : Number(values.samples),
    seed: Number(values.seed ?? makespanDefaults.seed),
  };
}

if (import.meta.main) printMakespan(makespan(makespanOptions(parseArgs({ options: MAKESPAN_FLAGS }).values)));
