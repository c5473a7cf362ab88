import { describe, expect, test } from 'vitest';
import { isInside } from '../../src/core/compile/compiled.ts';
import { apply } from '../../src/core/engine/apply/apply.ts';
import { stepOn } from '../../src/core/engine/step/step.given.ts';
import { fold } from '../../src/core/engine/apply/fold.ts';
import { handle } from '../../src/core/engine/commands/handle.ts';
import { snapshot, startState } from '../../src/core/engine/state.ts';
import { markingOf } from '../../src/core/net/play.ts';
import { chance } from '../../src/core/schedule/chance.ts';
import {
  ANY,
  expectAllOver,
  habits,
  holds,
  PARALLEL,
  plan,
  refolded,
  shuffled,
  withoutReset,
} from './engine-laws.given.ts';
import { EVALUATOR, play, playOn } from './engine-world.given.ts';
import type { Compiled } from '../../src/core/compile/compiled.ts';
import type { Command, ControlCommand } from '../../src/core/engine/command.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import type { State } from '../../src/core/engine/state.ts';
import type { Habits } from './engine-world.given.ts';

/** A world with many commands of people. */
const meddled = (seed: number, more: Partial<Habits> = {}): Habits =>
  habits(seed, { meddleShare: 0.3, failureShare: 0.3, ...more });

const RETRY: ControlCommand = { type: 'retry', tasks: [] };

describe('commands at odd times', () => {
  test('never claim a paused task, and never use the number of an attempt twice', () => {
    let held = 0;
    holds(400, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const { log } = play(compiled, meddled(worldSeed));
      const state = startState(compiled, PARALLEL);
      const seen = new Set<string>();
      for (const event of log) {
        if (event.type === 'claim.made') {
          expect(isInside(compiled, state.deferred.paused, compiled.indexOf.get(event.task) ?? -1)).toBe(false);
          held += state.deferred.paused.size;
        }
        apply(state, event);
        for (const name of newlyClaimed(event)) {
          expect(seen).not.toContain(name);
          seen.add(name);
        }
      }
    });
    expect(held).toBeGreaterThan(100);
  });

  test('give the same state when the log is folded, at every event', () => {
    holds(60, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, { ...ANY, tasksMax: 10 });
      const { log } = play(compiled, meddled(worldSeed));
      const state = startState(compiled, PARALLEL);
      log.forEach((event, at) => {
        apply(state, event);
        if (at % 3 === 0) expect(snapshot(fold(log.slice(0, at + 1), compiled))).toEqual(snapshot(state));
      });
    });
  });

  test('get true replies: a command that replies with no effect has none, and the other way round', () => {
    const told = { something: 0, nothing: 0 };
    holds(400, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const random = chance(worldSeed);
      const afterTurn = (state: State, { log, now }: { log: readonly RunEvent[]; now: number }): State => {
        if (random.happens(0.5)) return state;
        const command = anyCommand(state, random.below(6), random.below(compiled.tasks.length * 2));
        const { outcomes, reply } = handle(state, command);
        const tried = fold(log, compiled);
        stepOn(tried, [], { evaluator: EVALUATOR, now });
        const events = stepOn(tried, [command], { evaluator: EVALUATOR, now });
        if (!reply.notes.some(({ code }) => code === 'task.backoff-skipped'))
          expect([reply, events.length > 0]).toEqual([reply, outcomes.length > 0]);
        told[outcomes.length > 0 ? 'something' : 'nothing'] += 1;
        return state;
      };
      play(compiled, meddled(worldSeed, { afterTurn }));
    });
    expect(told.something).toBeGreaterThan(500);
    expect(told.nothing).toBeGreaterThan(500);
  });
});

/** Attempts of a step and of its agent's turns on conflicts are counted together. */
function newlyClaimed(event: RunEvent): readonly string[] {
  if (event.type !== 'claim.made') return [];
  const { work, task, step, attempt } = event;
  return [`${step === undefined ? work : 'step'} ${task}/${step ?? ''}#${attempt}`];
}

function anyCommand({ compiled }: State, kind: number, at: number): ControlCommand {
  const types = ['pause', 'resume', 'stop', 'cancel', 'skip', 'retry'] as const satisfies Command['type'][];
  const task = compiled.tasks[at]?.task.path;
  return { type: types[kind] ?? 'pause', tasks: task === undefined ? [] : [task] };
}

describe('a run that is retried', () => {
  test('ends again, keeps its spending, and continues after a crash as without one', () => {
    let reset = 0;
    let mended = 0;
    holds(500, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const order = shuffled(compiled, worldSeed);
      let { state, log } = play(compiled, meddled(worldSeed, { order }));
      for (let round = 1; round <= 3; round += 1) {
        const spent = { ...state.ledger.run.spent };
        const bad = badEnds(state);
        const events = stepOn(state, [RETRY], { evaluator: EVALUATOR, now: state.run.now });
        expect(state.ledger.run.spent).toEqual(spent);
        if (events.length === 0) break;
        reset += 1;
        const longer = [...log, ...events];
        expect(snapshot(refolded(compiled, longer))).toEqual(snapshot(state));
        const failureShare = round === 3 ? 0 : 0.3;
        ({ state, log } = playOn(
          state,
          longer,
          meddled(worldSeed + round, { order, failureShare, meddleShare: 0.05 }),
        ));
        expectAllOver(state);
        if (badEnds(state) < bad) mended += 1;
      }
    });
    expect(reset).toBeGreaterThan(300);
    expect(mended).toBeGreaterThan(100);
  });

  test('has the marking that the tasks that are not reset lead to by themselves', () => {
    let compared = 0;
    let byJoins = 0;
    holds(500, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const { state, log } = play(compiled, meddled(worldSeed, { commands: ['cancel', 'skip', 'retry'] }));
      byJoins += log.filter((event) => event.type === 'task.reset' && event.join !== undefined).length;
      const last = stepOn(state, [RETRY], { evaluator: EVALUATOR, now: state.run.now });
      compared += expectReachable(compiled, [...log, ...last]);
    });
    expect(compared).toBeGreaterThan(300);
    expect(byJoins).toBeGreaterThan(5);
  });
});

const badEnds = ({ tasks }: State): number =>
  tasks.filter(({ ended }) => ended?.ending === 'failed' || ended?.ending === 'cancelled').length;

/** Compares the marking after every reset with that of a log in which the reset tasks were never begun. */
function expectReachable(compiled: Compiled, log: readonly RunEvent[]): number {
  let compared = 0;
  withoutReset(compiled, log, (lived, state) => {
    expect(markingOf(fold(lived, compiled).play)).toEqual(markingOf(state.play));
    compared += 1;
  });
  return compared;
}
