// From a folder of many files to a plan that is proved right: how long, and what of it is reading the files at all.
// The reference in the same run is the unavoidable cost: opening and reading the same files.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parsePlan } from '../src/core/plan/build/parse.ts';
import { PROMPT_TEMPLATE } from '../src/core/split/part-prompt.ts';
import { BOUNDS_DEFAULT } from '../src/core/split/source-file.ts';
import { splitPlan } from '../src/core/split/split-plan.ts';
import { splitFiles } from '../src/core/split/split-files.ts';
import { givenProjectFiles } from '../src/core/split/tree.given.ts';
import { survey } from '../src/shell/survey/survey.ts';

export interface SplitFigure {
  readonly files: number;
  readonly tasks: number;
  readonly levels: number;
  readonly readMs: number;
  readonly surveyMs: number;
  readonly splitMs: number;
  readonly writeMs: number;
  readonly parseMs: number;
  readonly totalMs: number;
}

export const SPLIT_SIZES = [5_000, 50_000] as const;
/** The claim for the largest. */
const BOUND_MS = 30_000;

export function measureSplit(count: number): SplitFigure {
  const root = mkdtempSync(join(tmpdir(), 'heddle-bench-split-'));
  try {
    writeProject(root, count);
    const read = timed(() => readAll(root));
    const surveyed = timed(() => survey([root], root));
    if (surveyed.value.type === 'refused') throw new Error(surveyed.value.refusal.code);
    const { files } = surveyed.value;
    const made = timed(() => splitFiles(files, BOUNDS_DEFAULT));
    const options = {
      goal: 'Port it.',
      template: PROMPT_TEMPLATE,
      agent: 'scripted',
      check: 'make',
      descriptions: new Map(),
    };
    const written = timed(() => splitPlan(made.value, options));
    const text = written.value.type === 'written' ? written.value.text : '';
    const parsed = timed(() => parsePlan(text, { file: 'plan.yaml' }));
    if (parsed.value.diagnostics.length > 0) throw new Error(parsed.value.diagnostics[0]?.message);
    return {
      files: files.length,
      tasks: made.value.leaves.length,
      levels: made.value.levels,
      readMs: read.ms,
      surveyMs: surveyed.ms,
      splitMs: made.ms,
      writeMs: written.ms,
      parseMs: parsed.ms,
      totalMs: surveyed.ms + made.ms + written.ms + parsed.ms,
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function writeProject(root: string, count: number): void {
  const folders = new Set<string>();
  for (const { path, imports } of givenProjectFiles(count)) {
    const folder = dirname(path);
    if (!folders.has(folder)) mkdirSync(join(root, folder), { recursive: true });
    folders.add(folder);
    const lines = imports.map((to, at) => `import { name${at} } from '${fromHere(folder, to)}';`);
    writeFileSync(join(root, path), `${lines.join('\n')}\n${'export const value = compute(1, 2, 3);\n'.repeat(40)}`);
  }
}

function fromHere(folder: string, path: string): string {
  const way = relative(folder, path);
  return way.startsWith('.') ? way : `./${way}`;
}

function readAll(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += readFileSync(join(entry.parentPath, entry.name)).length;
  return bytes;
}

function timed<Value>(work: () => Value): { readonly value: Value; readonly ms: number } {
  const start = performance.now();
  const value = work();
  return { value, ms: performance.now() - start };
}

export function printSplit(figures: readonly SplitFigure[]): void {
  console.log(`\nFrom a folder to a plan (ms; bound for the largest: ${BOUND_MS})`);
  console.log('  files   tasks  levels   survey   split   write   parse   total   plain reading   ratio');
  for (const { files, tasks, levels, surveyMs, splitMs, writeMs, parseMs, totalMs, readMs } of figures) {
    const times = [surveyMs, splitMs, writeMs, parseMs, totalMs].map((ms) => ms.toFixed(0).padStart(8));
    const counts = `${String(files).padStart(7)}${String(tasks).padStart(8)}${String(levels).padStart(8)}`;
    const verdict = totalMs < BOUND_MS ? 'within the bound' : 'OVER THE BOUND';
    console.log(
      `${counts} ${times.join('')}${readMs.toFixed(0).padStart(16)}${(totalMs / readMs).toFixed(1).padStart(8)}   ${verdict}`,
    );
  }
}

if (import.meta.main) printSplit(SPLIT_SIZES.map(measureSplit));
