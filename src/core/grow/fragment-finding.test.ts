import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FRAGMENT_CODES } from './fragment-finding.ts';

const REFERENCE = readFileSync(new URL('../../../docs/reference/fragments.md', import.meta.url), 'utf8');

test('the reference of fragments lists exactly the codes that a fragment can be given, with their meanings', () => {
  const sections = [...REFERENCE.matchAll(/^### `([^`]+)`\n\n([^]*?)(?=\n###|$(?![^]))/gm)];
  expect(sections.map(([, code]) => code)).toEqual(Object.keys(FRAGMENT_CODES));
  for (const [, code = '', text] of sections)
    expect(text?.replaceAll('\n', ' ')).toContain(Object.entries(FRAGMENT_CODES).find(([each]) => each === code)?.[1]);
});
