// The limits of commands that other machines give.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TokenBook } from '../app/serve/token-book.ts';
import { COMMAND_PROTOCOL } from '../core/protocol/remote-command.ts';
import { execRoutes, openExecRoute, type ExecLimits } from './exec-route.ts';
import { givenWebServer, type GivenWebServer } from './web-client.given.ts';

const AMPLE: ExecLimits = { commandsMax: 4, readersMax: 2, timeoutMs: 600_000, beatEveryMs: 600_000 };

async function givenExec(limits: Partial<ExecLimits>): Promise<GivenWebServer> {
  const root = mkdtempSync(join(tmpdir(), 'heddle-exec-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const route = openExecRoute({ root }, { ...AMPLE, ...limits });
  onTestFinished(route.close);
  // Every token but the server's own is a reader's.
  const book: TokenBook = { find: () => ({ type: 'known', caller: { name: 'rita', role: 'reader' } }) };
  return await givenWebServer([], { routes: execRoutes(route), book });
}

const FLAGS = { colour: false, unicode: true, isTty: false, isInteractive: false, canAsk: false };

const callOf = (...words: readonly string[]): unknown => ({
  protocol: COMMAND_PROTOCOL,
  version: '0',
  words,
  files: [],
  taken: [],
  screen: { width: 80, height: 24, ...FLAGS },
});

describe('commands of other machines', () => {
  test('are refused above their number', async () => {
    const { call } = await givenExec({ commandsMax: 0 });
    const { status, json } = await call('/api/exec', { method: 'POST', body: callOf('runs') });
    expect([status, json]).toEqual([503, { code: 'too-many-commands', max: 0 }]);
  });

  test('of readers leave some for those who act', async () => {
    const { call } = await givenExec({ readersMax: 0 });
    const headers = { authorization: `Bearer ${'r'.repeat(43)}` };
    const refused = await call('/api/exec', { method: 'POST', body: callOf('runs'), headers });
    expect([refused.status, refused.json]).toEqual([503, { code: 'too-many-commands', max: 0 }]);
    expect((await call('/api/exec', { method: 'POST', body: callOf('runs') })).status).toBe(200);
  });

  test('that take too long are ended, and it is said', async () => {
    const { call } = await givenExec({ timeoutMs: 1 });
    const { text } = await call('/api/exec', { method: 'POST', body: callOf('runs') });
    expect(text).toContain('{"type":"overdue","afterMs":1}\n');
    expect(text.trimEnd().split('\n').at(-1)).toBe('{"type":"exit","code":130}');
  });

  test('give a sign of life while nothing happens', async () => {
    const { call } = await givenExec({ beatEveryMs: 1 });
    const { text } = await call('/api/exec', { method: 'POST', body: callOf('runs') });
    expect(text).toContain('{"type":"beat"}\n');
    expect(text).toContain('There is no run');
  });

  test('take no other method', async () => {
    const { call } = await givenExec({});
    expect((await call('/api/exec')).json).toEqual({ code: 'wrong-method', methods: ['POST'] });
  });
});
