import { expect, test } from 'vitest';
import { DRAFT_CODES } from '../../core/draft/draft-finding.ts';
import { FRAGMENT_CODES } from '../../core/grow/fragment-finding.ts';
import { parsePlan } from '../../core/plan/build/parse.ts';
import { REASONS } from '../../core/protocol/result.ts';
import { DIAGNOSTIC_CODES } from '../../core/plan/build/diagnostic-codes.ts';
import { FINDING_CODES } from '../../core/verify/net-finding.ts';
import { codeNames, findCode, pageNames, readPage, sectionsOf } from './documents.ts';

test('every code of a diagnostic, a finding, a draft, a fragment or a reason has its part of a page, and no page knows another', () => {
  const codes = [
    ...DIAGNOSTIC_CODES.keys(),
    ...FINDING_CODES,
    ...Object.keys(DRAFT_CODES),
    ...Object.keys(FRAGMENT_CODES),
    ...REASONS,
  ];
  expect(codeNames().toSorted()).toEqual(codes.toSorted());
});

test('what a message says to call finds the code that the message is about', () => {
  for (const code of [...DIAGNOSTIC_CODES.keys(), ...FINDING_CODES])
    expect(findCode(code)?.text.startsWith(`### \`${code}\``), code).toBe(true);
  const reasons = sectionsOf(readPage('reference/reasons'));
  for (const reason of REASONS)
    expect(reasons.find(({ name }) => name === reason)?.text.length, reason).toBeGreaterThan(40);
});

test('a part of a page ends where the next of its rank begins, and code is never taken for a heading', () => {
  const text = '# Page\n\n## One thing\na\n```sh\n## no heading\n```\n### `x-y` (error)\nb\n## Two\nc\n';
  expect(sectionsOf(text)).toEqual([
    { name: 'one-thing', text: '## One thing\na\n```sh\n## no heading\n```\n### `x-y` (error)\nb' },
    { name: 'x-y', text: '### `x-y` (error)\nb' },
    { name: 'two', text: '## Two\nc' },
  ]);
});

test('every page has a title for the list of topics', () => {
  for (const page of pageNames()) expect(readPage(page), page).toMatch(/^# \S/);
});

test('every plan on the page about the language is right', () => {
  const plans = [...readPage('reference/plan-brief').matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text = '']) => text);
  expect(plans).not.toEqual([]);
  for (const plan of plans) expect(parsePlan(plan, { file: 'plan.yaml', layers: {} }).diagnostics).toEqual([]);
});
