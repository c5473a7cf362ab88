// `heddle serve` as a real process, with hosts that say what the test wants.
import { expect, test, vi } from 'vitest';
import type { WorkOutcome } from '../../../src/core/protocol/work-outcome.ts';
import { PATIENCE_MS } from '../../patience.given.ts';
import { fakeHostAt, givenServed, type Event } from './serve.given.ts';

const TWO =
  'heddle: 1\nname: two\nsandbox: { isolation: none }\ntasks:\n  a: { run: echo a }\n  b: { needs: [a], run: echo b }\n';

test('a run is left to the server, placed on a host, merged here, and followed to its end', async () => {
  const { serve, token, begin, events, heddle } = givenServed(TWO);
  const server = await serve('--width', '0');
  const one = fakeHostAt(server, token('one'));
  const run = begin('run', 'plan.yaml', '--plain');
  one.ends('two-1', (await one.awaits('a')).claim);
  one.ends('two-1', (await one.awaits('b')).claim);
  expect((await one.hears(({ over }) => over.length > 0)).over).toEqual(['two-1']);
  expect(await run.ended).toBe(0);
  expect(run.printed()).toContain('2 of 2 tasks completed');
  const placed = events('two-1').filter(({ type }) => type === 'claim.placed');
  expect(placed.map(({ task, host }) => `${task} on ${host}`)).toEqual(['a on one', 'b on one']);
  expect(heddle('hosts').out).toContain('one');
  server.child.kill('SIGINT');
  expect(await server.ended).toBe(0);
});

test('a host that is killed with the server finds its claim again when both are back', async () => {
  const { serve, token, begin, events } = givenServed(TWO);
  const server = await serve('--width', '0');
  const secret = token('one');
  const one = fakeHostAt(server, secret);
  const run = begin('run', 'plan.yaml', '--plain');
  const { claim } = await one.awaits('a');
  server.child.kill('SIGKILL');
  await server.ended;
  await vi.waitFor(() => expect(run.printed()).toContain('waiting for the next heddle serve'), {
    timeout: PATIENCE_MS,
  });
  const back = await serve('--width', '0');
  const same = fakeHostAt(back, secret);
  same.ends('two-1', claim);
  same.ends('two-1', (await same.awaits('b')).claim);
  await vi.waitFor(
    async () => {
      await same.speak();
      expect(events('two-1').at(-1)?.type).toBe('run.ended');
    },
    { timeout: PATIENCE_MS },
  );
  const made = events('two-1').filter(({ type, work }) => type === 'claim.made' && work === 'step');
  expect(made.map(({ task, attempt }) => `${task}#${attempt}`)).toEqual(['a#1', 'b#1']);
  expect(await run.ended).toBe(0);
});

test('a project has one server: the second is refused, and names the first', async () => {
  const { serve, heddle } = givenServed(TWO);
  const server = await serve();
  const second = heddle('serve', '--listen', '127.0.0.1:0');
  expect(second.code).toBe(2);
  expect(second.errors).toContain(`Process ${server.child.pid} serves this project already, at ${server.base}.`);
});

test('a port that is taken, and an address that others could listen at, are refused with a sentence', async () => {
  const first = await givenServed(TWO).serve();
  const { heddle } = givenServed(TWO);
  const taken = heddle('serve', '--listen', `127.0.0.1:${first.port}`);
  expect([taken.code, taken.errors]).toEqual([2, expect.stringContaining(`Port ${first.port} of 127.0.0.1 is taken.`)]);
  const open = heddle('serve', '--listen', '0.0.0.0:0');
  expect([open.code, open.errors]).toEqual([2, expect.stringContaining('At 0.0.0.0 others could read along.')]);
  expect(heddle('hosts').errors).toContain('No heddle serve is up in this project.');
});

test('two runs share a host, and each goes on by itself', async () => {
  const { serve, token, begin, events, project } = givenServed(TWO);
  project.commit({ 'other.yaml': TWO.replace('name: two', 'name: other') });
  const server = await serve('--width', '0');
  const one = fakeHostAt(server, token('one'));
  begin('run', 'plan.yaml', '--detach');
  begin('run', 'other.yaml', '--detach');
  await one.awaits('a', 'other-1');
  one.ends('two-1', (await one.awaits('a', 'two-1')).claim);
  one.ends('two-1', (await one.awaits('b', 'two-1')).claim);
  await one.hears(({ over }) => over.includes('two-1'));
  expect(events('other-1').at(-1)?.type).not.toBe('run.ended');
});

test('a commit that a host reports and never delivered is no work of its task', async () => {
  const { serve, token, begin, events } = givenServed(TWO);
  const server = await serve('--width', '0');
  const one = fakeHostAt(server, token('one'));
  begin('run', 'plan.yaml', '--detach');
  const { claim, sandbox } = await one.awaits('a');
  const result = { ok: true, response: undefined, output: undefined, exitCode: 0, commit: sandbox?.base };
  const done: readonly WorkOutcome[] = [{ type: 'finished', ...claim, spend: { usd: 0, tokens: 0 }, result }];
  await one.speak({ runs: [{ run: 'two-1', done, held: [], warm: [] }] });
  const returned = (): Event | undefined => events('two-1').find(({ type }) => type === 'claim.returned');
  await vi.waitFor(() => expect(returned()).toMatchObject({ task: 'a', reason: 'unsaved' }), { timeout: PATIENCE_MS });
});
