import { expect, test } from 'vitest';
import { given } from '../run.given.ts';
import { fold } from '../apply/fold.ts';
import { evaluatorOf } from '../evaluator.ts';
import { snapshot } from '../state.ts';
import { startCoordinator } from './coordinator-state.ts';
import { step } from './step.ts';

test('a coordinator that finds other sandboxes than the run had logs them once', () => {
  const run = given('a: { run: x }');
  const inputs = { inputs: {}, env: {} };
  const coordinator = startCoordinator(run.state(), { evaluator: evaluatorOf(inputs), given: inputs, at: 0 });
  const sandboxes = { tree: 'checkout', isolation: 'none', why: 'not-installed' } as const;
  const eventsNow = () => step(coordinator, { sandboxes }, { now: 1, at: 1 }).events;
  const events = eventsNow();
  expect(events).toEqual([{ type: 'run.sandboxed', at: 1, sandboxes }]);
  expect(eventsNow()).toEqual([]);
  expect(snapshot(fold([...run.log, ...events]))).toEqual(snapshot(run.state()));
});
