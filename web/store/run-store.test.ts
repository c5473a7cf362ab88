import { expect, test } from 'vitest';
import { writeEvent } from '../../src/core/engine/events/event-format.ts';
import { fold } from '../../src/core/engine/apply/fold.ts';
import { given } from '../../src/core/engine/run.given.ts';
import { snapshot } from '../../src/core/engine/state.ts';
import type { StreamLine } from '../../src/core/protocol/web.ts';
import { openRunStore, type RunView } from './run-store.ts';

function givenRun() {
  const run = given('a: { run: x }\nb: { needs: [a], run: x }');
  run.says('a', 'done');
  run.says('b', 'done');
  const lines = run.log.map((event, index): StreamLine => ({
    type: 'event',
    position: index + 1,
    event: JSON.parse(writeEvent(event)),
  }));
  const store = openRunStore({ project: 'p', run: 'given-1' }, (work) => work());
  const take = (...some: readonly StreamLine[]): void => some.forEach(store.take);
  const view = (): RunView => {
    const load = store.current();
    if (load.type !== 'ready') throw new Error(`The run is ${load.type}.`);
    return load.view;
  };
  return { log: run.log, lines, store, take, view };
}

const CAUGHT_UP: StreamLine = { type: 'caught-up', position: 0 };

test('a run is shown once the stream has caught up, and follows it from there', () => {
  const { log, lines, store, take, view } = givenRun();
  take(...lines.slice(0, 4));
  expect(store.current()).toEqual({ type: 'loading', events: 4 });
  take(CAUGHT_UP);
  expect(view()).toMatchObject({ position: 4, length: 4, isLive: true });
  take(...lines.slice(4));
  expect(snapshot(view().state)).toEqual(snapshot(fold(log)));
  expect(view().status.stage).toBe('ended');
});

test('events that come twice after a cut are counted once', () => {
  const { log, lines, store, take, view } = givenRun();
  take(...lines.slice(0, 5), CAUGHT_UP, ...lines.slice(2));
  expect(store.end()).toBe(log.length);
  expect(snapshot(view().state)).toEqual(snapshot(fold(log)));
});

test('a position of the past stays while the run goes on, and live follows again', () => {
  const { log, lines, store, take, view } = givenRun();
  take(...lines.slice(0, 5), CAUGHT_UP);
  store.seek(3);
  take(...lines.slice(5));
  expect(view()).toMatchObject({ position: 3, length: log.length, isLive: false });
  expect(snapshot(view().state)).toEqual(snapshot(fold(log.slice(0, 3))));
  expect(view().now).toBe(view().state.run.now);
  store.seek(undefined);
  expect(view().position).toBe(log.length);
});

test('a log that the store cannot read further says why', () => {
  const { lines, take, view } = givenRun();
  const failure = { code: 'damaged', damage: { type: 'event-changed', run: 'given-1', position: 4 } };
  take(...lines.slice(0, 4), { type: 'damaged', position: 4, code: 'store', failure: { code: 'store', failure } });
  const message = 'The log of the run given-1 is broken: event 4 was changed.';
  expect(view().damage).toEqual({ position: 4, code: 'store', message });
});

test('a log that cannot be read further is shown up to there', () => {
  const { log, lines, take, view } = givenRun();
  take(...lines.slice(0, 4), { type: 'event', position: 5, event: { type: 'no.such' } }, ...lines.slice(4));
  expect(view()).toMatchObject({ position: 4, damage: { position: 4, code: 'unreadable' } });
  expect(snapshot(view().state)).toEqual(snapshot(fold(log.slice(0, 4))));
});
