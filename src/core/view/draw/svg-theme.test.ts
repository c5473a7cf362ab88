import { expect, test } from 'vitest';
import { faultInXml, HOSTILE_LABELS } from './xml.given.ts';
import { escapeXml, round } from './svg-theme.ts';

test('any label is safe as text and as an attribute', () => {
  for (const label of HOSTILE_LABELS)
    expect(faultInXml(`<a b="${escapeXml(label)}">${escapeXml(label)}</a>`)).toBeUndefined();
  expect(escapeXml(`<a href="x">'&'</a>`)).toBe('&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;');
});

test('the check itself finds faults', () => {
  expect(faultInXml('<a><b></a></b>')).toBe('</a> closes nothing');
  expect(faultInXml('<a>')).toBe('<a> stays open');
  expect(faultInXml('<a>x < y</a>')).toBe('bare sign in x < y');
  expect(faultInXml('<a/>x')).toBe('text after the end: x');
});

test('coordinates have one decimal at most and no negative zero', () => {
  expect([1.26, -0.01, 3].map(round)).toEqual([1.3, 0, 3]);
  expect(Object.is(round(-0.01), 0)).toBe(true);
});
