import { describe, expect, test } from 'vitest';
import { compile } from '../../src/core/compile/compile.ts';
import { taskOfPath, type Compiled } from '../../src/core/compile/compiled.ts';
import { judgeFragment } from '../../src/core/grow/judge-fragment.ts';
import { parsePlan } from '../../src/core/plan/build/parse.ts';
import { growPlan } from '../../src/core/plan/grown-plan.ts';
import { endsOf } from '../../src/core/verify/fault-finding.ts';
import { flatten } from '../../src/core/verify/search/flat-net.ts';
import { searchSoundness } from '../../src/core/verify/search/search-soundness.ts';
import { workflowShape } from '../../src/core/verify/workflow-shape.ts';
import { stepOn } from '../../src/core/engine/step/step.given.ts';
import { apply } from '../../src/core/engine/apply/apply.ts';
import { fold, planIn, runStarted } from '../../src/core/engine/apply/fold.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { readEvent, writeEvent } from '../../src/core/engine/events/event-format.ts';
import { finalOf } from '../../src/core/engine/ledger.ts';
import { snapshot, startState, type State } from '../../src/core/engine/state.ts';
import { markingOf } from '../../src/core/net/play.ts';
import { chance } from '../../src/core/schedule/chance.ts';
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

/** The draft of a copy of a for_each, which is called by its item or its number. */
const COPY = /\.(?:a|b|\d)\.draft$/u;

const endings = ({ compiled, tasks }: State): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(compiled.tasks.map(({ task, index }) => [task.path, tasks[index]?.ended?.ending]));

