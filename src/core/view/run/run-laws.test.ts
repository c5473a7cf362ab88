import { describe, expect, test } from 'vitest';
import { isCheckedMerged } from '../../compile/task-life.ts';
import type { Compiled } from '../../compile/compiled.ts';
import { apply } from '../../engine/apply/apply.ts';
import { taskNamed } from '../../engine/facts.ts';
import type { RunEvent } from '../../engine/event.ts';
import { compiled } from '../../engine/run.given.ts';
import { startState, type State } from '../../engine/state.ts';
import { NO_HISTORY } from '../../simulate/estimate.ts';
import { prepare } from '../../simulate/prepare-run.ts';
import { simulate } from '../../simulate/simulate-run.ts';
import { explainTask } from './explain-task.ts';
import { followProgress } from './progress.ts';
import { stageOf } from './stage.ts';
import { statusOf } from './run-status.ts';

const PLANS: Readonly<Record<string, Compiled>> = {
  'caps, pools and budgets': compiled(
    's:\n  max_parallel: 1\n  budget: { usd: 5 }\n  tasks:\n    a: { prompt: x, pools: [p] }\n    b: { prompt: x }\n    c: { needs: [a], run: x, pools: { p: 2 } }\nd: { run: x, pools: [p] }\ne: { needs: [s, d], run: x }',
    { plan: 'max_parallel: 2\npools: { p: 2 }\nagents: { ai: { use: scripted, reserve: { usd: 2 } } }\nagent: ai' },
  ),
  'money alone': compiled('a: { prompt: x }\nb: { prompt: x }\nc: { prompt: x }', {
    plan: 'budget: { usd: 9 }\nagents: { ai: { use: scripted, reserve: { usd: 4 } } }\nagent: ai',
  }),
  'checks, merges and gates': compiled(
    'a: { prompt: x, check: t }\nb: { needs: [a], gate: Go? }\nc: { needs: [b], prompt: x }\nd: { prompt: x, check: t }',
    { tree: 'auto' },
  ),
  'races, loops and joins': compiled(
    'a: { run: x }\nb: { run: x }\nc: { needs: { race: [a, b] }, run: x }\nd:\n  repeat: { until: "true", max: 3 }\n  steps:\n    - { id: p, run: x, async: true }\n    - { id: q, run: x, async: true }\n    - { id: r, needs: [p, q], action: join }\n    - { id: s, run: x }\ne: { needs: [c, d], join: true }',
  ),
  'fail fast': compiled('a: { run: x }\nb: { run: x }\nc: { needs: [a, b], run: x }', {
    plan: 'failure_mode: fail_fast',
  }),
};

function eventsOf(plan: Compiled, seed: number): { readonly state: State; readonly events: readonly RunEvent[] } {
  const { order } = prepare(plan, { history: NO_HISTORY, seed });
  const scenario = { seed, history: NO_HISTORY, spread: 0.5, failureShare: 0.3, endsWell: false };
  return { state: startState(plan, order), events: simulate(plan, order, scenario).events };
}

/** Without a check a merge runs nothing. */
const holdsSlot = (plan: Compiled, { type, task }: { readonly type: string; readonly task: string }): boolean =>
  type !== 'merge' || isCheckedMerged(taskNamed(plan, task).task);

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed + 1);

describe.each(Object.entries(PLANS))('of %s', (_, plan) => {
  test.each(SEEDS)('each task leaves the stage it came to, and groups only grow (seed %i)', (seed) => {
    const follow = followProgress('given-1', plan);
    const stages = new Map<string, string>();
    let latest = 0;
    for (const event of eventsOf(plan, seed).events) {
      const { task, step, from, to, group } = follow(event);
      if (task !== undefined && step === undefined) {
        expect(from).toBe(stages.get(task) ?? 'waiting');
        stages.set(task, to ?? '');
      }
      expect(group ?? latest).toBeGreaterThanOrEqual(latest);
      latest = group ?? latest;
    }
  });

  test.each(SEEDS)('status and the progress stream name the stage of a task alike (seed %i)', (seed) => {
    const { state, events } = eventsOf(plan, seed);
    const follow = followProgress('given-1', plan);
    for (const event of events) {
      const { to } = follow(event);
      apply(state, event);
      if (!('task' in event) || ('step' in event && event.step !== undefined)) continue;
      expect(to).toBe(stageOf(state, taskNamed(plan, event.task)));
    }
  });

  test.each(SEEDS)('every task that has not ended is running or waits for something (seed %i)', (seed) => {
    const { state, events } = eventsOf(plan, seed);
    for (const [at, event] of events.entries()) {
      apply(state, event);
      // Only between turns is everything said that follows from what has come.
      if (events[at + 1]?.at === event.at) continue;
      const context = { now: event.at, given: { inputs: {}, env: {} }, expected: undefined };
      for (const task of plan.tasks) {
        const { running, waits, ended } = explainTask(state, task, context);
        const reasons = running.length + waits.filter(({ type }) => type !== 'nothing').length;
        expect(reasons > 0, `${task.task.path} after event ${at}`).toBe(ended === undefined);
      }
      const { counts, total, running, cap } = statusOf(state, context);
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(total);
      expect(running.filter((claim) => holdsSlot(plan, claim))).toHaveLength(cap.held);
    }
  });
});
