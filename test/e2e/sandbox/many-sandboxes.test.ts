import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mountsBelow } from '../first/left-over.given.ts';
import { skipUnless } from '../../needs.given.ts';
import { Arena } from './arena.ts';
import { playCrowd } from './many-sandboxes.ts';
import { needOf, WAYS } from './ways.given.ts';

/** `npm run kill -- sandbox --crowd 100` does as many as it is told. */
const ROUNDS = 2;

describe.each(WAYS)('32 sandboxes of the kind %s', async (way) => {
  skipUnless(await needOf(way));
  let arena: Arena;
  beforeEach(() => {
    arena = new Arena();
  });
  afterEach(async () => arena.close());

  test('are made, worked in, committed and destroyed at once, several times over', async () => {
    const { repository, sandboxes } = await arena.open(way);
    for (let round = 1; round <= ROUNDS; round += 1) {
      expect(await playCrowd({ repository, sandboxes, run: `r${round}` })).toEqual([]);
    }
    expect(mountsBelow(arena.root)).toEqual([]);
    expect(existsSync(join(arena.home, 'sandboxes', 'r1'))).toBe(false);
    expect(readdirSync(join(arena.home, 'ports'))).toEqual([]);
  });
});
