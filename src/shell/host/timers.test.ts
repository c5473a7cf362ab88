import { expect, test } from 'vitest';
import { startTimers } from './timers.ts';
import { skippingClock, until } from './host.given.ts';

test('callbacks are called in the order in which they are due, and each once', async () => {
  const done: string[] = [];
  const callbacks = { soon: () => done.push('soon'), later: () => done.push('later'), never: () => done.push('never') };
  const timers = startTimers(skippingClock(), callbacks);
  timers.within('later', 20);
  timers.within('soon', 5);
  timers.within('soon', 500);
  timers.within('never', 10);
  timers.cancel('never');
  await until('both are done', () => done.length === 2);
  expect(done).toEqual(['soon', 'later']);
  timers.within('never', 0);
  timers.close();
  timers.within('later', 0);
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(done).toEqual(['soon', 'later']);
});

test('a callback may set its own timer again', async () => {
  let times = 0;
  const timers = startTimers(skippingClock(), {
    again: () => {
      times += 1;
      if (times < 3) timers.within('again', 1);
    },
  });
  timers.within('again', 1);
  await until('it was done three times', () => times === 3);
  timers.close();
});
