// What a run loses between its steps: sleeping steps whose optimum is known, carried out by Heddle, by make -j and, where
// nothing needs anything, by xargs -P; each from the start of its process to its end, as a ratio to the optimum.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProblem, type Problem } from '../../src/core/schedule/problem.ts';
import { chance } from '../../src/core/schedule/chance.ts';
import { schedulesDefault, searchSchedule } from '../../src/core/schedule/search-schedule.ts';
import { makeProject, planHead, runProgram, startHeddle } from './heddle.ts';

export interface HandOverFigure {
  readonly steps: string;
  readonly optimumMs: number;
  readonly heddleMs: number;
  /** Between the first claim and the end of the run. */
  readonly heddleRunMs: number;
  readonly makeMs: number;
  /** Undefined where steps need each other. */
  readonly xargsMs: number | undefined;
}

const STEPS = 50;
const CAP = 4;
/** The work of all steps, so that the optimum is about nine seconds. */
const WORK_MS = 36_000;

interface Sleeps {
  readonly ms: readonly number[];
  readonly needs: readonly (readonly number[])[];
}

export async function benchHandOver(): Promise<readonly HandOverFigure[]> {
  return [await measure('with needs', sleepsOf(2)), await measure('without needs', sleepsOf(0))];
}

function sleepsOf(needsMax: number): Sleeps {
  const random = chance(4);
  const drawn = Array.from({ length: STEPS }, () => 0.2 + random.next());
  const unit = WORK_MS / drawn.reduce((sum, each) => sum + each, 0);
  const needs = drawn.map((_, step) => {
    const wanted = Math.min(step, random.below(needsMax + 1));
    return [...new Set(Array.from({ length: wanted }, () => step - 1 - random.below(Math.min(step, 8))))];
  });
  return { ms: drawn.map((each) => Math.round(each * unit)), needs };
}

async function measure(steps: string, sleeps: Sleeps): Promise<HandOverFigure> {
  const problem = problemOf(sleeps);
  const options = { schedulesMax: schedulesDefault(problem), seed: 1, mayHold: true };
  const { makespanMs: optimumMs } = searchSchedule(problem, options).schedule;
  const folder = makeProject(planText(sleeps));
  const { lines, wallMs: heddleMs } = await startHeddle({ words: ['run', '--no-git', '--json'], cwd: folder }).ended;
  const claimedAt = lines.find(({ type }) => type === 'claim.made')?.at ?? 0;
  const endedAt = lines.find(({ type }) => type === 'run.ended')?.at ?? 0;
  writeFileSync(join(folder, 'Makefile'), makefileOf(sleeps));
  const { wallMs: makeMs } = await runProgram('make', ['-s', `-j${CAP}`], folder);
  const hasNeeds = sleeps.needs.some((needs) => needs.length > 0);
  const longestFirst = sleeps.ms.toSorted((one, other) => other - one).map((ms) => String(ms / 1000));
  const words = ['-c', `printf '%s\\n' ${longestFirst.join(' ')} | xargs -P ${CAP} -n 1 sleep`];
  const xargs = hasNeeds ? undefined : await runProgram('/bin/sh', words, folder);
  return { steps, optimumMs, heddleMs, heddleRunMs: endedAt - claimedAt, makeMs, xargsMs: xargs?.wallMs };
}

function problemOf({ ms, needs }: Sleeps): Problem {
  const activities = ms.map((durationMs, step) => ({
    durationMs,
    successors: needs.flatMap((of, other) => (of.includes(step) ? [other] : [])),
    demands: [{ pool: 0, tokens: 1 }],
  }));
  const built = buildProblem({ activities, capacity: [CAP] });
  if (built.type === 'impossible') throw new Error(built.reasons.join(' '));
  return built.problem;
}

function planText({ ms, needs }: Sleeps): string {
  const tasks = ms.map((each, step) => {
    const needed = (needs[step] ?? []).map((need) => `t${need}`).join(', ');
    return `  t${step}: { run: 'sleep ${each / 1000}', estimate: ${each}ms, needs: [${needed}] }\n`;
  });
  return planHead(CAP) + tasks.join('');
}

function makefileOf({ ms, needs }: Sleeps): string {
  const names = ms.map((_, step) => `t${step}`);
  const rules = ms.map((each, step) => {
    const needed = (needs[step] ?? []).map((need) => `t${need}`).join(' ');
    return `t${step}: ${needed}\n\t@sleep ${each / 1000}\n`;
  });
  return `all: ${names.join(' ')}\n${rules.join('')}`;
}

export function printHandOver(figures: readonly HandOverFigure[]): void {
  console.log(`\n${STEPS} sleeping steps, ${CAP} at once: wall clock as a ratio to the optimum`);
  console.table(
    figures.map(({ steps, optimumMs, heddleMs, heddleRunMs, makeMs, xargsMs }) => ({
      steps,
      'optimum s': Number((optimumMs / 1000).toFixed(2)),
      heddle: ratio(heddleMs / optimumMs),
      'heddle, its run': ratio(heddleRunMs / optimumMs),
      [`make -j${CAP}`]: ratio(makeMs / optimumMs),
      [`xargs -P${CAP}`]: xargsMs === undefined ? '–' : ratio(xargsMs / optimumMs),
    })),
  );
}

const ratio = (value: number): number => Number(value.toFixed(3));
