// What `heddle mcp` makes of wrong calls, of clients that cannot ask, and of agents that would help themselves.
import { readdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from '../world/given-project.given.ts';
import { APPROVE, connect, YEARS, YES } from './mcp-client.given.ts';
import { GATED, givenRepository } from './mcp-project.given.ts';
import { speak } from './raw-client.given.ts';

endProjectsAfterEach();

const TOKENS_MAX = 2_500;
/** JSON of this kind has about 3.3 characters per token with the usual tokenizers, so this counts too many. */
const CHARACTERS_PER_TOKEN = 3;

test('at most twelve tools are described in at most 2,500 tokens, and landing is none of them', async () => {
  const { tools } = await connect({ folder: givenRepository(GATED).folder });
  const described = await tools();
  expect(described.length).toBeLessThanOrEqual(12);
  expect(JSON.stringify(described).length / CHARACTERS_PER_TOKEN).toBeLessThanOrEqual(TOKENS_MAX);
  expect(described.map(({ name }) => name).join(' ')).toBe(
    'guide check draft start wait status task inbox answer control amend read',
  );
});

test('read-only offers nothing that changes anything', async () => {
  const client = await connect({ folder: givenRepository(GATED).folder, words: ['--read-only'], person: () => YES });
  expect((await client.tools()).map(({ name }) => name)).toEqual(
    expect.not.arrayContaining(['start', 'answer', 'control', 'amend']),
  );
  await expect(client.call('start', { ceiling_usd: 1 })).rejects.toThrow('start');
});

test('every mistake of a plan comes with its place and a hint', async () => {
  const client = await connect({ folder: givenRepository(GATED).folder });
  const { text, isError } = await client.call('check', {
    plan: 'heddle: 1\ntasks:\n  api: { run: "true", nedes: [x] }\n  b: { needs: [apu], run: "true" }\n',
  });
  expect(isError).toBe(true);
  expect(text).toMatch(/^plan\.yaml:3:\d+ error unknown-key: /m);
  expect(text).toMatch(/^plan\.yaml:4:\d+ error unknown-need: .*\n {2}hint: /m);
});

test('a folder without a repository, a plan elsewhere and an unknown run are refused in a sentence', async () => {
  const project = givenProject('heddle: 1\nname: shop\ntasks:\n  api: { run: "true" }\n');
  const client = await connect({ folder: project.folder, person: () => YES });
  expect(await client.call('status')).toEqual({ isError: true, text: expect.stringContaining('There is no run in') });
  const started = await client.call('start', { ceiling_usd: 1 });
  expect(started).toEqual({ isError: true, text: expect.stringContaining('heddle run --no-git') });
  expect(await client.call('check', { file: '/etc/passwd' })).toEqual({
    isError: true,
    text: expect.stringContaining('/etc/passwd is not below'),
  });
});

test('an unknown run, task and topic are answered with the nearest name', async () => {
  const project = givenRepository(GATED);
  const client = await connect({ folder: project.folder, person: () => YES });
  await client.call('start', { ceiling_usd: 1 });
  expect((await client.call('status', { run: 'shp-1' })).text).toContain('shop-1');
  expect((await client.call('task', { task: 'shp' })).text).toContain('ship');
  expect((await client.call('guide', { topic: 'unknown-ned' })).text).toContain('unknown-need');
  expect(await client.call('task')).toEqual({ isError: true, text: expect.stringContaining('Name the task') });
  // Past the end of a log there is nothing, and an address that is none is not read.
  expect(await client.call('read', { uri: 'heddle://runs/shop-1/log/99999' })).toEqual({ isError: false, text: '' });
  for (const part of ['log/abc', 'log', 'plan/x', 'output', '%E0%A4%A/report'])
    expect((await client.call('read', { uri: `heddle://runs/shop-1/${part}` })).text).toContain(
      'There is no heddle://',
    );
});

test('an argument of five megabytes is refused with what to do instead', async () => {
  const client = await connect({ folder: givenRepository(GATED).folder });
  const { text, isError } = await client.call('check', { plan: `${GATED}#${'x'.repeat(5 * 1024 * 1024)}` });
  expect([isError, text]).toEqual([true, expect.stringContaining('5.0 MB; at most 4 MB are read')]);
  expect((await client.call('check')).isError).toBe(false);
});

test.for(YEARS)('a client that cannot ask gets the command to type, and nothing is started, by %s', async (year) => {
  const project = givenRepository(GATED);
  const client = await connect({ folder: project.folder, year });
  const { text, isError } = await client.call('start', { ceiling_usd: 3 });
  expect(isError).toBe(true);
  expect(text).toContain('The person can type: heddle run --budget-usd 3 --detach');
  expect(readdirSync(project.folder)).not.toContain('.heddle');
});

test.for(YEARS)('a person who declines, or does not say yes, starts nothing, by %s', async (year) => {
  const project = givenRepository(GATED);
  for (const person of [() => undefined, () => ({ yes: false })]) {
    const client = await connect({ folder: project.folder, year, person });
    expect((await client.call('start', { ceiling_usd: 3 })).text).toMatch(/declined|did not say yes/);
  }
  expect(readdirSync(project.folder)).not.toContain('.heddle');
});

test('a start needs a ceiling', async () => {
  const client = await connect({ folder: givenRepository(GATED).folder, person: () => YES });
  const called = await client.call('start').catch((cause: unknown) => ({ isError: true, text: String(cause) }));
  expect(called).toEqual({ isError: true, text: expect.stringContaining('ceiling_usd') });
});

test('of two clients at one gate the first answers, and the second changes nothing', async () => {
  const project = givenRepository(GATED);
  const first = await connect({ folder: project.folder, person: (asks) => (asks.startsWith('ship') ? APPROVE : YES) });
  await first.call('start', { ceiling_usd: 1 });
  expect((await first.call('wait', { seconds: 50 })).text).toContain('waits for your approval');
  const second = await connect({
    folder: project.folder,
    person: async () => {
      await first.call('answer', { task: 'ship' });
      return { answer: 'reject' };
    },
  });
  const late = await second.call('answer', { task: 'ship' });
  expect(late).toEqual({ isError: true, text: expect.stringContaining('shop-1') });
  expect((await first.call('wait')).text).toContain('shop-1 is done');
});

test('a yes is for what was shown, and works once', async () => {
  const project = givenRepository(GATED);
  const client = speak(project.folder);
  const ceiling = { ceiling_usd: 3 };
  const asked = await client.call('start', ceiling);
  expect(asked).toMatchObject({ resultType: 'input_required' });
  const yes = { inputResponses: { answer: { action: 'accept', content: YES } }, requestState: asked['requestState'] };
  // Another ceiling than the one that was shown is asked for anew.
  expect(await client.call('start', { ceiling_usd: 300 }, yes)).toMatchObject({ resultType: 'input_required' });
  const again = await client.call('start', ceiling);
  const changed = { ...yes, requestState: again['requestState'] };
  writeFileSync(project.file('plan.yaml'), GATED.replace('"true"', '"rm -rf ."'));
  expect(await client.call('start', ceiling, changed)).toMatchObject({ resultType: 'input_required' });
  const last = await client.call('start', ceiling);
  const good = { ...yes, requestState: last['requestState'] };
  expect(JSON.stringify(await client.call('start', ceiling, good))).toContain('shop-1 has started');
  expect(JSON.stringify(await client.call('start', ceiling, good))).toContain('This answer was given before');
  // A state that was made up elsewhere is no state.
  expect(await client.call('start', ceiling, { ...yes, requestState: 'v1.e30.AAAA' })).toMatchObject({ code: -32602 });
  expect((await project.heddle('runs')).out.trim().split('\n')).toHaveLength(1);
});

/** As programs start servers: with the environment of the step, or with little of it below a process that has it. */
const INSIDE = [
  ['by its environment', []],
  ['by the process above it', ['env', '-u', 'HEDDLE_RUN', '-u', 'HEDDLE_TASK', '-u', 'HEDDLE_STEP']],
] as const;

test.for(INSIDE)('inside a step, known %s, only its own task can be read and nothing answered', async ([, before]) => {
  const project = givenRepository(GATED);
  const outside = await connect({ folder: project.folder, person: () => YES });
  await outside.call('start', { ceiling_usd: 1 });
  await outside.call('wait', { seconds: 50 });
  const env = { HEDDLE_RUN: 'shop-1', HEDDLE_TASK: 'api', HEDDLE_STEP: 'main' };
  const inside = await connect({ folder: project.folder, person: () => APPROVE, env, before });
  expect((await inside.tools()).map(({ name }) => name)).toEqual(['task']);
  expect((await inside.call('task')).text).toContain('api is done');
  expect(await inside.call('task', { task: 'ship' })).toEqual({
    isError: true,
    text: expect.stringContaining('a step can neither start a run nor control one'),
  });
  for (const tool of ['start', 'answer', 'control', 'status'])
    await expect(inside.call(tool, { task: 'ship', ceiling_usd: 1, do: 'cancel' })).rejects.toThrow(tool);
  await expect(inside.read('heddle://runs/shop-1/plan')).rejects.toThrow('a step can neither');
  expect((await outside.call('inbox')).text).toContain('ship: gate');
});
