import { expect, test } from 'vitest';
import { keysOf, type Flags } from './keys-of.ts';

const NONE: Flags = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageUp: false,
  pageDown: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  backspace: false,
  delete: false,
  ctrl: false,
  meta: false,
  tab: false,
};

test('keys go by their names, and what is typed by itself', () => {
  expect(keysOf('', { ...NONE, upArrow: true })).toEqual(['up']);
  expect(keysOf('', { ...NONE, delete: true })).toEqual(['backspace']);
  expect(keysOf('\r', { ...NONE, return: true })).toEqual(['enter']);
  expect(keysOf('x', NONE)).toEqual([{ typed: 'x' }]);
});

test('with Ctrl only c and z mean something, and with Alt nothing does', () => {
  expect(keysOf('c', { ...NONE, ctrl: true })).toEqual(['ctrl-c']);
  expect(keysOf('z', { ...NONE, ctrl: true })).toEqual(['ctrl-z']);
  expect(keysOf('s', { ...NONE, ctrl: true })).toEqual([]);
  expect(keysOf('s', { ...NONE, meta: true })).toEqual([]);
  expect(keysOf('', NONE)).toEqual([]);
});

test('keys that were typed while nobody listened come one by one', () => {
  expect(keysOf('/é漢', NONE)).toEqual([{ typed: '/' }, { typed: 'é' }, { typed: '漢' }]);
  expect(keysOf('no\u007F\r', NONE)).toEqual([{ typed: 'n' }, { typed: 'o' }, 'backspace', 'enter']);
});
