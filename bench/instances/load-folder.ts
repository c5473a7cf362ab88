// All instances of a folder and the folders in it, of any format that we read. A file that cannot be read costs one
// sentence, not the run.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { buildProblem } from '../../src/core/schedule/problem.ts';
import type { Instance, Read } from './instance.ts';
import { noOptima, readOptima, type Optima } from './read-optima.ts';
import { readPsplib } from './read-psplib.ts';
import { readStg } from './read-stg.ts';
import { readWfcommons } from './read-wfcommons.ts';

export interface LoadOptions {
  readonly machines: readonly number[];
  /** Files of each set, spread evenly over the set; undefined for all. */
  readonly limit: number | undefined;
}

export interface Loaded {
  readonly instances: readonly Instance[];
  /** A message for each file that was ignored. */
  readonly skipped: readonly string[];
}

export function loadFolder(folder: string, { machines, limit }: LoadOptions): Loaded {
  const skipped: string[] = [];
  const bySet = new Map<string, (readonly Instance[])[]>();
  for (const file of filesOf(folder)) {
    const instances = instancesOf(file, {
      machines,
      say: (reason) => skipped.push(`${relative(folder, file)}: ${reason}`),
    });
    const [first] = instances;
    if (first === undefined) continue;
    const files = bySet.get(first.set) ?? [];
    files.push(instances);
    bySet.set(first.set, files);
  }
  const kept = [...bySet.values()].flatMap((files) => spread(files, limit).flat());
  return { instances: kept, skipped };
}

const READ_EXTENSIONS = new Set(['.stg', '.sm', '.json']);

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && READ_EXTENSIONS.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

interface Reading {
  readonly machines: readonly number[];
  readonly say: (reason: string) => void;
}

/** One instance per number of machines, or one for a format that brings its own pools. */
function instancesOf(file: string, { machines, say }: Reading): readonly Instance[] {
  const text = readFileSync(file, 'utf8');
  const optima = optimaBeside(file);
  const widths = extname(file) === '.sm' ? [0] : machines;
  const instances: Instance[] = [];
  for (const width of widths) {
    const read = readAs(file, text, width);
    const built =
      read.type === 'given' ? buildProblem(read.given) : { type: 'impossible' as const, reasons: [read.reason] };
    if (built.type === 'impossible') {
      say(built.reasons[0] ?? 'The file holds no problem.');
      return [];
    }
    const name = width === 0 ? basename(file) : `${basename(file)} on ${width}`;
    instances.push({
      set: setOf(file, built.problem.count),
      name,
      problem: built.problem,
      known: optima.of(basename(file), width),
    });
  }
  return instances;
}

function readAs(file: string, text: string, machines: number): Read {
  if (extname(file) === '.stg') return readStg(text, machines);
  if (extname(file) === '.sm') return readPsplib(text);
  return readWfcommons(text, machines);
}

/** Both sets count two dummies that their names do not. */
function setOf(file: string, count: number): string {
  if (extname(file) === '.stg') return `stg ${count - 2}`;
  if (extname(file) === '.sm') return `psplib j${count - 2}`;
  return 'wfcommons';
}

function optimaBeside(file: string): Optima {
  const beside = join(dirname(file), 'optima.csv');
  return existsSync(beside) ? readOptima(readFileSync(beside, 'utf8')) : noOptima;
}

function spread<T>(items: readonly T[], limit: number | undefined): readonly T[] {
  if (limit === undefined || items.length <= limit) return items;
  return Array.from({ length: limit }, (_, index) => items[Math.floor((index * items.length) / limit)]).filter(
    (item) => item !== undefined,
  );
}
