// Verdicts without a recorded turn: other evidence overrides the program's own report.
import { expect, test } from 'vitest';
import { endingOf, requestOf, readerOf } from '../transcripts.given.ts';
import { aboutCall } from './fields.ts';

const said = (use: string, lines: readonly object[], ending = endingOf()) => {
  const reader = readerOf(requestOf(use));
  const events = lines.flatMap((line) => reader.line(JSON.stringify(line)));
  return { events, verdict: reader.verdict(ending), reader };
};

const GOOD = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'Fine.',
  usage: {},
  permission_denials: [],
};

test('a program that says it succeeded and exits badly has not', () => {
  const ending = endingOf({ exit: { code: 1, signal: undefined }, stderr: 'Warning.\nInvalid API key\n\n' });
  expect(said('claude', [GOOD], ending).verdict).toMatchObject({
    type: 'failed',
    reason: 'authentication',
    isFinal: true,
    message: 'The agent exited with 1: Invalid API key',
  });
  const silent = endingOf({ exit: { code: 7, signal: undefined } });
  expect(said('claude', [GOOD], silent).verdict).toMatchObject({
    reason: 'failed',
    message: 'The agent exited with 7.',
  });
});

test('a line that is nested without end is text and nothing else', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const reader = readerOf(requestOf('claude'));
  expect(reader.line(`{"type":"result","structured_output":${deep}}`)).toMatchObject([{ type: 'text' }]);
  expect(reader.verdict(endingOf())).toMatchObject({ reason: 'cut_off' });
});

test('what a program logs is no reason of its end', () => {
  const log = 'timestamp=2026-11-18T09:47:44.256Z level=ERROR run=1 message="Failed to fetch models.dev" (502 GET x)\n';
  const ending = (stderr: string) => endingOf({ exit: { code: 1, signal: undefined }, stderr });
  expect(said('opencode', [], ending(log)).verdict).toMatchObject({
    reason: 'failed',
    message: 'The agent exited with 1.',
  });
  expect(said('opencode', [], ending(`Invalid API key\n${log}`)).verdict).toMatchObject({ reason: 'authentication' });
});

test('a program that a signal ended has crashed, and one that stopped in the middle was cut off', () => {
  const killed = endingOf({ exit: { code: undefined, signal: 'SIGKILL' } });
  expect(said('claude', [GOOD], killed).verdict).toMatchObject({ reason: 'crashed' });
  expect(said('claude', []).verdict).toMatchObject({ reason: 'cut_off' });
  expect(said('opencode', [], endingOf({ isOurs: true })).verdict).toMatchObject({ reason: 'idle' });
});

test('opencode that was ended for its retries is told by them, though an answer came meanwhile', () => {
  const reader = readerOf(requestOf('opencode'));
  const failed = 'message="stream error" small=false error.error="AI_APICallError: rate limit, status 429"';
  const events = [failed, failed].flatMap((line) => reader.stderr(line));
  expect(events.at(-1)).toEqual({ type: 'stuck' });
  reader.line(JSON.stringify({ type: 'step_finish', part: { reason: 'tool-calls', tokens: {} } }));
  expect(reader.verdict(endingOf({ isOurs: true }))).toMatchObject({ type: 'limited', by: 'rate_limit' });
});

test('a turn that is ended while it waits to ask again costs nothing, unless an answer or a request was on its way', () => {
  const retry = (error: string, ms: number) => ({ type: 'system', subtype: 'api_retry', error, retry_delay_ms: ms });
  const spendAfter = (...lines: readonly object[]) => {
    const reader = readerOf(requestOf('claude'));
    for (const line of lines) reader.line(JSON.stringify(line));
    return reader.total().spend;
  };
  const nothing = { usd: 0, tokens: 0 };
  const unknown = { usd: undefined, tokens: undefined };
  const usage = { input_tokens: 9, output_tokens: 1 };
  const started = { type: 'assistant', message: { id: 'm', model: 'some', content: [], usage } };
  expect(spendAfter(retry('server_error', 60_000))).toEqual(nothing);
  expect(spendAfter(retry('rate_limit', 60_000), retry('overloaded', 60_000))).toEqual(nothing);
  expect(spendAfter(retry('server_error', 0))).toEqual(unknown);
  expect(spendAfter(retry('unknown', 60_000))).toEqual(unknown);
  expect(spendAfter(started, retry('server_error', 60_000))).toMatchObject({ tokens: 10 });
  expect(spendAfter()).toEqual(unknown);
});

