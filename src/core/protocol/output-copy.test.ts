import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinPiece, NO_COPY, wholeIn, type OutputCopy, type OutputPiece } from './output-copy.ts';

/** A file with its state: bytes of output as numbers, and gaps as their lengths. */
interface Model {
  readonly copy: OutputCopy;
  readonly file: readonly Entry[];
}
type Entry = { readonly byte: number } | { readonly missing: number };

/** A line about missing bytes is one entry here, whatever its length. */
function joined({ copy, file }: Model, piece: OutputPiece): Model {
  const joining = joinPiece(copy, piece, () => 1);
  const bytes = (from: number): readonly Entry[] =>
    Array.from({ length: piece.from + piece.length - from }, (_, index) => ({ byte: from + index }));
  const gap = 'missing' in joining && joining.missing > 0 ? [{ missing: joining.missing }] : [];
  const before = { append: file, rebuild: file.slice(0, piece.from), replace: [] }[joining.type];
  const after = [...before, ...gap, ...bytes(piece.from + ('skip' in joining ? joining.skip : 0))];
  expect(joining.copy.size).toBe(after.length);
  expect(after.slice(0, joining.copy.head)).toEqual(headOf(joining.copy.head));
  return { copy: joining.copy, file: after };
}

const headOf = (length: number): readonly Entry[] => Array.from({ length }, (_, byte) => ({ byte }));

/** The output that a file accounts for; throws where a byte is out of place. */
function accounted(file: readonly Entry[]): number {
  let at = 0;
  for (const entry of file) {
    if ('missing' in entry) {
      expect(entry.missing).toBeGreaterThan(0);
      at += entry.missing;
    } else {
      expect(entry.byte).toBe(at);
      at += 1;
    }
  }
  return at;
}

const pieces = fc.array(
  fc.record({ from: fc.nat(60), length: fc.integer({ min: 1, max: 30 }), isEnd: fc.constant(false) }),
  { maxLength: 12 },
);
const START: Model = { copy: NO_COPY, file: [] };

describe('a copy of output', () => {
  test('is the output, or says what is missing, whatever pieces are lost, repeated or overlap (output-copy/C1)', () => {
    fc.assert(
      fc.property(pieces, (given) => {
        const end = given.reduce(joined, START);
        expect(accounted(end.file)).toBe(end.copy.at);
      }),
    );
  });

  test('is the whole output after a last piece that has all of it', () => {
    fc.assert(
      fc.property(pieces, (given) => {
        const before = given.reduce(joined, START);
        const { file } = joined(before, { from: 0, length: 100, isEnd: true });
        expect(file).toEqual(headOf(100));
      }),
    );
  });

  test('has at most one gap, at its head, after a last piece that has the end of it', () => {
    fc.assert(
      fc.property(pieces, (given) => {
        const before = given.reduce(joined, START);
        const { file } = joined(before, { from: 80, length: 20, isEnd: true });
        expect(accounted(file)).toBe(100);
        expect(file.filter((entry) => 'missing' in entry).length).toBeLessThanOrEqual(1);
        expect(file.slice(-20).every((entry) => 'byte' in entry)).toBe(true);
      }),
    );
  });

  test('grows at its end only, as long as no piece fills a gap', () => {
    const copy = { at: 10, head: 10, size: 10 };
    expect(joinPiece(copy, { from: 4, length: 10, isEnd: true }, () => 1)).toEqual({
      type: 'append',
      missing: 0,
      skip: 6,
      copy: { at: 14, head: 14, size: 14 },
    });
  });
});

describe('a piece of live output', () => {
  const shown = (text: string, { isCut = false, drop = 0 } = {}): string => {
    const all = Buffer.from(text);
    const bytes = all.subarray(0, all.length - drop);
    const { start, end } = wholeIn(bytes, isCut);
    return bytes.toString('utf8', start, end);
  };

  test('ends before a character that is not whole', () => {
    expect(shown('für', { drop: 2 })).toBe('f');
    expect(shown('ok 🧵', { drop: 1 })).toBe('ok ');
    expect(shown('für')).toBe('für');
  });

  test('ends before an escape sequence that is not whole', () => {
    expect(shown('red \u001b[31')).toBe('red ');
    expect(shown('red \u001b[31mx')).toBe('red \u001b[31mx');
    expect(shown('a link \u001b]8;;http://x')).toBe('a link ');
    expect(shown('a link \u001b]8;;http://x\u0007here')).toBe('a link \u001b]8;;http://x\u0007here');
    expect(shown('\u001b')).toBe('');
  });

  test('begins with a line where bytes before it are left out, and never within a character', () => {
    expect(shown('tail of one\nnext', { isCut: true })).toBe('next');
    expect(shown('no line', { isCut: true })).toBe('no line');
    const bytes = Buffer.from('🧵 sewn').subarray(1);
    expect(wholeIn(bytes, true)).toEqual({ start: 3, end: bytes.length });
  });

  test('of any bytes loses at most a begun character or sequence at its end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const { start, end } = wholeIn(bytes, false);
        expect(start).toBe(0);
        expect(bytes.length - end).toBeLessThan(64);
      }),
    );
  });
});
