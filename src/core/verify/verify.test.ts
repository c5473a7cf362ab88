import { describe, expect, test } from 'vitest';
import { explainTrace } from './explain-trace.ts';
import { namesOfFired, netFrom } from './net-text.given.ts';
import { planNet } from './plan-net.given.ts';
import { buildNet } from '../net/lay-net.ts';
import { verify } from './verify.ts';
import type { NetFinding } from './net-finding.ts';
import type { NetVerdict, WorkflowVerification } from './workflow.ts';

function workflow(...given: Parameters<typeof netFrom>): WorkflowVerification {
  const verification = verify(netFrom(...given));
  if (verification.type === 'general') throw new Error('This is no workflow net.');
  return verification;
}

const verdictOf = (...given: Parameters<typeof netFrom>): NetVerdict => workflow(...given).verdict;

function findingOf(...given: Parameters<typeof netFrom>): NetFinding {
  const verdict = verdictOf(...given);
  if (verdict.type !== 'unsound') throw new Error(`The net is ${verdict.type}.`);
  return verdict.finding;
}

/** One step as plans have them: claimed from a pool, ended or returned, or dropped. */
const STEP = `
  start: source -> ready
  claim: ready, pool*2 ? going -> working
  end: working -> ended, pool*2
  return: working -> ready, pool*2
  cancel: working -> working
  drop: ready -> ended
  finish: ended -> sink
  pause: going -> paused
  resume: paused -> going`;

describe('a sound workflow net', () => {
  test('is proved by reduction when it is a step with a pool and a switch', () => {
    expect(verdictOf(STEP, { source: 1, pool: 2, going: 1 })).toEqual({ type: 'sound', by: 'reduction' });
  });

  test('is proved by reduction when a task waits for some of several needs and the end takes them all', () => {
    const text = `
      start: source -> a, b, c, waiting
      a: a -> arrived
      b: b -> arrived
      c: c -> arrived
      open: waiting ? arrived*2 -> working
      close: working -> ended
      finish: ended, arrived*3 -> sink`;
    expect(verdictOf(text)).toEqual({ type: 'sound', by: 'reduction' });
  });

  test('is found by search where the rules do not reach', () => {
    // Both workers need both tools, and take them in the same order, so nobody waits in a cycle.
    const text = `
      start: source -> a, b
      a1: a, hammer -> a1
      a2: a1, nails -> a2
      a3: a2 -> a3, hammer, nails
      b1: b, hammer -> b1
      b2: b1, nails -> b2
      b3: b2 -> b3, hammer, nails
      finish: a3, b3 -> sink`;
    expect(verdictOf(text, { source: 1, hammer: 1, nails: 1 })).toMatchObject({ type: 'sound', by: 'search' });
  });

  test('lists the checks in the order in which they run', () => {
    const { checks } = workflow(STEP, { source: 1, pool: 2, going: 1 });
    expect(checks.map(({ code, result }) => `${code} ${result}`)).toEqual([
      'shape holds',
      'path holds',
      'capacity holds',
      'pools holds',
      'hold-and-wait holds',
      'free-choice holds',
      'bounded holds',
      'sound holds',
    ]);
  });

  test('has free choices though a loop reads part of the inputs of others, and not when they share a part', () => {
    const freeChoice = (text: string): string | undefined =>
      workflow(text).checks.find(({ code }) => code === 'free-choice')?.result;
    expect(freeChoice('a: source -> p, q\nlook: p -> p\nb: p, q -> sink\nc: p, q -> sink')).toBe('holds');
    expect(freeChoice('a: source -> p, q\nb: p, q -> sink\nc: p -> r\nd: r, q -> sink')).toBe('unknown');
  });

  test('needs no token on its only source to be taken for one', () => {
    expect(verdictOf('go: source -> sink', {})).toEqual({ type: 'sound', by: 'reduction' });
  });

  test('may have several sinks, of which one is reached', () => {
    const { verdict, checks } = workflow('yes: source -> done\nno: source -> refused');
    expect(verdict.type).toBe('sound');
    expect(checks[0]?.sentence).toContain('2 sinks');
  });

  test('may have several sinks, which are reached side by side', () => {
    expect(verdictOf('start: source -> a, b\nleft: a -> done\nright: b -> told')).toEqual({
      type: 'sound',
      by: 'reduction',
    });
    expect(verdictOf('start: source -> a, b\nleft: a -> done\nright: b -> told\nboth: a -> done').type).toBe('sound');
  });

  test('of the shape of a plan of 60 tasks is proved by reduction', () => {
    expect(verify(planNet({ seed: 5, tasks: 60 }))).toMatchObject({ verdict: { type: 'sound', by: 'reduction' } });
  });
});