test('tools that were denied do not matter where there are changes', () => {
  const denied = { ...GOOD, permission_denials: [{ tool_name: 'Bash' }, {}] };
  expect(said('claude', [denied], endingOf({ hasChanges: true })).verdict).toMatchObject({ type: 'finished' });
  expect(said('claude', [denied], endingOf({ hasChanges: false })).verdict).toMatchObject({
    reason: 'permission',
    message: expect.stringContaining('Bash, a tool'),
  });
});

test('limits of turns and of money are known by their names', () => {
  const bad = { type: 'result', is_error: true, result: '', errors: ['It was too much.'] };
  expect(said('claude', [{ ...bad, subtype: 'error_max_turns' }]).verdict).toMatchObject({
    reason: 'turns',
    isFinal: true,
  });
  expect(said('claude', [{ ...bad, subtype: 'error_max_budget_usd' }]).verdict).toMatchObject({ reason: 'cost' });
});

test('when a limit is lifted is found where each program says it', () => {
  const now = 1_700_000_000_000;
  const limited = {
    type: 'result',
    subtype: 'success',
    is_error: true,
    result: 'Claude AI usage limit reached|1700003600',
  };
  expect(said('claude', [limited], endingOf({ now })).verdict).toMatchObject({ by: 'quota', until: 1_700_003_600_000 });
  const event = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_700_007_200 } };
  const refused = { ...limited, result: 'Request rejected (429)', api_error_status: 429 };
  expect(said('claude', [event, refused], endingOf({ now })).verdict).toMatchObject({ until: 1_700_007_200_000 });
  expect(said('claude', [event, refused], endingOf({ now: now * 2 })).verdict).toMatchObject({ until: undefined });
});

test('a structured answer and the money of one model that nobody priced are taken for what they are', () => {
  const models = { strange: { inputTokens: 5, outputTokens: 1, costUSD: 9, costBasis: 'unknown' } };
  const result = {
    ...GOOD,
    structured_output: { n: 1 },
    usage: { input_tokens: 5, output_tokens: 1 },
    modelUsage: models,
    model_usage_since_last_result: models,
  };
  const { verdict, events } = said('claude', [result]);
  expect(verdict).toMatchObject({ type: 'finished', result: { output: { n: 1 } } });
  expect(events).toContainEqual(expect.objectContaining({ type: 'spent', spend: { usd: undefined, tokens: 6 } }));
});

test('tools of codex that were declined are denied', () => {
  const item = { id: 'i', type: 'command_execution', command: 'rm', status: 'declined' };
  const lines = [
    { type: 'item.started', item },
    { type: 'item.completed', item },
    { type: 'turn.completed', usage: {} },
  ];
  const { verdict, events } = said('codex', lines);
  expect(verdict).toMatchObject({ reason: 'permission' });
  expect(events).toContainEqual({ type: 'permission', tool: 'command_execution', isAllowed: false });
});

test('a tool of opencode that was not allowed is denied', () => {
  const state = { status: 'error', input: {}, error: 'The user rejected permission to use this tool.' };
  const finish = { type: 'step_finish', part: { reason: 'stop', tokens: {} } };
  const lines = [{ type: 'tool_use', part: { tool: 'bash', callID: 'c', state } }, finish];
  expect(said('opencode', lines).verdict).toMatchObject({
    reason: 'permission',
    message: expect.stringContaining('bash'),
  });
});

