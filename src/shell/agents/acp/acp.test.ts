// Turns over the Agent Client Protocol, with an agent whose behaviour each test selects.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { TurnEvent, TurnRequest, Verdict } from '../../ports/agents.ts';
import { runTurn } from '../try-agent.ts';
import { endingOf, launchOf, requestOf, readerOf } from '../transcripts.given.ts';

const PEER = fileURLToPath(new URL('acp-peer.given.ts', import.meta.url));

interface Taken {
  readonly events: readonly TurnEvent[];
  readonly verdict: Verdict;
  readonly conversation: string | undefined;
}

async function take(
  prompt: string,
  more: Partial<TurnRequest> = {},
  command = `${process.execPath} ${PEER}`,
): Promise<Taken> {
  const request = requestOf('acp', { prompt, environment: { PATH: process.env['PATH'] ?? '' }, ...more }, { command });
  const launch = launchOf(request);
  const { environment } = launch;
  const cwd = process.cwd();
  const coverage = process.env['NODE_V8_COVERAGE'];
  const all = coverage === undefined ? environment : { ...environment, NODE_V8_COVERAGE: coverage };
  const reader = readerOf(request);
  const events: TurnEvent[] = [];
  const onLine = (line: string): void => void events.push(...reader.line(line));
  const ran = await runTurn({ launch: { ...launch, environment: all }, cwd, timeoutMs: 60_000, onLine });
  if (ran.type === 'unstarted') throw new Error(ran.message);
  const { exit, stderr } = ran;
  return { events, verdict: reader.verdict(endingOf({ exit, stderr })), conversation: reader.conversation()?.id };
}

test('a turn that ends well is finished, and its conversation has a name', async () => {
  const { verdict, conversation, events } = await take('hello there');
  expect(verdict).toMatchObject({ type: 'finished', result: { response: 'I heard hello.' } });
  expect(conversation).toBe('s-1');
  // Only for some programs is it known that these tokens belong to the turn.
  expect(events.filter(({ type }) => type === 'spent')).toEqual([]);
});

test('what an agent tells of earlier turns is not this one', async () => {
  const conversation = { id: 's-1', mode: 'continue', reading: undefined } as const;
  const { verdict } = await take('hello', { conversation });
  expect(verdict).toMatchObject({ type: 'finished', result: { response: 'I heard hello.' } });
});

test('tools are told of, and the answer is what comes after them', async () => {
  const { verdict, events } = await take('tool');
  expect(verdict).toMatchObject({ result: { response: 'Used it.' } });
  expect(events.filter(({ type }) => type.startsWith('tool'))).toEqual([
    { type: 'tool.called', id: 't', tool: 'execute', about: 'ls' },
    { type: 'tool.ended', id: 't', ok: true },
    { type: 'tool.called', id: 'u', tool: 'tool', about: 'read a file' },
    { type: 'tool.ended', id: 'u', ok: false },
  ]);
});

test('a permission is given once and not for good, and denied where nothing else is offered', async () => {
  const given = await take('permission');
  expect(given.verdict).toMatchObject({ result: { response: expect.stringContaining('"optionId":"once"') } });
  expect(given.events).toContainEqual({ type: 'permission', tool: 'rm', isAllowed: true });
  const denied = await take('deny');
  expect(denied.verdict).toMatchObject({ type: 'failed', reason: 'permission' });
  expect((await take('unasked')).events).toContainEqual({ type: 'permission', tool: 'x', isAllowed: false });
});

test('where a plan lists what may be used, the rest is denied', async () => {
  const listed = await take('permission', { allow: ['ls', 'rm'] });
  expect(listed.events).toContainEqual({ type: 'permission', tool: 'rm', isAllowed: true });
  const unlisted = await take('permission', { allow: ['ls'] });
  expect(unlisted.events).toContainEqual({ type: 'permission', tool: 'rm', isAllowed: false });
  expect(unlisted.verdict).toMatchObject({ type: 'failed', reason: 'permission' });
});

test('a command is known as one, however the agent tells of it', async () => {
  const deny = { policy: 'deny', granted: [], refused: [] } as const;
  const { events } = await take('shows', { permissions: deny, allow: ['Bash(make *)'] });
  expect(events).toContainEqual({ type: 'tool.called', id: 'w', tool: 'tool', about: 'make ship' });
  expect(events).toContainEqual({ type: 'permission', tool: 'Shell', isAllowed: true });
  const other = await take('shows', { permissions: deny, allow: ['Bash(rm *)'] });
  expect(other.events).toContainEqual({ type: 'permission', tool: 'Shell', isAllowed: false });
});

const GATE = { policy: 'gate', granted: [], refused: [] } as const;

