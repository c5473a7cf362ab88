import { expect, test } from 'vitest';
import { buildNet } from './lay-net.ts';
import { nextEnabled } from './enabled-set.ts';
import { fire, putTokens } from './fire.ts';
import { markingOf, startPlay, tokensAt } from './play.ts';

function given() {
  const builder = buildNet();
  const from = builder.place({ id: 'from' }, { tokens: 1 });
  const to = builder.place({ id: 'to' });
  const move = builder.transition({ id: 'move' }, { takes: [from], gives: [to] });
  return { from, to, move, play: startPlay({ net: builder.build(), colour: () => 'first' }) };
}

test('tokens put on a place wake the transitions that wait there, and tokens taken away are not reported', () => {
  const { from, to, move, play } = given();
  fire(play, move, 'moved');
  expect(nextEnabled(play)).toBeUndefined();
  putTokens(play, to, []);
  putTokens(play, from, ['again', 'and again']);
  expect(markingOf(play)).toEqual({ from: 2 });
  expect(tokensAt(play, from)).toEqual(['again', 'and again']);
  expect(nextEnabled(play)).toBe(move);
  putTokens(play, from, []);
  expect(nextEnabled(play)).toBeUndefined();
});
