// A scheduling problem written as a plan and carried out by the engine itself in virtual time, with
// durations that are known for certain, as the published problems have them: what a user would get.
import { compile } from '../src/core/compile/compile.ts';
import { parsePlan } from '../src/core/plan/build/parse.ts';
import type { Problem } from '../src/core/schedule/problem.ts';
import { NO_HISTORY } from '../src/core/simulate/estimate.ts';
import { prepare } from '../src/core/simulate/prepare-run.ts';
import { CERTAIN } from '../src/core/simulate/variability.ts';
import { simulate } from '../src/core/simulate/simulate-run.ts';

/** The units of the problems are taken for seconds, since a run of milliseconds is not worth a search. */
const SECOND = 1000;

export function engineMakespan(problem: Problem, seed: number): number {
  const { plan, diagnostics } = parsePlan(planOf(problem), { file: 'problem.yaml' });
  if (plan === undefined) throw new Error(`The problem makes no plan: ${diagnostics[0]?.message ?? ''}`);
  const compiled = compile(plan);
  const given = { history: { ...NO_HISTORY, variability: CERTAIN }, seed };
  const { order } = prepare(compiled, given);
  return simulate(compiled, order, { ...given, spread: 0, failureShare: 0, endsWell: true }).makespanMs / SECOND;
}

function planOf({ count, capacity, durationMs, predecessors, classOf, demands }: Problem): string {
  const pools = [...capacity].map((size, pool) => `p${pool}: ${size}`);
  const tasks = Array.from({ length: count }, (_, task) => {
    const needs = [...predecessors.to.subarray(predecessors.start[task], predecessors.start[task + 1])];
    const kind = classOf[task] ?? 0;
    const slots = Array.from({ length: (demands.start[kind + 1] ?? 0) - (demands.start[kind] ?? 0) }, (__, at) => {
      const slot = (demands.start[kind] ?? 0) + at;
      return `p${demands.pool[slot] ?? 0}: ${demands.tokens[slot] ?? 0}`;
    });
    const about = [`run: x, estimate: ${Math.round(durationMs[task] ?? 0)}s`];
    if (slots.length > 0) about.push(`pools: { ${slots.join(', ')} }`);
    if (needs.length > 0) about.push(`needs: [${needs.map((need) => `t${need}`).join(', ')}]`);
    return `  t${task}: { ${about.join(', ')} }`;
  });
  const head = [
    'heddle: 1',
    'name: problem',
    'max_parallel: 32',
    'sandbox: { tree: none }',
    `pools: { ${pools.join(', ')} }`,
  ];
  return `${[...head, 'tasks:', ...tasks].join('\n')}\n`;
}
