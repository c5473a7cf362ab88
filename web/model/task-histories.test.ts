import { expect, test } from 'vitest';
import { given } from '../../src/core/engine/run.given.ts';
import { historiesAt } from './task-histories.ts';

const AGENTS = 'agents: { ai: { use: scripted }, other: { use: scripted } }\n';

test('a step changes the history of the task that it names, and the others stay the same values', () => {
  const run = given('a: { run: x }\nb: { run: x }');
  run.says('a', 'done');
  const { compiled, log } = run;
  const whole = historiesAt(log, log.length, compiled);
  const before = historiesAt(log, log.length - 1, compiled);
  const last = log.at(-1);
  const named = last !== undefined && 'task' in last ? last.task : '';
  expect(['a', 'b'].filter((task) => before.of(task) !== whole.of(task))).toEqual([named]);
});

test('another plan that names another agent for a step names it for claims of before', () => {
  const planned = (agent: string) => given(`a: { prompt: x, agent: ${agent} }`, { plan: AGENTS });
  const { compiled, log } = planned('ai');
  const unnamed = log.map((event) => (event.type === 'claim.made' ? { ...event, agent: undefined } : event));
  const agentsOf = (plan: typeof compiled) =>
    historiesAt(unnamed, unnamed.length, plan).spans.map(({ agent }) => agent);
  expect(agentsOf(compiled)).toEqual(['ai']);
  expect(agentsOf(planned('other').compiled)).toEqual(['other']);
});
