import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DIAGNOSTIC_CODES } from './diagnostic-codes.ts';
import { parsePlan } from './parse.ts';
import { DIAGNOSTICS_MAX, TEXT_LENGTH_MAX } from '../source/limits.ts';

const REFERENCE = readFileSync(new URL('../../../../docs/reference/diagnostics.md', import.meta.url), 'utf8');

interface Section {
  readonly code: string;
  readonly severity: string;
  readonly text: string;
  readonly example: string;
}

const SECTIONS: readonly Section[] = [
  ...REFERENCE.matchAll(/^### `([a-z-]+)` \((\w+)\)\n([^]*?)```yaml\n([^]*?)```/gm),
].map(([, code = '', severity = '', text = '', example = '']) => ({ code, severity, text, example }));

/** A page cannot hold these, so the example only says how it goes on. */
const GROWN: ReadonlyMap<string, (example: string) => string> = new Map([
  ['text-too-large', (example: string) => example + '#'.repeat(TEXT_LENGTH_MAX)],
  ['too-many-diagnostics', (example: string) => example + '  a: { run: make }\n'.repeat(DIAGNOSTICS_MAX + 5)],
  ['examined-in-part', () => manyOverlappingTasks(3000)],
]);

/** What stands beside the plan of an example. */
const PRICES: ReadonlyMap<string, string> = new Map([['json-syntax', '{ "some-model": { "input": 1.25']]);

function manyOverlappingTasks(count: number): string {
  const tasks = Array.from({ length: count }, (_, index) => {
    const needs = index === 0 ? '' : `, needs: [t${index - 1}]`;
    return `  t${index}: { run: make, files: [src/**]${needs} }`;
  });
  return `heddle: 1\ntasks:\n${tasks.join('\n')}\n`;
}

describe('the reference of diagnostics', () => {
  test('lists exactly the codes that the parser can give, each once, with its severity and meaning', () => {
    expect(SECTIONS.map(({ code }) => code)).toEqual([...DIAGNOSTIC_CODES.keys()]);
    for (const { code, severity, text } of SECTIONS) {
      expect({ code, severity }).toEqual({ code, severity: DIAGNOSTIC_CODES.get(code)?.severity });
      expect(text).toContain(DIAGNOSTIC_CODES.get(code)?.meaning);
    }
  });

  test.each(SECTIONS)('has an example that gives $code', ({ code, severity, text, example }) => {
    const schemas = new Map([['schemas/missing.json', undefined]]);
    const written = GROWN.get(code)?.(example) ?? example;
    const prices = [PRICES.get(code) ?? '{}'].map((table) => ({ file: 'prices.json', text: table }));
    const { diagnostics } = parsePlan(written, { file: 'example.yaml', schemas, prices });
    const company = [...text.matchAll(/Comes with `([a-z-]+)`/g)].map(([, other]) => other);
    const codes = new Set(diagnostics.map((diagnostic) => diagnostic.code));
    expect(codes).toEqual(new Set([code, ...company]));
    expect(diagnostics.filter((diagnostic) => diagnostic.code === code)).toHaveLength(1);
    expect(diagnostics.find((diagnostic) => diagnostic.code === code)?.severity).toBe(severity);
  });
});
