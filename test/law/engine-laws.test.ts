import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compile } from '../../src/core/compile/compile.ts';
import type { Compiled } from '../../src/core/compile/compiled.ts';
import { apply } from '../../src/core/engine/apply/apply.ts';
import { stepOn } from '../../src/core/engine/step/step.given.ts';
import { readEvent, writeEvent } from '../../src/core/engine/events/event-format.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { fold } from '../../src/core/engine/apply/fold.ts';
import { finalOf } from '../../src/core/engine/ledger.ts';
import type { Order } from '../../src/core/engine/order.ts';
import type { Outcome } from '../../src/core/engine/outcome.ts';
import { STARVATION_LIMIT } from '../../src/core/engine/starvation-guard.ts';
import { snapshot, startState, type State } from '../../src/core/engine/state.ts';
import { markingOf } from '../../src/core/net/play.ts';
import { arbitraryPlanText } from '../../src/core/plan/plan.given.ts';
import { parsePlan } from '../../src/core/plan/build/parse.ts';
import { printNet } from '../../src/core/compile/print-net.given.ts';
import { NO_HISTORY } from '../../src/core/simulate/estimate.ts';
import { simulate } from '../../src/core/simulate/simulate-run.ts';
import { verify } from '../../src/core/verify/verify.ts';
import { chance } from '../../src/core/schedule/chance.ts';
import {
  ANY,
  claimOf,
  expectAccounts,
  expectAllOver,
  expectConserved,
  fail,
  habits,
  holds,
  PARALLEL,
  plan,
  refolded,
  seeds,
  SERIAL,
  shuffled,
  TIMELESS,
} from './engine-laws.given.ts';
import { EVALUATOR, play, playOn, type Heard } from './engine-world.given.ts';

const endings = ({ compiled, tasks }: State): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(compiled.tasks.map(({ task, index }) => [task.path, tasks[index]?.ended?.ending]));

describe('every run', () => {
  test('ends with every task ended, no tokens held and the sink marked, whatever happens', () => {
    holds(1200, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const { state, log } = play(compiled, habits(worldSeed, { order: shuffled(compiled, worldSeed) }));
      expectAllOver(state);
      const steps = compiled.tasks.reduce((sum, task) => sum + task.steps.length, 0);
      expect(log.length).toBeLessThan(400 * (steps + compiled.tasks.length));
    });
  });

  test('conserves pools, caps and merge slots at every event, and really uses them', () => {
    let exhausted = 0;
    let overlapped = 0;
    holds(300, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const { log, atWorkMax } = play(compiled, habits(worldSeed));
      const state = startState(compiled, PARALLEL);
      for (const event of log) {
        apply(state, event);
        if (expectConserved(state).isExhausted) exhausted += 1;
      }
      if (atWorkMax > 1) overlapped += 1;
    });
    expect(exhausted).toBeGreaterThan(200);
    expect(overlapped).toBeGreaterThan(80);
  });

  test('stops all work that must end', () => {
    let ended = 0;
    holds(900, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const afterTurn = (state: State): State => {
        ended += expectEndedAtOnce(state);
        return state;
      };
      // A task that is reset while the failure that ended it stands may continue.
      const commands = ['pause', 'resume', 'stop', 'cancel'] as const;
      play(compiled, habits(worldSeed, { afterTurn, commands }));
    });
    expect(ended).toBeGreaterThan(200);
  });

  test('loses no money and spends no more than its ceilings', () => {
    let refused = 0;
    holds(300, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const { log } = play(compiled, habits(worldSeed));
      const state = startState(compiled, PARALLEL);
      let spent = 0;
      let beyond = 0;
      for (const event of log) {
        if (event.type === 'claim.raised')
          beyond += Math.max(0, (event.reserve.usd ?? 0) - (claimOf(state, event)?.reserve.usd ?? 0));
        if ('spend' in event) spent += finalOf(claimOf(state, event)?.reserve ?? event.spend, event.spend).usd ?? 0;
        apply(state, event);
        expectAccounts(state, { spent, beyond });
        if (event.type === 'step.skipped' && event.reason === 'cost') refused += 1;
      }
    });
    expect(refused).toBeGreaterThan(10);
  });
});

