// Turns of agents that expect answers while they work, through the real worker.
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { carriedOut, outputIn, testInWorld, type GivenWork } from './worker.given.ts';
import { until } from '../host.given.ts';

const PEER = fileURLToPath(new URL('../../agents/acp/acp-peer.given.ts', import.meta.url));

const given = (prompt: string, command = `${process.execPath} ${PEER}`): GivenWork => ({
  prompt,
  use: 'acp',
  agent: { use: 'acp', command },
  surroundings: { API_KEY: 'nobody-shall-read-this-42' },
});

describe('an agent that is spoken with', { concurrent: true }, () => {
  testInWorld('finishes its turn, and what it says is kept without secrets', async ({ world }) => {
    const { outcome, folder } = await carriedOut(world, given('nobody-shall-read-this-42'));
    expect(outcome).toMatchObject({ type: 'finished', work: 'step', result: { response: 'I heard [redacted].' } });
    expect(outputIn(folder).toString()).toBe('I heard [redacted].\n');
  });

  testInWorld('that stays when its turn is over is ended, and has finished', async ({ world }) => {
    const { outcome } = await carriedOut(world, given('stays'));
    expect(outcome).toMatchObject({ type: 'finished', work: 'step', result: { response: 'I heard stays.' } });
    await until('the end of the agent', () => world.living().length === 0);
  });

  testInWorld('that exits before its turn is over was cut off, with whatever code', async ({ world }) => {
    const { outcome } = await carriedOut(world, given('leave'));
    expect(outcome).toMatchObject({ type: 'failed', work: 'step', reason: 'cut_off' });
    const crashed = await carriedOut(world, given('crash'));
    expect(crashed.outcome).toMatchObject({ result: { response: 'The agent exited with 3: It broke.' } });
  });

  testInWorld('that is not there is said by its name', async ({ world }) => {
    const { outcome } = await carriedOut(world, given('x', 'no-such-agent'));
    expect(outcome).toMatchObject({
      type: 'failed',
      work: 'step',
      reason: 'refused',
      isFinal: true,
      result: { response: expect.stringContaining('no-such-agent cannot be started') },
    });
  });
});
