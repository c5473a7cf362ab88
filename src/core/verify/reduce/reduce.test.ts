import { describe, expect, test } from 'vitest';
import { at } from '../../assert.ts';
import { flatten } from '../search/flat-net.ts';
import { netFrom } from '../net-text.given.ts';
import { randomWorkflowNet } from '../random-net.given.ts';
import { workflowShape } from '../workflow-shape.ts';
import { strip } from '../strip.ts';
import { linkNet } from './link-net.ts';
import { arcsOfPort, dockOf, GIVES, portOf, TAKES, transitionsOfDock } from './linked-net.ts';
import { everyTransitionFiresOnce } from './once.ts';
import { reduce, RULES } from './reduce.ts';
import { residueOf } from './residue.ts';
import type { LinkedNet } from './linked-net.ts';
import type { ReductionRule } from './reduce.ts';

function linked(...given: Parameters<typeof netFrom>): LinkedNet {
  const shape = workflowShape(flatten(netFrom(...given)));
  if (shape === undefined) throw new Error('This is no workflow net.');
  return linkNet({ flat: shape.net, role: shape.role, stripped: strip(shape).stripped });
}

function sizeAfter(
  text: string,
  rules: readonly ReductionRule[] = RULES,
  tokens: Readonly<Record<string, number>> = { source: 1 },
): string {
  const net = linked(text, tokens);
  reduce(net, new Set(rules));
  const { net: left } = residueOf(net, new Int32Array(net.placeCount));
  return `${left.placeCount} places, ${left.transitionCount} transitions`;
}

describe('each rule', () => {
  test('fuse: a transition that alone takes from a place is fused with the givers of the place', () => {
    expect(sizeAfter('a: source -> p\nb: source -> p\nc: p -> x, y\nd: x, y -> sink', ['fuse'])).toBe(
      '4 places, 3 transitions',
    );
  });

  test('fuse: choices after one giver are made by the giver', () => {
    expect(sizeAfter('a: source -> p, q\nb: p -> x\nc: p -> y\nd: x, q -> sink\ne: y, q -> sink', ['fuse'])).toBe(
      '5 places, 4 transitions',
    );
  });

  test('fuse: does not swallow a transition that leaves nothing, nor one that fills its own place', () => {
    expect(sizeAfter('a: source -> p, q\nb: p -> \nc: q -> sink', ['fuse'])).toBe('3 places, 2 transitions');
    expect(sizeAfter('a: source -> p\nb: p -> p, q\nc: q -> sink', ['fuse'])).toBe('3 places, 2 transitions');
  });

  test('delay: a transition that gives one place and shares nothing is put off', () => {
    expect(sizeAfter('a: source -> p, q\nb: p, q -> r\nc: r -> sink\nd: r -> r', ['delay'])).toBe(
      '4 places, 3 transitions',
    );
    expect(sizeAfter('a: source -> x\nb: x -> y\nc: y -> sink\nd: y -> x', ['delay'])).toBe('2 places, 2 transitions');
  });

  test('twin transition: of two that take and give the same one goes', () => {
    expect(sizeAfter('a: source -> sink\nb: source -> sink\nc: source -> sink', ['twin transition'])).toBe(
      '2 places, 1 transitions',
    );
  });

  test('twin place: of two filled and emptied together one goes, also among many', () => {
    const many = Array.from({ length: 40 }, (_, index) => `p${index}`).join(', ');
    expect(sizeAfter(`a: source -> ${many}\nb: ${many} -> sink`, ['twin place'])).toBe('3 places, 2 transitions');
  });

  test('twin transition: twins are found among many choices too', () => {
    const many = Array.from({ length: 40 }, (_, index) => `t${index}: source -> x${index % 2}\n`).join('');
    expect(sizeAfter(`${many}a: x0 -> sink\nb: x1 -> sink`, ['twin transition'])).toBe('4 places, 4 transitions');
  });

  test('loop: one that changes nothing goes when others show that it is not dead', () => {
    expect(sizeAfter('a: source -> p, q\nloop: p, q -> p, q\nb: p, q -> sink', ['loop'])).toBe(
      '4 places, 2 transitions',
    );
    expect(sizeAfter('a: source -> p\nb: source -> q\nc: p -> sink\nd: q -> sink\nloop: p, q -> p, q', ['loop'])).toBe(
      '4 places, 5 transitions',
    );
  });

  test('early read: a read is dropped when the next taker needs the tokens anyway', () => {
    const text = 'a: source -> w, x, y\nb: x -> n\nc: y -> n\nopen: w ? n -> r\nend: r, n*2 -> sink';
    expect(sizeAfter(text, ['early read'])).toBe('7 places, 5 transitions');
    const net = linked(text);
    expect(reduce(net, new Set(['early read']))['early read']).toBe(1);
    expect(arcsOfPort(net, portOf(3, TAKES)).length).toBe(1);
  });
});

