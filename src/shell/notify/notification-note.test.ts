import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openNote } from './notification-note.ts';
import { notifyFolder } from './notify.given.ts';

test('a note goes no further than the first notification that is still under way', () => {
  const file = join(notifyFolder(), 'note');
  const note = openNote(file);
  const [first, second] = [note.begin(4), note.begin(9)];
  second();
  expect(openNote(file).isNews(4)).toBe(true);
  first();
  expect([4, 9, 10].map(openNote(file).isNews)).toEqual([false, false, true]);
});

test('a note never goes back', () => {
  const file = join(notifyFolder(), 'note');
  openNote(file).begin(9)();
  openNote(file).begin(4)();
  expect(openNote(file).isNews(9)).toBe(false);
});
