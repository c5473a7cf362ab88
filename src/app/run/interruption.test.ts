import { expect, test } from 'vitest';
import type { RunRecord } from '../../shell/ports/log.ts';
import { interruptible } from './interruption.ts';

const record: RunRecord = { run: 'a-1', createdAt: 0, name: 'a', file: 'plan.yaml', source: '' };

function given() {
  const heard: string[] = [];
  let on: { readonly onFirst: () => void; readonly onSecond: () => void } | undefined;
  const interruption = interruptible({
    record,
    store: {
      post: () => {
        heard.push('posted');
        return { type: 'posted', id: 1 };
      },
    },
    observer: { onStart: () => {}, onEvents: () => {}, onNote: ({ code }) => heard.push(code) },
    interrupts: (handlers) => {
      on = handlers;
      return () => {
        on = undefined;
      };
    },
  });
  interruption.reaches({ stop: () => heard.push('stop'), end: () => heard.push('end') });
  return { heard, interruption, first: () => on?.onFirst(), second: () => on?.onSecond() };
}

test('the first interrupt stops a run, and the second ends its steps', () => {
  const { heard, interruption, first, second } = given();
  first();
  second();
  expect(heard).toEqual(['posted', 'stopping', 'stop', 'ending-now', 'end']);
  expect(interruption.hasCome()).toBe(true);
});

test('a run that has ended and is being closed is not stopped, and the next interrupt ends the process', () => {
  const { heard, interruption, first, second } = given();
  interruption.closes();
  first();
  second();
  expect(heard).toEqual(['closing']);
  expect(interruption.hasCome()).toBe(false);
});

test('a run that goes on after its end is stopped again', () => {
  const { heard, interruption, first } = given();
  interruption.closes();
  interruption.reaches({ stop: () => heard.push('stop'), end: () => heard.push('end') });
  first();
  expect(heard).toEqual(['posted', 'stopping', 'stop']);
});
