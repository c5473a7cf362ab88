import { describe, expect, test } from 'vitest';
import { assign } from '../engine/owed/assign.ts';
import { placeableOf } from '../engine/owed/placeable.ts';
import { answerHosts, type Dispatched, type HostReply } from './answer-hosts.ts';
import { expire, LEASE_MS, leaseEnd, receive, startDispatcher, type Dispatcher } from './dispatcher.ts';
import type { WorkOutcome } from './work-outcome.ts';
import { claimsOf, owed } from '../engine/owed/owed.ts';
import { WORK_TYPES, WORKER_TYPES, type ClaimRef } from './assignment.ts';
import { given, OK, type Run } from '../engine/run.given.ts';
import type { Sync } from './sync.ts';

const UNKNOWN = { usd: undefined, tokens: undefined };
const held = (...claims: readonly ClaimRef[]): Sync['held'] => claims.map((claim) => ({ claim, spend: UNKNOWN }));
const sync = (number: number, said: Partial<Sync> = {}): Sync => ({
  host: 'here',
  number,
  done: [],
  held: [],
  want: 8,
  does: WORKER_TYPES,
  ...said,
});
const sent = (run: Run, dispatcher: Dispatcher): Dispatched =>
  answerHosts(dispatcher, owed(run.state()), {
    assign: (claim) => assign(run.state(), claim, { inputs: {}, env: {} }),
    needsOf: (claim) => placeableOf(run.state(), claim),
  });
const hear = (dispatcher: Dispatcher, syncs: readonly Sync[], at: number): readonly WorkOutcome[] =>
  receive(dispatcher, syncs, { at, placedOn: () => 'over' }).outcomes;
const repliesIn = (dispatched: Dispatched): readonly HostReply[] =>
  dispatched.type === 'dispatched' ? dispatched.replies : [];
const started = (dispatched: Dispatched): readonly string[] =>
  repliesIn(dispatched).flatMap(({ host, reply }) =>
    reply.start.map(({ claim }) => `${host}: ${claim.task}#${claim.attempt}`),
  );
const A: ClaimRef = { work: 'step', task: 'a', step: 'main', attempt: 1 };
const B: ClaimRef = { work: 'step', task: 'b', step: 'main', attempt: 1 };

test('a host is assigned claims that no host holds, up to its capacity', () => {
  const run = given('a: { run: x }\nb: { run: x }');
  const dispatcher = startDispatcher();
  hear(dispatcher, [sync(1, { want: 1 })], 0);
  expect(started(sent(run, dispatcher))).toEqual(['here: a#1']);
  hear(dispatcher, [sync(2, { held: held(A), want: 7 })], 0);
  expect(started(sent(run, dispatcher))).toEqual(['here: b#1']);
});

test('a message is answered once, and only when there is something to say', () => {
  const run = given('a: { run: x }');
  const dispatcher = startDispatcher();
  hear(dispatcher, [sync(1)], 0);
  expect(repliesIn(sent(run, dispatcher))).toHaveLength(1);
  expect(repliesIn(sent(run, dispatcher))).toHaveLength(0);
  hear(dispatcher, [sync(2, { held: held(A) })], 0);
  expect(repliesIn(sent(run, dispatcher))).toHaveLength(0);
});

test('the claims of a lost reply are offered again', () => {
  const run = given('a: { run: x }');
  const dispatcher = startDispatcher();
  hear(dispatcher, [sync(1)], 0);
  expect(started(sent(run, dispatcher))).toEqual(['here: a#1']);
  hear(dispatcher, [sync(2)], 0);
  expect(started(sent(run, dispatcher))).toEqual(['here: a#1']);
});

test('a claim of one host is not assigned to another', () => {
  const run = given('a: { run: x }');
  const dispatcher = startDispatcher();
  hear(dispatcher, [sync(1), sync(1, { host: 'there' })], 0);
  expect(started(sent(run, dispatcher))).toEqual(['here: a#1']);
});

