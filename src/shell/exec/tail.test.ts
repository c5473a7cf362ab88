import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lastCharacters, makeTail, textOfBytes, withoutLineEnd } from './tail.ts';

test('a tail holds the last bytes, however they are cut into pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), fc.integer({ min: 1, max: 30 }), (chunks, bytesMax) => {
      const tail = makeTail(bytesMax);
      chunks.forEach(tail.push);
      const all = Buffer.concat(chunks);
      expect([...tail.bytes()]).toEqual([...all.subarray(Math.max(0, all.length - bytesMax))]);
      expect(tail.total()).toBe(all.length);
    }),
  );
});

test('text takes no more bytes than were asked for, whatever the bytes are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 4, max: 60 }), (bytes, bytesMax) => {
      const text = textOfBytes(bytes, bytesMax);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytesMax);
      expect(text).not.toContain('\0');
    }),
  );
});

test('text that is cut is the end of the text and begins with a whole character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 4, max: 40 }), (whole, bytesMax) => {
      fc.pre(!whole.includes('\0'));
      const text = textOfBytes(Buffer.from(whole), bytesMax);
      expect(whole.endsWith(text)).toBe(true);
      expect(Buffer.byteLength(text)).toBeGreaterThan(Math.min(Buffer.byteLength(whole), bytesMax) - 4);
    }),
  );
});

test('the last characters hold no half of a pair', () => {
  expect(lastCharacters('ab', 4)).toBe('ab');
  expect(lastCharacters('a😀b', 2)).toBe('b');
  expect(lastCharacters('a😀b', 3)).toBe('😀b');
});

test('one line end is taken off', () => {
  expect(['a\n', 'a\r\n', 'a', 'a\n\n'].map(withoutLineEnd)).toEqual(['a', 'a', 'a', 'a\n']);
});
