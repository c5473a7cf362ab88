import { describe, expect, test } from 'vitest';
import { nextMove, openRecent } from './prefixes.ts';
import type { PrefixStanding } from './prefixes.ts';

const LETTERS: Readonly<Record<string, PrefixStanding>> = { p: 'passed', f: 'failed', c: 'checking', '.': 'unknown' };
const standings = (text: string): readonly PrefixStanding[] => [...text].map((letter) => LETTERS[letter] ?? 'unknown');
const startsOf = (text: string, free: number, isOneByOne = false): readonly number[] => {
  const move = nextMove({ standings: standings(text), free, isOneByOne });
  return move.type === 'check' ? [...move.start].sort((one, other) => one - other) : [];
};

describe('where the chain is cut', () => {
  test('is the whole of it first, and evenly below', () => {
    expect(startsOf('........', 1)).toEqual([7]);
    expect(startsOf('........', 2)).toEqual([3, 7]);
    expect(startsOf('........', 4)).toEqual([1, 3, 5, 7]);
    expect(startsOf('..', 8)).toEqual([0, 1]);
  });

  test('goes on where something grew or ended', () => {
    expect(startsOf('.c......', 2)).toEqual([4, 7]);
    expect(startsOf('...c...c', 0)).toEqual([]);
  });

  test('narrows to the first failure and leaves alone what is behind it', () => {
    const move = nextMove({ standings: standings('...f...c'), free: 1, isOneByOne: false });
    expect(move).toEqual({ type: 'check', start: [1], stop: [7] });
    expect(startsOf('..c.f', 3)).toEqual([0, 1, 3]);
  });

  test('lands the longest prefix that passed', () => {
    expect(nextMove({ standings: standings('fpcp.f'), free: 1, isOneByOne: false })).toEqual({
      type: 'land',
      count: 4,
    });
  });

  test('suspects the first link alone', () => {
    expect(nextMove({ standings: standings('f..'), free: 1, isOneByOne: false })).toEqual({ type: 'culprit' });
  });

  test('goes from the front when many fail', () => {
    const recent = openRecent();
    for (const ok of [true, true, true, false]) recent.note(ok);
    expect(recent.isOneByOne()).toBe(false);
    recent.note(false);
    expect(recent.isOneByOne()).toBe(true);
    expect(startsOf('c.....', 2, true)).toEqual([1, 2]);
    for (let more = 0; more < 8; more += 1) recent.note(true);
    expect(recent.isOneByOne()).toBe(false);
  });

  test('finds any one culprit among many in few rounds', () => {
    for (let culprit = 0; culprit < 32; culprit += 1) {
      let known: PrefixStanding[] = Array.from({ length: 32 }, () => 'unknown');
      let rounds = 0;
      for (; known[0] !== 'failed'; rounds += 1) {
        const move = nextMove({ standings: known, free: 4, isOneByOne: false });
        if (move.type === 'land') known = known.slice(move.count);
        else if (move.type === 'check') {
          const from = 32 - known.length;
          for (const at of move.start) known[at] = from + at >= culprit ? 'failed' : 'passed';
        }
        expect(rounds).toBeLessThan(10);
      }
      expect(32 - known.length).toBe(culprit);
    }
  });
});
