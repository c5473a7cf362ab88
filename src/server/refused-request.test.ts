import { expect, test } from 'vitest';
import { webErrorText } from '../core/view/text/web-error-text.ts';
import { refusedRequestOf } from './refused-request.ts';

const thrown = (name: string, failure: object): Error => Object.assign(new Error('thrown'), { name, failure });

test.each([
  [
    'git',
    thrown('GitError', { code: 'not-a-repository', folder: '/p' }),
    '/p is not in a git repository. Run `git init` there and commit once.',
  ],
  [
    'the store',
    thrown('StoreError', { code: 'full', file: '/p/store.sqlite' }),
    'The disk is full, so nothing was written to /p/store.sqlite. Free some space and try again.',
  ],
])('a failure of %s reaches the page with its own sentence', (_, cause, sentence) => {
  const { status, error } = refusedRequestOf(cause) ?? {};
  expect([status, error && webErrorText({ ...error })]).toEqual([503, sentence]);
});

test('an error that is none of these is a bug', () => {
  expect(refusedRequestOf(thrown('TypeError', {}))).toBeUndefined();
});