describe('an unsound workflow net', () => {
  test('with hold-and-wait is reported with a shortest trace', () => {
    const net = netFrom(
      `start: source -> a, b
       claim a: a, pool -> a.working
       claim b: b, pool -> b.working
       more a: a.working, pool -> a.full
       more b: b.working, pool -> b.full
       end a: a.full -> a.ended, pool*2
       end b: b.full -> b.ended, pool*2
       finish: a.ended, b.ended -> sink`,
      { source: 1, pool: 2 },
    );
    const verification = verify(net);
    if (verification.type === 'general' || verification.verdict.type !== 'unsound') throw new Error('It deadlocks.');
    const { finding } = verification.verdict;
    expect(finding.code).toBe('hold-and-wait');
    expect(namesOfFired(net, finding.trace)).toEqual(['start', 'claim a', 'claim b']);
    expect(finding.traceOf).toBe('net');
    expect(explainTrace(finding, net)).toBe(
      'After start, claim a, claim b everyone who holds something waits for more, so nothing can happen: pool is empty, a.working a token, b.working a token.',
    );
    expect(verification.checks.find(({ code }) => code === 'hold-and-wait')).toMatchObject({ result: 'unknown' });
  });

  test('that can stop for good is a deadlock', () => {
    const finding = findingOf('yes: source -> a\nno: source -> b\nend: a, b -> sink\nspin: a -> a\nturn: b -> b');
    expect(finding.code).toBe('cannot-finish');
    expect(findingOf('yes: source -> a\nno: source -> b\nend: a, b -> sink').code).toBe('deadlock');
  });

  test('that ends while something is still under way has tokens left over', () => {
    const finding = findingOf('start: source -> a, b\nfast: a -> sink\nslow: b -> sink');
    expect(finding.code).toBe('left-over-tokens');
    expect(finding.trace).toEqual([0, 1]);
  });

  test('that reaches one of its sinks twice ends twice, and one that leaves a token elsewhere cannot end', () => {
    expect(findingOf('start: source -> a, b\nleft: a -> done\nright: b -> done\nother: b -> told').code).toBe(
      'ends-twice',
    );
    expect(findingOf('start: source -> a, b\nleft: a -> done\nright: a, b -> told\nagain: a, b -> told').code).toBe(
      'deadlock',
    );
  });

  test('with a transition that has no arcs says so', () => {
    const net = buildNet();
    const [source, sink] = [net.place({ id: 'source' }, { tokens: 1 }), net.place({ id: 'sink' })];
    net.transition({ id: 'go' }, { takes: [source], gives: [sink] });
    net.transition({ id: 'idle' }, { takes: [], gives: [] });
    expect(verify(net.build())).toMatchObject({
      verdict: { type: 'unsound', finding: { code: 'no-way-to-the-end', transition: 1 } },
    });
  });

  test('that fills the sink twice at once ends twice', () => {
    expect(findingOf('start: source -> sink*2').code).toBe('ends-twice');
  });

  test('that keeps a token of a pool does not return it', () => {
    const finding = findingOf('claim: source, pool*2 -> working\nend: working -> sink, pool', { source: 1, pool: 2 });
    expect(finding).toMatchObject({ code: 'pool-not-returned', trace: [0, 1] });
    expect(finding.sentence).toContain('pool does not hold what it held');
  });

  test('that needs more than a pool has is reported before any search', () => {
    const finding = findingOf('claim: source, pool*3 -> working\nend: working -> sink, pool*3', { source: 1, pool: 2 });
    expect(finding).toMatchObject({ code: 'demand-over-capacity', place: 1, transition: 0, trace: undefined });
    expect(finding.sentence).toBe('claim needs 3 of pool, which has only 2; ask for less or enlarge it.');
  });

  test('whose tokens pile up among many other markings shows steps of the net itself', () => {
    const many = Array.from(
      { length: 200 },
      (_, at) => `t${at}: p${at} -> p${at + 1}${at % 5 === 0 ? `, p${at >> 1}` : ''}`,
    );
    const { trace, traceOf } = findingOf(`s: source -> p0\n${many.join('\n')}\ne: p200 -> sink`);
    expect({ trace, traceOf }).toEqual({ trace: [0, 1], traceOf: 'net' });
  });

  test('that ends with a resource in another place names what is left over', () => {
    const { sentence, code } = findingOf(
      'move: r -> s\nagain: s -> q\nreturn: q -> r\ntake: source, s -> a\nput: a -> sink, q',
      { source: 1, r: 1 },
    );
    expect(code).toBe('left-over-tokens');
    expect(sentence).toContain('while q still holds a token');
  });

  test('whose tokens pile up is unbounded', () => {
    expect(findingOf('start: source -> a\nmore: a -> a, b\nturn: a, b*9999 -> sink').code).toBe('unbounded');
  });

  test('with tasks that need each other names the cycle', () => {
    const finding = findingOf('start: source -> a, b\nfirst: a, y -> x, p\nsecond: b, x -> y, q\nend: p, q -> sink');
    expect(finding.code).toBe('no-way-from-the-start');
    expect(finding.sentence).toBe(
      'None of first, second can ever fire: each waits for the next, and the last for the first.',
    );
  });

  test('with a place that no transition fills names it', () => {
    const finding = findingOf('start: source -> a\nend: a -> sink\nnever: a, ghost -> ghost, sink');
    expect(finding.sentence).toBe('never can never fire, because ghost never gets a token.');
  });

  test('with a way that leads nowhere says where it begins', () => {
    const finding = findingOf('start: source -> a\nend: a -> sink\nstray: a -> b\nround: b -> b');
    expect(finding.code).toBe('no-way-to-the-end');
    expect(finding.sentence).toContain('stray');
  });

  test('with a transition that no order of firings enables names it', () => {
    const text = 'a: source -> x\nb: source -> y\nend x: x -> sink\nend y: y -> sink\nboth: x, y -> sink';
    expect(findingOf(text)).toMatchObject({ code: 'dead-transition', transition: 4, trace: undefined });
  });

  test('too large to search for a trace is reported with the trace of the reduced net, lifted back', () => {
    const net = netFrom(
      `start: source -> a, b, c, d
       a: a -> a1
       b: b -> b1
       c: c -> c1
       d: d -> d1
       yes: a1 -> x
       no: a1 -> y
       end: x, y, b1, c1, d1 -> sink
       other: x -> x2
       way: y -> x2
       last: x2, b1, c1, d1, e -> sink
       e: x2 -> e`,
    );
    const verification = verify(net, { limits: { markingsMax: 6 } });
    expect(verification).toMatchObject({
      type: 'workflow',
      verdict: { type: 'unsound', finding: { traceOf: 'net' } },
    });
  });
});

