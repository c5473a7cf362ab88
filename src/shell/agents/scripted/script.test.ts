import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scriptedAdapter } from './scripted-adapter.ts';
import { readScript } from './script.ts';
import { scriptedEndingOf, scriptedRequestOf } from './scripted-turn.given.ts';

const why = (line: string): string | undefined => {
  const script = readScript(line);
  return script.type === 'mistake' ? /`, (.*?)\. The directives/u.exec(script.message)?.[1] : undefined;
};

describe('a script', () => {
  test('is the lines that begin with a sign, in request', () => {
    expect(readScript('Do it.\r\n@spend usd=1 tokens=2\r\n\r\n@once a/b @run make -j 2')).toEqual({
      type: 'script',
      directives: [
        { type: 'spend', usd: 1, tokens: 2 },
        { type: 'once', path: 'a/b', directive: { type: 'run', command: 'make -j 2' } },
      ],
    });
  });

  test.each([
    ['@', 'is no directive that it knows'],
    ['@constructor', 'is no directive that it knows'],
    ['@write', 'should look like `@write PATH TEXT`'],
    ['@sleep 5', 'should look like `@sleep 200ms`'],
    ['@sleep 99d', 'should look like `@sleep 200ms`'],
    ['@sleep', 'should look like `@sleep 200ms`'],
    ['@spend', 'should look like `@spend usd=0.10 tokens=500`'],
    ['@spend usd=-1', 'should look like `@spend usd=0.10 tokens=500`'],
    ['@spend eur=1', 'should look like `@spend usd=0.10 tokens=500`'],
    ['@exit 256', 'should look like `@exit CODE`'],
    ['@signal SIGNOTHING', 'should look like `@signal SIGKILL`'],
    ['@signal toString', 'should look like `@signal SIGKILL`'],
    ['@print -1', 'should look like `@print LINES`'],
    ['@hang on', 'should look like `@hang`'],
    ['@ask', 'should look like `@ask QUESTION`'],
    ['@forget it', 'should look like `@forget`'],
    ['@limit soon', 'should look like `@limit 2s`'],
    ['@once a', 'should look like `@once PATH DIRECTIVE`'],
    ['@once a @once b @hang', 'has one @once inside another, which says nothing more'],
    ['@once a @frob', 'is no directive that it knows'],
  ])('with `%s` is refused: %s', (line, reason) => {
    expect(why(line)).toBe(reason);
  });

  test('with output that is not JSON says so', () => {
    expect(why('@output {a}')).toMatch(/^has no JSON after @output/u);
  });
});

const WORDS = 'write append delete say output spend sleep run fork fail exit signal hang ignore quota print once';
const line = fc.oneof(
  fc.string(),
  fc
    .tuple(fc.constantFrom(...WORDS.split(' '), ''), fc.string({ unit: 'binary' }))
    .map(([word, rest]) => `@${word} ${rest}`),
  fc.constantFrom('@sleep 99999999999999999999d', '@exit 1e400', '@output [1', '@spend usd=1e9', '@once @once @once'),
);

test('any lines can be read, and each either is a directive or has a sentence', () => {
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const script = readScript(lines.join('\n'));
      if (script.type === 'mistake') expect(script.message).toMatch(/^Line \d+ of the prompt, /u);
      else expect(script.directives.length).toBeLessThanOrEqual(lines.join('\n').split('\n').length);
    }),
  );
});

const printed = fc.oneof(
  fc.string(),
  fc.json(),
  fc
    .record({
      type: fc.constantFrom('text', 'spent', 'result', 'limited', 'tool'),
      ok: fc.anything(),
      usd: fc.anything(),
    })
    .map((said) => JSON.stringify(said, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))),
);

test('any output can be read, and only one that says it went well and exits with 0 has', () => {
  const exit = fc.record({
    code: fc.constantFrom(0, 1, undefined),
    signal: fc.constantFrom(undefined, undefined, 'SIGKILL'),
  });
  fc.assert(
    fc.property(fc.array(printed), exit, (lines, ended) => {
      const reader = scriptedAdapter.reader(scriptedRequestOf(''), () => undefined);
      for (const each of lines) reader.line(each);
      const verdict = reader.verdict(scriptedEndingOf(ended));
      if (verdict.type === 'finished') expect(ended).toEqual({ code: 0, signal: undefined });
      if (verdict.type === 'failed') expect(verdict.message).toMatch(/\.$/u);
    }),
  );
});
