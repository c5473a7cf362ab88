import { expect, test } from 'vitest';
import { eventsOf, givenRun, ownGivenRun, projectInMemory } from '../app/web/served-project.given.ts';
import type { KeptStore } from '../app/web/kept-store.ts';
import type { RunEvent } from '../core/engine/event.ts';
import type { LineStream } from './line-stream.ts';
import { openRunTail } from './run-tail.ts';

const opening = (at: number): RunEvent => ({ type: 'task.opened', at, task: 'a' });

/** A tab that reads everything at once. */
function givenStream(): { readonly stream: LineStream; readonly lines: () => readonly string[] } {
  let text = '';
  const stream: LineStream = {
    write: (lines) => void (text += lines),
    isFull: () => false,
    drained: () => Promise.resolve(true),
    onDrain: () => undefined,
    onClose: () => undefined,
    end: () => undefined,
  };
  return { stream, lines: () => text.split('\n').filter(Boolean) };
}

test('a long log goes to a tab page by page, every event once and in order', () => {
  const project = projectInMemory();
  const record = givenRun(project, eventsOf('a: { run: x }'));
  const more = Array.from({ length: 6_000 }, (_, at) => opening(at));
  ownGivenRun(project, record).append(more, []);
  const reads: number[] = [];
  const open = project.served.open('read');
  const textsFrom: typeof open.store.textsFrom = (...asked) => {
    const read = open.store.textsFrom(...asked);
    reads.push(read.texts.length);
    return read;
  };
  const kept: KeptStore = {
    read: (work) => ({ type: 'read', value: work({ ...open, store: { ...open.store, textsFrom } }) }),
    close: () => undefined,
  };
  const { stream, lines } = givenStream();
  openRunTail(record.run, kept).attach(stream, 0);
  const positions = lines().flatMap((line) => /^\{"type":"event","position":(\d+)/.exec(line)?.[1] ?? []);
  expect(positions.map(Number)).toEqual(Array.from({ length: 6_001 }, (_, index) => index + 1));
  expect(lines().at(-1)).toBe('{"type":"caught-up","position":6001}');
  expect(reads.length).toBeGreaterThan(2);
  expect(Math.max(...reads)).toBeLessThan(4_000);
});
