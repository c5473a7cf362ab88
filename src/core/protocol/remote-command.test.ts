import { describe, expect, test } from 'vitest';
import {
  commandAnswerIn,
  answerOf,
  frameIn,
  grantedIn,
  remoteCommandIn,
  type RemoteCommand,
} from './remote-command.ts';

const COMMIT = 'a'.repeat(40);

const CALL: RemoteCommand = {
  protocol: 1,
  version: '1.0.0',
  words: ['check', 'plan.yaml'],
  files: [{ name: 'plan.yaml', base64: 'aGk=' }],
  taken: [],
  screen: { width: 80, height: 24, colour: true, unicode: true, isTty: true, isInteractive: true, canAsk: false },
  checkout: { commit: COMMIT, branch: 'main', author: { name: 'Ada', email: 'ada@example.org' } },
};

describe('a call', () => {
  test('is the same after the way', () => {
    expect(remoteCommandIn(JSON.parse(JSON.stringify(CALL)))).toEqual(CALL);
    expect(grantedIn(JSON.stringify({ ...CALL, role: 'reader' }))).toEqual({ ...CALL, role: 'reader' });
  });

  test.each([
    ['a word that is none', { words: [1] }],
    ['a NUL in a word', { words: ['a\0b'] }],
    ['a NUL in the name of a file', { files: [{ name: 'a\0', base64: '' }] }],
    ['a terminal without a width', { screen: { ...CALL.screen, width: 0 } }],
    ['a terminal wider than a wall', { screen: { ...CALL.screen, width: 1e9 } }],
    ['an option in place of a commit', { checkout: { commit: '--upload-pack=evil' } }],
    ['half a commit', { checkout: { commit: 'abc' } }],
    ['no files', { files: undefined }],
  ])('with %s is none', (_, change) => {
    expect(remoteCommandIn({ ...CALL, ...change })).toBeUndefined();
  });

  test('without a role that we know is not granted', () => {
    for (const role of [undefined, 'host', 'root'])
      expect(grantedIn(JSON.stringify({ ...CALL, role }))).toBeUndefined();
    expect(grantedIn('no json')).toBeUndefined();
  });
});

test('a frame of another version, and a line that is none, is not half read', () => {
  expect(frameIn('{"type":"out","text":"a"}')).toEqual({ type: 'out', text: 'a' });
  expect(frameIn('{"type":"wanted","number":1,"commit":"HEAD","roots":[]}')).toBeUndefined();
  for (const line of ['{"type":"out"}', '{"type":"other"}', '[]', '', 'Segmentation fault'])
    expect(frameIn(line), line).toBeUndefined();
});

test('an answer may be none', () => {
  expect(commandAnswerIn({ number: 1 })).toEqual({ number: 1, line: undefined });
  expect(answerOf('{"number":2,"line":"yes"}')).toEqual({ number: 2, line: 'yes' });
  expect([commandAnswerIn({ line: 'yes' }), answerOf('yes')]).toEqual([undefined, undefined]);
});
