import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  artifactPath,
  readArtifactBody,
  readArtifactPath,
  writeArtifactBody,
  type ArtifactPath,
} from './artifact-message.ts';

const PATH: ArtifactPath = { run: 'run-1', task: 'api.a b%', step: undefined, attempt: 3, name: 'output' };

describe('the path of a file', () => {
  test('names a claim and one of our files', () => {
    for (const path of [PATH, { ...PATH, step: 'work', name: 'conversation' as const }])
      expect(readArtifactPath(`/${artifactPath(path)}`)).toEqual(path);
  });

  test.each([
    ['/hosts/artifacts/run-1/a/main/1/../../../etc/passwd'],
    ['/hosts/artifacts/run-1/a/main/1/passwd'],
    ['/hosts/artifacts/run-1/a/main/1'],
    ['/hosts/artifacts/run-1/a/main/1/output/more'],
    ['/hosts/artifacts/run-1/a/main/-1/output'],
    ['/hosts/artifacts/run-1/a/main/1e3/output'],
    ['/hosts/artifacts/run-1/%zz/main/1/output'],
    ['//hosts/artifacts/run-1/a/main/1/output'],
  ])('%s is none of ours', (path) => {
    expect(readArtifactPath(path)).toBeUndefined();
  });
});

describe('the body of a file', () => {
  test('is read as it was written, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), fc.uint8Array({ maxLength: 100 }), (from, isEnd, bytes) => {
        expect(readArtifactBody(writeArtifactBody({ from, isEnd, bytes }))).toEqual({ from, isEnd, bytes });
      }),
    );
  });

  test.each([[''], ['{}\n'], ['no json\n'], ['{"from":-1,"isEnd":true}\n'], ['{"from":1,"isEnd":1}\nx'], ['[1]\n']])(
    '%j is none',
    (text) => {
      expect(readArtifactBody(new TextEncoder().encode(text))).toBeUndefined();
    },
  );
});