test('an older message that arrives late still reports, and does not change which claims the host holds', () => {
  const run = given('a: { run: x }');
  const dispatcher = startDispatcher();
  hear(dispatcher, [sync(5, { held: held(A) })], 0);
  expect(hear(dispatcher, [sync(4, { done: [{ type: 'stopped', ...A, spend: UNKNOWN }] })], 0)).toEqual([
    { type: 'stopped', work: 'step', task: 'a', step: 'main', attempt: 1, spend: UNKNOWN },
  ]);
  expect(started(sent(run, dispatcher))).toEqual([]);
});

test('a claim to end is cancelled, whether a host holds it or not', () => {
  const run = given('a: { run: x }\nb: { run: x }');
  const dispatcher = startDispatcher();
  run.cancel('a', 'b');
  hear(dispatcher, [sync(1, { held: held(A) })], 0);
  const [first] = repliesIn(sent(run, dispatcher));
  expect(first?.reply).toEqual({ number: 1, start: [], cancel: [A, B] });
});

test('a host that holds a claim that is over gets nothing new until it has dropped the claim', () => {
  const run = given('a: { run: x }');
  const dispatcher = startDispatcher();
  const stale = { ...B, attempt: 7 };
  hear(dispatcher, [sync(1, { held: held(stale) })], 0);
  expect(repliesIn(sent(run, dispatcher))).toEqual([
    { host: 'here', reply: { number: 1, start: [], cancel: [stale] } },
  ]);
  hear(dispatcher, [sync(2)], 0);
  expect(started(sent(run, dispatcher))).toEqual(['here: a#1']);
});

test('a host that is told to end a claim of another host is given other claims meanwhile', () => {
  const run = given('a: { run: x }\nb: { run: x }');
  const dispatcher = startDispatcher();
  hear(dispatcher, [sync(1, { host: 'there', held: held(A), want: 0 }), sync(1, { held: held(A) })], 0);
  const [reply] = repliesIn(sent(run, dispatcher));
  expect(reply?.reply.cancel).toEqual([A]);
  expect(reply?.reply.start.map(({ claim }) => claim)).toEqual([B]);
});

test('the claims of a host that was silent for a whole lease are lost', () => {
  const run = given('a: { run: x }');
  const dispatcher = startDispatcher();
  hear(dispatcher, [sync(1, { held: held(...claimsOf(run.state())) })], 0);
  expect(leaseEnd(dispatcher)).toBe(LEASE_MS);
  expect(expire(dispatcher, LEASE_MS - 1)).toEqual([]);
  expect(expire(dispatcher, LEASE_MS)).toEqual([{ type: 'lost', ...A, spend: UNKNOWN }]);
  expect(leaseEnd(dispatcher)).toBeUndefined();
});

test('a lost claim counts as its reservation, whatever its last known cost', () => {
  const dispatcher = startDispatcher();
  hear(dispatcher, [sync(1, { held: [{ claim: A, spend: { usd: 0.1, tokens: 5 } }] })], 0);
  expect(expire(dispatcher, LEASE_MS)).toEqual([{ type: 'lost', ...A, spend: UNKNOWN }]);
});

test('live cost is reported once for each change', () => {
  const dispatcher = startDispatcher();
  const spend = { usd: 0.5, tokens: undefined };
  expect(hear(dispatcher, [sync(1, { held: [{ claim: A, spend }] })], 0)).toEqual([{ type: 'spending', ...A, spend }]);
  expect(hear(dispatcher, [sync(2, { held: [{ claim: A, spend }] })], 0)).toEqual([]);
});

test('a step whose text lacks a value is refused as an outcome, and the other claims are assigned afterwards', () => {
  const run = given('a: { run: "echo {{ env.MISSING }}" }\nb: { run: x }', { plan: 'env: [MISSING]' });
  const dispatcher = startDispatcher();
  hear(dispatcher, [sync(1)], 0);
  const refused = sent(run, dispatcher);
  expect(refused).toMatchObject({
    type: 'refused',
    outcomes: [{ type: 'failed', work: 'step', task: 'a', reason: 'expression', isFinal: true }],
  });
  if (refused.type === 'refused') for (const outcome of refused.outcomes) run.hears(outcome);
  expect(started(sent(run, dispatcher))).toEqual(['here: b#1']);
});

