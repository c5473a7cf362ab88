import { describe, expect, test } from 'vitest';
import { compile } from '../../src/core/compile/compile.ts';
import type { Compiled } from '../../src/core/compile/compiled.ts';
import { apply } from '../../src/core/engine/apply/apply.ts';
import { stepOn } from '../../src/core/engine/step/step.given.ts';
import { fold } from '../../src/core/engine/apply/fold.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { factsOf } from '../../src/core/engine/facts.ts';
import { handle } from '../../src/core/engine/commands/handle.ts';
import { snapshot, startState, type State } from '../../src/core/engine/state.ts';
import { countAt, markingOf } from '../../src/core/net/play.ts';
import { forEachArc } from '../../src/core/net/walk-arcs.ts';
import { parsePlan } from '../../src/core/plan/build/parse.ts';
import type { Plan } from '../../src/core/plan/plan.ts';
import { chance } from '../../src/core/schedule/chance.ts';
import { amendCommand, amendTo, mendedPlan, planAfter } from './amended-plan.given.ts';
import { randomPlanText } from './engine-plans.given.ts';
import { ANY, expectAllOver, fail, habits, holds, PARALLEL, plan, withoutReset } from './engine-laws.given.ts';
import { EVALUATOR, play, playOn, type Habits, type Played } from './engine-world.given.ts';

const asking =
  (planSeed: number, resizes: boolean): Habits['asks'] =>
  (state, random, log) =>
    random.happens(0.4) ? amendCommand(state, random, { resizes, before: textAfter(planSeed, log) }) : undefined;

const textAfter = (planSeed: number, log: readonly RunEvent[]): string => planAfter(log, randomPlanText(planSeed, ANY));

/** A world in which plans change and people give commands. */
const amended = (seed: number, more: Partial<Habits> = {}): Habits =>
  habits(seed, { meddleShare: 0.2, failureShare: 0.2, ...more });

const amendmentsIn = (log: readonly RunEvent[]): number => log.filter(({ type }) => type === 'plan.amended').length;

describe('plans that change at odd times', () => {
  test('lead to an end, with pools and caps conserved at every event, and the fold of the log equal to the state', () => {
    let amendments = 0;
    let owing = 0;
    holds(250, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const { state, log } = played(planSeed, worldSeed);
      expectAllOver(state);
      const folded = startState(compiled, PARALLEL);
      for (const event of log) {
        const free = freeOf(folded);
        apply(folded, event);
        owing += expectConserved(folded);
        expectNothingTakenTwice(event, free, folded);
      }
      expect(snapshot(folded)).toEqual(snapshot(state));
      amendments += amendmentsIn(log);
    });
    expect(amendments).toBeGreaterThan(150);
    expect(owing).toBeGreaterThan(3);
  });

  test('never use the number of an attempt twice, never repeat done work, and never forget spending', () => {
    let kept = 0;
    holds(300, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const { log } = played(planSeed, worldSeed);
      const seen = new Set<string>();
      const done = new Set<string>();
      const state = startState(compiled, PARALLEL);
      for (const event of log) {
        const spent = { ...state.ledger.run.spent };
        apply(state, event);
        expect(state.ledger.run.spent.usd).toBeGreaterThanOrEqual(spent.usd);
        if (event.type === 'task.ended' && event.ending === 'done') done.add(event.task);
        if (event.type === 'task.reset' || event.type === 'task.rolledBack')
          for (const task of event.tasks) done.delete(task);
        if (event.type === 'plan.amended') {
          expect(state.ledger.run.spent).toEqual(spent);
          for (const task of [...event.restarted, ...event.cancelled, ...event.reopened]) done.delete(task);
          kept += done.size;
        }
        const name = claimedBy(event);
        if (name === undefined || !('task' in event)) continue;
        expect(seen).not.toContain(name);
        seen.add(name);
        expect(done).not.toContain(event.task);
      }
    });
    expect(kept).toBeGreaterThan(300);
  });

  test('give the marking that the events of kept tasks lead to in the changed plan', () => {
    let compared = 0;
    holds(500, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const commands = ['pause', 'resume', 'cancel', 'skip'] as const;
      const { log } = played(planSeed, worldSeed, { asks: asking(planSeed, false), commands });
      const at = log.findIndex(({ type }) => type === 'plan.amended');
      if (at >= 0) compared += expectReachable(compiled, log.slice(0, at), log[at] ?? fail());
    });
    expect(compared).toBeGreaterThan(150);
  });

  test('end like a fresh run of the changed plan: with subplans, copies, joins and gates', () => {
    const compared = { subplan: 0, join: 0, gate: 0, copies: 0, fail_fast: 0, midway: 0 };
    holds(600, (planSeed, worldSeed) => {
      const text = untimed(randomPlanText(planSeed, ANY));
      const first = parsePlan(text, { file: 'random.yaml' }).plan ?? fail();
      const failing = playUntil(compile(first), worldSeed);
      const mended = mendedPlan(failing.state, text);
      if (mended === undefined) return;
      const command = amendTo(failing.state, mended);
      if (handle(failing.state, command).outcomes.length === 0) return;
      const isMidway = failing.state.run.stage !== 'ended';
      const log = [...failing.log, ...stepOn(failing.state, [command], { evaluator: EVALUATOR, now: failing.now })];
      const wellDone = habits(worldSeed, { failureShare: 0, meddleShare: 0 });
      const { state } = playOn(failing.state, log, wellDone);
      expect(endingsOf(state)).toEqual(endingsOf(play(compile(mended), wellDone).state));
      for (const type of ['subplan', 'join', 'gate'] as const)
        if (state.compiled.tasks.some(({ task }) => task.type === type)) compared[type] += 1;
      if (text.includes('for_each')) compared.copies += 1;
      if (text.includes('failure_mode')) compared.fail_fast += 1;
      if (isMidway) compared.midway += 1;
    });
    for (const cases of Object.values(compared)) expect(cases).toBeGreaterThan(40);
  });

  test('never orphan done work: an amendment that would is refused and has no effect', () => {
    const told = { refused: 0, done: 0 };
    holds(80, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const random = chance(worldSeed);
      const afterTurn = (state: State, { log, now }: { log: readonly RunEvent[]; now: number }): State => {
        const command = random.happens(0.3)
          ? amendCommand(state, random, { resizes: true, before: textAfter(planSeed, log) })
          : undefined;
        if (command === undefined) return state;
        const { outcomes, reply } = handle(state, command);
        const orphans = orphansOf(state, command.plan);
        const tried = fold(log, compiled);
        const events = stepOn(tried, [command], { evaluator: EVALUATOR, now });
        const isMade = events.some(({ type }) => type === 'plan.amended' || type === 'plan.amending');
        expect([reply, isMade]).toEqual([reply, outcomes.length > 0]);
        if (orphans.length > 0) expect([reply, isMade]).toEqual([reply, false]);
        told[isMade ? 'done' : 'refused'] += 1;
        return state;
      };
      play(compiled, habits(worldSeed, { afterTurn, meddleShare: 0.1 }));
    });
    expect(told.refused).toBeGreaterThan(50);
    expect(told.done).toBeGreaterThan(50);
  });
});

