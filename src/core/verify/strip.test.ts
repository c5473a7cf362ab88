import { describe, expect, test } from 'vitest';
import { flatten } from './search/flat-net.ts';
import { netFrom } from './net-text.given.ts';
import { workflowShape, type WorkflowShape } from './workflow-shape.ts';
import { strip } from './strip.ts';
import { verify } from './verify.ts';

function shapeOf(...given: Parameters<typeof netFrom>): { shape: WorkflowShape; id: (place: number) => string } {
  const net = netFrom(...given);
  const shape = workflowShape(flatten(net));
  if (shape === undefined) throw new Error('This is no workflow net.');
  return { shape, id: (place) => net.places[place]?.id ?? '' };
}

function told(...given: Parameters<typeof netFrom>): { pools: string[]; kept: string[] } {
  const { shape, id } = shapeOf(...given);
  const { pools, kept } = strip(shape);
  return { pools: pools.map(id), kept: kept.map(({ place, reason }) => `${id(place)} ${reason}`) };
}

describe('a pool is stripped', () => {
  test('when two starts share it and a running place loops and ends in two ways', () => {
    const text = `
      start: source -> a, b
      claim a: a, pool*2 -> a.working
      turn a: a.working -> a.working
      end a: a.working -> c, pool*2
      return a: a.working -> a, pool*2
      claim b: b, pool -> b.working
      end b: b.working -> d, pool
      finish: c, d -> sink`;
    expect(told(text, { source: 1, pool: 2 })).toEqual({ pools: ['pool'], kept: [] });
  });

  test('when a running place hands its tokens to another', () => {
    const text = 'claim: source, x, y -> both\ndrop x: both -> one, x\nend: one -> sink, y';
    expect(told(text, { source: 1, x: 1, y: 1 })).toEqual({ pools: ['x', 'y'], kept: [] });
  });

  test('when others only look at it', () => {
    const text = 'look: source ? pool*2 -> a\nclaim: a, pool -> b\nend: b -> sink, pool';
    expect(told(text, { source: 1, pool: 2 })).toEqual({ pools: ['pool'], kept: [] });
  });
});

describe('a pool stays in the proof', () => {
  test('when its running place can be entered without it', () => {
    const text = 'claim: source, pool -> working\nenter: source -> working\nend: working -> sink, pool';
    expect(told(text, { source: 1, pool: 1 })).toEqual({ pools: [], kept: ['pool not-returned'] });
  });

  test('when a way out gives less back', () => {
    const text = 'claim: source, pool*2 -> working\nend: working -> sink, pool';
    expect(told(text, { source: 1, pool: 2 }).kept).toEqual(['pool consumed']);
  });

  test('when a running place is marked at the start', () => {
    const text = 'start: source -> a\nclaim: a, pool -> working\nend: working -> a2, pool\nfinish: a2 -> sink';
    expect(told(text, { source: 1, pool: 1, working: 1 }).pools).not.toContain('pool');
  });

  test('when its holder waits for more', () => {
    const text = 'claim: source, pool -> one\nmore: one, pool -> two\nend: two -> sink, pool*2';
    expect(told(text, { source: 1, pool: 2 }).kept).toEqual(['pool hold-and-wait']);
  });

  test('when a start beside the flow takes nothing else, so that only the pool bounds it', () => {
    const text =
      'go: source, pool -> working\nend: working -> sink, pool\nborrow: pool ? on -> out\nback: out -> pool\noff: on -> off\non: off -> on';
    expect(told(text, { source: 1, pool: 1, on: 1 }).kept).toEqual(['pool taken-alone']);
  });

  test('when leaving needs something else', () => {
    const text = 'start: source -> a, b\nclaim: a, pool -> working\nend: working, b -> sink, pool';
    expect(told(text, { source: 1, pool: 1 }).kept).toEqual(['pool shared-running-place']);
  });
});