test('any command is judged by its exit, and its answer is what it printed', () => {
  const reader = readerOf(requestOf('command'));
  for (const line of ['{"not": "read"}', 'two']) reader.line(line);
  expect(reader.stderr('x')).toEqual([]);
  expect(reader.conversation()).toBeUndefined();
  expect(reader.verdict(endingOf())).toMatchObject({ type: 'finished', result: { response: '{"not": "read"}\ntwo' } });
});

test('a call is told in one line, by what says most', () => {
  expect(aboutCall({ description: 'x', command: 'ls\n -la' })).toBe('ls -la');
  expect(aboutCall({ command: ['bash', '-c', 'ls'] })).toBe('bash -c ls');
  expect(aboutCall({ other: 'thing' })).toBe('thing');
  expect(aboutCall({ n: 1 })).toBe('');
  expect(aboutCall({ command: 'x'.repeat(500) })).toHaveLength(200);
});

test('a turn that was rejected leaves the counters of its conversation as they were', () => {
  const reading = { input: 100, cached: 40, output: 10, usd: undefined };
  const reader = readerOf(requestOf('codex', { conversation: { id: 'c', mode: 'continue', reading } }));
  reader.line(JSON.stringify({ type: 'thread.started', thread_id: 'c' }));
  const error = { message: 'exceeded retry limit, last status: 500 Internal Server Error' };
  reader.line(JSON.stringify({ type: 'turn.failed', error }));
  reader.verdict(endingOf({ exit: { code: 1, signal: undefined } }));
  expect(reader.conversation()).toEqual({ id: 'c', reading });
  expect(reader.total().spend).toEqual({ usd: 0, tokens: 0 });
});

test('a request that a provider did not take in time is sent again later, and cost nothing', () => {
  const result = { ...GOOD, is_error: true, api_error_status: 408, result: 'API Error: 408 Request Timeout' };
  const { verdict, reader } = said('claude', [{ type: 'system', subtype: 'init', session_id: 's' }, result]);
  expect(verdict).toMatchObject({ reason: 'overloaded', isFinal: false });
  expect(reader.total().spend).toEqual({ usd: 0, tokens: 0 });
});

const claudeMessage = (output_tokens: number, id: string) => ({
  type: 'assistant',
  message: { id, model: 'm', content: [{ type: 'text', text: 'x' }], usage: { input_tokens: 100, output_tokens } },
});
const claudeEvent = (event: object) => ({ type: 'stream_event', api_message_id: 'm-1', event });

test('a turn of claude that was ended costs the larger of what it reported on the way and at its end', () => {
  const start = { type: 'message_start', message: claudeMessage(6, 'm-1').message };
  const delta = { type: 'message_delta', usage: { input_tokens: 100, output_tokens: 6000 } };
  const lines = [claudeEvent(start), claudeMessage(6, 'm-1'), claudeEvent(delta)];
  const aborted = { ...GOOD, is_error: true, terminal_reason: 'aborted_tools', total_cost_usd: 0.1 };
  const record = { ...aborted, usage: { input_tokens: 0, output_tokens: 0 } };
  const whole = said('claude', [...lines, record]).reader.total();
  expect(whole).toMatchObject({ spend: { usd: 0.1, tokens: 6100 }, isPartial: false });
  const unended = said('claude', lines).reader.total();
  expect(unended).toMatchObject({ spend: { tokens: 6100 }, isPartial: true });
  const broken = said('claude', [claudeEvent(start), claudeMessage(6, 'm-1'), record]).reader.total();
  expect(broken).toMatchObject({ spend: { tokens: 106 }, isPartial: true });
});

test('a turn that its program did not begin costs nothing, and one that said nothing of its end may have', () => {
  const exit = { code: 1, signal: undefined };
  const stderr = 'SyntaxError: this Node is too old';
  expect(said('claude', [], endingOf({ exit, stderr })).reader.total().spend).toEqual({ usd: 0, tokens: 0 });
  const begun = { type: 'system', subtype: 'init', session_id: 's' };
  expect(said('claude', [begun], endingOf({ exit, stderr })).reader.total().spend.usd).toBeUndefined();
  // It names its conversation only when its model answers.
  expect(said('opencode', [], endingOf({ exit, stderr })).reader.total().spend.usd).toBeUndefined();
});