test.each([['wants'], ['deaf']])('what is asked of a person ends the turn, also of one that is %s', async (word) => {
  const { events, verdict, conversation } = await take(word, { permissions: GATE });
  const asks = events.filter(({ type }) => type === 'asked');
  expect(asks).toMatchObject([
    { question: 'Permission to use execute: make ship?', permission: { tool: 'execute', about: 'make ship' } },
  ]);
  expect(verdict).toMatchObject({
    type: 'failed',
    reason: 'asked',
    message: 'The agent asks: Permission to use execute: make ship?',
  });
  expect(conversation).toBe('s-1');
  // None of its other requests is granted.
  expect(events).toContainEqual({ type: 'permission', tool: 'another', isAllowed: false });
});

test('what a person has granted is done, and what they have refused is not and is no failure', async () => {
  const first = await take('wants', { permissions: { ...GATE, policy: 'gate' } });
  const asked = first.events.find((event) => event.type === 'asked');
  const key = asked?.type === 'asked' ? (asked.permission?.key ?? '') : '';
  const granted = await take('wants', { permissions: { ...GATE, granted: [key] }, allow: ['edit'] });
  expect(granted.verdict).toMatchObject({ type: 'finished', result: { response: expect.stringContaining('"once"') } });
  const refused = await take('wants', { permissions: { ...GATE, refused: [key] }, allow: ['edit'] });
  expect(refused.events).toContainEqual({ type: 'permission', tool: 'Shell', isAllowed: false });
  expect(refused.verdict).toMatchObject({ type: 'finished' });
});

test('a plan that denies refuses what it does not list, and says so of a turn with nothing to show', async () => {
  const denied = await take('wants', { permissions: { ...GATE, policy: 'deny' } });
  expect(denied.verdict).toMatchObject({
    type: 'failed',
    reason: 'permission',
    message: expect.stringContaining('permissions.allow'),
  });
});

test('what nobody here knows is refused by its number', async () => {
  const { verdict } = await take('unknown');
  expect(verdict).toMatchObject({ result: { response: expect.stringContaining('-32601') } });
});

test.each([
  ['status', { type: 'limited', by: 'rate_limit' }],
  ['kind', { type: 'failed', reason: 'authentication', isFinal: true }],
  ['numbered', { type: 'failed', reason: 'bad_request', isFinal: true }],
  ['refuse', { type: 'failed', reason: 'refused' }],
  ['leave', { type: 'failed', reason: 'cut_off' }],
  ['crash', { type: 'failed', message: 'The agent exited with 3: It broke.' }],
])('an agent that comes to `%s` has not finished its turn', async (word, verdict) => {
  expect((await take(word)).verdict).toMatchObject(verdict);
});

test('what a program is known to do is known by its name', () => {
  const said = (command: string, lines: readonly object[]): Verdict => {
    const reader = readerOf(requestOf('acp', {}, { command }));
    for (const line of lines) reader.line(JSON.stringify(line));
    return reader.verdict(endingOf());
  };
  const end = { type: 'end', stop: 'end_turn', usage: { inputTokens: 5, outputTokens: 1 } };
  const told = [{ type: 'text', text: 'Ran into this error: 401 no' }, end];
  expect(said('goose', told)).toMatchObject({ type: 'failed', reason: 'authentication' });
  expect(said('another', told)).toMatchObject({ type: 'finished' });
  expect(said('kimi', [end])).toMatchObject({ type: 'failed' });
  const text = (words: string, message = ''): object => ({ type: 'text', text: words, message });
  const [begun, cut] = [text('I will '), text('Ran into this error: error decoding response body.')];
  expect(said('goose', [begun, cut, end])).toMatchObject({ type: 'failed', reason: 'cut_off' });
  expect(said('goose', [cut, text(' means nothing.'), end])).toMatchObject({ type: 'finished' });
  const again = text('Info: Request failed due to a transient API error. Retrying...');
  expect(said('copilot', [again, text('Done.'), end])).toMatchObject({ result: { response: 'Done.' } });
  expect(said('copilot', [again, text('Error: no (HTTP 401).'), end])).toMatchObject({ reason: 'authentication' });
  const [warning, answer] = [text('Warning: it is slow.\n\n'), text('Two lines.\n\n', 'msg-1')];
  expect(said('codex-acp', [warning, answer, end])).toMatchObject({ result: { response: 'Two lines.\n\n' } });
  const failed = text('exceeded retry limit, last status: 429 Too Many Requests\n\n');
  expect(said('codex-acp', [warning, failed, end])).toMatchObject({ type: 'limited', by: 'rate_limit' });
  const reader = readerOf(requestOf('acp', {}, { command: 'codex-acp' }));
  expect(reader.line(JSON.stringify(end))).toEqual([
    { type: 'spent', spend: { usd: undefined, tokens: 6 }, usage: { input: 5, cached: 0, output: 1, usd: undefined } },
  ]);
});