describe('a switch', () => {
  test('is two places between which a token is flipped and which others read', () => {
    const text = 'go: source ? on -> sink\noff: on -> off\non: off -> on';
    const { shape, id } = shapeOf(text, { source: 1, on: 1 });
    expect(shape.switches.map((pair) => pair.map(id))).toEqual([['on', 'off']]);
    expect([...strip(shape).stripped].filter((flag) => flag === 1).length).toBe(2);
  });

  test.each([3, 4])('may be a cycle of %d places, at the end of which any of them may hold the token', (count) => {
    const moves = Array.from({ length: count }, (_, at) => `m${at}: r${at} -> r${(at + 1) % count}`);
    const text = ['go: source ? r1 -> sink', ...moves].join('\n');
    const { shape, id } = shapeOf(text, { source: 1, r0: 1 });
    expect(shape.switches.map((places) => places.map(id).sort())).toEqual([moves.map((__, at) => `r${at}`)]);
    expect(verify(netFrom(text, { source: 1, r0: 1 }))).toMatchObject({ verdict: { type: 'sound' } });
  });

  test.each([
    ['that part and meet again', 'split: r0 -> r1, r2\nlate: r1 -> r3\nmeet: r3, r2 -> r0', 'r3, r2', ['r0']],
    ['that move two at a time', 'a: r0*2 -> r1*2\nb: r1*2 -> r0*2', 'r1*2', ['r0', 'r0']],
    [
      'that move while another cycle is at a place',
      'a: r0 ? r2 -> r1\nb: r1 -> r0\nc: r2 -> r3\nd: r3 -> r2',
      'r1, r3',
      ['r0', 'r2'],
    ],
  ])('may be tokens %s, which always come back', (_, moves, read, marked) => {
    const text = `go: source ? ${read} -> sink\n${moves}`;
    const tokens: Record<string, number> = { source: 1 };
    for (const place of marked) tokens[place] = (tokens[place] ?? 0) + 1;
    const { shape } = shapeOf(text, tokens);
    expect(shape.switches).toHaveLength(1);
    expect(verify(netFrom(text, tokens))).toMatchObject({ verdict: { type: 'sound' } });
    // Nothing comes back from a place without a way out of it.
    expect(
      shapeOf(`${text}\nlose: r1 -> gone\nturn: gone -> gone2\nagain: gone2 -> gone`, tokens).shape.switches,
    ).toEqual([]);
  });

  test('may have several tokens, and is none when a transition reads more than there are', () => {
    const text = (weight: number): string => `go: source ? a*${weight} -> sink\nx: a -> b\ny: b -> c\nz: c -> a`;
    expect(shapeOf(text(2), { source: 1, a: 1, b: 1 }).shape.switches).toHaveLength(1);
    expect(verify(netFrom(text(2), { source: 1, a: 1, b: 1 }))).toMatchObject({ verdict: { type: 'sound' } });
    expect(shapeOf(text(3), { source: 1, a: 1, b: 1 }).shape.switches).toEqual([]);
  });

  test.each([
    ['read on both sides at once', 'go: source ? on, off -> sink\noff: on -> off\non: off -> on'],
    [
      'flipped only when something else allows it',
      'a: source ? on -> x\nz: x -> sink\noff: on ? x -> off\non: off -> on',
    ],
    ['taken by others', 'go: source, on -> sink, on2\noff: on -> off\non: off -> on\nback: on2 -> on'],
  ])('is none when it is %s', (_, text) => {
    expect(shapeOf(text, { source: 1, on: 1 }).shape.switches).toEqual([]);
  });
});

test('a place that is only read is constant, and a read of more than it has is an excess', () => {
  expect(shapeOf('go: source ? fixed*2 -> sink', { source: 1, fixed: 2 }).shape.constants.length).toBe(1);
  const { shape } = shapeOf('go: source ? fixed*3 -> sink', { source: 1, fixed: 2 });
  expect(strip(shape).excess).toMatchObject({ wanted: 3, transition: 0 });
});

test.each([
  ['no source', 'go: a -> b\nback: b -> a', { a: 1 }],
  ['two sources', 'go: a -> c\nno: b -> c', { a: 1, b: 1 }],
  ['no sink', 'go: source -> a\nround: a -> a', { source: 1 }],
  ['a source without a token while others have some', 'go: source -> sink\nx: a -> b\ny: b -> a', { a: 1 }],
  ['a source with two tokens', 'go: source -> sink', { source: 2 }],
  ['a token on the sink', 'go: source -> sink', { source: 1, sink: 1 }],
])('a net with %s is no workflow net', (_, text, tokens) => {
  expect(workflowShape(flatten(netFrom(text, tokens)))).toBeUndefined();
});
