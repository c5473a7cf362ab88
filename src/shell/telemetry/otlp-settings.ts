// Where spans go and how, from the plan and from the variables that OpenTelemetry has made a standard.
//
// otlp-settings/T1. The environment comes first; `telemetry` of the plan or of a settings file fills in what it leaves
//     out. `telemetry: none` and OTEL_SDK_DISABLED turn everything off.
// otlp-settings/T2. Headers go only where they were meant to: those of the environment to the endpoint of the environment,
//     those of the plan to that of the plan. A plan cannot have the user's token sent elsewhere.
import type { Telemetry } from '../../core/plan/telemetry.ts';
import type { Attributes } from '../../core/view/trace/trace-span.ts';

export interface OtlpSettings {
  /** With the path of the signal, without credentials. */
  readonly url: string;
  /** The printable part of the address. */
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly compression: 'gzip' | 'none';
  readonly timeoutMs: number;
  /** How often finished spans are sent. */
  readonly delayMs: number;
  /** The most spans in one call. */
  readonly batchMax: number;
  /** A file with certificates that are trusted besides the usual ones. */
  readonly certificate: string | undefined;
  readonly resource: Attributes;
  readonly hasContent: boolean;
  readonly areAgentsJoined: boolean;
}

export type OtlpError =
  | { readonly code: 'no-address' }
  | { readonly code: 'unset'; readonly names: readonly string[] }
  /** Another protocol is asked for, which has another port and another form. */
  | { readonly code: 'protocol'; readonly protocol: string };

export type OtlpFound =
  | { readonly type: 'off' }
  | { readonly type: 'on'; readonly settings: OtlpSettings }
  | { readonly type: 'wrong'; readonly error: OtlpError };

type Environment = Readonly<Record<string, string | undefined>>;

export interface OtlpAsked {
  readonly telemetry: Telemetry | undefined;
  readonly environment: Environment;
  readonly version: string;
  /** An address on the command line, in place of any other. */
  readonly address?: string | undefined;
}

const TIMEOUT_MS = 10_000;
const DELAY_MS = 5_000;
const BATCH_MAX = 512;
const TRACES_PATH = 'v1/traces';

export function findOtlp(asked: OtlpAsked): OtlpFound {
  const { telemetry, environment, address } = asked;
  const isOff = environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || telemetry?.isOff === true;
  // A person who names an address on the command line wants it used.
  if (address !== undefined)
    return settingsFor(asked, { address: withPath(address), headers: ownHeaders(environment) });
  if (isOff || !exportsTraces(environment)) return OFF;
  const ofEnvironment = environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? '';
  const general = environment['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
  if (ofEnvironment !== '' || general !== '') {
    const protocol =
      environment['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ?? environment['OTEL_EXPORTER_OTLP_PROTOCOL'] ?? '';
    if (protocol === 'grpc') return { type: 'wrong', error: { code: 'protocol', protocol } };
    const chosen = ofEnvironment === '' ? withPath(general) : ofEnvironment;
    return settingsFor(asked, { address: chosen, headers: ownHeaders(environment) });
  }
  if (telemetry?.endpoint === undefined) return OFF;
  const filled = fillIn([telemetry.endpoint, ...telemetry.headers.map(({ value }) => value)], environment);
  if (filled.missing.length > 0) return { type: 'wrong', error: { code: 'unset', names: filled.missing } };
  const [endpoint = '', ...values] = filled.texts;
  const headers = Object.fromEntries(
    telemetry.headers.map(({ name }, index) => [name.toLowerCase(), values[index] ?? '']),
  );
  return settingsFor(asked, { address: withPath(endpoint), headers });
}

const OFF: OtlpFound = { type: 'off' };

/** A list of exporters without ours means that traces go elsewhere or nowhere. */
function exportsTraces(environment: Environment): boolean {
  const names = environment['OTEL_TRACES_EXPORTER']?.trim() ?? '';
  return names === '' || names.split(',').some((name) => name.trim() === 'otlp');
}

/** The endpoint for all signals has the path of each appended. An address that names the signal is complete. */
function withPath(address: string): string {
  const base = address.replace(/\/+$/, '');
  return base.endsWith(`/${TRACES_PATH}`) ? base : `${base}/${TRACES_PATH}`;
}

function ownHeaders(environment: Environment): Readonly<Record<string, string>> {
  return {
    ...pairsIn(environment['OTEL_EXPORTER_OTLP_HEADERS']),
    ...pairsIn(environment['OTEL_EXPORTER_OTLP_TRACES_HEADERS']),
  };
}

/** `name=value,name=value`, each value escaped as in an address. */
function pairsIn(text: string | undefined): Readonly<Record<string, string>> {
  const pairs = (text ?? '').split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim().toLowerCase(), unescaped(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A sign of percent that escapes nothing stands for itself.
    return text;
  }
}

function fillIn(texts: readonly string[], environment: Environment) {
  const missing = new Set<string>();
  const filled = texts.map((text) =>
    text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = environment[name] ?? '';
      if (value === '') missing.add(name);
      return value;
    }),
  );
  return { texts: filled, missing: [...missing] };
}

interface Chosen {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

function settingsFor({ telemetry, environment, version }: OtlpAsked, { address, headers }: Chosen): OtlpFound {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return { type: 'wrong', error: { code: 'no-address' } };
  const credentials = credentialsOf(url);
  [url.username, url.password] = ['', ''];
  return {
    type: 'on',
    settings: {
      url: url.href,
      host: url.host,
      headers: { ...credentials, ...headers },
      compression: first(environment, COMPRESSION) === 'none' ? 'none' : 'gzip',
      timeoutMs: countIn(first(environment, TIMEOUT)) ?? TIMEOUT_MS,
      delayMs: countIn(environment['OTEL_BSP_SCHEDULE_DELAY']) ?? DELAY_MS,
      batchMax: countIn(environment['OTEL_BSP_MAX_EXPORT_BATCH_SIZE']) ?? BATCH_MAX,
      certificate: first(environment, CERTIFICATE),
      resource: resourceOf(telemetry, environment, version),
      hasContent:
        telemetry?.content === true ||
        environment['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT']?.toLowerCase() === 'true',
      areAgentsJoined: telemetry?.agents === true,
    },
  };
}

/** `fetch` takes no credentials in an address. */
function credentialsOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** The variable of traces before that of all signals. */
const COMPRESSION = ['OTEL_EXPORTER_OTLP_TRACES_COMPRESSION', 'OTEL_EXPORTER_OTLP_COMPRESSION'] as const;
const TIMEOUT = ['OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', 'OTEL_EXPORTER_OTLP_TIMEOUT'] as const;
const CERTIFICATE = ['OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE', 'OTEL_EXPORTER_OTLP_CERTIFICATE'] as const;

/** An empty variable counts as not set. */
const first = (environment: Environment, names: readonly string[]): string | undefined =>
  names.map((name) => environment[name]).find((value) => value !== undefined && value !== '');

function countIn(text: string | undefined): number | undefined {
  const count = Number(text ?? '');
  return Number.isSafeInteger(count) && count > 0 ? count : undefined;
}

function resourceOf(telemetry: Telemetry | undefined, environment: Environment, version: string): Attributes {
  const given = pairsIn(environment['OTEL_RESOURCE_ATTRIBUTES']);
  const named = environment['OTEL_SERVICE_NAME'] ?? '';
  const name = named === '' ? (given['service.name'] ?? telemetry?.service ?? 'heddle') : named;
  return { ...given, 'service.name': name, 'service.version': version, 'telemetry.sdk.language': 'nodejs' };
}