test('a net that the limits do not let us decide is unknown, with the limit in words', () => {
  const text = `
    start: source -> a, b, c
    a1: a, x -> a1
    a2: a1, y -> a2
    a3: a2 -> a3, x, y
    b1: b, y -> b1
    b2: b1, x -> b2
    b3: b2 -> b3, x, y
    c1: c, x -> c1
    c2: c1, y -> c2
    c3: c2 -> c3, x, y
    end: a3, b3, c3 -> sink`;
  const net = netFrom(text, { source: 1, x: 1, y: 1 });
  const sentences = (['markingsMax', 'wordsMax', 'triesMax'] as const).map((limit) => {
    const verification = verify(net, { limits: { [limit]: 3 } });
    return verification.type === 'workflow' && verification.verdict.type === 'unknown'
      ? verification.verdict.sentence
      : '';
  });
  expect(sentences).toEqual([
    'Not decided: the search met 3 markings, its limit, and there are more.',
    "Not decided: the markings met need more than 3 words of memory, the search's limit.",
    'Not decided: the search looked at transitions and places 3 times, its limit, and was not done.',
  ]);
});

describe('any other net', () => {
  test('is asked whether it is bounded, safe, free of deadlocks and live', () => {
    const verification = verify(netFrom('go: a -> b\nback: b -> a', { a: 1 }));
    expect(verification).toMatchObject({
      type: 'general',
      properties: {
        bounded: { type: 'yes' },
        oneSafe: { type: 'yes' },
        deadlockFree: { type: 'yes' },
        quasiLive: { type: 'yes' },
        live: { type: 'yes' },
        markings: { count: 2, isAll: true },
      },
    });
  });

  test('gets a shortest way for each no', () => {
    const verification = verify(netFrom('go: a -> b*2\njoin: b*2 -> c\nnever: d -> e', { a: 1 }));
    if (verification.type === 'workflow') throw new Error('It has no source.');
    const { oneSafe, deadlockFree, quasiLive, live } = verification.properties;
    expect(oneSafe).toMatchObject({
      type: 'no',
      trace: [0],
      sentence: 'After 1 step a place holds more than one token.',
    });
    expect(deadlockFree).toMatchObject({ type: 'no', trace: [0, 1], sentence: 'After 2 steps nothing can fire.' });
    expect(quasiLive).toMatchObject({ type: 'no', trace: undefined, sentence: 'never can never fire.' });
    expect(live).toMatchObject({ type: 'no', trace: undefined, sentence: 'never can never fire.' });
  });

  test('that is not live is shown the first marking from which a transition has no future', () => {
    const verification = verify(
      netFrom('once: a -> b\nspend: b -> c\nagain: c -> b\nrest: c -> d\nstay: d -> d', { a: 1 }),
    );
    if (verification.type === 'workflow') throw new Error('It has no sink.');
    expect(verification.properties.live).toMatchObject({ type: 'no', trace: [0], transition: 0 });
  });

  test('with more tokens than can be counted is unknown, not wrong', () => {
    const text = 'one: i -> o\nall: o*2147483647 -> d\nback: d -> o*2147483647';
    const verification = verify(netFrom(text, { i: 1, o: 2147483647 }));
    if (verification.type === 'workflow') throw new Error('It has no sink.');
    expect(verification.properties.deadlockFree).toMatchObject({
      type: 'unknown',
      sentence: expect.stringContaining('2,147,483,647 tokens'),
    });
  });

  test('without bound is free of deadlocks when no enabled transition depends on unbounded counts', () => {
    const free = verify(netFrom('make: p -> q\nput: q -> p, b\nget: c, b -> e\nuse: e -> c', { p: 1, c: 1 }));
    const open = verify(netFrom('grow: a -> a, b\nstop: a -> c\nuse: b, c -> c', { a: 1 }));
    if (free.type === 'workflow' || open.type === 'workflow') throw new Error('They are no workflow nets.');
    expect(free.properties.deadlockFree.type).toBe('yes');
    expect(open.properties.deadlockFree.type).toBe('no');
  });

  test('without bound is reported as such, and its dead transitions are still found', () => {
    const verification = verify(netFrom('grow: a -> a, b\nshrink: b -> c\nnever: d -> a\nmix: b, c -> a, c', { a: 1 }));
    if (verification.type === 'workflow') throw new Error('It has no source.');
    const { bounded, quasiLive, live, markings } = verification.properties;
    expect(bounded).toMatchObject({ type: 'no', trace: [0] });
    expect(quasiLive).toMatchObject({ type: 'no', transition: 2 });
    expect(live.type).toBe('no');
    expect(markings.isAll).toBe(false);
  });

  test('without bound and without dead transitions leaves liveness open', () => {
    const verification = verify(netFrom('grow: a -> a, b\nshrink: b -> c\nwaste: c -> c', { a: 1 }));
    if (verification.type === 'workflow') throw new Error('It has no source.');
    const { live, deadlockFree, oneSafe, quasiLive } = verification.properties;
    expect([live.type, deadlockFree.type, oneSafe.type, quasiLive.type]).toEqual(['unknown', 'yes', 'no', 'yes']);
    expect(live).toMatchObject({ sentence: expect.stringContaining('no bound') });
  });

  test('without bound is not safe, though all visited markings are', () => {
    // Ten switches of their own make thousands of safe markings before the slow part comes round.
    const flips = Array.from(
      { length: 10 },
      (_, index) => `a${index}: x${index} -> y${index}\nb${index}: y${index} -> x${index}`,
    );
    const slow = Array.from({ length: 8 }, (_, index) => `s${index}: z${index} -> z${index + 1}`);
    const tokens = Object.fromEntries([...flips.keys()].map((index) => [`x${index}`, 1]));
    const text = [...flips, ...slow, 'grow: z8 -> z0, w', 'waste: w ? w -> w'].join('\n');
    const verification = verify(netFrom(text, { ...tokens, z0: 1 }), { limits: { markingsMax: 60_000 } });
    if (verification.type === 'workflow') throw new Error('It has no source.');
    const { bounded, oneSafe } = verification.properties;
    expect(bounded.type === 'no' ? bounded.trace?.length : 0).toBe(9);
    expect(oneSafe).toMatchObject({ type: 'no', marking: expect.arrayContaining([{ place: 29, tokens: 2 }]) });
    expect(oneSafe.type === 'no' ? oneSafe.trace?.length : 0).toBe(18);
  });

  test('too large for the limits is unknown', () => {
    const verification = verify(netFrom('go: a -> b\nback: b -> a', { a: 9, b: 9 }), { limits: { markingsMax: 4 } });
    if (verification.type === 'workflow') throw new Error('It has no source.');
    expect(verification.properties.bounded).toEqual({
      type: 'unknown',
      sentence: expect.stringContaining('4 markings'),
    });
    expect(verification.properties.markings.isAll).toBe(false);
  });
});
