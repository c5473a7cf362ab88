import { expect, test } from 'vitest';
import { assign } from './assign.ts';
import type { ClaimRef } from './assignment.ts';
import { claimsOfHosts, expire, hear, LEASE_MS, leaseEnd, openDesk, tell, type Told } from './desk.ts';
import { given, type Run } from '../run.given.ts';
import type { Sync } from './sync.ts';

const UNKNOWN = { usd: undefined, tokens: undefined };
const held = (...claims: readonly ClaimRef[]): Sync['held'] => claims.map((claim) => ({ claim, spend: UNKNOWN }));
const says = (number: number, said: Partial<Sync> = {}): Sync => ({
  host: 'here',
  number,
  done: [],
  held: [],
  want: 8,
  ...said,
});
const told = (run: Run, desk: ReturnType<typeof openDesk>): Told =>
  tell(desk, run.state(), (claim) => assign(run.state(), claim, { inputs: {}, env: {} }));
const started = ({ replies }: Told): readonly string[] =>
  replies.flatMap(({ host, reply }) => reply.start.map(({ claim }) => `${host}: ${claim.task}#${claim.attempt}`));
const A: ClaimRef = { task: 'a', step: 'main', attempt: 1 };
const B: ClaimRef = { task: 'b', step: 'main', attempt: 1 };

test('a host is given what is at work and held by nobody, as far as it wants', () => {
  const run = given('a: { run: x }\nb: { run: x }');
  const desk = openDesk();
  hear(desk, [says(1, { want: 1 })], 0);
  expect(started(told(run, desk))).toEqual(['here: a#1']);
  hear(desk, [says(2, { held: held(A), want: 7 })], 0);
  expect(started(told(run, desk))).toEqual(['here: b#1']);
});

test('a message is answered once, and only when there is something to say', () => {
  const run = given('a: { run: x }');
  const desk = openDesk();
  hear(desk, [says(1)], 0);
  expect(told(run, desk).replies).toHaveLength(1);
  expect(told(run, desk).replies).toHaveLength(0);
  hear(desk, [says(2, { held: held(A) })], 0);
  expect(told(run, desk).replies).toHaveLength(0);
});

test('what a lost reply gave is offered again', () => {
  const run = given('a: { run: x }');
  const desk = openDesk();
  hear(desk, [says(1)], 0);
  expect(started(told(run, desk))).toEqual(['here: a#1']);
  hear(desk, [says(2)], 0);
  expect(started(told(run, desk))).toEqual(['here: a#1']);
});

test('what one host was given is not given to another', () => {
  const run = given('a: { run: x }');
  const desk = openDesk();
  hear(desk, [says(1), says(1, { host: 'there' })], 0);
  expect(started(told(run, desk))).toEqual(['here: a#1']);
});

test('an older message that comes late still reports, and says nothing about what is held', () => {
  const run = given('a: { run: x }');
  const desk = openDesk();
  hear(desk, [says(5, { held: held(A) })], 0);
  expect(hear(desk, [says(4, { done: [{ type: 'step.stopped', ...A, step: 'main', spend: UNKNOWN }] })], 0)).toEqual([
    { type: 'step.stopped', task: 'a', step: 'main', attempt: 1, spend: UNKNOWN },
  ]);
  expect(started(told(run, desk))).toEqual([]);
});

test('what is to end is cancelled, whether its host holds it or nobody does', () => {
  const run = given('a: { run: x }\nb: { run: x }');
  const desk = openDesk();
  run.cancel('a', 'b');
  hear(desk, [says(1, { held: held(A) })], 0);
  const [telling] = told(run, desk).replies;
  expect(telling?.reply).toEqual({ number: 1, start: [], cancel: [A, B] });
});

test('a host that holds what is long over gets nothing new until that is gone', () => {
  const run = given('a: { run: x }');
  const desk = openDesk();
  const stale = { ...B, attempt: 7 };
  hear(desk, [says(1, { held: held(stale) })], 0);
  expect(told(run, desk).replies).toEqual([{ host: 'here', reply: { number: 1, start: [], cancel: [stale] } }]);
  hear(desk, [says(2)], 0);
  expect(started(told(run, desk))).toEqual(['here: a#1']);
});

test('what a host held that was silent for a whole lease is lost', () => {
  const run = given('a: { run: x }');
  const desk = openDesk();
  hear(desk, [says(1, { held: held(...claimsOfHosts(run.state())) })], 0);
  expect(leaseEnd(desk)).toBe(LEASE_MS);
  expect(expire(desk, LEASE_MS - 1)).toEqual([]);
  expect(expire(desk, LEASE_MS)).toEqual([{ type: 'step.lost', ...A, spend: UNKNOWN }]);
  expect(leaseEnd(desk)).toBeUndefined();
});

test('what is lost counts as its reservation, whatever it was last known to have spent', () => {
  const desk = openDesk();
  hear(desk, [says(1, { held: [{ claim: A, spend: { usd: 0.1, tokens: 5 } }] })], 0);
  expect(expire(desk, LEASE_MS)).toEqual([{ type: 'step.lost', ...A, spend: UNKNOWN }]);
});

test('live cost is told once for each change', () => {
  const desk = openDesk();
  const spend = { usd: 0.5, tokens: undefined };
  expect(hear(desk, [says(1, { held: [{ claim: A, spend }] })], 0)).toEqual([{ type: 'step.spending', ...A, spend }]);
  expect(hear(desk, [says(2, { held: [{ claim: A, spend }] })], 0)).toEqual([]);
});

test('a step whose text has no value is refused as an outcome, and the rest is given', () => {
  const run = given('a: { run: "echo {{ env.MISSING }}" }\nb: { run: x }', { plan: 'env: [MISSING]' });
  const desk = openDesk();
  hear(desk, [says(1)], 0);
  const { refused, replies } = told(run, desk);
  expect(refused).toMatchObject([{ type: 'step.failed', task: 'a', reason: 'expression', isFinal: true }]);
  expect(replies.flatMap(({ reply }) => reply.start.map(({ claim }) => claim.task))).toEqual(['b']);
});
