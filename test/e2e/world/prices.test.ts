// A table of prices that cannot be used is said at once, and never leaves a budget without one.
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from './given-project.given.ts';

endProjectsAfterEach();

test('a wrong table of prices is refused before anything starts, with the mistake and its place', async () => {
  const project = givenProject(`heddle: 1
name: world
budget: { usd: 5 }
agents: { ai: { use: scripted } }
tasks: { a: { prompt: "@say done" } }
`);
  mkdirSync(project.file('.heddle'), { recursive: true });
  const prices = project.file('.heddle/prices.json');
  writeFileSync(prices, '{\n  "some-model": { "input": -1, "output": 10 }\n}\n');
  const said =
    /prices\.json:2:19 error out-of-range\n {2}The price input of some-model is -1, and should be 0 or more\./;
  for (const command of ['check', 'run']) {
    const refused = await project.heddle(command, 'plan.yaml');
    expect([refused.code, refused.errors], command).toEqual([2, expect.stringMatching(said)]);
  }
  expect((await project.heddle('runs')).out).not.toContain('world-1');
  const agents = await project.heddle('agents');
  expect([agents.code, agents.errors]).toEqual([0, expect.stringMatching(said)]);
  const checked = await project.heddle('check', 'plan.yaml', '--json');
  expect(JSON.parse(checked.out)).toMatchObject({ ok: false, diagnostics: [{}, { code: 'out-of-range' }] });
  writeFileSync(prices, '{ "some-model": ');
  expect((await project.heddle('run', 'plan.yaml')).errors).toContain('error json-syntax');
  writeFileSync(prices, '{ "some-model": { "input": 1, "output": 10 } }');
  expect((await project.heddle('run', 'plan.yaml', '--no-git')).code).toBe(0);
  writeFileSync(prices, '[]');
  const resumed = await project.heddle('resume');
  expect([resumed.code, resumed.errors]).toEqual([2, expect.stringContaining('error wrong-type')]);
});
