import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { TAIL_BYTES_MAX, type HostTail } from '../../../core/protocol/host-message.ts';
import { OutputFiles, OUTPUT_FILE_MAX } from '../../exec/output-files.ts';
import { attemptFolder } from '../attempt-folder.ts';
import { localArtifacts } from '../local-artifacts.ts';
import { openAttemptCopies } from './attempt-copies.ts';
import { openOutputTails, type OutputTails } from './output-tails.ts';

const CLAIM = { work: 'step', task: 'a', step: 'main', attempt: 1 } as const;
const OF = { run: 'run-1', claim: CLAIM };

/** A host whose worker prints, and a server that has copies. */
function given() {
  const home = (name: string): string => {
    const folder = mkdtempSync(join(tmpdir(), `heddle-tails-${name}-`));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  };
  const [far, near] = [home('far'), home('near')];
  const files = new OutputFiles(attemptFolder(far, OF.run, CLAIM), 'output.log');
  const copies = openAttemptCopies(near);
  let number = 0;
  const open = () => {
    const tails = openOutputTails(localArtifacts(far));
    const next = (): readonly HostTail[] => {
      number += 1;
      return tails.next(number, [OF]);
    };
    return { ...tails, next, answered: () => tails.answered(number) };
  };
  return {
    open,
    print: (text: string | Buffer) => files.write(Buffer.from(text)),
    receive: (tails: readonly HostTail[]) => {
      for (const { run, claim, from, text } of tails)
        copies.join(
          { run, claim, host: 'far' },
          { name: 'output', from, bytes: Buffer.from(text, 'latin1'), isEnd: false },
        );
    },
    upload: (tails: Pick<OutputTails, 'unsent' | 'sent'>, isEnd = false) => {
      const { from, bytes } = tails.unsent(OF, 1 << 20);
      copies.join({ ...OF, host: 'far' }, { name: 'output', from, bytes, isEnd });
      tails.sent(OF, from + bytes.length);
    },
    shown: () => readFileSync(join(attemptFolder(near, OF.run, CLAIM), 'output.log'), 'utf8'),
  };
}

test('what a claim has newly printed is sent once, and nothing when it has printed nothing', () => {
  const { open, print } = given();
  const tails = open();
  expect(tails.next()).toEqual([]);
  print('one\n');
  expect(tails.next()).toEqual([{ ...OF, from: 0, text: 'one\n' }]);
  tails.answered();
  expect(tails.next()).toEqual([]);
  print('two\n');
  expect(tails.next()).toEqual([{ ...OF, from: 4, text: 'two\n' }]);
});

test('of much new output the end is sent, from a line on, and the rest when a reader asks', () => {
  const { open, print, receive, upload, shown } = given();
  const tails = open();
  const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index}\n`).join('');
  print(lines);
  const sent = tails.next();
  expect(sent[0]?.text.length).toBeLessThanOrEqual(TAIL_BYTES_MAX);
  expect(sent[0]?.text).toMatch(/^line \d+\n/);
  receive(sent);
  tails.answered();
  expect(shown()).toMatch(/^\n\[heddle: \d+ bytes of this output are on far alone\]\nline 1/);
  upload(tails);
  expect(shown()).toBe(lines);
});

test('a piece that was lost is sent again, and one that came twice is shown once', () => {
  const { open, print, receive, shown } = given();
  const tails = open();
  print('one\n');
  receive(tails.next());
  print('two\n');
  expect(tails.next()).toEqual([{ ...OF, from: 4, text: 'two\n' }]);
  const again = tails.next();
  expect(again).toEqual([{ ...OF, from: 0, text: 'one\ntwo\n' }]);
  receive(again);
  expect(shown()).toBe('one\ntwo\n');
});

test('bytes that are no text arrive as they were printed', () => {
  const { open, print, receive, shown } = given();
  const tails = open();
  print(Buffer.from([0xff, 0x00, 0x80, 0x0a]));
  receive(tails.next());
  expect(Buffer.from(shown())).toEqual(Buffer.from(Buffer.from([0xff, 0x00, 0x80, 0x0a]).toString()));
});

test('output in several parts keeps its place, also for a host that starts again after parts were dropped', () => {
  const { open, print } = given();
  const tails = open();
  const line = `${'x'.repeat(1023)}\n`;
  const block = line.repeat(OUTPUT_FILE_MAX / line.length);
  for (let index = 0; index < 5; index += 1) {
    print(block);
    tails.next();
  }
  print('the end\n');
  const expected = { ...OF, from: 5 * OUTPUT_FILE_MAX, text: 'the end\n' };
  expect(tails.next()).toEqual([expected]);
  const [late] = open().next();
  expect((late?.from ?? 0) + (late?.text.length ?? 0)).toBe(expected.from + expected.text.length);
});

test('whatever is printed, lost and asked for, the copy is the output or says what is missing, and is whole in the end', () => {
  const act = fc.oneof(
    fc.record({
      type: fc.constant('print' as const),
      text: fc.constantFrom('a', 'line\n', 'é', '🧵 thread\n', '\u001b[31mred\u001b[0m'),
      times: fc.integer({ min: 1, max: 200 }),
    }),
    fc.record({ type: fc.constantFrom('send' as const, 'lose' as const, 'ask' as const, 'restart' as const) }),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 14 }), (acts) => {
      const { open, print, receive, upload, shown } = given();
      let tails = open();
      let all = '';
      for (const each of acts) {
        if (each.type === 'print') {
          all += each.text.repeat(each.times);
          print(each.text.repeat(each.times));
        } else if (each.type === 'send') {
          const sent = tails.next();
          receive(sent);
          tails.answered();
        } else if (each.type === 'lose') {
          tails.next();
        } else if (each.type === 'ask') upload(tails);
        else tails = open();
      }
      if (all === '') return;
      upload(tails, true);
      tails.forget(OF);
      upload(open(), true);
      expect(shown()).toBe(all);
    }),
    { numRuns: 60 },
  );
});
