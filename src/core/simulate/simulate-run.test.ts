import { describe, expect, test } from 'vitest';
import type { Compiled } from '../compile/compiled.ts';
import { compiled } from '../engine/run.given.ts';
import { lineOf } from '../engine/trace.given.ts';
import { NO_HISTORY } from './estimate.ts';
import { prepare, SERIAL } from './prepare-run.ts';
import type { Scenario } from './draw-scenarios.ts';
import { simulate } from './simulate-run.ts';

const EXACT: Scenario = { seed: 1, history: NO_HISTORY, spread: 0, failureShare: 0, endsWell: false };
const minutes = (count: number): number => count * 60_000;

function simulated(plan: Compiled, scenario: Partial<Scenario> = {}, policy: 'parallel' | 'serial' = 'parallel') {
  const order = policy === 'serial' ? SERIAL : prepare(plan, { history: NO_HISTORY, seed: 1 }).order;
  return simulate(plan, order, { ...EXACT, ...scenario });
}

describe('a simulated run', () => {
  test('takes exactly as long as its estimates say', () => {
    const plan = compiled(
      'a: { run: x, estimate: 10m }\nb: { run: x, estimate: 5m }\nc: { needs: [a], run: x, estimate: 1m }',
    );
    const { makespanMs, state } = simulated(plan);
    expect(makespanMs).toBe(minutes(11));
    expect(state.run.stage).toBe('ended');
  });

  test('one at a time takes the sum of all', () => {
    const plan = compiled(
      'a: { run: x, estimate: 10m }\nb: { run: x, estimate: 5m }\nc: { needs: [a], run: x, estimate: 1m }',
    );
    expect(simulated(plan, {}, 'serial').makespanMs).toBe(minutes(16));
  });

  test('waits for pools and caps', () => {
    const plan = compiled('a: { run: x, estimate: 10m, pools: [ci] }\nb: { run: x, estimate: 5m, pools: [ci] }', {
      plan: 'pools: { ci: 1 }',
    });
    expect(simulated(plan).makespanMs).toBe(minutes(15));
  });

  test('checks and merges one by one', () => {
    const plan = compiled('a: { prompt: x, estimate: 10m, check: t }\nb: { prompt: x, estimate: 10m }', {
      tree: 'auto',
    });
    const { events, makespanMs } = simulated(plan);
    expect(events.map(lineOf)).toContain('claim.ended a check done');
    expect(makespanMs).toBe(minutes(10.5) + 2_000);
  });

  test('passes gates at once', () => {
    const plan = compiled('a: { gate: Go? }\nb: { needs: [a], run: x, estimate: 1m }');
    expect(simulated(plan).makespanMs).toBe(minutes(1));
  });

  test('with one seed is always the same, with another it is not', () => {
    const plan = compiled('a: { prompt: x }\nb: { prompt: x }\nc: { needs: [a, b], prompt: x, check: t }', {
      tree: 'auto',
    });
    const draw = (seed: number) => simulated(plan, { seed, spread: 0.5, failureShare: 0.3 });
    expect(draw(7).events).toEqual(draw(7).events);
    expect(draw(7).makespanMs).not.toBe(draw(8).makespanMs);
  });

  test('retries failed steps, and ends when attempts are used up', () => {
    const plan = compiled('a: { run: x, estimate: 1m }\nb: { needs: [a], run: x }', { plan: 'attempts: 3' });
    const { events, state } = simulated(plan, { failureShare: 1 });
    expect(events.filter(({ type }) => type === 'claim.made')).toHaveLength(3);
    expect(state.tasks.map(({ ended }) => ended?.ending)).toEqual(['failed', 'cancelled']);
  });

  test('ends its losers when a race is won', () => {
    const plan = compiled(
      'a: { run: x, estimate: 10m }\nb: { run: x, estimate: 2m }\nc: { needs: { race: [a, b] }, run: x, estimate: 1m }',
    );
    const { makespanMs, events } = simulated(plan);
    expect(makespanMs).toBe(minutes(3));
    expect(events.map(lineOf)).toContain('claim.ended a cancelled (race) by c');
  });

  test('ends checks and merges under fail_fast', () => {
    const plan = compiled(
      'a: { prompt: x, estimate: 1m, check: t }\nb: { run: x, estimate: 62s }\nc: { prompt: x, estimate: 64s }',
      {
        plan: 'attempts: 1\nfailure_mode: fail_fast',
        tree: 'auto',
      },
    );
    const endings = new Set<string>();
    for (let seed = 1; seed < 60; seed += 1) {
      const { events } = simulated(plan, { seed, failureShare: 0.4 });
      for (const event of events) endings.add('work' in event ? `${event.type} ${event.work}` : event.type);
    }
    expect(endings).toContain('claim.cancelling check');
    expect(endings).toContain('claim.cancelling merge');
    expect(endings).toContain('run.ended');
  });

  test('joins without taking time', () => {
    const plan = compiled(
      'a:\n  steps:\n    - { id: p, run: x, estimate: 2m, async: true }\n    - { id: j, action: join, needs: [p] }\nb: { run: x, estimate: 3m }\nc: { needs: [a, b], join: }',
    );
    const { makespanMs, events } = simulated(plan);
    expect(makespanMs).toBe(minutes(3));
    expect(events.map(lineOf)).toContain('step.joined a/j done');
    expect(events.map(lineOf)).toContain('task.ended c done');
  });

  test('repeats its loops by chance, within their limits', () => {
    const plan = compiled('a: { repeat: { until: steps.p.ok, max: 3 }, steps: [{ id: p, run: x, estimate: 1m }] }');
    const rounds = new Set<number>();
    for (let seed = 1; seed < 60; seed += 1) {
      const { events } = simulated(plan, { seed, failureShare: 0.4 });
      rounds.add(events.filter(({ type }) => type === 'task.repeated').length);
    }
    expect(rounds).toEqual(new Set([0, 1, 2]));
  });

  test('does not wait for a backoff that nothing depends on', () => {
    const plan = compiled('a: { run: x, estimate: 1s }\nb: { run: x, estimate: 2s }', {
      plan: 'failure_mode: fail_fast\nattempts: 2',
    });
    for (let seed = 1; seed < 40; seed += 1) {
      const { makespanMs, state, events } = simulated(plan, { seed, failureShare: 0.5 });
      expect(makespanMs).toBe(state.run.endedAt);
      expect(makespanMs).toBe(events.at(-1)?.at);
    }
  });

  test('spends about half of its reservations, and is cut short by a budget', () => {
    const plan = compiled('a: { prompt: x }\nb: { needs: [a], prompt: x }\nc: { needs: [b], prompt: x }', {
      plan: 'budget: { usd: 0.9 }',
    });
    const { state } = simulated(plan);
    expect(state.ledger.run.spent.usd).toBe(0.5);
    expect(state.tasks[2]?.ended?.reason).toBe('cost');
  });
});
