// From text to a proved plan: how long, how much memory, and whether both grow with the plan and no faster.
// The reference in the same run is the unavoidable cost: reading the same text as plain YAML.
import { load } from 'js-yaml';
import { compile } from '../src/core/compile/compile.ts';
import { parsePlan } from '../src/core/plan/build/parse.ts';
import { verify } from '../src/core/verify/verify.ts';
import { chance } from '../src/core/schedule/chance.ts';

export interface PlanFigure {
  readonly tasks: number;
  readonly bytes: number;
  readonly parseMs: number;
  readonly compileMs: number;
  readonly verifyMs: number;
  readonly totalMs: number;
  readonly yamlMs: number;
  readonly residentMb: number;
  readonly verdict: string;
}

export const PLAN_SIZES = [1_000, 10_000, 100_000] as const;

/** A plan whose tasks each need up to three of the fifty before them. */
export function planText(tasks: number, seed = 1): string {
  const random = chance(seed);
  const lines = [
    'heddle: 1',
    'name: large',
    'max_parallel: 16',
    'agents: { coder: { use: scripted, pool: coders } }',
    'pools: { coders: 16 }',
    'merge: { check: npm test }',
    'tasks:',
  ];
  for (let task = 0; task < tasks; task += 1) {
    const needs = new Set<string>();
    const wanted = task === 0 ? 0 : random.below(4);
    for (let need = 0; need < wanted; need += 1) needs.add(`task-${Math.max(0, task - 1 - random.below(50))}`);
    lines.push(`  task-${task}:`, `    prompt: Do part ${task} of the work.`);
    if (needs.size > 0) lines.push(`    needs: [${[...needs].join(', ')}]`);
  }
  return `${lines.join('\n')}\n`;
}

export function measurePlan(tasks: number): PlanFigure {
  const text = planText(tasks);
  const yaml = timed(() => load(text));
  const parsed = timed(() => parsePlan(text, { file: 'plan.yaml' }));
  const { plan, diagnostics } = parsed.value;
  if (plan === undefined) throw new Error(`The generated plan is wrong: ${diagnostics[0]?.message ?? ''}`);
  const compiled = timed(() => compile(plan));
  const verified = timed(() => verify(compiled.value.net));
  const totalMs = parsed.ms + compiled.ms + verified.ms;
  return {
    tasks,
    bytes: text.length,
    parseMs: parsed.ms,
    compileMs: compiled.ms,
    verifyMs: verified.ms,
    totalMs,
    yamlMs: yaml.ms,
    residentMb: process.resourceUsage().maxRSS / 1024,
    verdict: verified.value.type === 'workflow' ? verified.value.verdict.type : 'not a workflow net',
  };
}

function timed<Value>(work: () => Value): { readonly value: Value; readonly ms: number } {
  const start = performance.now();
  const value = work();
  return { value, ms: performance.now() - start };
}

export function printPlanFigures(figures: readonly PlanFigure[]): void {
  console.log('\nFrom text to a proved plan (ms; peak resident memory of the process so far)');
  console.log('  tasks    parse  compile  verify   total   plain YAML   ratio   ms/1000 tasks   MB   verdict');
  for (const { tasks, parseMs, compileMs, verifyMs, totalMs, yamlMs, residentMb, verdict } of figures) {
    const cells = [
      String(tasks).padStart(7),
      parseMs.toFixed(0).padStart(8),
      compileMs.toFixed(0).padStart(8),
      verifyMs.toFixed(0).padStart(7),
      totalMs.toFixed(0).padStart(7),
      yamlMs.toFixed(0).padStart(12),
      (totalMs / yamlMs).toFixed(1).padStart(7),
      ((totalMs / tasks) * 1000).toFixed(1).padStart(15),
      residentMb.toFixed(0).padStart(6),
      verdict.padStart(9),
    ];
    console.log(cells.join(''));
  }
}

if (import.meta.main) {
  // The first size is run once more beforehand, so that every row is measured on code that is warm.
  measurePlan(PLAN_SIZES[0]);
  printPlanFigures(PLAN_SIZES.map(measurePlan));
}
