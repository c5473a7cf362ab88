// The slider of the dashboard: the state at a position is the fold of the log up to it, wherever the slider was before.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apply } from '../../src/core/engine/apply/apply.ts';
import { fold } from '../../src/core/engine/apply/fold.ts';
import { copyState } from '../../src/core/engine/copy-state.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { snapshot } from '../../src/core/engine/state.ts';
import { claimSpans } from '../../src/core/view/report/claim-spans.ts';
import { conflictSummaries } from '../../src/core/view/report/conflict-summaries.ts';
import { statusOf, type Status } from '../../src/core/view/run/run-status.ts';
import type { State } from '../../src/core/engine/state.ts';
import { moneySeries } from '../../web/model/money-series.ts';
import { openRunLog } from '../../web/model/run-log.ts';
import { spendBy } from '../../web/model/spend-by.ts';
import { conflictsAt, historiesAt } from '../../web/model/task-histories.ts';
import { waitsOf } from '../../web/model/task-waits.ts';
import { amendCommand, planAfter } from './amended-plan.given.ts';
import { ANY, GROWING, habits, plan, shuffled } from './engine-laws.given.ts';
import { randomPlanText } from './engine-plans.given.ts';
import { play } from './engine-world.given.ts';

/** A run whose plan is amended now and then. */
function logOf(seed: number): readonly RunEvent[] {
  const kind = seed % 2 === 0 ? GROWING : ANY;
  const compiled = plan(seed, kind);
  const first = randomPlanText(seed, kind);
  const { log } = play(
    compiled,
    habits(seed, {
      order: shuffled(compiled, seed),
      meddleShare: 0.2,
      asks: (state, random, events) =>
        random.happens(0.3)
          ? amendCommand(state, random, { resizes: true, before: planAfter(events, first) })
          : undefined,
    }),
  );
  return log;
}

const statusAt = (state: State, log?: readonly RunEvent[]): Status =>
  statusOf(state, { now: state.run.now, given: { inputs: state.run.inputs, env: {} }, log });

const shown = (state: State | undefined): unknown =>
  state === undefined ? undefined : [snapshot(state), statusAt(state)];

test('the state at any position is the fold of the log up to it, in whatever order positions are visited', () => {
  const amended = { count: 0 };
  fc.assert(
    fc.property(
      fc.nat(400),
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true })),
      (seed, strideMin, jumps) => {
        const events = logOf(seed + 1);
        const log = openRunLog({ strideMin });
        for (const event of events) log.append(event);
        if (events.some(({ type }) => type === 'plan.amended')) amended.count += 1;
        const afterAmendments = events.flatMap(({ type }, index) =>
          type === 'plan.amended' || type === 'plan.grown' ? [index, index + 1] : [],
        );
        const positions = [...jumps.map((share) => 1 + Math.floor(share * (events.length - 1))), ...afterAmendments];
        for (const position of positions) {
          const looked = log.stateAt(position);
          // A glance elsewhere leaves what is looked at as it is.
          const elsewhere = Math.max(1, events.length - position);
          expect(shown(log.glanceAt(elsewhere))).toEqual(shown(fold(events.slice(0, elsewhere))));
          expect(shown(looked)).toEqual(shown(fold(events.slice(0, Math.max(1, position)))));
        }
        expect(shown(log.stateAt(events.length))).toEqual(shown(fold(events)));
      },
    ),
    { numRuns: 60 },
  );
  expect(amended.count).toBeGreaterThan(5);
});

test('a status that looks only at what changed since the one before is the status of the whole state', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.nat(400), fc.integer({ min: 1, max: 9 }), (seed, stride) => {
      const events = logOf(seed + 1);
      const state = fold(events.slice(0, 1));
      for (const [index, event] of events.entries()) {
        if (index > 0) apply(state, event);
        seen.add(event.type);
        // What is made of a copy knows of no status before.
        if (index % stride === 0) expect(statusAt(state, events)).toEqual(statusAt(copyState(state)));
      }
    }),
    { numRuns: 40 },
  );
  for (const type of ['task.reset', 'task.paused', 'plan.amended', 'plan.grown']) expect(seen).toContain(type);
});

test('what pages follow from step to step is what the log up to the position says, forward and back, while the log grows', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      fc.nat(400),
      fc.array(
        fc.record({ by: fc.integer({ min: -5, max: 9 }), jump: fc.option(fc.double({ min: 0, max: 1, noNaN: true })) }),
      ),
      (seed, moves) => {
        const whole = logOf(seed + 1);
        // The page has read a part of the log when the first positions are looked at.
        const log = openRunLog({ strideMin: 16 });
        let position = 1;
        for (const [nth, { by, jump }] of [...moves, { by: 0, jump: 1 }].entries()) {
          const known = Math.ceil((whole.length * (nth + 1)) / (moves.length + 1));
          for (const event of whole.slice(log.events.length, known)) log.append(event);
          const wanted = jump === null ? position + by : Math.round(jump * known);
          position = Math.max(1, Math.min(known, wanted));
          const shown = whole.slice(0, position);
          for (const { type } of shown) seen.add(type);
          const compiled = log.stateAt(position)?.compiled;
          if (compiled === undefined) throw new Error('The log has a state at every position.');
          const followed = historiesAt(log.events, position, compiled);
          expect(followed.spans).toEqual(claimSpans(compiled, shown));
          for (const { task, waits } of followed.all)
            expect([task, waits]).toEqual([task, waitsOf(shown.filter((event, at) => at === 0 || isOf(event, task)))]);
          expect(new Set(followed.all.map(({ task }) => task))).toEqual(
            new Set(shown.flatMap((event) => ('task' in event ? event.task : []))),
          );
          expect(conflictsAt(log.events, position)).toEqual(conflictSummaries(shown));
          expect(moneySeries(log.events, position)).toEqual(moneySeries(shown));
          const spent = spendBy(compiled, followed.all);
          expect(spent).toEqual(spendBy({ ...compiled }, historiesAt(shown, position, compiled).all));
        }
      },
    ),
    { numRuns: 80 },
  );
  for (const type of ['task.reset', 'plan.amended']) expect(seen).toContain(type);
});

const isOf = (event: RunEvent, task: string): boolean => 'task' in event && event.task === task;

test('a copy of a state goes on apart from the original', () => {
  fc.assert(
    fc.property(fc.nat(400), fc.double({ min: 0, max: 1, noNaN: true }), (seed, share) => {
      const events = logOf(seed + 1);
      const at = 1 + Math.floor(share * (events.length - 1));
      const original = fold(events.slice(0, at));
      const before = structuredClone(snapshot(original));
      const copy = copyState(original);
      for (const event of events.slice(at)) apply(copy, event);
      expect(snapshot(original)).toEqual(before);
      for (const event of events.slice(at)) apply(original, event);
      expect(snapshot(copy)).toEqual(snapshot(original));
      expect(snapshot(copy)).toEqual(snapshot(fold(events)));
    }),
    { numRuns: 60 },
  );
});
