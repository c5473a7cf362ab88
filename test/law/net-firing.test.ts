import { describe, expect, test } from 'vitest';
import { buildNet } from '../../src/core/net/lay-net.ts';
import { defer, enabled, isEnabled, nextEnabled, postpone, restoreTransition } from '../../src/core/net/enabled-set.ts';
import { fire } from '../../src/core/net/fire.ts';
import { countAt, markingOf, startPlay, tokensAt } from '../../src/core/net/play.ts';
import { forEachArc } from '../../src/core/net/walk-arcs.ts';
import type { Net } from '../../src/core/net/net.ts';
import type { Play } from '../../src/core/net/play.ts';

import * as fc from 'fast-check';

const RUNS = { numRuns: 5000, seed: 20_240_117 };

interface Token {
  readonly from: number;
}

interface Case {
  readonly net: Net;
  readonly priority: Float64Array | undefined;
  readonly watch: Uint8Array | undefined;
}

const arcList = (places: number, lengthMax: number) =>
  fc.array(fc.tuple(fc.nat(places - 1), fc.integer({ min: 1, max: 3 })), { maxLength: lengthMax });

const aCase: fc.Arbitrary<Case> = fc.integer({ min: 1, max: 7 }).chain((places) => {
  const transition = fc.record({ takes: arcList(places, 3), gives: arcList(places, 3), reads: arcList(places, 1) });
  return fc
    .record({
      tokens: fc.array(fc.record({ tokens: fc.nat(4), counted: fc.boolean() }), {
        minLength: places,
        maxLength: places,
      }),
      transitions: fc.array(transition, { minLength: 1, maxLength: 14 }),
      priorities: fc.option(fc.array(fc.nat(3), { minLength: 14, maxLength: 14 })),
      watch: fc.option(fc.array(fc.nat(4), { minLength: 14, maxLength: 14 })),
    })
    .map(({ tokens, transitions, priorities, watch }) => {
      const builder = buildNet();
      for (const [index, options] of tokens.entries()) builder.place({ id: `p${index}` }, options);
      for (const [index, arcs] of transitions.entries()) builder.transition({ id: `t${index}` }, arcs);
      const priority = priorities === null ? undefined : Float64Array.from(priorities.slice(0, transitions.length));
      const watched = watch === null ? undefined : Uint8Array.from(watch.slice(0, transitions.length), (n) => +(n > 0));
      return { net: builder.build(), priority, watch: watched };
    });
});

type Action =
  | { readonly type: 'next' | 'any'; readonly pick: number }
  | { readonly type: 'defer' | 'restore'; readonly pick: number }
  | { readonly type: 'postpone'; readonly pick: number; readonly place: number };

const someActions = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ type: fc.constant('next' as const), pick: fc.nat() }) },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('any' as const), pick: fc.nat() }) },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constantFrom('defer' as const, 'restore' as const), pick: fc.nat() }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('postpone' as const), pick: fc.nat(), place: fc.nat() }) },
  ),
  { maxLength: 60 },
);

/** The expected play, computed afresh from every transition. */
interface Expected {
  readonly counts: number[];
  readonly held: Map<number, number | 'deferred'>;
}

const start = ({ net, priority, watch }: Case): Play<Token> =>
  startPlay<Token>({ net, colour: () => ({ from: -1 }), priority, watch });

const needs = (net: Net, transition: number): [number, number][] => {
  const found: [number, number][] = [];
  forEachArc(net.takes, transition, (place, weight) => found.push([place, weight]));
  forEachArc(net.reads, transition, (place, weight) => found.push([place, weight]));
  return found;
};

const bruteForce = ({ net, priority, watch }: Case, { counts, held }: Expected): number[] =>
  net.transitions
    .map((_, transition) => transition)
    .filter((transition) => watch?.[transition] !== 0 && !held.has(transition))
    .filter((transition) => needs(net, transition).every(([place, weight]) => (counts[place] ?? 0) >= weight))
    .sort((left, right) => (priority?.[right] ?? 0) - (priority?.[left] ?? 0) || left - right);

const fireExpected = (net: Net, { counts, held }: Expected, transition: number): void => {
  forEachArc(net.takes, transition, (place, weight) => (counts[place] = (counts[place] ?? 0) - weight));
  forEachArc(net.gives, transition, (place, weight) => {
    counts[place] = (counts[place] ?? 0) + weight;
    for (const [other, on] of held) if (on === place) held.delete(other);
  });
};

interface Trial {
  readonly given: Case;
  readonly play: Play<Token>;
  readonly expected: Expected;
}

/** Applies one action to the play and to the expected play; returns the transition fired, if any. */
function carryOut({ given, play, expected }: Trial, action: Action): number | undefined {
  const { net, watch } = given;
  const transition = action.pick % net.transitions.length;
  const isWatched = watch?.[transition] !== 0;
  switch (action.type) {
    case 'next':
    case 'any': {
      const fired = action.type === 'next' ? nextEnabled(play) : transition;
      if (fired === undefined || !isEnabled(play, fired)) return undefined;
      fire(play, fired, { from: fired });
      fireExpected(net, expected, fired);
      return fired;
    }
    case 'defer':
      if (isWatched) defer(play, transition);
      if (isWatched) expected.held.set(transition, 'deferred');
      return undefined;
    case 'restore':
      restoreTransition(play, transition);
      expected.held.delete(transition);
      return undefined;
    case 'postpone':
      if (isWatched) postpone(play, transition, action.place % net.places.length);
      if (isWatched) expected.held.set(transition, action.place % net.places.length);
      return undefined;
  }
}

