// Ceilings on what agents spend, with real agents' turns that spend by script.
import { expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from './given-project.given.ts';
import { HOLD, holds, letGo } from './holding.given.ts';
import { leftRunning, signal } from './processes.given.ts';
import type { Line } from './project.given.ts';

endProjectsAfterEach();

const HEAD = `attempts: 1
agents: { ai: { use: scripted, reserve: { usd: 0.2, tokens: 100 } } }
agent: ai
`;

const endOf = (events: readonly Line[], name: string): Line | undefined =>
  events.find(({ type, task }) => type === 'task.ended' && task === name);
const spentIn = (events: readonly Line[]): number =>
  events.reduce((sum, { type, spend }) => sum + (type.startsWith('claim.') ? (spend?.usd ?? 0) : 0), 0);

test('a step that a ceiling leaves no room for is not started, and the run exits with 4', async () => {
  const project = givenProject(`${HEAD}budget: { usd: 0.5 }
tasks:
  a: { prompt: "@spend usd=0.4 tokens=10" }
  b: { needs: [a], prompt: "@write b.txt was here" }
`);
  expect((await project.heddle('run', 'plan.yaml', '--json')).code).toBe(4);
  const events = await project.events();
  expect(endOf(events, 'a')).toMatchObject({ ending: 'done' });
  expect(endOf(events, 'b')).toMatchObject({ ending: 'failed', reason: 'cost' });
  expect(events.some(({ type, work, task }) => work === 'step' && type === 'claim.made' && task === 'b')).toBe(false);
});

test('an agent that spends beyond its ceiling is ended while it runs', async () => {
  const project = givenProject(`${HEAD}budget: { usd: 1 }
tasks:
  greedy: { prompt: "@spend usd=0.5 tokens=10\\n@sleep 1s\\n@spend usd=2 tokens=10\\n@hang" }
`);
  expect((await project.heddle('run', 'plan.yaml', '--json')).code).toBe(4);
  const events = await project.events();
  expect(endOf(events, 'greedy')).toMatchObject({ ending: 'failed', reason: 'cost' });
  expect(spentIn(events)).toBeCloseTo(2.5);
  expect(await leftRunning(project.folder)).toEqual([]);
});

test('a ceiling survives the death of the coordinator', async () => {
  const project = givenProject(`${HEAD}budget: { usd: 0.5 }
tasks:
  a: { prompt: "@spend usd=0.4 tokens=10" }
  hold: { needs: [a], run: "${HOLD}" }
  b: { needs: [hold], prompt: "@write b.txt was here" }
`);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'hold');
  signal(going.pid, 'SIGKILL');
  await going.ended;
  letGo(project, 'hold');
  expect((await project.heddle('resume', '--json')).code).toBe(4);
  const events = await project.events();
  expect(endOf(events, 'b')).toMatchObject({ ending: 'failed', reason: 'cost' });
  expect(spentIn(events)).toBeCloseTo(0.4);
});

test('what an agent spent is not forgotten though its coordinator and its worker died with it', async () => {
  const project = givenProject(`agents: { ai: { use: scripted, reserve: { usd: 0.2, tokens: 100 } } }
agent: ai
budget: { usd: 1 }
tasks:
  a: { prompt: "@once first @spend usd=0.7 tokens=10\\n@run ${HOLD}" }
`);
  const going = project.start('run', 'plan.yaml', '--json');
  await holds(project, 'a');
  // The live cost has come to the attempt's folder before the tool ran, or is on its way there.
  await going.sees(({ type, work, reserve }) => work === 'step' && type === 'claim.raised' && reserve?.usd === 0.7);
  signal(going.pid, 'SIGKILL');
  await project.endProcesses();
  await going.ended;
  letGo(project, 'a');
  const { code } = await project.heddle('resume', '--json');
  const events = await project.events();
  // Its spend after its last report is unknown, so its reservation counts.
  expect(events.find(({ type, work }) => work === 'step' && type === 'claim.returned')).toMatchObject({
    reason: 'crashed',
    spend: {},
  });
  const { out } = await project.heddle('status', '--json');
  expect(JSON.parse(out).spend.spent.usd).toBeGreaterThanOrEqual(0.7);
  expect(code).toBe(0);
});

test('a budget of a task is a ceiling of its own, in tokens too', async () => {
  const project = givenProject(`${HEAD}tasks:
  small: { budget: { tokens: 500 }, prompt: "@spend usd=0.01 tokens=400\\n@sleep 1s\\n@spend usd=0.01 tokens=400\\n@hang" }
  other: { prompt: "@spend usd=0.01 tokens=4000\\n@say fine" }
`);
  expect((await project.heddle('run', 'plan.yaml', '--json')).code).toBe(4);
  const events = await project.events();
  expect(endOf(events, 'small')).toMatchObject({ ending: 'failed', reason: 'cost' });
  expect(endOf(events, 'other')).toMatchObject({ ending: 'done' });
});
