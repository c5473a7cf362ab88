import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Agent } from '../../../core/plan/plan.ts';
import type { Launch, TurnRequest } from '../../ports/agents.ts';
import { claudeAdapter } from '../claude-adapter.ts';
import { codexAdapter } from '../codex-adapter.ts';
import type { Adapter } from '../../ports/agents.ts';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const TELEMETRY = { url: 'http://c:4318/v1/traces', headers: { authorization: 'Bearer a b' }, hasContent: false };

function givenHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'heddle-own-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

function launched(adapter: Adapter, request: Partial<TurnRequest>, agent: Partial<Agent> = {}): Launch {
  const whole: Agent = {
    name: 'ai',
    use: 'claude',
    model: undefined,
    pool: undefined,
    args: [],
    command: undefined,
    env: [],
    reserve: { usd: undefined, tokens: undefined },
    ...agent,
  };
  const launch = adapter.launch({
    agent: whole,
    prompt: 'x',
    conversation: undefined,
    schema: undefined,
    telemetry: TELEMETRY,
    ...request,
    environment: {
      HOME: givenHome(),
      TRACEPARENT: PARENT,
      OTEL_EXPORTER_OTLP_HEADERS: 'mine=1',
      ...request.environment,
    },
  });
  if ('type' in launch) throw new Error(launch.message);
  return launch;
}

const overrides = ({ args }: Launch): readonly string[] => args.filter((word) => word.startsWith('otel.'));

describe('claude', () => {
  test('is told where its spans go and below which they are, in variables', () => {
    expect(launched(claudeAdapter, {}).environment).toMatchObject({
      TRACEPARENT: PARENT,
      CLAUDE_CODE_ENABLE_TELEMETRY: '1',
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:4318/v1/traces',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'authorization=Bearer%20a%20b',
    });
  });

  test('keeps what the user has set for it', () => {
    const environment = { CLAUDE_CODE_ENABLE_TELEMETRY: '0' };
    const env = [{ name: 'OTEL_TRACES_EXPORTER', value: 'console' }];
    expect(launched(claudeAdapter, { environment }, { env }).environment).toMatchObject({
      CLAUDE_CODE_ENABLE_TELEMETRY: '0',
      OTEL_TRACES_EXPORTER: 'console',
    });
  });

  test('is told of prompts only where they are to be sent, and of nothing where it is not to join', () => {
    expect(launched(claudeAdapter, {}).environment['OTEL_LOG_USER_PROMPTS']).toBeUndefined();
    const telemetry = { ...TELEMETRY, hasContent: true };
    expect(launched(claudeAdapter, { telemetry }).environment['OTEL_LOG_USER_PROMPTS']).toBe('1');
    const names = Object.keys(launched(claudeAdapter, { telemetry: undefined }).environment);
    expect(names.filter((name) => /OTEL|TRACEPARENT|TELEMETRY/.test(name))).toEqual([]);
  });
});

describe('codex', () => {
  test('is told by overrides of its settings, and its headers are in no argument', () => {
    const launch = launched(codexAdapter, {}, { use: 'codex' });
    expect(overrides(launch)).toEqual([
      'otel.trace_exporter={otlp-http={endpoint="http://c:4318/v1/traces",protocol="json"}}',
    ]);
    expect(launch.args.join(' ')).not.toContain('Bearer');
    expect(launch.environment).toMatchObject({
      TRACEPARENT: PARENT,
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'authorization=Bearer%20a%20b',
    });
  });

  test('keeps the telemetry of its own settings and arguments', () => {
    const home = givenHome();
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, '.codex', 'config.toml'), 'model = "x"\n\n[otel]\nexporter = "none"\n');
    expect(overrides(launched(codexAdapter, { environment: { HOME: home } }, { use: 'codex' }))).toEqual([]);
    const args = ['-c', 'otel.exporter="none"'];
    expect(overrides(launched(codexAdapter, {}, { use: 'codex', args }))).toEqual(['otel.exporter="none"']);
  });
});
