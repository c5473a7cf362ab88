import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonIn, outputValueOf } from './output-value.ts';

test('a value that is nested too deeply for the log does not fit', async () => {
  const text = '['.repeat(400_000) + ']'.repeat(400_000);
  const value = await outputValueOf({ text, schema: { type: 'array' }, fits: async () => undefined });
  expect(value).toMatchObject({ type: 'misfit', message: expect.stringContaining('more than 500 levels deep') });
});

test.each([
  ['{"n": 1}', '{"n": 1}'],
  ['  [1]\n', '[1]'],
  ['Here:\n```json\n{"n": 1}\n```\nDone.', '{"n": 1}'],
  ['First\n```\n{"n": 1}\n```\nthen\n```json\n{"n": 2}\n```', '{"n": 2}'],
  ['```js\nlet a = {};\n```\nThe answer is {"n": {"m": [1]}}.', '{"n": {"m": [1]}}'],
  ['It is [1, 2] in all', '[1, 2]'],
])('the value in %j is found', (answer, value) => {
  expect(jsonIn(answer)).toBe(value);
});

test('an answer without a value is left as it is', () => {
  for (const answer of ['', 'No.', '{ not json', 'a } b']) expect(jsonIn(answer)).toBe(answer);
});

test('any value is found among words around it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.stringMatching(/^[\w .,]*$/u), (value, words) => {
      const text = JSON.stringify(value);
      expect(jsonIn(`${words}\n${text}\n${words}`)).toBe(text);
    }),
  );
});
