// Turns of Claude Code that ask before they use a tool, with a stand-in for it.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { TurnEvent, TurnRequest, Verdict } from '../ports/agents.ts';
import { runTurn } from './try-agent.ts';
import { endingOf, launchOf, requestOf, readerOf } from './transcripts.given.ts';

const PEER = fileURLToPath(new URL('claude-peer.given.ts', import.meta.url));
const GATE = { policy: 'gate', granted: [], refused: [] } as const;

interface Taken {
  readonly events: readonly TurnEvent[];
  readonly verdict: Verdict;
}

async function take(prompt: string, more: Partial<TurnRequest> = {}): Promise<Taken> {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-claude-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const script = `#!/bin/sh\nexec '${process.execPath}' '${PEER}' "$@"\n`;
  writeFileSync(join(cwd, 'claude'), script, { mode: 0o755 });
  const request = requestOf('claude', { prompt, environment: { PATH: cwd }, permissions: GATE, ...more });
  const launch = launchOf(request);
  const { environment } = launch;
  const coverage = process.env['NODE_V8_COVERAGE'];
  const all = coverage === undefined ? environment : { ...environment, NODE_V8_COVERAGE: coverage };
  const reader = readerOf(request);
  const events: TurnEvent[] = [];
  const onLine = (line: string): void => void events.push(...reader.line(line));
  const ran = await runTurn({ launch: { ...launch, environment: all }, cwd, timeoutMs: 60_000, onLine });
  if (ran.type === 'unstarted') throw new Error(ran.message);
  const { exit, stderr } = ran;
  return { events, verdict: reader.verdict(endingOf({ exit, stderr })) };
}

const responseOf = ({ verdict }: Taken): string =>
  verdict.type === 'finished' ? (verdict.result.response ?? '') : JSON.stringify(verdict);

test('what the plan lists it may use, with the input that it has', async () => {
  const taken = await take('Bash npm test --all\nWrite docs/a.md', { allow: ['Bash(npm test*)', 'Write(docs/*)'] });
  expect(responseOf(taken)).toContain(
    '"behavior":"allow","updatedInput":{"command":"npm test --all","description":"does it"}',
  );
  expect(taken.events.filter(({ type }) => type === 'permission')).toEqual([
    { type: 'permission', tool: 'Bash: npm test --all', isAllowed: true },
    { type: 'permission', tool: 'Write: docs/a.md', isAllowed: true },
  ]);
});

test('what is asked of a person ends the turn, and of what it asks besides nothing is granted', async () => {
  const { events, verdict } = await take('Bash make ship\nBash npm test', { allow: ['Bash(npm test)'] });
  expect(events.filter(({ type }) => type === 'asked')).toMatchObject([
    { question: 'Permission to use Bash: make ship?', permission: { tool: 'Bash', about: 'make ship' } },
  ]);
  expect(events.filter(({ type }) => type === 'permission')).toEqual([]);
  expect(verdict).toMatchObject({ type: 'failed', reason: 'asked' });
});

test('what a person has granted it may do, and what they have refused it is told is not allowed', async () => {
  const asked = (await take('Bash make ship')).events.find((event) => event.type === 'asked');
  const key = asked?.type === 'asked' ? (asked.permission?.key ?? '') : '';
  const granted = await take('Bash make ship', { permissions: { ...GATE, granted: [key] } });
  expect(responseOf(granted)).toContain('"behavior":"allow"');
  const refused = await take('Bash make ship', { permissions: { ...GATE, refused: [key] } });
  expect(responseOf(refused)).toContain('"behavior":"deny","message":"It is not allowed here');
});

test('under deny it is refused and goes on, and a turn with nothing to show for it says why', async () => {
  const taken = await take('Bash make', { permissions: { ...GATE, policy: 'deny' } });
  expect(taken.verdict).toMatchObject({
    type: 'failed',
    reason: 'permission',
    message: expect.stringContaining('Bash: make'),
  });
});

test('a question of its own is asked as one, and not as a permission', async () => {
  const { events, verdict } = await take('AskUserQuestion Which colour?');
  expect(events).toContainEqual({ type: 'asked', question: 'Which colour? (red, blue)', permission: undefined });
  expect(verdict).toMatchObject({ reason: 'asked', message: 'The agent asks: Which colour? (red, blue)' });
  expect((await take('AskUserQuestion')).verdict).toMatchObject({ message: expect.stringContaining('something') });
});

test.each([
  [[], true],
  [['--permission-mode', 'plan'], false],
] as const)(
  'where the plan is silent on permissions and its args are %j, its other tools are granted: %s',
  async (args, isAllowed) => {
    const { agent } = requestOf('claude', {}, { args });
    const { events } = await take('mcp__db__query all', { permissions: undefined, agent });
    expect(events).toContainEqual({ type: 'permission', tool: 'mcp__db__query: all', isAllowed });
    const asked = await take('AskUserQuestion Which colour?', { permissions: undefined, agent });
    expect(asked.verdict).toMatchObject({ reason: 'asked', message: 'The agent asks: Which colour? (red, blue)' });
  },
);

test('what nobody here knows is refused, and the turn goes on', async () => {
  expect(responseOf(await take('hook'))).toContain('Heddle does not know hook_callback.');
});