test('a wide join after a long chain is not copied along the chain', () => {
  const wide = Array.from({ length: 2_000 }, (_, index) => `p${index}`);
  const branches = wide.map((place, index) => `t${index}: ${place} -> q${index}, c${index}`).join('\n');
  const chain = wide.map((_, index) => `u${index}: c${index}, d${index} -> d${index + 1}`).join('\n');
  const text = `start: source -> d0, ${wide.join(', ')}\n${branches}\n${chain}\nend: d2000, ${wide.map((_, index) => `q${index}`).join(', ')} -> sink`;
  expect(sizeAfter(text)).toBe('2 places, 1 transitions');
});

describe('a net in which everything happens once', () => {
  const once = (text: string): boolean => everyTransitionFiresOnce(linked(text));
  const READ_EARLY = 'a: source -> w, x, y\nb: x -> n\nc: y -> n\nopen: w ? n -> r\n';

  test('may read before all tokens have arrived, as long as the emptier of the place comes later', () => {
    expect(once(`${READ_EARLY}mid: r, n*2 -> s\nend: s -> sink`)).toBe(true);
    expect(once(`${READ_EARLY}mid: r -> s, t\nempty: n*2, s -> u\nend: u, t -> sink`)).toBe(true);
  });

  test.each([
    ['a place may be emptied before it is read', `${READ_EARLY}empty: n*2 -> s\nend: r, s -> sink`],
    ['fewer tokens are taken than arrive', `${READ_EARLY}end: r, n -> sink`],
    ['more is read than arrives', 'a: source -> w, n\nopen: w ? n*2 -> r\nend: r, n -> sink'],
    ['there is a choice', 'a: source -> p\nb: p -> sink\nc: p -> sink'],
    ['there is a cycle', 'a: source -> p, x\nb: p, q -> r\nc: r, x -> q, s\nd: s -> sink'],
    ['something happens without taking anything', 'a: source -> p, q\nb: ? p -> r\nc: p, q, r -> sink'],
    ['something leaves nothing', 'a: source -> p, q\nb: p -> \nc: q -> sink'],
    ['a token is swapped for another', 'a: source -> p*2\nb: p*2 -> p\nc: p -> sink'],
  ])('is not one in which %s', (_, text) => {
    expect(once(text)).toBe(false);
  });

  test('has no resources left in it', () => {
    expect(everyTransitionFiresOnce(linked('a: source, r -> x\nb: x -> sink, r*2', { source: 1, r: 1 }))).toBe(false);
  });
});

test('sizes, hashes and counters stay true while rules change the net (linked-net/K2)', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const shape = workflowShape(flatten(randomWorkflowNet({ seed, refinements: 10 })));
    if (shape === undefined) continue;
    const net = linkNet({ flat: shape.net, role: shape.role, stripped: strip(shape).stripped });
    reduce(net);
    for (let transition = 0; transition < net.transitionCount; transition += 1) {
      const takes = arcsOfPort(net, portOf(transition, TAKES));
      const shared = takes.filter(({ place }) => transitionsOfDock(net, dockOf(place, TAKES)).length > 1).length;
      expect(at(net.shared, transition)).toBe(shared);
      expect(at(net.sizeOfPort, portOf(transition, TAKES))).toBe(takes.length);
      const heavy = arcsOfPort(net, portOf(transition, GIVES)).filter(({ weight }) => weight !== 1).length;
      expect(at(net.heavyAtPort, portOf(transition, GIVES))).toBe(heavy);
    }
    for (let place = 0; place < net.placeCount; place += 1) {
      const takers = transitionsOfDock(net, dockOf(place, TAKES));
      const joined = takers.filter((taker) => arcsOfPort(net, portOf(taker, TAKES)).length > 1).length;
      expect(at(net.joined, place)).toBe(joined);
      expect(at(net.sizeOfDock, dockOf(place, TAKES))).toBe(takers.length);
    }
  }
});
