import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { attemptFolder } from '../attempt-folder.ts';
import { localArtifacts } from '../local-artifacts.ts';
import { openAttemptCopies, type AttemptCopies } from './attempt-copies.ts';

const CLAIM = { work: 'step', task: 'a', step: 'main', attempt: 1 } as const;
const OF = { run: 'run-1', claim: CLAIM, host: 'far' };

function given(bytesMax?: number) {
  const home = mkdtempSync(join(tmpdir(), 'heddle-copies-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const open = (): AttemptCopies => openAttemptCopies(home, bytesMax);
  const folder = attemptFolder(home, OF.run, CLAIM);
  const read = (name = 'output.log'): string => readFileSync(join(folder, name), 'latin1');
  return { home, folder, open, read };
}

const piece = (from: number, text: string, isEnd = false) =>
  ({ name: 'output', from, bytes: Buffer.from(text, 'latin1'), isEnd }) as const;

test('pieces that follow each other are the output, and readers of attempts find it', () => {
  const { home, open, read } = given();
  const copies = open();
  expect(copies.join(OF, piece(0, 'one\n'))).toEqual({ type: 'copied' });
  copies.join(OF, piece(4, 'two\n'));
  copies.join(OF, piece(4, 'two\nthree\n'));
  expect(read()).toBe('one\ntwo\nthree\n');
  expect(localArtifacts(home).parts({ run: OF.run, claim: CLAIM, name: 'output' })).toHaveLength(1);
});

test('a gap is a line that says how much is missing and where it is, until what was missing comes', () => {
  const { open, read } = given();
  const copies = open();
  copies.join(OF, piece(0, 'one\n'));
  copies.join(OF, piece(100, 'far on\n'));
  expect(read()).toBe('one\n\n[heddle: 96 bytes of this output are on far alone]\nfar on\n');
  copies.join(OF, piece(4, `${'x'.repeat(96)}far on\nmore\n`));
  expect(read()).toBe(`one\n${'x'.repeat(96)}far on\nmore\n`);
});

test('a server that starts again goes on where it was, and forgets what it had not written down', () => {
  const { open, read, folder } = given();
  open().join(OF, piece(0, 'one\n'));
  appendFileSync(join(folder, 'output.log'), 'half a pie');
  open().join(OF, piece(4, 'two\n'));
  expect(read()).toBe('one\ntwo\n');
  rmSync(join(folder, 'copy.json'));
  open().join(OF, piece(8, 'three\n'));
  expect(read()).toBe('\n[heddle: 8 bytes of this output are on far alone]\nthree\n');
});

test('what is long is kept in two parts while it is live, and is its end in the end', () => {
  const { open, read, folder } = given();
  const copies = open();
  const MB = 1024 * 1024;
  for (let index = 0; index < 10; index += 1) copies.join(OF, piece(index * MB, String(index).repeat(MB)));
  expect([read('output.1.log').length, read().length]).toEqual([8 * MB, 2 * MB]);
  copies.join(OF, piece(2 * MB, 'e'.repeat(8 * MB), true));
  expect(read().slice(0, 60)).toContain(`[heddle: ${2 * MB} bytes of this output are on far alone]\ne`);
  expect(existsSync(join(folder, 'output.1.log'))).toBe(false);
});

test('whatever is lost, repeated or interrupted, the file is the output or says what is missing', () => {
  const output = Array.from({ length: 400 }, (_, index) => String.fromCharCode(97 + (index % 26))).join('');
  const step = fc.record({ from: fc.nat(399), length: fc.integer({ min: 1, max: 80 }), restarts: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
      const { open, read } = given();
      let copies = open();
      let at = 0;
      for (const { from, length, restarts } of steps) {
        if (restarts) copies = open();
        copies.join(OF, piece(from, output.slice(from, from + length)));
        at = Math.max(at, Math.min(output.length, from + length));
      }
      if (steps.length === 0) return;
      expect(filled(read(), output)).toBe(output.slice(0, at));
      copies.join(OF, piece(0, output, true));
      expect(read()).toBe(output);
    }),
    { numRuns: 60 },
  );
});

/** The text with what is missing put in, which throws off all that follows when a length is wrong. */
const filled = (text: string, output: string): string =>
  text.split(/\n(?=\[heddle: )/).reduce((before, part) => {
    const missing = /^\[heddle: (\d+) bytes of this output are on far alone\]\n/.exec(part);
    const gap = output.slice(before.length, before.length + Number(missing?.[1] ?? 0));
    return before + gap + part.slice(missing?.[0].length ?? 0);
  }, '');

test('records are replaced whole', () => {
  const { open, read, folder } = given();
  open().replace(OF, 'turn', Buffer.from('{"a":1}'));
  open().replace(OF, 'turn', Buffer.from('{"a":2}'));
  expect(read('turn.json')).toBe('{"a":2}');
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('a run with as many copies as it may have gets no more of them', () => {
  const { open, read } = given(600);
  const copies = open();
  expect(copies.join(OF, piece(0, 'x'.repeat(300)))).toEqual({ type: 'copied' });
  expect(copies.join(OF, piece(300, 'x'.repeat(400)))).toEqual({ type: 'full' });
  expect(read()).toHaveLength(300);
  expect(open().join(OF, piece(300, 'x'.repeat(400)))).toEqual({ type: 'full' });
});

test('a disk that cannot be written to loses output and nothing else, and the copy says so later', () => {
  const { home, open, read, folder } = given();
  const copies = open();
  copies.join(OF, piece(0, 'one\n'));
  rmSync(folder, { recursive: true });
  // A file where the folder should be stands for a disk that refuses, for root too.
  mkdirSync(join(home, 'runs', OF.run), { recursive: true });
  appendFileSync(folder, '');
  expect(copies.join(OF, piece(4, 'two\n'))).toMatchObject({ type: 'failed' });
  expect(copies.replace(OF, 'turn', Buffer.from('{}'))).toMatchObject({ type: 'failed' });
  chmodSync(folder, 0o600);
  rmSync(folder);
  expect(copies.join(OF, piece(8, 'three\n'))).toEqual({ type: 'copied' });
  expect(read()).toBe('\n[heddle: 8 bytes of this output are on far alone]\nthree\n');
});
