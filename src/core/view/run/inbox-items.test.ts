import { expect, test } from 'vitest';
import { given, type Run } from '../../engine/run.given.ts';
import { inboxOf, type WaitingItem } from './inbox-items.ts';

const itemsOf = (run: Run): readonly WaitingItem[] => inboxOf(run.state(), { inputs: {}, env: {} });

test('a gate blocks what needs it, what needs the subplan around it, and all after those', () => {
  const run = given(
    's:\n  tasks:\n    g: { gate: Go? }\n    h: { run: x }\nt: { needs: [s], tasks: { u: { run: x } } }\nv: { needs: [t], run: x }\nw: { run: x }',
  );
  expect(itemsOf(run)).toMatchObject([
    { type: 'gate', task: 's.g', text: 'Go?', blocks: ['v', 't.u'], blocksCount: 2, answers: ['approve', 'reject'] },
  ]);
});

test('only the first blocked tasks are named, and all are counted', () => {
  const others = Array.from({ length: 9 }, (_, index) => `t${index}: { needs: [g], run: x }`).join('\n');
  const [item] = itemsOf(given(`g: { gate: Go? }\n${others}`));
  expect([item?.blocks.length, item?.blocksCount]).toEqual([5, 9]);
});

test('a failed step that asks what to do is a judgement, with what the task has cost', () => {
  const run = given('a: { prompt: x, on_error: gate }', { plan: 'attempts: 1' });
  run.says('a', { said: { ok: false, response: 'no luck' }, spend: { usd: 0.5, tokens: 10 } });
  expect(itemsOf(run)).toMatchObject([{ type: 'judgement', task: 'a', step: 'main', usd: 0.5 }]);
});

test('a ceiling that was reached waits for a person, until the run is over', () => {
  const run = given('a: { prompt: x }\nb: { needs: [a], prompt: x }\nc: { gate: Go? }', {
    plan: 'budget: { usd: 1 }\nagents: { ai: { use: scripted, reserve: { usd: 0.6 } } }\nagent: ai',
  });
  run.says('a', { said: {}, spend: { usd: 0.9, tokens: undefined } });
  const ceiling = itemsOf(run).find(({ type }) => type === 'ceiling');
  expect(ceiling).toMatchObject({ task: undefined, usd: 0.9, ceilingUsd: 1, answers: [] });
  run.cancel();
  expect(run.isEnded()).toBe(true);
  expect(itemsOf(run)).toEqual([]);
});
