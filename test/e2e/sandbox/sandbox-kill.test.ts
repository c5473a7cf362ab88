import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skipUnless } from '../../needs.given.ts';
import { Arena } from './arena.ts';
import { needOf, WAYS } from './ways.given.ts';

/** `npm run kill -- sandbox` does thousands. */
const ROUNDS = 8;

describe.each(WAYS)('sandboxes of the kind %s', async (way) => {
  skipUnless(await needOf(way));
  let arena: Arena;
  beforeAll(() => {
    arena = new Arena();
  });
  afterAll(async () => arena.close());

  test('lose nothing and leave nothing when the process that works on them is killed', async () => {
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const { wrong } = await arena.play({ way, seed, killsGroup: seed % 2 === 0, isLast: seed % 4 === 0 });
      expect({ seed, wrong }).toEqual({ seed, wrong: [] });
    }
  });
});
