import { describe, expect, test } from 'vitest';
import { parsePlan } from '../build/parse.ts';
import { planField, writePlan } from '../plan-json.ts';
import type { Telemetry } from '../telemetry.ts';
import { printPlan } from '../print/print.ts';
import { NO_TELEMETRY } from './telemetry-shape.ts';

const planWith = (telemetry: string): string => `heddle: 1\n${telemetry}tasks: { a: { run: x } }\n`;
const telemetryOf = (text: string): Telemetry | undefined =>
  parsePlan(planWith(text), { file: 'p.yaml' }).plan?.telemetry;
const mistakes = (text: string): readonly string[] =>
  parsePlan(planWith(text), { file: 'p.yaml' }).diagnostics.map(({ code, message }) => `${code}: ${message}`);

describe('telemetry', () => {
  test('is as the environment says unless a file says otherwise', () => {
    expect(telemetryOf('')).toBeUndefined();
    expect(telemetryOf('telemetry: { agents: true }\n')).toEqual({ ...NO_TELEMETRY, agents: true });
  });

  test('can be turned off, be an address, and be a map', () => {
    expect(telemetryOf('telemetry: none\n')).toEqual({ ...NO_TELEMETRY, isOff: true });
    expect(telemetryOf('telemetry: http://localhost:4318\n')).toEqual({
      ...NO_TELEMETRY,
      endpoint: 'http://localhost:4318',
    });
    expect(
      telemetryOf('telemetry: { endpoint: "${C}", headers: { x-key: "${K}" }, service: s, content: true }\n'),
    ).toEqual({
      isOff: false,
      endpoint: '${C}',
      headers: [{ name: 'x-key', value: '${K}' }],
      service: 's',
      content: true,
      agents: false,
    });
  });

  test.each(['telemetry: ftp://x\n', 'telemetry: localhost:4318\n', 'telemetry: { endpoint: none }\n'])(
    'goes to no other address: %s',
    (text) => {
      expect(mistakes(text)).toEqual([
        expect.stringMatching(/^invalid-value: \w+ must be an address that begins with https:\/\/ or http:\/\/\.$/),
      ]);
    },
  );

  test('has headers as HTTP allows them', () => {
    expect(mistakes('telemetry: { headers: { "a b": x } }\n')).toEqual([
      'invalid-name: `a b` cannot be the name of a header.',
    ]);
  });

  test('comes from the nearest file that says it, as a whole', () => {
    const project = { file: 'c.yaml', text: 'telemetry: http://here:4318\n' };
    const parsed = (text: string) => parsePlan(planWith(text), { file: 'p.yaml', layers: { project } }).plan?.telemetry;
    expect(parsed('')?.endpoint).toBe('http://here:4318');
    expect(parsed('telemetry: none\n')).toEqual({ ...NO_TELEMETRY, isOff: true });
  });

  test.each([
    '',
    'telemetry: none\n',
    'telemetry: https://c\n',
    'telemetry: { content: true }\n',
    'telemetry: { endpoint: https://c, headers: { a: b }, service: s, agents: true }\n',
  ])('is printed and stored as it was read: %s', (text) => {
    const { plan } = parsePlan(planWith(text), { file: 'p.yaml' });
    if (plan === undefined) throw new Error('The plan is right.');
    expect(parsePlan(printPlan(plan), { file: 'p.yaml' }).plan?.telemetry).toEqual(plan.telemetry);
    expect(planField(JSON.parse(JSON.stringify(writePlan(plan))))).toEqual(plan);
  });
});
