import { describe, expect, test } from 'vitest';
import { compile } from '../../src/core/compile/compile.ts';
import { stepOn } from '../../src/core/engine/step/step.given.ts';
import { apply } from '../../src/core/engine/apply/apply.ts';
import { fold, planIn } from '../../src/core/engine/apply/fold.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { readEvent, writeEvent } from '../../src/core/engine/events/event-format.ts';
import { finalOf } from '../../src/core/engine/ledger.ts';
import { snapshot, startState, type State } from '../../src/core/engine/state.ts';
import { markingOf } from '../../src/core/net/play.ts';
import { verify } from '../../src/core/verify/verify.ts';
import { amendCommand } from './amended-plan.given.ts';
import {
  claimOf,
  expectAccounts,
  expectAllOver,
  expectConserved,
  GROWING,
  GROWING_TIMELESS,
  habits,
  holds,
  PARALLEL,
  plan,
  SERIAL,
  shuffled,
} from './engine-laws.given.ts';
import { randomPlanText } from './engine-plans.given.ts';
import { EVALUATOR, play } from './engine-world.given.ts';

const growths = (log: readonly RunEvent[]): number =>
  log.filter((event) => event.type === 'plan.grown' && event.fragment.tasks.length > 0).length;

const refusals = (log: readonly RunEvent[]): number =>
  log.filter((event) => event.type === 'task.ended' && event.reason === 'refused').length;

const endings = ({ compiled, tasks }: State): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(compiled.tasks.map(({ task, index }) => [task.path, tasks[index]?.ended?.ending]));

describe('every run of a plan that grows', () => {
  test('ends with every task in a final state, and overruns no pool, cap or budget, for 3,000 plans', () => {
    const counts = { grown: 0, refused: 0, tasks: 0, nested: 0 };
    holds(3000, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, GROWING);
      const { state: over, log } = play(compiled, habits(worldSeed, { order: shuffled(compiled, worldSeed) }));
      expectAllOver(over);
      counts.grown += growths(log);
      counts.refused += refusals(log);
      counts.tasks += over.compiled.tasks.length - compiled.tasks.length;
      counts.nested += log.filter((event) => event.type === 'plan.grown' && event.draft.includes('.g')).length;
      // Each event of every third run that grew; looking at all of them takes minutes.
      if (growths(log) === 0 || worldSeed % 3 > 0) return;
      const state = startState(compiled, PARALLEL);
      let spent = 0;
      let beyond = 0;
      for (const event of log) {
        if (event.type === 'claim.raised')
          beyond += Math.max(0, (event.reserve.usd ?? 0) - (claimOf(state, event)?.reserve.usd ?? 0));
        if ('spend' in event) spent += finalOf(claimOf(state, event)?.reserve ?? event.spend, event.spend).usd ?? 0;
        apply(state, event);
        expectAccounts(state, { spent, beyond });
        expectConserved(state);
      }
    });
    console.log('growth in 3,000 random plans:', counts);
    expect(counts.grown).toBeGreaterThan(1500);
    expect(counts.refused).toBeGreaterThan(200);
    expect(counts.tasks).toBeGreaterThan(4000);
    expect(counts.nested).toBeGreaterThan(20);
  });

  test('is the run of the grown plan: its log without the growth leads there to the same marking', () => {
    let grown = 0;
    holds(400, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, GROWING);
      const { state, log } = play(compiled, habits(worldSeed));
      if (growths(log) === 0 || log.some(({ type }) => type === 'task.reset' || type === 'task.rolledBack')) return;
      const whole = compile(planIn(log));
      const afresh = startState(whole, PARALLEL);
      for (const event of log) if (event.type !== 'plan.grown') apply(afresh, event);
      expect(markingOf(afresh.play)).toEqual(markingOf(state.play));
      expect(endings(afresh)).toEqual(endings(state));
      expect(verify(whole.net)).toMatchObject({ verdict: { type: 'sound' } });
      grown += 1;
    });
    expect(grown).toBeGreaterThan(80);
  });

  test('ends as a run of the grown plan does from its beginning, one step at a time or all at once', () => {
    let grown = 0;
    holds(400, (planSeed) => {
      const compiled = plan(planSeed, GROWING_TIMELESS);
      const how = { isByName: true, meddleShare: 0 };
      const parallel = play(compiled, habits(planSeed, how));
      const serial = play(compiled, habits(planSeed, { ...how, order: SERIAL }));
      expect(endings(serial.state)).toEqual(endings(parallel.state));
      if (growths(parallel.log) === 0) return;
      const whole = compile(planIn(parallel.log));
      expect(endings(play(whole, habits(planSeed, how)).state)).toEqual(endings(parallel.state));
      grown += 1;
    });
    expect(grown).toBeGreaterThan(80);
  });

  test('decides the same after a crash at any event, from the text of its log', () => {
    let cuts = 0;
    holds(60, (planSeed, worldSeed) => {
      const { log } = play(plan(planSeed, GROWING), habits(worldSeed));
      const texts = log.map(writeEvent);
      const at = log.findIndex(({ type }) => type === 'plan.grown');
      for (const end of at < 0 ? [] : [at - 1, at, at + 1, at + 2]) {
        const events = texts.slice(0, end).map(parsed);
        const [one, other] = [fold(events), fold(log.slice(0, end))];
        expect(snapshot(one)).toEqual(snapshot(other));
        const now = one.run.now;
        const next = stepOn(one, [], { evaluator: EVALUATOR, now });
        expect(next).toEqual(stepOn(other, [], { evaluator: EVALUATOR, now }));
        if (end === at) expect(next[0]?.type).toBe('plan.grown');
        cuts += 1;
      }
    });
    expect(cuts).toBeGreaterThan(60);
  });

  test('ends, and keeps what it has grown, when its plan is amended on the way', () => {
    const counts = { grown: 0, both: 0 };
    holds(500, (planSeed, worldSeed) => {
      const first = randomPlanText(planSeed, GROWING);
      const { state, log } = play(
        plan(planSeed, GROWING),
        habits(worldSeed, {
          meddleShare: 0.15,
          asks: (now, random) =>
            random.happens(0.4) ? amendCommand(now, random, { resizes: true, before: first }) : undefined,
        }),
      );
      expectAllOver(state);
      if (growths(log) > 0) counts.grown += 1;
      if (growths(log) > 0 && log.some(({ type }) => type === 'plan.amended')) counts.both += 1;
      expect(snapshot(fold(log))).toEqual(snapshot(state));
    });
    expect(counts.both).toBeGreaterThan(30);
  });
});

function parsed(text: string): RunEvent {
  const read = readEvent(text);
  if (read.type === 'failed') throw new Error(read.message);
  return read.event;
}
