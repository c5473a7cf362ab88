import { describe, expect, test } from 'vitest';
import { NO_TELEMETRY } from '../../core/plan/language/telemetry-shape.ts';
import type { Telemetry } from '../../core/plan/telemetry.ts';
import { findOtlp, type OtlpFound, type OtlpSettings } from './otlp-settings.ts';

const found = (environment: Readonly<Record<string, string>>, telemetry?: Partial<Telemetry>): OtlpFound =>
  findOtlp({
    telemetry: telemetry === undefined ? undefined : { ...NO_TELEMETRY, ...telemetry },
    environment,
    version: '1',
  });

function on(environment: Readonly<Record<string, string>>, telemetry?: Partial<Telemetry>): OtlpSettings {
  const answer = found(environment, telemetry);
  if (answer.type !== 'on') throw new Error(JSON.stringify(answer));
  return answer.settings;
}

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

describe('traces', () => {
  test('are off until somebody names a collector', () => {
    expect(found({})).toEqual({ type: 'off' });
    expect(found({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, { agents: true })).toEqual({ type: 'off' });
  });

  test.each([
    [{ ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }, undefined],
    [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, undefined],
    [ENDPOINT, { isOff: true }],
  ])('are off where somebody says so: %j %j', (environment, telemetry) => {
    expect(found(environment, telemetry)).toEqual({ type: 'off' });
  });

  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }, 'http://collector:4318/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://host/otlp' }, 'https://host/otlp/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://host/else' }, 'https://host/else'],
    [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://host/else' }, 'https://host/else'],
  ])('go where %j says', (environment, url) => {
    expect(on(environment).url).toBe(url);
  });

  test('take the settings that OpenTelemetry has variables for', () => {
    expect(
      on({
        ...ENDPOINT,
        OTEL_EXPORTER_OTLP_HEADERS: 'Api-Key=a%20b, x=1',
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x=2',
        OTEL_EXPORTER_OTLP_TIMEOUT: '1500',
        OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'none',
        OTEL_SERVICE_NAME: 'nightly',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=ci,service.name=other',
        OTEL_BSP_SCHEDULE_DELAY: '100',
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: 'many',
        OTEL_EXPORTER_OTLP_CERTIFICATE: '/ca.pem',
        OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
      }),
    ).toEqual({
      url: 'http://collector:4318/v1/traces',
      host: 'collector:4318',
      headers: { 'api-key': 'a b', x: '2' },
      compression: 'none',
      timeoutMs: 1_500,
      delayMs: 100,
      batchMax: 512,
      certificate: '/ca.pem',
      resource: {
        'deployment.environment': 'ci',
        'service.name': 'nightly',
        'service.version': '1',
        'telemetry.sdk.language': 'nodejs',
      },
      hasContent: true,
      areAgentsJoined: false,
    });
  });

  test('are compressed, and named heddle, unless somebody says otherwise', () => {
    expect(on(ENDPOINT)).toMatchObject({ compression: 'gzip', resource: { 'service.name': 'heddle' } });
    expect(on(ENDPOINT, { service: 'loom' }).resource['service.name']).toBe('loom');
  });
});

describe('telemetry of a plan', () => {
  const endpoint = 'https://${COLLECTOR}/otlp';
  const headers = [{ name: 'Authorization', value: 'Bearer ${TOKEN}' }];

  test('names a collector, with values of the environment', () => {
    expect(on({ COLLECTOR: 'c.example.com', TOKEN: 's3cret' }, { endpoint, headers })).toMatchObject({
      url: 'https://c.example.com/otlp/v1/traces',
      headers: { authorization: 'Bearer s3cret' },
    });
    expect(found({}, { endpoint, headers })).toEqual({
      type: 'wrong',
      error: { code: 'unset', names: ['COLLECTOR', 'TOKEN'] },
    });
  });

  test('gives way to the environment, and takes its own headers nowhere else', () => {
    const environment = { ...ENDPOINT, COLLECTOR: 'c.example.com', TOKEN: 's3cret' };
    expect(on(environment, { endpoint, headers, agents: true })).toMatchObject({
      host: 'collector:4318',
      headers: {},
      areAgentsJoined: true,
    });
  });

  test('never gets the headers of the environment', () => {
    const environment = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=mine' };
    expect(on(environment, { endpoint: 'http://elsewhere:4318' }).headers).toEqual({});
  });
});

test('credentials in an address become a header, and are shown nowhere', () => {
  expect(on({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:p%40ss@host' })).toMatchObject({
    url: 'https://host/v1/traces',
    host: 'host',
    headers: { authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}` },
  });
});

test.each([
  [
    { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { code: 'protocol', protocol: 'grpc' },
  ],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, { code: 'no-address' }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'nonsense' }, { code: 'no-address' }],
])('%j cannot be used, and says why', (environment, error) => {
  expect(found(environment)).toEqual({ type: 'wrong', error });
});
