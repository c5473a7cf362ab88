import { expect, test } from 'vitest';
import { openAgenda } from './agenda.ts';
import { skippingClock, until } from './host.given.ts';

test('deeds are done in the order in which they are due, and each once', async () => {
  const done: string[] = [];
  const deeds = { soon: () => done.push('soon'), later: () => done.push('later'), never: () => done.push('never') };
  const agenda = openAgenda(skippingClock(), deeds);
  agenda.within('later', 20);
  agenda.within('soon', 5);
  agenda.within('soon', 500);
  agenda.within('never', 10);
  agenda.forget('never');
  await until('both are done', () => done.length === 2);
  expect(done).toEqual(['soon', 'later']);
  agenda.within('never', 0);
  agenda.close();
  agenda.within('later', 0);
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(done).toEqual(['soon', 'later']);
});

test('a deed may put itself on the agenda again', async () => {
  let times = 0;
  const agenda = openAgenda(skippingClock(), {
    again: () => {
      times += 1;
      if (times < 3) agenda.within('again', 1);
    },
  });
  agenda.within('again', 1);
  await until('it was done three times', () => times === 3);
  agenda.close();
});
