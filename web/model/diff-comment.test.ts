import { expect, test } from 'vitest';
import { commentCommand } from './diff-comment.ts';

const COMMENT = { path: 'src/a.ts', line: 3, text: 'const a = 1;', comment: ' Name it. ' };
const TEXT = 'About src/a.ts:3\n> const a = 1;\n\nName it.';
const QUESTION = { task: 'a', step: 'main', attempt: 1, text: 'Which?', until: undefined } as const;

test('a comment answers the task that asks', () => {
  expect(commentCommand('a', [{ ...QUESTION, answers: ['answer', 'reject'] }], COMMENT)).toEqual({
    type: 'answer',
    task: 'a',
    step: 'main',
    attempt: 1,
    text: TEXT,
  });
});

test('a comment on another task runs it again with the comment', () => {
  expect(commentCommand('b', [{ ...QUESTION, answers: ['answer'] }], COMMENT)).toEqual({
    type: 'retry',
    tasks: ['b'],
    text: TEXT,
  });
  expect(commentCommand('a', [{ ...QUESTION, answers: ['approve', 'reject'] }], COMMENT)).toMatchObject({
    type: 'retry',
  });
});
