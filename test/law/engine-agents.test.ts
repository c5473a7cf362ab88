import { describe, expect, test } from 'vitest';
import { snapshot, type State } from '../../src/core/engine/state.ts';
import { chance } from '../../src/core/schedule/chance.ts';
import { watchChoices } from './agent-choices.given.ts';
import { ANY, expectAllOver, habits, holds, plan, refolded, shuffled } from './engine-laws.given.ts';
import { play, type Habits, type Heard } from './engine-world.given.ts';
import { fold } from '../../src/core/engine/apply/fold.ts';

/** A world in which agents and providers fail but the work does not, and no person skips a backoff. */
const blaming = (seed: number, more: Partial<Habits> = {}): Habits =>
  habits(seed, {
    blamesAgents: true,
    commands: ['pause', 'resume', 'stop', 'cancel', 'skip'],
    failureShare: [0.3, 0.7, 0.95][seed % 3] ?? 0.3,
    ...more,
  });

describe('lists of agents', () => {
  test('are tried in order for permitted reasons, each choice in the log, and end', () => {
    let takenOver = 0;
    let escalated = 0;
    holds(600, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const { state, log } = play(compiled, blaming(worldSeed, { order: shuffled(compiled, worldSeed) }));
      const choices = watchChoices();
      expect(log.flatMap((event) => choices.hear(event, compiled) ?? [])).toEqual([]);
      takenOver += choices.takenOver();
      escalated += choices.escalated();
      expectAllOver(state);
    });
    expect(takenOver).toBeGreaterThan(200);
    expect(escalated).toBeGreaterThan(50);
  });

  test('continue after a crash with the same agents', () => {
    holds(300, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const order = shuffled(compiled, worldSeed);
      const calm = play(compiled, blaming(worldSeed, { order }));
      const random = chance(worldSeed + 1);
      const afterTurn = (state: State, { log }: Heard): State =>
        random.happens(0.3) ? refolded(compiled, log) : state;
      expect(play(compiled, blaming(worldSeed, { order, afterTurn })).log).toEqual(calm.log);
    });
  });

  test('give, folded from the log, the same agents to the same turns', () => {
    holds(200, (planSeed, worldSeed) => {
      const compiled = plan(planSeed, ANY);
      const { state, log } = play(compiled, blaming(worldSeed));
      const folded = fold(log);
      expect(snapshot(folded)).toEqual(snapshot(state));
    });
  });
});
