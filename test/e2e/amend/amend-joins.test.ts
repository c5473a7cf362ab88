// Joins of data that a changed plan adds are held to their shapes, as those are that were there from the start.
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from '../world/given-project.given.ts';
import { HOLD, holds, letGo } from '../world/holding.given.ts';
import type { Project } from '../world/project.given.ts';

endProjectsAfterEach();

const PLAN = `heddle: 1
name: world
sandbox: { tree: none }
attempts: 1
tasks:
  a: { run: "${HOLD}" }
  data: { needs: [a], run: "echo '{\\"else\\": 1}'", output: { type: object } }
`;
/** What \`data\` gives never has a score; that it may not is seen only when it is there. */
const JOINED = `${PLAN}  joined:
    needs: [data]
    join: {}
    output: { type: object, properties: { data: { type: object, required: [score] } } }
`;

const amendTo = (project: Project, plan: string) => {
  writeFileSync(project.file('plan.yaml'), plan);
  return project.heddle('amend', '--yes');
};

async function expectMisfit(project: Project): Promise<void> {
  const ends = (await project.events()).filter(({ type, task }) => type === 'task.ended' && task === 'joined');
  expect(ends).toMatchObject([{ ending: 'failed', reason: 'output', cause: expect.stringContaining('/data') }]);
}

test('while somebody carries the run out', async () => {
  const project = givenProject(PLAN);
  const going = project.start('run', '--json');
  await holds(project, 'a');
  expect((await amendTo(project, JOINED)).code).toBe(0);
  letGo(project, 'a');
  expect((await going.ended).code).toBe(1);
  await expectMisfit(project);
});

test('when the run has ended, and when its coordinator begins with the changed plan', async () => {
  const project = givenProject(PLAN.replace(HOLD, 'true'));
  expect((await project.heddle('run')).code).toBe(0);
  await amendTo(project, JOINED.replace(HOLD, 'true'));
  await project.heddle('resume');
  await expectMisfit(project);
});

test('what can never fit is refused before anything is amended', async () => {
  const project = givenProject(PLAN);
  const going = project.start('run', '--json');
  await holds(project, 'a');
  const declared = JOINED.replace('output: { type: object }', 'output: { type: array }');
  const refused = await amendTo(project, declared);
  expect([refused.code, refused.errors]).toEqual([2, expect.stringContaining('incompatible-schema')]);
  letGo(project, 'a');
  expect((await going.ended).code).toBe(0);
});
