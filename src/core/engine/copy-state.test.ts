import { expect, test } from 'vitest';
import { apply } from './apply/apply.ts';
import { fold } from './apply/fold.ts';
import { copyState } from './copy-state.ts';
import { given } from './run.given.ts';
import { snapshot } from './state.ts';

test('a copy goes on to the same end, and the original stays where it was', () => {
  const run = given('a: { prompt: x }\nb: { run: x, pools: { ci: 2, gpu: 1 } }\nc: { needs: [a], prompt: x }', {
    plan: 'agents: { ai: { use: scripted, pool: ci, reserve: { usd: 1 } } }\nagent: ai\nbudget: { usd: 9 }\npools: { ci: 2, gpu: 1 }',
    tree: 'auto',
  });
  run.says('a', { said: {}, spend: { usd: 0.5, tokens: 1 } }, 'merged');
  run.pause('c');
  run.says('b', 'failed');
  run.resume('c');
  run.says('c', { limitedUntil: 5, pool: 'ci' });
  run.waits(10);
  for (let at = 1; at <= run.log.length; at += 1) {
    const original = fold(run.log.slice(0, at));
    const before = structuredClone(snapshot(original));
    const copy = copyState(original);
    for (const event of run.log.slice(at)) apply(copy, event);
    expect(snapshot(original)).toEqual(before);
    expect(snapshot(copy)).toEqual(snapshot(fold(run.log)));
  }
});
