import { expect, test } from 'vitest';
import { webErrorText } from './web-error-text.ts';

test.each([
  [
    'an unknown run with the nearest name',
    { code: 'run-unknown', run: 'givn-1', like: 'given-1' },
    'There is no run givn-1 here. Did you mean given-1?',
  ],
  [
    'a log that reads to a point',
    {
      code: 'store',
      failure: { code: 'damaged', damage: { type: 'event-changed', run: 'given-1', position: 6 } },
    },
    'The log of the run given-1 is broken: event 6 was changed.',
  ],
  [
    'a command without effect',
    {
      code: 'of-no-use',
      reply: { takesEffect: false, notes: [{ code: 'run.ended' }] },
    },
    'The run has ended.',
  ],
  [
    'a server that only reads',
    { code: 'read-only' },
    'This dashboard is read-only: start heddle web without --read-only to act from it.',
  ],
  [
    'a fact of the request',
    { code: 'not-an-answer', answers: ['approve', 'reject'] },
    'The question takes another answer: approve, reject.',
  ],
  [
    'a code that the page does not know',
    { code: 'toString' },
    'The server says toString, which this page has no words for. Reload the page, which may be of another version than the server.',
  ],
])('the sentence says %s', (_, error, sentence) => {
  expect(webErrorText(error)).toBe(sentence);
});