/** Without tasks that depend on time or money alone, and without tasks that fail in every run. */
const untimed = (text: string): string =>
  text
    .replaceAll('race:', 'any:')
    .replaceAll(/ *budget: .*\n/g, '')
    .replaceAll('max: 1, task', 'max: 2, task')
    .replaceAll(/ *repeat: .*\n?/g, '')
    // A join that fails by its rule fails without faults too.
    .replaceAll(/ *on_result: .*do: (?:abort|retry) .*\n?/g, '')
    .replaceAll(/.*beyond the end.*\n/g, '');

interface Failing {
  readonly state: State;
  readonly log: readonly RunEvent[];
  readonly now: number;
}

/** A run with many failures, until it has ended or, as often, until the first failure. */
function playUntil(compiled: Compiled, seed: number): Failing {
  const random = chance(seed);
  const turns = random.happens(0.5) ? Infinity : 1 + random.below(20);
  let turn = 0;
  let found: Failing | undefined;
  const afterTurn = (state: State, { log, now }: { log: readonly RunEvent[]; now: number }): State => {
    turn += 1;
    if (turn >= turns && found === undefined && log.some((event) => 'ending' in event && event.ending === 'failed'))
      found = { state: fold(log, compiled), log: [...log], now };
    return state;
  };
  const { state, log } = play(compiled, habits(seed, { failureShare: 0.4, meddleShare: 0, afterTurn }));
  return found ?? { state, log, now: state.run.now };
}

const endingsOf = (state: State): Readonly<Record<string, string>> =>
  Object.fromEntries(
    state.compiled.tasks.map(({ task, index }) => {
      const ended = factsOf(state, index).ended;
      return [task.path, `${ended?.ending} ${ended?.reason ?? ''}`];
    }),
  );

/** The name of the claim of the event, with its number. */
function claimedBy(event: RunEvent): string | undefined {
  if (event.type !== 'claim.made') return undefined;
  const { work, task, step, attempt } = event;
  return `${step === undefined ? work : 'step'} ${task}/${step ?? ''}#${attempt}`;
}

