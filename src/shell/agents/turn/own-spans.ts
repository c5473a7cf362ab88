// Has an agent send spans of its own into the trace of the run, where the user asked for that.
//
// own-spans/W1. What the user has set for the agent stays: values here are only those of variables that are not set, and
//     nothing is added to settings that speak of telemetry.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { TurnRequest, TurnTelemetry } from '../../ports/agents.ts';

/** The span of the claim, for the programs of its agent. */
export const TRACE_PARENT = 'TRACEPARENT';

/** Claude Code reads the standard variables once two of its own are set. */
export function claudeSpans({ url, headers, hasContent }: TurnTelemetry): Readonly<Record<string, string>> {
  return {
    CLAUDE_CODE_ENABLE_TELEMETRY: '1',
    CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: '1',
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url,
    ...headersIn(headers),
    ...(hasContent ? { OTEL_LOG_USER_PROMPTS: '1' } : {}),
  };
}

/** Headers may hold a token, so they go through the environment and never through arguments. */
export const headersIn = (headers: TurnTelemetry['headers']): Readonly<Record<string, string>> => {
  const pairs = Object.entries(headers).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? {} : { OTEL_EXPORTER_OTLP_TRACES_HEADERS: pairs.join(',') };
};

/** Codex reads its settings file and overrides of it, and the headers of the environment. */
export function codexSpans({ telemetry, agent, environment }: TurnRequest): readonly string[] {
  if (telemetry === undefined || agent.args.some((word) => OWN_ARGUMENT.test(word))) return [];
  if (OWN_TABLE.test(codexSettings(environment))) return [];
  const exporter = `{otlp-http={endpoint=${JSON.stringify(telemetry.url)},protocol="json"}}`;
  const content = telemetry.hasContent ? ['-c', 'otel.log_user_prompt=true'] : [];
  return ['-c', `otel.trace_exporter=${exporter}`, ...content];
}

const OWN_ARGUMENT = /^otel[.=]/;
const OWN_TABLE = /^\s*(?:\[\s*otel\b|otel\s*[.=])/m;

function codexSettings(environment: TurnRequest['environment']): string {
  const folder = environment['CODEX_HOME'] ?? join(environment['HOME'] ?? homedir(), '.codex');
  try {
    return readFileSync(join(folder, 'config.toml'), 'utf8');
  } catch {
    // No settings, so none of telemetry.
    return '';
  }
}