const freshExpected = (net: Net): Expected => ({ counts: [...net.initial], held: new Map() });

/** Everything `nextEnabled` would report one after the other, found by deferring each; leaves the play as it was. */
function drained(play: Play<Token>): number[] {
  const found: number[] = [];
  for (let next = nextEnabled(play); next !== undefined; next = nextEnabled(play)) {
    found.push(next);
    defer(play, next);
  }
  for (const transition of found) restoreTransition(play, transition);
  return found;
}

describe('laws of firing', () => {
  test('after every action the first enabled transition is the one found by asking all of them', () => {
    fc.assert(
      fc.property(aCase, someActions, (given, actions) => {
        const play = start(given);
        const expected = freshExpected(given.net);
        for (const action of actions) {
          carryOut({ given, play, expected }, action);
          const truth = bruteForce(given, expected);
          expect(nextEnabled(play)).toBe(truth[0]);
          expect(enabled(play)).toEqual(truth);
        }
      }),
      RUNS,
    );
  });

  test('the set drained one by one is the whole enabled set in order of priority', () => {
    fc.assert(
      fc.property(aCase, someActions, (given, actions) => {
        const play = start(given);
        const expected = freshExpected(given.net);
        for (const [index, action] of actions.entries()) {
          carryOut({ given, play, expected }, action);
          if (index % 4 === 0) expect(drained(play)).toEqual(bruteForce(given, expected));
        }
        expect(drained(play)).toEqual(bruteForce(given, expected));
      }),
      RUNS,
    );
  });

  test('counts follow the arcs, are never negative, and equal the tokens that can be seen', () => {
    fc.assert(
      fc.property(aCase, someActions, (given, actions) => {
        const { net } = given;
        const play = start(given);
        const expected = freshExpected(net);
        for (const action of actions) {
          carryOut({ given, play, expected }, action);
          for (let place = 0; place < net.places.length; place += 1) {
            expect(countAt(play, place)).toBe(expected.counts[place]);
            expect(countAt(play, place)).toBeGreaterThanOrEqual(0);
            expect(tokensAt(play, place).length).toBe(net.counted[place] === 1 ? 0 : countAt(play, place));
          }
        }
      }),
      RUNS,
    );
  });

  test('firing the same sequence again gives the same marking, token by token', () => {
    fc.assert(
      fc.property(aCase, someActions, (given, actions) => {
        const play = start(given);
        const expected = freshExpected(given.net);
        const sequence = actions.flatMap((action) => carryOut({ given, play, expected }, action) ?? []);
        const again = start({ ...given, priority: undefined });
        for (const transition of sequence) fire(again, transition, { from: transition });
        expect(markingOf(again)).toEqual(markingOf(play));
        for (let place = 0; place < given.net.places.length; place += 1) {
          expect(tokensAt(again, place)).toEqual(tokensAt(play, place));
        }
      }),
      RUNS,
    );
  });

  test('a play is a function of its actions', () => {
    fc.assert(
      fc.property(aCase, someActions, (given, actions) => {
        const trace = (): (number | undefined)[] => {
          const play = start(given);
          const expected = freshExpected(given.net);
          return actions.flatMap((action) => [carryOut({ given, play, expected }, action), nextEnabled(play)]);
        };
        expect(trace()).toEqual(trace());
      }),
      RUNS,
    );
  });
});

describe('laws of pools', () => {
  const workers = fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 3 }), {
    minLength: 1,
    maxLength: 12,
  });

  test('free and held tokens always add up to the size of the pool', () => {
    fc.assert(
      fc.property(workers, fc.array(fc.nat(), { maxLength: 80 }), (demands, picks) => {
        const builder = buildNet();
        const sizes = [3, 4, 5];
        const pools = sizes.map((tokens, index) => builder.place({ id: `pool${index}` }, { tokens, counted: true }));
        const working = demands.map((demand, index) => {
          const held = pools.flatMap((pool) => ((demand[pool] ?? 0) > 0 ? [[pool, demand[pool] ?? 0] as const] : []));
          const ready = builder.place({ id: `ready${index}` }, { tokens: 2 });
          const busy = builder.place({ id: `working${index}` });
          builder.transition({ id: `start${index}` }, { takes: [ready, ...held], gives: [busy] });
          builder.transition({ id: `end${index}` }, { takes: [busy], gives: [ready, ...held] });
          return busy;
        });
        const net = builder.build();
        const play = startPlay<Token>({ net, colour: () => ({ from: -1 }) });
        for (const pick of picks) {
          const choices = enabled(play);
          const next = pick % 3 === 0 ? nextEnabled(play) : choices[pick % choices.length];
          if (next !== undefined) fire(play, next, { from: next });
          for (const pool of pools) {
            const used = working.map((busy, index) => countAt(play, busy) * (demands[index]?.[pool] ?? 0));
            expect(countAt(play, pool) + used.reduce((sum, tokens) => sum + tokens, 0)).toBe(sizes[pool]);
          }
        }
      }),
      { ...RUNS, numRuns: 1000 },
    );
  });
});