describe('every run of a plan that grows', () => {
  test('ends with every task in a final state, and overruns no pool, cap or budget, for 3,000 plans', () => {
    const counts = { grown: 0, refused: 0, tasks: 0, nested: 0, copies: 0 };
    holds(3000, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, GROWING);
      const { state: over, log } = play(compiled, habits(worldSeed, { order: shuffled(compiled, worldSeed) }));
      expectAllOver(over);
      counts.grown += growths(log);
      counts.refused += refusals(log);
      counts.tasks += over.compiled.tasks.length - compiled.tasks.length;
      counts.nested += log.filter((event) => event.type === 'plan.grown' && event.draft.includes('.g')).length;
      counts.copies += log.filter((event) => event.type === 'plan.grown' && COPY.test(event.draft)).length;
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
    expect(counts.grown).toBeGreaterThan(1500);
    expect(counts.refused).toBeGreaterThan(200);
    expect(counts.tasks).toBeGreaterThan(4000);
    expect(counts.nested).toBeGreaterThan(20);
    expect(counts.copies).toBeGreaterThan(100);
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

/** Fragments small enough for a search of every marking of the plan with them. */
const SMALL = [
  'a: { run: x }',
  'a: { gate: Go on? }',
  'a: { join: true, needs: [b] }, b: { gate: Go on? }',
  'a: { gate: Go on? }, b: { gate: Go on?, needs: [a] }',
  'a: { gate: Go on? }, b: { gate: Go on? }, c: { join: { on_error: wait_for_all }, needs: [a, b] }',
  'a: { gate: Go on? }, b: { gate: Go on? }, c: { gate: Go on?, needs: { any: [a, b] } }',
  'a: { gate: Go on? }, b: { gate: Go on? }, c: { gate: Go on?, needs: { race: [a, b] } }',
  'a: { tasks: { b: { gate: Go on? } } }, c: { gate: Go on?, needs: [a.b] }',
  'a: { for_each: { in: [x, y], task: { gate: Go on? } } }',
  'a: { run: x, pools: [gpu] }',
];
const SEARCH = { markingsMax: 60_000, wordsMax: 16_000_000, triesMax: 16_000_000 };

test('the linear proof of a grown plan agrees with the search of all its markings', () => {
  const counts = { sound: 0, unknown: 0 };
  for (const around of [
    '',
    'o: { gate: Go on?, needs: [m] }',
    'o: { gate: Go on? }, p: { gate: Go on?, needs: { any: [m, o] } }',
  ])
    for (const grow of ['', ', confirm: gate'])
      for (const fragment of SMALL) {
        const whole = grownBy(
          `m: { max_parallel: 1, grow: { run: x, max_tasks: 9, pools: [gpu]${grow} } }, ${around}`,
          fragment,
        );
        expect(verify(whole.net), fragment).toMatchObject({ verdict: { type: 'sound' } });
        const isSound = isSoundBySearch(whole);
        expect(isSound, fragment).not.toBe(false);
        counts[isSound === true ? 'sound' : 'unknown'] += 1;
      }
  console.log('searches of grown plans:', counts);
  expect(counts.sound).toBeGreaterThan(30);
});

/** Up to four gates and joins with needs of every kind. */
function randomSmall(seed: number): string {
  const random = chance(seed);
  const ids = ['a', 'b', 'c', 'd'].slice(0, 1 + random.below(4));
  const tasks = ids.map((id, at) => {
    const of = ids.slice(0, at).filter(() => random.happens(0.6));
    const list = `[${of.join(', ')}]`;
    const forms = [
      list,
      `{ any: ${list} }`,
      `{ race: ${list} }`,
      `{ at_least: ${1 + random.below(of.length)}, of: ${list} }`,
    ];
    const needs = of.length === 0 ? '' : `, needs: ${forms[random.below(forms.length)] ?? list}`;
    const kind = of.length > 0 && random.happens(0.3) ? 'join: { on_error: wait_for_all }' : 'gate: Go on?';
    return `${id}: { ${kind}${needs} }`;
  });
  return tasks.join(', ');
}

const isSoundBySearch = ({ net }: Compiled): boolean | undefined => {
  const shape = workflowShape(flatten(net));
  if (shape === undefined) throw new Error('The net of a plan is a workflow net.');
  const { type } = searchSoundness(shape.net, endsOf(shape), SEARCH);
  return type === 'unknown' ? undefined : type === 'sound';
};

test('the linear proof and the search agree on 400 random fragments, and on one that the judge refuses', () => {
  let decided = 0;
  for (let seed = 1; seed <= 400; seed += 1) {
    const whole = grownBy('m: { grow: { run: x, max_tasks: 9 } }, o: { gate: Go on?, needs: [m] }', randomSmall(seed));
    expect(verify(whole.net), randomSmall(seed)).toMatchObject({ verdict: { type: 'sound' } });
    const isSound = isSoundBySearch(whole);
    expect(isSound, randomSmall(seed)).not.toBe(false);
    if (isSound === true) decided += 1;
  }
  expect(decided).toBeGreaterThan(350);
  // A task of the fragment that waits for a task that waits for the subplan.
  const { plan: whole } = grownBy(
    'm: { grow: { run: x, max_tasks: 9 } }, o: { gate: Go on?, needs: [m] }',
    'a: { gate: x }',
  );
  const added = whole.tasks.flatMap((task) => (task.type === 'subplan' ? task.tasks.slice(1) : []));
  const knotted = added.map((task) => ({ ...task, needs: { type: 'all', of: ['o'] } as const }));
  const wrong = compile(growPlan(whole, 'm.draft', knotted));
  expect(verify(wrong.net)).toMatchObject({ verdict: { type: 'unsound' } });
  expect(isSoundBySearch(wrong)).toBe(false);
});

/** The plan after its draft has answered with these tasks. */
function grownBy(tasks: string, fragment: string): Compiled {
  const head = 'heddle: 1\nname: small\nsandbox: { tree: none }\nmax_parallel: 1\npools: { gpu: 1 }\nattempts: 1\n';
  const { plan: small } = parsePlan(`${head}tasks: { ${tasks} }\n`, { file: 'small.yaml' });
  if (small === undefined) throw new Error('The plan parses.');
  const state = fold([runStarted(compile(small), PARALLEL, { at: 0, seed: 1 })]);
  const draft = taskOfPath(state.compiled, 'm.draft');
  if (draft === undefined) throw new Error('The plan grows.');
  const judged = judgeFragment(state, draft, { written: `tasks: { ${fragment} }` });
  if (judged.type === 'refused') throw new Error(judged.says);
  return compile(growPlan(state.compiled.plan, 'm.draft', judged.fragment.tasks));
}

function parsed(text: string): RunEvent {
  const read = readEvent(text);
  if (read.type === 'failed') throw new Error(read.message);
  return read.event;
}
