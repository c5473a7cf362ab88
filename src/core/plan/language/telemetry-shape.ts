// The shape of `telemetry`: where the traces of a run go, and what is in them.
import { oneOfShape, record } from './collections.ts';
import { field, objectShape } from './object.ts';
import { boolean, textShape } from './scalars.ts';
import { shapeLabelOf, mapShape, type Shape } from './shape.ts';
import { reportFinding, type SourceReader } from '../source/source-reader.ts';
import type { Telemetry, TelemetryHeader } from '../telemetry.ts';

export const NO_TELEMETRY: Telemetry = {
  isOff: false,
  endpoint: undefined,
  headers: [],
  service: undefined,
  content: false,
  agents: false,
};

const OFF = 'none';
const ADDRESS = /^(?:https?:\/\/[^\s/?#]|\$\{[A-Za-z_]\w*\})\S*$/;
const ADDRESS_OR_OFF = new RegExp(`^${OFF}$|${ADDRESS.source}`);

/** An address may hold a token, so messages about a wrong address do not repeat it. */
const addressThat = (allowed: RegExp): Shape<string> => ({
  name: 'an address',
  schema: () => ({ type: 'string', pattern: allowed.source }),
  read: (node, reading) => {
    const value = textShape().read(node, reading);
    if (value === undefined || allowed.test(value)) return value;
    reportFinding(reading, {
      code: 'invalid-value',
      offset: node.start,
      message: `${shapeLabelOf(reading)} must be an address that begins with https:// or http://.`,
      hint: 'Write http://localhost:4318, the address of a collector without /v1/traces.',
    });
    return undefined;
  },
});

/** As HTTP allows them. */
const HEADER_PATTERN = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$";
const HEADER = new RegExp(HEADER_PATTERN);

function checkHeader(name: string, offset: number, reading: SourceReader): void {
  if (HEADER.test(name)) return;
  reportFinding(reading, {
    code: 'invalid-name',
    offset,
    message: `\`${name}\` cannot be the name of a header.`,
    hint: 'Write a name such as authorization or x-api-key.',
  });
}

const headers: Shape<readonly TelemetryHeader[]> = mapShape(
  record(textShape(), {
    noun: 'header',
    duplicateCode: 'duplicate-key',
    checkKey: checkHeader,
    keySchema: HEADER_PATTERN,
  }),
  (entries) => entries.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }])),
);

const telemetryObject = objectShape(
  {
    endpoint: field(
      addressThat(ADDRESS),
      'The collector, such as http://localhost:4318; ${NAME} comes from the environment. Default: OTEL_EXPORTER_OTLP_ENDPOINT.',
    ),
    headers: field(headers, 'Headers for the collector, such as authorization: "Bearer ${TOKEN}".'),
    service: field(textShape(), 'The service.name of the spans. Default: OTEL_SERVICE_NAME, else heddle.'),
    content: field(boolean(), 'Send prompts and answers as well. Default: false.'),
    agents: field(boolean(), 'Have claude and codex send their own spans into the trace of the run. Default: false.'),
  },
  { noun: 'telemetry', example: 'Write telemetry: http://localhost:4318, or telemetry: { agents: true }.' },
);

export const telemetry: Shape<Telemetry> = oneOfShape<Telemetry>({
  wanted: 'none, the address of a collector or a map',
  hint: 'Write telemetry: http://localhost:4318, telemetry: none, or telemetry: { agents: true }.',
  scalar: mapShape(addressThat(ADDRESS_OR_OFF), (address) =>
    address === OFF ? { ...NO_TELEMETRY, isOff: true } : { ...NO_TELEMETRY, endpoint: address },
  ),
  map: mapShape(telemetryObject, (given) => ({
    isOff: false,
    endpoint: given.endpoint,
    headers: given.headers ?? [],
    service: given.service,
    content: given.content ?? false,
    agents: given.agents ?? false,
  })),
});