/** After a step, all work that a failure, a race or a person ends has ended or is cancelling; returns how much is. */
function expectEndedAtOnce({ compiled, tasks, claims }: State): number {
  for (const { task, cancelling } of claims.values()) {
    const facts = tasks[task];
    if (facts?.cancelling !== undefined || facts?.failing !== undefined) expect(cancelling).toBeDefined();
  }
  const isSafe = (index: number): boolean =>
    tasks[index]?.ended === undefined && tasks[index]?.cancelling === undefined;
  const isAllowed = (index: number): boolean => !isSafe(index) || compiled.tasks[index]?.task.type === 'subplan';
  // The failure of a racer is part of its race, until the race is lost.
  const isRaced = (index: number): boolean =>
    compiled.tasks[index]?.dependents.some((dependent) => {
      const racing = compiled.tasks[dependent];
      const unmet = tasks[dependent]?.unmet ?? 0;
      return racing?.task.needs.type === 'race' && unmet <= racing.needs.length - racing.needed;
    }) ?? false;
  for (const { task, index, parent, needs } of compiled.tasks) {
    const mode = (parent === undefined ? compiled.plan : compiled.tasks[parent]?.task)?.settings.failureMode;
    const siblings = compiled.tasks.filter((each) => each.parent === parent).map((each) => each.index);
    const isFailed = tasks[index]?.ended?.ending === 'failed' && !isRaced(index);
    if (mode === 'fail_fast' && isFailed) expect(siblings.every(isAllowed)).toBe(true);
    if (task.needs.type === 'race' && tasks[index]?.openedAt !== undefined) expect(needs.every(isAllowed)).toBe(true);
  }
  return [...claims.values()].filter(({ cancelling }) => cancelling !== undefined).length;
}

describe('the net of every plan', () => {
  test('is proved sound', () => {
    holds(600, (planSeed) => {
      expect(verify(plan(planSeed, ANY).net)).toMatchObject({ verdict: { type: 'sound' } });
    });
  });

  test('is the same, byte for byte, when compiled again', () => {
    holds(100, (planSeed) => {
      expect(printNet(plan(planSeed, ANY).net)).toBe(printNet(plan(planSeed, ANY).net));
    });
  });
});

describe('plans of every shape that the language has', () => {
  test('are compiled to sound nets and simulated to their end', () => {
    let whole = 0;
    fc.assert(
      fc.property(arbitraryPlanText(), seeds, (text, seed) => {
        const parsed = parsePlan(text, { file: 'any.yaml' });
        if (parsed.plan === undefined) return;
        whole += 1;
        const compiled = compile(parsed.plan);
        expect(verify(compiled.net)).toMatchObject({ verdict: { type: 'sound' } });
        const failureShare = [0, 0.2][seed % 2] ?? 0;
        const scenario = { seed, history: NO_HISTORY, spread: 0.3, failureShare, endsWell: false };
        expectAllOver(simulate(compiled, shuffled(compiled, seed), scenario).state);
      }),
      { numRuns: 300, seed: 20_26, endOnFailure: true },
    );
    expect(whole).toBeGreaterThan(200);
  });
});

/** An event after writing and reading it. */
function written(event: RunEvent): RunEvent {
  const read = readEvent(writeEvent(event));
  return read.type === 'event' ? read.event : fail();
}

