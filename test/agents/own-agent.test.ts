// The agent of examples/programs, by the contract that Heddle has with programs behind the Agent Client Protocol.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { carriedOut, outputIn, testInWorld, type World } from '../../src/shell/host/worker/worker.given.ts';

const PROGRAM = new URL('../../examples/programs/own-agent.ts', import.meta.url).pathname;

async function turnOf(world: World, prompt: string, conversation?: string) {
  const cwd = join(world.home, 'project');
  mkdirSync(cwd, { recursive: true });
  const taken = await carriedOut(world, {
    prompt,
    cwd,
    use: 'acp',
    agent: { command: `${process.execPath} ${PROGRAM}` },
    surroundings: { PATH: process.env['PATH'] ?? '', HOME: world.home },
    ...(conversation === undefined
      ? {}
      : { conversation: { id: conversation, mode: 'continue', reading: undefined } as const }),
  });
  // The worker has written it, in its own form.
  const turn = JSON.parse(outputIn(taken.folder, 'turn.json').toString()) as { conversation?: { id: string } };
  return { ...taken, cwd, conversation: turn.conversation?.id };
}

describe('an agent of your own', () => {
  testInWorld('works in the folder of its task, and answers', async ({ world }) => {
    const { outcome, cwd, folder } = await turnOf(world, 'Count these four words.');
    expect(outcome, outputIn(folder).toString()).toMatchObject({
      type: 'finished',
      result: { ok: true, response: 'I counted 4 words in turn 1.' },
    });
    expect(readFileSync(join(cwd, 'words.txt'), 'utf8')).toBe('4\n');
  });

  testInWorld('goes on with a conversation in a process of its own', async ({ world }) => {
    const first = await turnOf(world, 'Begin.');
    expect(first.conversation).toBeDefined();
    const second = await turnOf(world, 'Go on.', first.conversation);
    expect(second.outcome).toMatchObject({ result: { response: 'I counted 2 words in turn 2.' } });
  });

  testInWorld('leaves no process behind', async ({ world }) => {
    await turnOf(world, 'Count.');
    expect(world.living()).toEqual([]);
    expect(existsSync(join(world.home, '.own-agent'))).toBe(true);
  });
});
