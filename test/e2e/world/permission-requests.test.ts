// Permissions that agents ask for, decided by people, with real turns of agents that do as they are told.
import { existsSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from './given-project.given.ts';
import { until, type Project } from './project.given.ts';

endProjectsAfterEach();

const HEAD = `attempts: 1
agents: { ai: { use: scripted } }
permissions: gate
`;

const ASKS = `${HEAD}tasks: { a: { prompt: "@write half.txt x\\n@use touch made.txt\\n@say never" } }\n`;
const AGAIN = '@use touch made.txt\n@say Done.';

/** A project whose agent has asked and whose coordinator has left. */
async function asked(plan = ASKS): Promise<Project> {
  const project = givenProject(plan);
  const ran = await project.heddle('run', 'plan.yaml', '--wait', '0s');
  expect(ran.code, ran.errors).toBe(3);
  return project;
}

const promptsOf = async (project: Project): Promise<readonly string[]> => {
  const { out } = await project.heddle('turns', 'a', '--json');
  return (
    out
      .trim()
      .split('\n')
      // What the program prints as JSON lines is what the test is about.
      .map((line) => (JSON.parse(line) as { readonly prompt: string }).prompt)
  );
};

test('a permission is shown as one, and a yes lets the agent do it in its conversation', async () => {
  const project = givenProject(ASKS);
  const first = await project.heddle('run', 'plan.yaml', '--wait', '0s');
  expect(first.code).toBe(3);
  expect(first.out).toContain('a asks: Permission to use run: touch made.txt?  heddle answer a yes, no or always');
  const { out } = await project.heddle('status');
  expect(out).toContain('Permission to use run: touch made.txt?  heddle answer a yes, no or always');
  const status: unknown = JSON.parse((await project.heddle('status', '--json')).out);
  expect(status).toMatchObject({ questions: [{ permission: { tool: 'run', about: 'touch made.txt' } }] });
  expect((await project.heddle('explain', 'a')).out).toContain('Permission to use run: touch made.txt?');
  expect(existsSync(project.file('made.txt'))).toBe(false);
  expect((await project.heddle('answer', 'a', `yes\n${AGAIN}`)).code).toBe(0);
  expect((await project.heddle('resume')).code).toBe(0);
  expect(existsSync(project.file('made.txt'))).toBe(true);
  expect((await promptsOf(project))[1]).toMatch(/^You asked to use run: touch made\.txt\nThat is allowed\./u);
  expect((await project.heddle('report', '--format', 'md')).out).toContain('allowed');
});

test('a refusal reaches the agent with its reason, and the same is not asked again', async () => {
  const project = await asked();
  expect((await project.heddle('answer', 'a', `no, leave it.\n${AGAIN}`)).code).toBe(0);
  expect((await project.heddle('resume')).code).toBe(0);
  expect(existsSync(project.file('made.txt'))).toBe(false);
  const [, prompt] = await promptsOf(project);
  expect(prompt).toContain('That is refused.');
  expect(prompt).toContain('\nleave it.\n');
});

test('an answer that is neither yes nor no is refused, and approve and reject are answers', async () => {
  const project = await asked();
  const odd = await project.heddle('answer', 'a', 'perhaps later');
  expect(odd.code).toBe(2);
  expect(odd.errors).toContain('“perhaps later” is neither yes nor no: heddle answer a yes, no or always');
  expect((await project.heddle('reject', 'a')).code).toBe(0);
  expect((await project.heddle('resume')).code).toBe(0);
  const decided = (await project.events()).find(({ type, work }) => work === 'step' && type === 'claim.answered');
  expect(decided).toMatchObject({ decision: { isAllowed: false, isForTask: false } });
});

test('an always holds for the later turns of the task, and for no other task', async () => {
  const project = await asked(`${HEAD}tasks:
  a:
    steps:
      - { id: one, prompt: "@use touch made.txt" }
      - { id: two, resume: false, prompt: "@use touch made.txt\\n@say Two." }
`);
  expect((await project.heddle('answer', 'a', 'always')).code).toBe(0);
  const ended = await project.heddle('resume', '--wait', '0s');
  expect(ended.code, ended.out).toBe(0);
  expect(existsSync(project.file('made.txt'))).toBe(true);
  expect((await project.events()).filter(({ type }) => type === 'claim.asked')).toHaveLength(1);
});

test('silence past the limit fails the step and never means yes', async () => {
  const plan = ASKS.replace('permissions: gate', 'permissions: { policy: gate, timeout: 1s }');
  const project = givenProject(plan);
  expect((await project.heddle('run', 'plan.yaml', '--wait', '1m')).code).toBe(1);
  expect((await project.events()).find(({ type }) => type === 'task.ended')).toMatchObject({ reason: 'asked' });
  expect(existsSync(project.file('made.txt'))).toBe(false);
});

test('under deny the agent continues with the listed tools alone', async () => {
  const plan = `${HEAD.replace('permissions: gate', 'permissions: { allow: ["Bash(touch listed*)"] }')}tasks:
  a: { prompt: "@use touch made.txt\\n@use touch listed.txt; touch made.txt\\n@use touch listed.txt\\n@say Done." }
`;
  const project = givenProject(plan);
  expect((await project.heddle('run', 'plan.yaml')).code).toBe(0);
  expect([existsSync(project.file('made.txt')), existsSync(project.file('listed.txt'))]).toEqual([false, true]);
});

const WAITS = 'until [ -e go ]; do sleep 0.05; done';

test('a kill of the coordinator loses no question and no decision, wherever it strikes', async () => {
  const project = givenProject(`${HEAD}tasks: { a: { prompt: "@run touch begun; ${WAITS}\\n@use touch made.txt" } }\n`);
  const isThere = (name: string) => (): boolean => existsSync(project.file(name));
  // While the turn that will ask runs; its worker continues alone.
  const before = project.start('run', 'plan.yaml', '--json');
  await until(isThere('begun'));
  before.child.kill('SIGKILL');
  await before.ended;
  writeFileSync(project.file('go'), '');
  // While it waits for a person, who answers without a coordinator.
  const during = project.start('resume', '--json', '--wait', '10m');
  await during.sees(({ type }) => type === 'claim.asked');
  during.child.kill('SIGKILL');
  await during.ended;
  const words = `yes\n@run touch again; until [ -e on ]; do sleep 0.05; done\n${AGAIN}`;
  expect((await project.heddle('answer', 'a', words)).code).toBe(0);
  // While the turn that got the permission runs.
  const after = project.start('resume', '--json');
  await until(isThere('again'));
  after.child.kill('SIGKILL');
  await after.ended;
  writeFileSync(project.file('on'), '');
  expect((await project.heddle('resume')).code).toBe(0);
  expect(isThere('made.txt')()).toBe(true);
  const types = (await project.events()).map(({ type }) => type).filter((type) => type.startsWith('claim.'));
  expect(types).toEqual(['claim.made', 'claim.asked', 'claim.answered', 'claim.made', 'claim.ended']);
});