describe('the log', () => {
  test('folds to the state of the run after every step', () => {
    holds(300, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const order = shuffled(compiled, worldSeed);
      let folded: State | undefined;
      let at = 1;
      const afterTurn = (state: State, { log }: Heard): State => {
        folded ??= fold([written(log[0] ?? fail())]);
        for (; at < log.length; at += 1) apply(folded, written(log[at] ?? fail()));
        expect(snapshot(folded)).toEqual(snapshot(state));
        return state;
      };
      play(compiled, habits(worldSeed, { order, afterTurn }));
    });
  });

  test('continues after a crash between steps exactly as without one', () => {
    holds(500, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const order = shuffled(compiled, worldSeed);
      const calm = play(compiled, habits(worldSeed, { order }));
      const random = chance(worldSeed + 1);
      const afterTurn = (state: State, { log }: Heard): State =>
        random.happens(0.3) ? refolded(compiled, log) : state;
      const crashed = play(compiled, habits(worldSeed, { order, afterTurn }));
      expect(crashed.log).toEqual(calm.log);
    });
  });

  test('continues after a crash as without one where steps starve and tokens are kept free', () => {
    let kept = 0;
    holds(40, (_, worldSeed) => {
      const compiled = contended();
      const order = shuffled(compiled, worldSeed);
      const random = chance(worldSeed);
      const calm = play(compiled, habits(worldSeed, { order, meddleShare: 0 }));
      const afterTurn = (state: State, { log }: Heard): State => {
        if ([...(state.guard?.passes.values() ?? [])].some((passes) => passes >= STARVATION_LIMIT)) kept += 1;
        return random.happens(0.2) ? refolded(compiled, log) : state;
      };
      const crashed = play(compiled, habits(worldSeed, { order, meddleShare: 0, afterTurn }));
      expect(crashed.log).toEqual(calm.log);
    });
    expect(kept).toBeGreaterThan(10);
  });

  test('cut at any event can be continued to a proper end', () => {
    holds(500, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const order = shuffled(compiled, worldSeed);
      const { log } = play(compiled, habits(worldSeed, { order }));
      const prefix = log.slice(0, 1 + chance(worldSeed).below(log.length));
      const state = fold(prefix, compiled);
      expectAllOver(playOn(state, [...prefix], habits(worldSeed + 2, { order })).state);
    });
  });
});

/** Wide steps among so many narrow ones that they would never find all their tokens free at once. */
function contended(): Compiled {
  const tasks = Array.from(
    { length: 140 },
    (_, at) => `  t${at}: { run: x, pools: { gpu: ${at % 20 === 0 ? 3 : 1} } }`,
  );
  const text = `heddle: 1\nsandbox: { tree: none }\nmax_parallel: 6\npools: { gpu: 3 }\ntasks:\n${tasks.join('\n')}`;
  const parsed = parsePlan(text, { file: 'contended.yaml' });
  return compile(parsed.plan ?? fail());
}

describe('an outcome', () => {
  test('that is reported twice, or late, changes nothing', () => {
    holds(300, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const random = chance(worldSeed);
      const old: Outcome[] = [];
      const afterTurn = (state: State, { outcome, now }: Heard): State => {
        if ('task' in outcome) {
          // A person may roll a task back every time it gets to that step.
          if (outcome.type !== 'rollback') old.push(outcome);
          const before = JSON.stringify(snapshot(state));
          for (const stale of [outcome, old[random.below(old.length)] ?? outcome])
            expect(stepOn(state, [stale], { evaluator: EVALUATOR, now })).toEqual([]);
          expect(JSON.stringify(snapshot(state))).toBe(before);
        }
        return state;
      };
      play(compiled, habits(worldSeed, { afterTurn }));
    });
  });

  test('of independent steps may arrive in any order: the end is the same', () => {
    holds(600, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, TIMELESS);
      const run = (seed: number, order: Order): State =>
        play(compiled, habits(seed, { order, isByName: true, meddleShare: 0, failureShare: 0.15 })).state;
      const one = run(worldSeed, PARALLEL);
      const other = run(worldSeed + 1, shuffled(compiled, worldSeed));
      expect(endings(other)).toEqual(endings(one));
      expect(markingOf(other.play)).toEqual(markingOf(one.play));
    });
  });
});

test('serial and parallel policies end in the same marking and endings', () => {
  let serialMax = 0;
  holds(600, (planSeed, worldSeed) => {
    const compiled = plan(planSeed, TIMELESS);
    const more = { isByName: true, meddleShare: 0, failureShare: [0, 0.15][planSeed % 2] ?? 0 };
    const serial = play(compiled, habits(worldSeed, { ...more, order: SERIAL }));
    const parallel = play(compiled, habits(worldSeed, { ...more, order: PARALLEL }));
    serialMax = Math.max(serialMax, serial.atWorkMax);
    expect(endings(serial.state)).toEqual(endings(parallel.state));
    expect(markingOf(serial.state.play)).toEqual(markingOf(parallel.state.play));
  });
  expect(serialMax).toBe(1);
});
