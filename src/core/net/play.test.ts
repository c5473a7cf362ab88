import { describe, expect, test } from 'vitest';
import { buildNet } from './lay-net.ts';
import { defer, enabled, isEnabled, nextEnabled, postpone, restoreTransition } from './enabled-set.ts';
import { fire } from './fire.ts';
import { countAt, markingOf, startPlay, tokensAt } from './play.ts';
import type { Net } from './net.ts';
import type { Play } from './play.ts';

/** Transitions as text, one a line: `t: 2*a b -> c`, readings after a question mark; the marking as `a=1 b`; pools end in `#`. */
function given(marking: string, lines: string, priorities?: readonly number[]) {
  const builder = buildNet();
  const places = new Map<string, number>();
  for (const part of marking.split(' ')) {
    const [id = '', tokens = '0'] = part.split('=');
    places.set(id, builder.place({ id }, { tokens: Number(tokens), counted: id.endsWith('#') }));
  }
  const arcs = (text: string): (readonly [number, number])[] =>
    [...text.matchAll(/(?:(\d+)\*)?([^\s*]+)/g)].map(([, weight = '1', id = '']) => [
      places.get(id) ?? -1,
      Number(weight),
    ]);
  const transitions = new Map<string, number>();
  for (const line of lines.split('\n')) {
    const [, id = '', takes = '', reads = '', gives = ''] =
      /^\s*(\w+):([^?>]*?)(?:\?([^>]*?))?->(.*)$/.exec(line) ?? [];
    const of = { takes: arcs(takes), gives: arcs(gives), reads: arcs(reads) };
    transitions.set(id, builder.transition({ id }, of));
  }
  const net: Net = builder.build();
  const priority = priorities === undefined ? undefined : Float64Array.from(priorities);
  const play: Play<string> = startPlay({ net, colour: (place) => `first at ${net.places[place]?.id}`, priority });
  const transition = (id: string): number => transitions.get(id) ?? -1;
  const place = (id: string): number => places.get(id) ?? -1;
  const name = (index: number | undefined): string =>
    index === undefined ? 'none' : (net.transitions[index]?.id ?? '?');
  return { net, play, transition, place, next: () => name(nextEnabled(play)), all: () => enabled(play).map(name) };
}

describe('firing', () => {
  test('takes tokens, gives the colour on coloured places and a count on pools', () => {
    const { play, transition, place } = given('a=1 pool#=3 b', 't: a 2*pool# -> b');
    fire(play, transition('t'), 'red');
    expect(markingOf(play)).toEqual({ b: 1, 'pool#': 1 });
    expect(tokensAt(play, place('b'))).toEqual(['red']);
    expect(tokensAt(play, place('pool#'))).toEqual([]);
    expect(countAt(play, place('pool#'))).toBe(1);
  });

  test('the oldest tokens go first, however long the line', () => {
    const { play, transition, place } = given('s=1 a', 'make: s -> s a\nuse: a ->');
    for (let index = 0; index < 9; index += 1) fire(play, transition('make'), `token ${index}`);
    for (let index = 0; index < 6; index += 1) fire(play, transition('use'), '');
    expect(tokensAt(play, place('a'))).toEqual(['token 6', 'token 7', 'token 8']);
  });

  test('a reading needs its token and leaves it as it is', () => {
    const { play, transition, place } = given('a=1 open b', 't: a ? open -> b\nopen: -> open');
    expect(isEnabled(play, transition('t'))).toBe(false);
    fire(play, transition('open'), 'go');
    fire(play, transition('t'), 'red');
    expect(tokensAt(play, place('open'))).toEqual(['go']);
  });

  test('a transition that is not enabled reports the tokens that it lacks', () => {
    const { play, transition } = given('a=1 b c', 't: 2*a b ? c -> a');
    expect(() => fire(play, transition('t'), '')).toThrow(
      'Transition t cannot fire: a has 1 of 2, b has 0 of 1, c has 0 of 1.',
    );
    expect(markingOf(play)).toEqual({ a: 1 });
  });

  test('a loop recolours its token', () => {
    const { play, transition, place } = given('a=1', 't: a -> a');
    fire(play, transition('t'), 'second');
    expect(tokensAt(play, place('a'))).toEqual(['second']);
  });
});