test.each([
  ['Cannot connect: connect ECONNREFUSED 127.0.0.1:9', 0],
  ['stream disconnected before completion', undefined],
])('of a provider that was not reached nothing is bought: %s', (message, usd) => {
  const lines = [
    { type: 'thread.started', thread_id: 'c' },
    { type: 'turn.failed', error: { message } },
  ];
  expect(said('codex', lines, endingOf({ exit: { code: 1, signal: undefined } })).reader.total().spend.usd).toBe(usd);
});

test('an account without credit is one without quota, in the words of its provider', () => {
  for (const message of ['Insufficient Balance', 'insufficient credits', 'Your credit balance is too low'])
    expect(said('opencode', [{ type: 'error', error: { name: 'APIError', data: { message } } }]).verdict).toEqual({
      type: 'limited',
      by: 'quota',
      until: undefined,
      message: `${message}.`,
    });
});

test('opencode that asks again after an error without a status has met an overloaded provider', () => {
  const reader = readerOf(requestOf('opencode'));
  const line = 'message="stream error" small=false error.error="AI_APICallError: The server had an error."';
  expect(reader.stderr(line).map(({ type }) => type)).toEqual(['retrying']);
  expect(reader.stderr(line).map(({ type }) => type)).toEqual(['retrying', 'stuck']);
  expect(reader.verdict(endingOf({ isOurs: true }))).toMatchObject({ reason: 'overloaded', isFinal: false });
});

test('opencode whose store of conversations was locked is tried again, with its history', () => {
  const exit = { code: 1, signal: undefined };
  const stderr = 'Error: Unexpected error\nSQLiteError: database is locked\n';
  // A turn that failed for no known reason begins a conversation anew.
  expect(said('opencode', [], endingOf({ exit, stderr })).verdict).toMatchObject({ reason: 'cut_off', isFinal: false });
});

test('MCP servers that do not work are named in the output of the turn', () => {
  const servers = [
    { name: 'db', status: 'failed' },
    { name: 'web', status: 'connected' },
  ];
  const { events } = said('claude', [{ type: 'system', subtype: 'init', session_id: 's', mcp_servers: servers }]);
  expect(events).toContainEqual({
    type: 'text',
    text: expect.stringMatching(/do not work in this turn: db \(failed\);/),
  });
});

test('gemini whose stream was closed without an answer has met an overloaded provider', () => {
  const lines = [
    { type: 'init', session_id: 's' },
    { type: 'error', message: 'Model stream ended without a finish reason.' },
    { type: 'result', status: 'error', stats: { input: 0, output_tokens: 0 } },
  ];
  expect(said('gemini', lines).verdict).toMatchObject({ reason: 'overloaded', isFinal: false });
});

test('a turn that goes on with a conversation costs what is new, where counters go on', () => {
  const reading = { input: 100, cached: 40, output: 10, usd: 0.5 };
  const conversation = { id: 'c', mode: 'continue', reading } as const;
  const codex = readerOf(requestOf('codex', { conversation }));
  const usage = { input_tokens: 280, cached_input_tokens: 80, output_tokens: 25 };
  expect(codex.line(JSON.stringify({ type: 'turn.completed', usage }))).toMatchObject([
    { usage: { input: 100, cached: 40, output: 15, usd: undefined }, spend: { tokens: 115 } },
  ]);
  const claude = readerOf(requestOf('claude', { conversation }));
  const result = { ...GOOD, total_cost_usd: 0.75, usage: { input_tokens: 7, output_tokens: 1 } };
  expect(claude.line(JSON.stringify(result))).toMatchObject([{ spend: { usd: 0.25, tokens: 8 } }]);
});
