import { describe, expect, test } from 'vitest';
import { buildNet } from './lay-net.ts';
import { arcsByPlace, placesOf, transitionsTaking, weightOf } from './walk-arcs.ts';

describe('building a net', () => {
  test('places and transitions are numbered in the order they are added', () => {
    const builder = buildNet();
    expect([builder.place({ id: 'a' }), builder.place({ id: 'b' })]).toEqual([0, 1]);
    expect(builder.transition({ id: 't' }, { takes: [0], gives: [1] })).toBe(0);
    expect(builder.transition({ id: 'u' }, { takes: [1], gives: [] })).toBe(1);
  });

  test('the first marking and counted places are kept', () => {
    const builder = buildNet();
    builder.place({ id: 'pool' }, { tokens: 3, counted: true });
    builder.place({ id: 'done' });
    const net = builder.build();
    expect([...net.initial]).toEqual([3, 0]);
    expect([...net.counted]).toEqual([1, 0]);
  });

  test('a place repeated in one list becomes one heavier arc (lay-net/B2)', () => {
    const builder = buildNet();
    const [a, b] = [builder.place({ id: 'a' }), builder.place({ id: 'b' })];
    builder.transition({ id: 't' }, { takes: [a, b, [a, 2]], gives: [b, a, b], reads: [] });
    builder.transition({ id: 'u' }, { takes: [a], gives: [b], reads: [b, b] });
    const net = builder.build();
    expect([...net.takes.start]).toEqual([0, 2, 3]);
    expect([...net.takes.place]).toEqual([a, b, a]);
    expect([...net.takes.weight]).toEqual([3, 1, 1]);
    expect([...net.gives.weight]).toEqual([2, 1, 1]);
    expect([...net.reads.weight]).toEqual([2]);
  });

  test('a place both taken and read is taken more heavily and given back (lay-net/B3)', () => {
    const builder = buildNet();
    const [a, b] = [builder.place({ id: 'a' }), builder.place({ id: 'b' })];
    builder.transition({ id: 't' }, { takes: [b, a], gives: [b], reads: [[a, 2], b] });
    const net = builder.build();
    expect([weightOf(net.takes, 0, a), weightOf(net.takes, 0, b)]).toEqual([3, 2]);
    expect([weightOf(net.gives, 0, a), weightOf(net.gives, 0, b)]).toEqual([2, 2]);
    expect(net.reads.place.length).toBe(0);
  });

  test('a net is a copy, so building may continue after it', () => {
    const builder = buildNet();
    builder.place({ id: 'a' });
    const small = builder.build();
    builder.place({ id: 'b' });
    expect(small.places.length).toBe(1);
    expect(builder.build().places.length).toBe(2);
  });

  test('arrays grow beyond their first room', () => {
    const builder = buildNet();
    for (let i = 0; i < 500; i += 1) builder.place({ id: `p${i}` }, { tokens: i });
    for (let i = 1; i < 500; i += 1) builder.transition({ id: `t${i}` }, { takes: [i - 1], gives: [[i, i]] });
    const net = builder.build();
    expect(net.initial[499]).toBe(499);
    expect(placesOf(net.gives, 498)).toEqual([499]);
    expect(weightOf(net.gives, 498, 499)).toBe(499);
  });

  test('invalid input is a bug with a message', () => {
    const builder = buildNet();
    const a = builder.place({ id: 'a' });
    expect(() => builder.place({ id: 'b' }, { tokens: -1 })).toThrow('Place 1 cannot begin with -1 tokens.');
    expect(() => builder.transition({ id: 't' }, { takes: [7], gives: [] })).toThrow('names place 7');
    expect(() => builder.transition({ id: 't' }, { takes: [[a, 0]], gives: [] })).toThrow('weight 0');
    expect(() => builder.transition({ id: 't' }, { takes: [[a, 1.5]], gives: [] })).toThrow('weight 1.5');
  });
});

test('arcs turned round list the transitions of each place in order', () => {
  const builder = buildNet();
  const [a, b] = [builder.place({ id: 'a' }), builder.place({ id: 'b' })];
  builder.transition({ id: 't' }, { takes: [b, a], gives: [] });
  builder.transition({ id: 'u' }, { takes: [[b, 4]], gives: [a], reads: [a] });
  const net = builder.build();
  const taking = transitionsTaking(net);
  expect([...taking.start]).toEqual([0, 1, 3]);
  expect([...taking.transition]).toEqual([0, 0, 1]);
  expect([...taking.weight]).toEqual([1, 1, 4]);
  expect([...arcsByPlace(net.gives, 2).transition]).toEqual([1]);
  expect([...arcsByPlace(net.reads, 2).start]).toEqual([0, 1, 1]);
});
