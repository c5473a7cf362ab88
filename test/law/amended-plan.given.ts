// Changed plans, from a plan and a chance: tasks that are left out, defined otherwise, put in, or given other needs, and
// pools, caps and budgets of another size.
import { dump, load } from 'js-yaml';
import { compile } from '../../src/core/compile/compile.ts';
import { amendmentOf } from '../../src/core/engine/amendment.ts';
import { expectedOf } from '../../src/core/engine/decide/decide-amend.ts';
import { regrow } from '../../src/core/engine/decide/regrow.ts';
import type { AmendCommand } from '../../src/core/engine/command.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { prioritiesIn } from '../../src/core/engine/order.ts';
import type { State } from '../../src/core/engine/state.ts';
import { parsePlan } from '../../src/core/plan/build/parse.ts';
import type { Plan } from '../../src/core/plan/plan.ts';
import { printPlan } from '../../src/core/plan/print/print.ts';
import type { Chance } from '../../src/core/schedule/chance.ts';

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface Changing {
  /** Whether pools, caps and budgets change too. */
  readonly resizes: boolean;
  /** The current plan, as text. */
  readonly before: string;
}

/** The plan that a run with this log follows, as text. */
export const planAfter = (log: readonly RunEvent[], first: string): string => {
  const latest = log.findLast(({ type }) => type === 'plan.amended');
  return latest?.type === 'plan.amended' ? printPlan(latest.plan) : first;
};

/** A randomly changed plan; undefined when the change gives no valid plan. */
function changedPlan(before: string, random: Chance, { resizes }: Changing): Plan | undefined {
  const written = load(before);
  if (!isFields(written)) return undefined;
  for (let changes = 1 + random.below(3); changes > 0; changes -= 1) changeTasks(written, random);
  if (resizes) resize(written, random);
  return parsePlan(dump(written), { file: 'changed.yaml' }).plan;
}

/** The command of a person who has seen the effect of the amendment on the current run. */
export function amendCommand(state: State, random: Chance, changing: Changing): AmendCommand | undefined {
  const plan = changedPlan(changing.before, random, changing);
  return plan === undefined ? undefined : amendTo(state, regrow(state, plan));
}

export function amendTo(state: State, plan: Plan): AmendCommand {
  const changed = compile(plan);
  const priorities = prioritiesIn(changed, {
    policy: 'parallel',
    priorities: changed.tasks.map(({ steps, index: task }) =>
      steps.map(({ index: step }) => (task * 7 + step * 3) % 9),
    ),
    holds: [],
  });
  return { type: 'amend', plan, priorities, expects: expectedOf(state, amendmentOf(state, changed)) };
}

function changeTasks(written: Fields, random: Chance): void {
  const tasks = somewhere(written, random);
  const names = Object.keys(tasks);
  const name = names[random.below(names.length)] ?? '';
  const task = tasks[name];
  switch (random.below(5)) {
    case 0:
      return leaveOut(tasks, name);
    case 1: {
      const fresh = `n${random.below(1000)}`;
      const needs = names.filter(() => random.happens(0.3));
      tasks[fresh] = { run: 'x', ...(needs.length === 0 ? {} : { needs }) };
      if (isFields(task) && random.happens(0.3) && !('needs' in task)) task['needs'] = [fresh];
      return;
    }
    case 2:
      if (isFields(task)) delete task['needs'];
      return;
    default:
      if (isFields(task)) redefine(task, random);
  }
}

/** The tasks of the plan, or of a subplan in it. */
function somewhere(written: Fields, random: Chance): Fields {
  let tasks = isFields(written['tasks']) ? written['tasks'] : {};
  for (;;) {
    const inner = Object.values(tasks).flatMap((task) =>
      isFields(task) && isFields(task['tasks']) ? [task['tasks']] : [],
    );
    const chosen = inner[random.below(inner.length)];
    if (chosen === undefined || random.happens(0.5)) return tasks;
    tasks = chosen;
  }
}

/** Removes needs of tasks that were removed. */
function leaveOut(tasks: Fields, name: string): void {
  if (Object.keys(tasks).length < 2) return;
  delete tasks[name];
  for (const task of Object.values(tasks)) {
    if (!isFields(task)) continue;
    const { needs } = task;
    if (needs === name || JSON.stringify(needs)?.includes(`"${name}"`)) delete task['needs'];
  }
}

function redefine(task: Fields, random: Chance): void {
  const mark = `x${random.below(1000)}`;
  for (const part of ['prompt', 'run', 'gate', 'check'] as const) {
    if (typeof task[part] !== 'string') continue;
    task[part] = mark;
    return;
  }
  if (Array.isArray(task['steps'])) task['steps'] = [...task['steps'], { id: 'more', run: mark }];
  else if ('when' in task) delete task['when'];
  else task['when'] = 'inputs.yes';
}

function resize(written: Fields, random: Chance): void {
  if (random.happens(0.5)) written['max_parallel'] = 1 + random.below(5);
  if (random.happens(0.5)) written['pools'] = { ci: 1 + random.below(3), gpu: 3 + random.below(2) };
  if (random.happens(0.3)) written['budget'] = { usd: (1 + random.below(8)) / 2 };
  if (random.happens(0.3)) written['timeout'] = '7m';
}

/**
 * The plan with every task that failed by itself defined otherwise, so that it may be tried again; undefined when
 * nothing has failed so.
 */
export function mendedPlan(state: State, before: string): Plan | undefined {
  const written = load(before);
  if (!isFields(written)) return undefined;
  let mended = 0;
  for (const { task, index } of state.compiled.tasks) {
    const ended = state.tasks[index]?.ended;
    const isFailed = ended?.ending === 'failed' && (task.type === 'work' || task.type === 'gate');
    const found = isFailed ? writtenAt(written, task.path.split('.')) : undefined;
    if (found !== undefined && mend(found)) mended += 1;
  }
  return mended === 0 ? undefined : parsePlan(dump(written), { file: 'mended.yaml' }).plan;
}

/** A copy of a `for_each` is written once, as its inner task. */
function writtenAt(written: Fields, path: readonly string[]): Fields | undefined {
  let at = written;
  for (const name of path) {
    const { tasks, for_each: each } = at;
    const next = isFields(each) ? each['task'] : isFields(tasks) ? tasks[name] : undefined;
    if (!isFields(next)) return undefined;
    at = next;
  }
  return at;
}

/** False when it is repaired already, as the inner task of another copy. */
function mend(task: Fields): boolean {
  const { steps } = task;
  const first: unknown = Array.isArray(steps) ? steps[0] : task;
  if (!isFields(first)) return false;
  for (const part of ['prompt', 'run', 'gate'] as const) {
    const text = first[part];
    if (typeof text !== 'string' || text.endsWith(MENDED)) continue;
    first[part] = `${text}${MENDED}`;
    return true;
  }
  return false;
}

const MENDED = ' again';
