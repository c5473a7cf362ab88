// Turns of agents, through the scripted agent.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { carriedOut, outputIn, testInWorld, until } from './worker.given.ts';

describe('a turn', { concurrent: true }, () => {
  testInWorld('that ends well is finished, with its response and what it cost', async ({ world }) => {
    const { outcome, folder } = await carriedOut(world, {
      prompt: 'Do it.\n@write a.txt hello\n@spend usd=0.25 tokens=500\n@say All done.',
    });
    expect(outcome).toMatchObject({
      type: 'step.finished',
      spend: { usd: 0.25, tokens: 500 },
      result: { ok: true, response: 'All done.' },
    });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toContain('hello');
    expect(outputIn(folder).toString()).toContain('All done.');
  });

  testInWorld('gives the output that the plan declares, or fails', async ({ world }) => {
    const output = { type: 'object', required: ['n'] };
    const fits = await carriedOut(world, { prompt: '@output {"n": 1}', output });
    expect(fits.outcome).toMatchObject({ type: 'step.finished', result: { output: { n: 1 } } });
    const asText = await carriedOut(world, { prompt: '@say {"n": 2}', output });
    expect(asText.outcome).toMatchObject({ type: 'step.finished', result: { output: { n: 2 } } });
    const not = await carriedOut(world, { prompt: '@say Here it is.', output });
    expect(not.outcome).toMatchObject({ type: 'step.failed', reason: 'failed', result: { ok: false } });
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
    expect(await worker.done(assign)).toMatchObject({ type: 'step.stopped', spend: { usd: 2, tokens: 2 } });
    expect(world.living()).toEqual([]);
  });

  testInWorld('tells it a bounded number of times, however often the agent says it', async ({ world }) => {
    const { outcome, worker } = await carriedOut(world, { prompt: '@spend usd=0.5 tokens=1\n'.repeat(400) });
    expect(outcome).toMatchObject({ type: 'step.finished', spend: { usd: 200, tokens: 400 } });
    expect(worker.heard.length).toBeLessThan(40);
  });

  testInWorld('that is silent for too long is ended, and what it cost is not forgotten', async ({ world }) => {
    const { outcome } = await carriedOut(world, { prompt: '@spend usd=3 tokens=4\n@hang', idleTimeoutMs: 1500 });
    expect(outcome).toMatchObject({ type: 'step.failed', reason: 'idle', spend: { usd: 3, tokens: 4 } });
    expect(world.living()).toEqual([]);
  });

  testInWorld('that is silent because a tool of its works goes on, until the tool is over', async ({ world }) => {
    const prompt = '@run sleep 2\n@say after the tool';
    const { outcome } = await carriedOut(world, { prompt, idleTimeoutMs: 1000 });
    expect(outcome).toMatchObject({ type: 'step.finished', result: { ok: true, response: 'after the tool' } });
    const hung = await carriedOut(world, { prompt: '@run true\n@hang', idleTimeoutMs: 1000 });
    expect(hung.outcome).toMatchObject({ type: 'step.failed', reason: 'idle' });
  });

  testInWorld('that a signal ended is judged by its adapter, and its cost is not known', async ({ world }) => {
    const { outcome } = await carriedOut(world, { prompt: '@signal SIGKILL' });
    expect(outcome).toMatchObject({ type: 'step.failed', reason: 'crashed', spend: {} });
    expect(outcome).toHaveProperty('spend', {});
  });

  testInWorld('that is stopped before it began costs nothing', async ({ world }) => {
    const worker = world.worker();
    const assign = world.assign({ prompt: '@write a.txt begun\n@hang' });
    worker.give(assign);
    worker.stop(assign.assignment.claim, 0);
    const outcome = await worker.done(assign);
    expect(outcome).toMatchObject({ type: 'step.stopped', spend: { usd: 0, tokens: 0 } });
    expect(readdirSync(assign.folder)).not.toContain('a.txt');
  });

  testInWorld('that a quota cut off is limited', async ({ world }) => {
    const { outcome } = await carriedOut(world, { prompt: '@quota 2s' });
    expect(outcome).toMatchObject({ type: 'step.limited' });
  });

  testInWorld('of an agent that nobody here can start is refused', async ({ world }) => {
    const { outcome } = await carriedOut(world, { prompt: 'x', use: 'unheard-of' });
    expect(outcome).toMatchObject({ type: 'step.failed', reason: 'refused', isFinal: true, spend: { usd: 0 } });
    expect(outcome).toMatchObject({ result: { response: expect.stringContaining('unheard-of') } });
  });

  testInWorld('leaves nothing that it started', async ({ world }) => {
    const { outcome } = await carriedOut(world, { prompt: '@fork sleep 300\n@say Left.' });
    expect(outcome).toMatchObject({ type: 'step.finished' });
    expect(world.living()).toEqual([]);
  });
});
