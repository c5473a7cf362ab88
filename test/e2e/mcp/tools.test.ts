// The tools that a plain conversation does not need: draft, control, amend, and the resources and prompts around them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endProjectsAfterEach } from '../world/given-project.given.ts';
import type { Project } from '../world/project.given.ts';
import { connect, YES, type McpClient } from './mcp-client.given.ts';
import { GATED, givenRepository } from './mcp-project.given.ts';

endProjectsAfterEach();

const PLAN = `${GATED}  page: { needs: [ship], run: "false" }
`;

interface Given {
  readonly project: Project;
  readonly client: McpClient;
  readonly asked: string[];
}

async function givenStarted(): Promise<Given> {
  const project = givenRepository(PLAN);
  const asked: string[] = [];
  const person = (message: string) => {
    asked.push(message);
    return YES;
  };
  const client = await connect({ folder: project.folder, person });
  await client.call('start', { ceiling_usd: 1 });
  await client.call('wait');
  return { project, client, asked };
}

test('an amendment is shown to the person and then done as it was shown', async () => {
  const { project, client, asked } = await givenStarted();
  const changed = PLAN.replace('run: "false"', 'run: "true"').concat('  docs: { run: "true" }\n');
  writeFileSync(project.file('changed.yaml'), changed);
  const shown = await client.call('amend', { file: 'changed.yaml', show: true });
  expect(shown.text).toContain('add docs: can start at once');
  expect(shown.text).toContain('keep 2 as they are');
  expect(asked).toHaveLength(1);
  // The ceiling that was given at the start is not the plan's, and stays.
  expect(shown.text).not.toContain('budget');
  expect((await client.call('amend', { plan: `budget: { usd: 7 }\n${changed}`, show: true })).text).toContain('budget');
  expect((await client.call('amend', { plan: changed })).isError).toBe(false);
  expect(asked[1]).toBe(`Amend shop-1?\n${shown.text}`);
  expect((await client.call('status')).text).toMatch(
    /^ {2}docs (?:done|working|waiting|queued|merging|open|checking)/m,
  );
  expect((await client.call('amend', { plan: changed })).text).toContain('follows this plan already');
  expect((await client.call('amend', { plan: 'heddle: 1\ntasks: {}\n' })).isError).toBe(true);
});

test('a run is paused, resumed and cancelled after the person has seen what that does', async () => {
  const { client, asked } = await givenStarted();
  expect((await client.call('control', { do: 'pause' })).isError).toBe(false);
  expect(asked[1]).toContain('pause shop-1?\n');
  expect((await client.call('status')).text).toContain('paused');
  expect((await client.call('control', { do: 'resume' })).isError).toBe(false);
  expect((await client.call('control', { do: 'cancel', tasks: ['page'] })).text).toContain('page');
  expect(asked[3]).toContain('cancel page of shop-1?');
  expect(await client.call('control', { do: 'skip', tasks: ['pge'] })).toEqual({
    isError: true,
    text: expect.stringContaining('page'),
  });
});

test('a run without a process goes on when the person says so', async () => {
  const { project, client } = await givenStarted();
  await project.endProcesses();
  const again = await connect({ folder: project.folder, person: () => YES });
  expect((await again.call('wait')).text).toContain('No process runs it');
  expect((await again.call('control', { do: 'resume' })).text).toContain('shop-1 goes on in the background');
  expect((await again.call('inbox')).text).toContain('ship: gate');
  await client.close();
});

test('a plan is drafted from code, and from a list of tasks, and no file is written', async () => {
  const project = givenRepository(PLAN);
  mkdirSync(project.file('src'));
  for (const name of ['a', 'b']) writeFileSync(project.file(`src/${name}.ts`), `export const ${name} = 1;\n`);
  writeFileSync(project.file('TODO.md'), '- [ ] Write the docs\n- [ ] Fix the build\n');
  const client = await connect({ folder: project.folder });
  const split = await client.call('draft', { how: 'split', goal: 'Add types', places: ['src'] });
  expect(split.text).toContain('heddle: 1');
  expect((await client.call('check', { plan: split.text })).isError).toBe(false);
  const imported = await client.call('draft', { how: 'import', format: 'markdown', path: 'TODO.md' });
  expect(imported.text).toContain('Write the docs');
  expect(await client.call('draft', { how: 'split' })).toEqual({
    isError: true,
    text: expect.stringContaining('Give the goal'),
  });
  expect((await client.call('draft', { how: 'import', format: 'markdown', path: '/etc' })).isError).toBe(true);
});