describe('the enabled set', () => {
  test('the highest priority comes first, the lower index among equals', () => {
    const { all, next } = given('a=1', 't: a ->\nu: a ->\nv: a ->', [1, 5, 5]);
    expect(all()).toEqual(['u', 'v', 't']);
    expect(next()).toBe('u');
  });

  test('a transition that loses a token to another is never reported', () => {
    const { play, transition, next, all } = given('a=1 b', 't: a -> b\nu: a -> b');
    fire(play, transition('u'), '');
    expect([next(), all()]).toEqual(['none', []]);
  });

  test('a pool serves waiting transitions by priority, one token at a time', () => {
    const lines = 't: a pool# -> x\nu: b pool# -> x\nv: c pool# -> x\nend: x -> pool#';
    const { play, transition, next } = given('a=1 b=1 c=1 x pool#=1', lines, [1, 3, 2, 9]);
    const order: string[] = [];
    for (let name = next(); name !== 'none'; name = next()) {
      order.push(name);
      fire(play, transition(name), '');
    }
    expect(order).toEqual(['u', 'end', 'v', 'end', 't', 'end']);
  });

  test('a transition that needs more tokens than available does not block one behind it that needs fewer', () => {
    const { play, transition, next } = given(
      'pool#=1 s=2',
      'heavy: 3*pool# ->\nlight: pool# ->\ngive: s -> 2*pool#',
      [9, 2, 1],
    );
    expect(next()).toBe('light');
    fire(play, transition('give'), '');
    expect(next()).toBe('heavy');
  });

  test('one woken in vain passes the wake on', () => {
    const { play, transition, next } = given(
      'pool# a b=1 s=1',
      't: a pool# ->\nu: b pool# ->\ngive: s -> pool#',
      [9, 5, 1],
    );
    expect(next()).toBe('give');
    fire(play, transition('give'), '');
    expect(next()).toBe('u');
  });

  test('only watched transitions are reported, and all can be fired', () => {
    const { net } = given('a=1 b', 't: a -> b\nu: b -> a');
    const play = startPlay({ net, colour: () => 'x', watch: Uint8Array.of(0, 1) });
    expect(nextEnabled(play)).toBe(undefined);
    fire(play, 0, 'x');
    expect(nextEnabled(play)).toBe(1);
    expect(() => defer(play, 0)).toThrow('Only a watched transition');
  });

  test('arrays of the wrong length are refused', () => {
    const { net } = given('a', 't: a ->');
    expect(() => startPlay({ net, colour: () => 'x', priority: new Float64Array(2) })).toThrow('Priorities');
    expect(() => startPlay({ net, colour: () => 'x', watch: new Uint8Array(2) })).toThrow('What to watch');
  });
});

describe('holding a transition back', () => {
  test('a deferred one is out of the set until it is restored, and may be fired meanwhile', () => {
    const { play, transition, next, all } = given('a=2 b', 't: a -> b\nu: b ->', [9, 1]);
    defer(play, transition('t'));
    expect([next(), all()]).toEqual(['none', []]);
    fire(play, transition('t'), '');
    expect(next()).toBe('u');
    restoreTransition(play, transition('t'));
    expect([next(), all()]).toEqual(['t', ['t', 'u']]);
    restoreTransition(play, transition('t'));
    expect(next()).toBe('t');
  });

  test('a postponed one comes back when its place is next given a token, one of its own or not', () => {
    const { play, transition, place, next } = given(
      'a=1 s=1 other',
      't: a ->\nx: s -> other\ny: other -> s',
      [9, 1, 1],
    );
    postpone(play, transition('t'), place('other'));
    expect(next()).toBe('x');
    fire(play, transition('x'), '');
    expect(next()).toBe('t');
    postpone(play, transition('t'), place('other'));
    fire(play, transition('y'), '');
    expect(next()).toBe('x');
    fire(play, transition('x'), '');
    expect(next()).toBe('t');
  });

  test('the later word counts: postponed, then deferred, it waits for restore', () => {
    const { play, transition, place, next } = given('a=1 s=1 other', 't: a ->\nx: s -> other', [9, 1]);
    postpone(play, transition('t'), place('other'));
    defer(play, transition('t'));
    fire(play, transition('x'), '');
    expect(next()).toBe('none');
    restoreTransition(play, transition('t'));
    expect(next()).toBe('t');
  });

  test('several wait on one place and all come back; one restored early is forgotten there', () => {
    const { play, transition, place, all } = given('a=3 s=2 other', 't: a ->\nu: a ->\nv: a ->\nx: s -> other');
    for (const id of ['t', 'u', 'v']) postpone(play, transition(id), place('other'));
    restoreTransition(play, transition('u'));
    expect(all()).toEqual(['u', 'x']);
    fire(play, transition('x'), '');
    expect(all()).toEqual(['t', 'u', 'v', 'x']);
  });

  test('one held while it waits lets the wake pass to the next', () => {
    const lines = 't: a pool# ->\nu: b pool# ->\ngive: s -> pool#';
    const { play, transition, next } = given('pool# a=1 b=1 s=2', lines, [9, 5, 1]);
    expect(next()).toBe('give');
    defer(play, transition('t'));
    fire(play, transition('give'), '');
    expect(next()).toBe('u');
    restoreTransition(play, transition('t'));
    expect(next()).toBe('t');
  });
});