/** Until the run has ended, and at times once more after that, with a plan with more tasks. */
function played(planSeed: number, seed: number, more: Partial<Habits> = {}): Played {
  const asks = asking(planSeed, true);
  const first = play(plan(planSeed, ANY), amended(seed, { asks, ...more }));
  const before = textAfter(planSeed, first.log);
  const command = amendCommand(first.state, chance(seed), { resizes: true, before });
  if (command === undefined || more.asks !== undefined) return first;
  const log = [...first.log, ...stepOn(first.state, [command], { evaluator: EVALUATOR, now: first.state.run.now })];
  return playOn(first.state, log, amended(seed + 1, { asks, failureShare: 0, meddleShare: 0.02 }));
}

/** Done work that the changed plan lacks or redefines, computed from both plans independently. */
function orphansOf(state: State, plan: Plan): readonly string[] {
  const changed = compile(plan);
  return state.compiled.tasks.flatMap(({ task, index }) => {
    const { ended, openedAt } = factsOf(state, index);
    if (task.type !== 'work' || ended?.ending !== 'done' || openedAt === undefined) return [];
    const after = changed.tasks[changed.indexOf.get(task.path) ?? -1]?.task;
    const isSame = after?.type === 'work' && wordsOf(after) === wordsOf(task);
    return isSame ? [] : [task.path];
  });
}

const wordsOf = (task: Extract<Compiled['tasks'][number]['task'], { type: 'work' }>): string =>
  JSON.stringify([
    task.steps.map((step) => (step.type === 'prompt' ? step.prompt : step.type === 'run' ? step.run : '')),
    task.check,
  ]);

const countedIn = ({ compiled: { net } }: State): readonly number[] =>
  Array.from(net.counted).flatMap((isCounted, place) => (isCounted === 1 ? [place] : []));

const freeOf = (state: State): ReadonlyMap<number, number> =>
  new Map(countedIn(state).map((place) => [place, countAt(state.play, place)]));

/** Free and held tokens add up, for every pool, cap and merge slot. Returns whether one of them owes tokens. */
function expectConserved(state: State): number {
  const { compiled, claims, play: at } = state;
  if (state.run.stage === 'new') return 0;
  const held = new Map<number, number>();
  for (const [place] of claims) {
    const transition = claimInto(state, place);
    forEachArc(compiled.net.takes, transition, (from, weight) => held.set(from, (held.get(from) ?? 0) + weight));
  }
  let owes = 0;
  for (const place of countedIn(state)) {
    const { type } = compiled.placeRole(place);
    if (type !== 'pool' && type !== 'cap' && type !== 'merge-slots') continue;
    expect(countAt(at, place) + (held.get(place) ?? 0)).toBe(compiled.net.initial[place]);
    if (countAt(at, place) < 0) owes = 1;
  }
  return owes;
}

/** The claim that took the token at a place of work. */
function claimInto({ compiled }: State, place: number): number {
  for (const { steps, places, transitions } of compiled.tasks) {
    for (const step of steps)
      for (const variant of [step, ...step.otherVariants])
        if (variant.working === place) return variant.transitions.claim ?? fail();
    if (places.checking === place) return transitions.check ?? fail();
    if (places.merging === place) return transitions.merge ?? fail();
    if (places.resolving === place) return transitions.resolve ?? fail();
  }
  return fail();
}

/** Nothing is claimed from a place that owes tokens: only an amendment makes a count negative. */
function expectNothingTakenTwice(event: RunEvent, free: ReadonlyMap<number, number>, state: State): void {
  if (event.type === 'plan.amended') return;
  for (const [place, before] of free) {
    const after = countAt(state.play, place);
    expect(after >= 0 || after >= before).toBe(true);
  }
}

/** Fires the rest of the log in the net of the changed plan, and compares the markings. */
function expectReachable(compiled: Compiled, log: readonly RunEvent[], event: RunEvent): number {
  if (event.type !== 'plan.amended') return fail();
  const before = fold(log, compiled);
  const changed = compile(event.plan);
  const isGone = new Set([...event.restarted, ...event.changed, ...event.cancelled]);
  const isReopened = new Set(event.reopened);
  // A join with `on_result: retry` resets tasks without a word of a person.
  const left = withoutReset(compiled, log).filter((earlier) => {
    if (earlier.type === 'run.ended' || earlier.type === 'plan.amending') return false;
    if (!('task' in earlier)) return true;
    return !isGone.has(earlier.task) && !(earlier.type === 'task.ended' && isReopened.has(earlier.task));
  });
  apply(before, event);
  expect(markingOf(fold(left, changed).play)).toEqual(markingOf(before.play));
  return 1;
}