describe('merges', () => {
  const ALL = { does: WORK_TYPES } as const;
  const M: ClaimRef = { work: 'merge', task: 'a', step: undefined, attempt: 1 };
  const N: ClaimRef = { work: 'merge', task: 'b', step: undefined, attempt: 1 };

  /** A run with two merges and one step to do. */
  function merging(): Run {
    const run = given('a: { run: x }\nb: { run: x }\nc: { run: x }', { tree: 'auto', base: 'base' });
    run.says('a', 'done');
    run.says('b', 'done');
    return run;
  }

  test('go to a host that does merges, beside the claims that it wants', () => {
    const run = merging();
    const dispatcher = startDispatcher();
    hear(dispatcher, [sync(1, { want: 0 })], 0);
    expect(repliesIn(sent(run, dispatcher))).toEqual([]);
    hear(dispatcher, [sync(1, { host: 'there', want: 1, ...ALL })], 0);
    expect(started(sent(run, dispatcher))).toEqual(['there: c#1', 'there: a#1', 'there: b#1']);
  });

  test('are all with one host at a time: the one that holds some, else one that does merges (dispatcher/K4)', () => {
    const run = merging();
    const dispatcher = startDispatcher();
    hear(dispatcher, [sync(1, { ...ALL, want: 0 }), sync(1, { host: 'there', ...ALL, want: 0 })], 0);
    expect(started(sent(run, dispatcher))).toEqual(['here: a#1', 'here: b#1']);
    run.says('a', 'outrun');
    hear(dispatcher, [sync(2, { host: 'there', ...ALL, want: 0 })], 0);
    expect(repliesIn(sent(run, dispatcher))).toEqual([]);
    hear(dispatcher, [sync(2, { ...ALL, want: 0, held: held(N) })], 0);
    expect(started(sent(run, dispatcher))).toEqual(['here: a#2']);
  });

  test('of a host that was silent for a lease are offered to another, under the same attempt', () => {
    const run = merging();
    const dispatcher = startDispatcher();
    hear(dispatcher, [sync(1, { ...ALL, want: 0, held: held(M, N) })], 0);
    for (const outcome of expire(dispatcher, LEASE_MS)) expect(run.hears(outcome)).toEqual([]);
    hear(dispatcher, [sync(1, { host: 'there', ...ALL, want: 0 })], LEASE_MS);
    expect(started(sent(run, dispatcher))).toEqual(['there: a#1', 'there: b#1']);
  });

  test('to be stopped that no host holds are offered together with the cancellation (dispatcher/K1)', () => {
    const run = merging();
    run.cancel('a');
    const dispatcher = startDispatcher();
    hear(dispatcher, [sync(1, { want: 0 }), sync(1, { host: 'there', ...ALL, want: 0 })], 0);
    const replies = repliesIn(sent(run, dispatcher));
    expect(replies).toMatchObject([{ host: 'there', reply: { start: [{ claim: M }, { claim: N }], cancel: [M] } }]);
  });

  test('that two hosts list are ended at the later one, whose word counts only when they finished (dispatcher/K5)', () => {
    const run = merging();
    const dispatcher = startDispatcher();
    const later = { host: 'there', ...ALL, want: 0 } as const;
    hear(dispatcher, [sync(1, { ...ALL, want: 0, held: held(M, N) }), sync(1, { ...later, held: held(M) })], 0);
    expect(repliesIn(sent(run, dispatcher))).toEqual([{ host: 'there', reply: { number: 1, start: [], cancel: [M] } }]);
    const about = { ...M, spend: UNKNOWN };
    const finished = { type: 'finished', ...about, result: OK } as const;
    expect(hear(dispatcher, [sync(2, { ...later, done: [{ type: 'stopped', ...about }] })], 0)).toEqual([]);
    expect(hear(dispatcher, [sync(3, { ...later, done: [finished] })], 0)).toEqual([finished]);
  });
});
