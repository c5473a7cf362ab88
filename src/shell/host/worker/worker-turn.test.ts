// Turns of agents, through the scripted agent.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkOutcome } from '../../../core/protocol/work-outcome.ts';
import { describe, expect } from 'vitest';
import { carriedOut, outcomeIn, outputIn, testInWorld } from './worker.given.ts';
import { until } from '../host.given.ts';

const conversationIn = (outcome: WorkOutcome) => ('conversation' in outcome ? outcome.conversation : undefined);

describe('a turn', { concurrent: true }, () => {
  testInWorld('that ends well is finished, with its response and what it cost', async ({ world }) => {
    const { outcome, folder } = await carriedOut(world, {
      prompt: 'Do it.\n@write a.txt hello\n@spend usd=0.25 tokens=500\n@say All done.',
    });
    expect(outcome).toMatchObject({
      type: 'finished',
      work: 'step',
      spend: { usd: 0.25, tokens: 500 },
      result: { ok: true, response: 'All done.' },
    });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toContain('hello');
    expect(outputIn(folder).toString()).toContain('All done.');
  });

  testInWorld('gives the output that the plan declares, or fails', async ({ world }) => {
    const output = { type: 'object', required: ['n'] };
    const fits = await carriedOut(world, { prompt: '@output {"n": 1}', output });
    expect(fits.outcome).toMatchObject({ type: 'finished', work: 'step', result: { output: { n: 1 } } });
    const asText = await carriedOut(world, { prompt: '@say {"n": 2}', output });
    expect(asText.outcome).toMatchObject({ type: 'finished', work: 'step', result: { output: { n: 2 } } });
    const not = await carriedOut(world, { prompt: '@say Here it is.', output });
    expect(not.outcome).toMatchObject({ type: 'failed', work: 'step', reason: 'output', result: { ok: false } });
    const around = await carriedOut(world, { prompt: '@say Here it is:\\n```json\\n{"n": 3}\\n```\\nDone.', output });
    expect(around.outcome).toMatchObject({ type: 'finished', work: 'step', result: { output: { n: 3 } } });
  });

  testInWorld(
    'whose program is not found is refused in a sentence, costs nothing and is told of',
    async ({ world }) => {
      const agent = { use: 'command', command: 'exec no-such-agent' };
      const { outcome, folder } = await carriedOut(world, { prompt: 'Do it.', use: 'command', agent });
      expect(outcome).toMatchObject({
        type: 'failed',
        work: 'step',
        reason: 'refused',
        isFinal: true,
        spend: { usd: 0, tokens: 0 },
      });
      expect(outcome).toMatchObject({ result: { response: expect.stringContaining('was not found where its turn') } });
      expect(outputIn(folder, 'turn.json').toString()).toContain('no-such-agent');
    },
  );

  testInWorld('tells a model of the shape that its program cannot hold it to', async ({ world }) => {
    const output = { type: 'object', required: ['n'] };
    const { folder } = await carriedOut(world, { prompt: '@say {"n": 2}', output });
    expect(outputIn(folder, 'turn.json').toString()).toContain('nothing but JSON that fits this JSON Schema');
  });

  testInWorld('says by which name its conversation is taken up again, and takes one up', async ({ world }) => {
    const begun = await carriedOut(world, { prompt: '@say Hello.' });
    const conversation = conversationIn(begun.outcome);
    expect(conversation?.id).toMatch(/#1$/u);
    const id = conversation?.id ?? '';
    const gone = await carriedOut(world, { prompt: 'x', conversation: { id, mode: 'continue', reading: undefined } });
    expect(gone.outcome).toMatchObject({ conversation: { id: expect.stringContaining(`${id} + `) } });
    const forked = await carriedOut(world, { prompt: 'x', conversation: { id, mode: 'fork', reading: undefined } });
    expect(forked.outcome).toMatchObject({ conversation: { id: expect.stringContaining(`${id} / `) } });
    const forgot = await carriedOut(world, { prompt: '@forget' });
    expect(forgot.outcome).not.toHaveProperty('conversation.id');
  });

  testInWorld('that wants to know something asks, in its own words', async ({ world }) => {
    const { outcome } = await carriedOut(world, { prompt: '@ask Which database?\\nPostgres or SQLite?' });
    expect(outcome).toMatchObject({ type: 'asked', work: 'step', question: 'Which database?\nPostgres or SQLite?' });
  });

  testInWorld('that may not ask more says by which limit, and until when where it knows', async ({ world }) => {
    const limited = await carriedOut(world, { prompt: '@limit' });
    expect(limited.outcome).toMatchObject({ type: 'limited', work: 'step', by: 'rate_limit' });
    expect(limited.outcome).not.toHaveProperty('until');
    const { outcome } = await carriedOut(world, { prompt: '@quota 2h' });
    expect(outcome).toMatchObject({ type: 'limited', work: 'step', by: 'quota', until: expect.any(Number) });
  });

  testInWorld('tells what it has spent while it is at work', async ({ world }) => {
    const worker = world.worker();
    const assign = world.assign({ prompt: '@spend usd=1 tokens=1\n@spend usd=1 tokens=1\n@hang' });
    worker.give(assign);
    const { claim } = assign.assignment;
    await until('the latest spend', () => worker.heard.some((said) => said.type === 'live' && said.spend.usd === 2));
    expect(worker.heard.at(-1)).toEqual({ type: 'live', claim, spend: { usd: 2, tokens: 2 } });
    expect(JSON.parse(readFileSync(join(assign.folder, 'live.json'), 'utf8'))).toEqual({
      spend: { usd: 2, tokens: 2 },
    });
    worker.stop(claim, 5000);
    expect(await worker.done(assign)).toMatchObject({ type: 'stopped', work: 'step', spend: { usd: 2, tokens: 2 } });
    expect(world.living()).toEqual([]);
  });

  testInWorld('tells it a bounded number of times, however often the agent says it', async ({ world }) => {
    const { outcome, worker } = await carriedOut(world, { prompt: '@spend usd=0.5 tokens=1\n'.repeat(400) });
    expect(outcome).toMatchObject({ type: 'finished', work: 'step', spend: { usd: 200, tokens: 400 } });
    expect(worker.heard.length).toBeLessThan(40);
  });

  testInWorld('that is silent for too long is ended, and what it cost is not forgotten', async ({ world }) => {
    const { outcome } = await carriedOut(world, { prompt: '@spend usd=3 tokens=4\n@hang', idleTimeoutMs: 4000 });
    expect(outcome).toMatchObject({ type: 'failed', work: 'step', reason: 'idle', spend: { usd: 3, tokens: 4 } });
    expect(world.living()).toEqual([]);
  });

  testInWorld('that is silent because a tool of its works goes on, until the tool is over', async ({ world }) => {
    const prompt = '@run sleep 6\n@say after the tool';
    const { outcome } = await carriedOut(world, { prompt, idleTimeoutMs: 4000 });
    expect(outcome).toMatchObject({ type: 'finished', work: 'step', result: { ok: true, response: 'after the tool' } });
    const hung = await carriedOut(world, { prompt: '@run true\n@hang', idleTimeoutMs: 2000 });
    expect(hung.outcome).toMatchObject({ type: 'failed', work: 'step', reason: 'idle' });
  });

  testInWorld('that a signal ended is judged by its adapter, and its cost is not known', async ({ world }) => {
    const { outcome } = await carriedOut(world, { prompt: '@signal SIGKILL' });
    expect(outcome).toMatchObject({ type: 'failed', work: 'step', reason: 'crashed', spend: {} });
    expect(outcome).toHaveProperty('spend', {});
  });

  testInWorld('that is stopped before it began costs nothing', async ({ world }) => {
    const worker = world.worker();
    const assign = world.assign({ prompt: '@write a.txt begun\n@hang' });
    worker.give(assign);
    worker.stop(assign.assignment.claim, 0);
    const outcome = await worker.done(assign);
    expect(outcome).toMatchObject({ type: 'stopped', work: 'step', spend: { usd: 0, tokens: 0 } });
    expect(readdirSync(assign.folder)).not.toContain('a.txt');
  });

  testInWorld('that a quota cut off is limited', async ({ world }) => {
    const { outcome } = await carriedOut(world, { prompt: '@quota 2s' });
    expect(outcome).toMatchObject({ type: 'limited', work: 'step' });
  });

  testInWorld('of an agent that nobody here can start is refused', async ({ world }) => {
    const { outcome } = await carriedOut(world, { prompt: 'x', use: 'unheard-of' });
    expect(outcome).toMatchObject({
      type: 'failed',
      work: 'step',
      reason: 'refused',
      isFinal: true,
      spend: { usd: 0 },
    });
    expect(outcome).toMatchObject({ result: { response: expect.stringContaining('unheard-of') } });
  });

  testInWorld('leaves nothing that it started', async ({ world }) => {
    const { outcome } = await carriedOut(world, { prompt: '@fork sleep 300\n@say Left.' });
    expect(outcome).toMatchObject({ type: 'finished', work: 'step' });
    expect(world.living()).toEqual([]);
  });

  testInWorld(
    'leaves a note of all that it was, and what people read apart from what it printed',
    async ({ world }) => {
      const { folder } = await carriedOut(world, { prompt: '@run echo from-the-tool\n@say All done.' });
      const note: unknown = JSON.parse(outputIn(folder, 'turn.json').toString());
      expect(note).toMatchObject({
        agent: { name: 'a', use: 'scripted' },
        prompt: '@run echo from-the-tool\n@say All done.',
        launchedAt: expect.any(Number),
        completedAt: expect.any(Number),
        verdict: { type: 'finished', result: { response: 'All done.' } },
      });
      const read = outputIn(folder).toString();
      expect(read).toContain('> run: echo from-the-tool\n');
      expect(read).not.toContain('"type"');
      expect(outputIn(folder, 'transcript.log').toString()).toContain(
        '{"type":"using","command":"echo from-the-tool"}',
      );
    },
  );

  testInWorld('prints no secret of the environment into any file', async ({ world }) => {
    const surroundings = { SOME_API_KEY: 'sk-do-not-keep-this' };
    const prompt = '@run echo "key: $SOME_API_KEY"\n@say sk-do-not-keep-this';
    const { folder, outcome } = await carriedOut(world, { prompt, surroundings });
    expect(outcome).toMatchObject({ result: { response: '[redacted]' } });
    for (const name of ['output.log', 'transcript.log'])
      expect(outputIn(folder, name).toString()).not.toContain('sk-do-not-keep-this');
    expect(JSON.stringify(outcomeIn(folder))).not.toContain('sk-do-not-keep-this');
    expect(outputIn(folder).toString()).toContain('key: [redacted]');
  });

  testInWorld('asks for no permission with a secret in it, and is granted it all the same', async ({ world }) => {
    const surroundings = { SOME_API_KEY: 'sk-do-not-keep-this' };
    const permissions = { policy: 'gate', granted: [], refused: [] } as const;
    const prompt = `@use echo ${'x'.repeat(180)} sk-do-not-keep-this`;
    const { folder, outcome } = await carriedOut(world, { prompt, surroundings, permissions });
    expect(outcome).toMatchObject({ type: 'asked', work: 'step', permission: { tool: 'run' } });
    for (const name of ['output.log', 'transcript.log'])
      expect(outputIn(folder, name).toString()).not.toContain('sk-do');
    expect(JSON.stringify(outcomeIn(folder))).not.toContain('sk-do');
    const key = outcome.type === 'asked' ? (outcome.permission?.key ?? '') : '';
    const again = await carriedOut(world, { prompt, surroundings, permissions: { ...permissions, granted: [key] } });
    expect(again.outcome).toMatchObject({ type: 'finished', work: 'step' });
  });

  testInWorld('ends with what it started in sessions of their own', async ({ world }) => {
    const { outcome } = await carriedOut(world, {
      prompt: "@run setsid sh -c 'trap : TERM; while :; do sleep 1; done' &\n@say Left.",
    });
    expect(outcome).toMatchObject({ type: 'finished', work: 'step' });
    expect(world.living()).toEqual([]);
  });

  testInWorld('of an agent that asks its provider for ever is ended, and told by why', async ({ world }) => {
    const log = 'message="stream error" small=false error.error="AI_APICallError: You exceeded your current quota."';
    const { outcome, folder } = await carriedOut(world, {
      prompt: 'x',
      use: 'opencode',
      surroundings: { PATH: `${programIn(world.home, `echo '${log}' >&2; sleep 300`)}:${process.env['PATH'] ?? ''}` },
    });
    expect(outcome).toMatchObject({ type: 'limited', work: 'step' });
    expect(outputIn(folder).toString()).toContain('[heddle: the agent asks its provider again: You exceeded');
    expect(world.living()).toEqual([]);
  });

  testInWorld(
    'of a program that cannot branch off begins a conversation of its own, and says so',
    async ({ world }) => {
      const conversation = { id: 'c', mode: 'fork', reading: undefined } as const;
      const given = { prompt: 'x', use: 'command', agent: { name: 'mine', command: 'cat' }, conversation };
      const { outcome, folder } = await carriedOut(world, given);
      expect(outcome).toMatchObject({ type: 'finished', work: 'step', result: { response: 'x' } });
      expect(outputIn(folder).toString()).toContain('[heddle: mine, which uses command, cannot branch off');
    },
  );

  testInWorld('that its program cannot take is refused before it begins', async ({ world }) => {
    const agent = { command: 'cat', env: [{ name: 'NOBODY_HAS_SET_IT', value: undefined }] };
    const { outcome } = await carriedOut(world, { prompt: 'x', use: 'command', agent });
    expect(outcome).toMatchObject({
      type: 'failed',
      work: 'step',
      reason: 'refused',
      isFinal: true,
      spend: { usd: 0 },
    });
  });
});

/** A folder with a program that goes by the name of opencode. */
function programIn(home: string, script: string): string {
  const folder = join(home, 'programs');
  mkdirSync(folder);
  writeFileSync(join(folder, 'opencode'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return folder;
}
