import { expect, test } from 'vitest';
import { openSharedRoom } from './shared-room.ts';

test('room is taken by what is held, by what was given since, and by what is reserved', () => {
  const room = openSharedRoom();
  room.hear(8, new Map([['one', 2]]));
  expect(room.left()).toBe(6);
  room.reserve('one', 3);
  expect(room.left()).toBe(3);
  room.settle('one', 'sent');
  room.reserve('two', 2);
  expect(room.left()).toBe(1);
});

test('a reply that was dropped gives its room back', () => {
  const room = openSharedRoom(4);
  room.reserve('one', 3);
  room.settle('one', 'dropped');
  expect(room.left()).toBe(4);
});

test('the next message of the host says what became of what it was given', () => {
  const room = openSharedRoom(4);
  room.reserve('one', 3);
  room.settle('one', 'sent');
  room.hear(4, new Map([['one', 1]]));
  expect(room.left()).toBe(3);
});

test('a message of one run leaves the claims of the others', () => {
  const room = openSharedRoom(4);
  room.hearOf('one', 2);
  room.hearOf('two', 1);
  room.hearOf('one', 0);
  expect(room.left()).toBe(3);
});

test('a host with more claims than room has none left', () => {
  const room = openSharedRoom();
  room.hear(1, new Map([['one', 3]]));
  expect(room.left()).toBe(0);
});

test('a reply is on its way from its reservation on', () => {
  const room = openSharedRoom(1);
  room.reserve('one', 0);
  expect(room.isAwaited()).toBe(true);
  room.settle('one', 'sent');
  expect(room.isAwaited()).toBe(false);
});
