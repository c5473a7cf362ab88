// The cookbook, cooked: every plan of its pages is right, and runs to its end with the scripted agent in place of the real
// ones, on a small repository whose commands do as their pages say.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../../src/core/plan/build/parse.ts';
import type { JsonSchema, Plan, Step, Task } from '../../../src/core/plan/plan.ts';
import { printPlan } from '../../../src/core/plan/print/print.ts';
import { ROOT } from '../heddle.given.ts';
import { endProjectsAfterEach, givenProject } from '../world/given-project.given.ts';
import type { Project } from '../world/project.given.ts';

const FOLDER = join(ROOT, 'docs', 'cookbook');
const PAGES = readdirSync(FOLDER).filter((file) => file.endsWith('.md') && file !== 'README.md');
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

const plansOf = (file: string): readonly string[] =>
  [...read(file).matchAll(/^```yaml\n(heddle: [^]*?)^```$/gm)].map(([, text = '']) => text);

/** What the agents of a page have to do besides leaving a file. */
const DOES: Readonly<Record<string, string>> = {
  'tests-first feature/tests': '@write test/feature/free.test.js test\n',
  'plan-that-grows migrate.draft/main': String.raw`@say tasks:\n  a: { files: [src/a], prompt: Do a. }`,
};

/** A value that fits the schemas of the cookbook. */
function sampleOf(schema: JsonSchema): unknown {
  const { type, properties, items, enum: words } = schema;
  if (Array.isArray(words)) return words[0];
  if (type === 'array') return [isSchema(items) ? sampleOf(items) : 'x'];
  if (type === 'integer' || type === 'number') return 1;
  if (type !== 'object') return 'alpha';
  const fields = isSchema(properties) ? Object.entries(properties) : [];
  return Object.fromEntries(fields.map(([name, each]) => [name, isSchema(each) ? sampleOf(each) : 'x']));
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/** The task with one more line in its prompts. */
const withLine = (task: Task, path: string, line: string): Task =>
  task.type === 'work' && task.path === path
    ? {
        ...task,
        steps: task.steps.map((step) => ('prompt' in step ? { ...step, prompt: `${step.prompt}\n${line}` } : step)),
      }
    : task;

const LEAVES = '@run mkdir -p made && echo done > "made/$HEDDLE_TASK.$HEDDLE_STEP.txt"';

function scripted(page: string, task: Extract<Task, { type: 'work' }>, step: Step): Step {
  if (step.type !== 'prompt') return step;
  const names = task.files.filter((file) => !file.includes('*'));
  const isReader = task.check?.includes('git diff --quiet') === true;
  const lines = [
    ...(isReader || names.length > 0 ? [] : [LEAVES]),
    ...(isReader ? [] : names.map((name) => `@write ${name} written`)),
    ...(step.output === undefined ? [] : [`@output ${JSON.stringify(sampleOf(step.output))}`]),
    DOES[`${page} ${task.path}/${step.id}`] ?? '',
    '@spend usd=0.01 tokens=10',
  ];
  return { ...step, prompt: `${step.prompt}\n${lines.join('\n')}` };
}

function withScripts(page: string, task: Task): Task {
  switch (task.type) {
    case 'work':
      return { ...task, steps: task.steps.map((step) => scripted(page, task, step)) };
    case 'subplan':
      return { ...task, tasks: task.tasks.map((each) => withScripts(page, each)) };
    case 'for_each':
      return { ...task, task: withScripts(page, task.task) };
    case 'join':
    case 'gate':
      return task;
  }
}

/** The plan of a page, with scripted agents that do as they are told. */
const cooked = (page: string, plan: Plan): Plan => ({
  ...plan,
  agents: plan.agents.map((agent) => ({ ...agent, use: 'scripted', model: undefined })),
  // In place, which takes a third of the time; what sandboxes and merges do is tested elsewhere, and with some of these.
  sandbox: { ...plan.sandbox, isolation: 'none', tree: MERGED.has(page) ? 'auto' : 'none' },
  tasks: plan.tasks.map((task) => withScripts(page, task)),
});

/** Pages whose plans have something to say about merging. */
const MERGED: ReadonlySet<string> = new Set(['nightly-updates', 'race-two-agents', 'endpoints-from-a-spec']);

/** Scripts of the project that print a list; all others only succeed. */
const LISTS = /folders-that-use|repeat-tests|outdated-packages|least-covered|export-issues|files-with-warning/;
/** In place there is no commit that a task began with; what the check is worth is tested below. */
const IN_PLACE = { HEDDLE_BASE: 'HEAD' };
/** The test of a bug fails until the bug is fixed. */
const NPM = '#!/bin/sh\ncase "$*" in *regression*) test -e made/fix.repair.txt ;; esac\n';

function givenKitchen(page: string, text: string, changed = (plan: Plan): Plan => plan): Project {
  const { plan } = parsePlan(text, { file: `${page}.yaml` });
  if (plan === undefined) throw new Error(`The plan of ${page} has mistakes.`);
  const env: Record<string, string> = { ...IN_PLACE };
  const project = givenProject(printPlan(changed(cooked(page, plan))), env);
  const bin = project.file('.bin');
  env['PATH'] = `${bin}:${process.env['PATH'] ?? ''}`;
  const scripts = new Set([...text.matchAll(/scripts\/([\w-]+)/g)].map(([, name = '']) => name));
  const program = (folder: string, name: string, content: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), content);
    chmodSync(join(folder, name), 0o755);
  };
  program(bin, 'npm', NPM);
  for (const name of scripts)
    program(project.file('scripts'), name, `#!/bin/sh\n${LISTS.test(name) ? `echo '["alpha","beta"]'` : 'exit 0'}\n`);
  writeFileSync(project.file('.gitignore'), '.bin\n.env.test\nplan.yaml\n');
  writeFileSync(project.file('.env.test'), 'KEY=value\n');
  const git = (...words: readonly string[]): unknown => execFileSync('git', words, { cwd: project.folder });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('-c', 'user.name=x', '-c', 'user.email=x@localhost', 'commit', '-qm', 'start');
  return project;
}

interface Stood {
  readonly questions: readonly { readonly task: string }[];
}

async function statusOf(project: Project): Promise<Stood> {
  const { out } = await project.heddle('status', '--json');
  // What the program promises of its own output is what this test looks at.
  return JSON.parse(out) as Stood;
}

const QUESTIONS_MAX = 3;

endProjectsAfterEach();

test('the cookbook has at least twenty plans, and its first page lists them all', () => {
  expect(PAGES.length).toBeGreaterThanOrEqual(20);
  for (const page of PAGES) expect(read('README.md')).toContain(`](${page})`);
});

describe.each(PAGES)('%s', (file) => {
  const page = file.slice(0, -'.md'.length);
  const [text = '', ...others] = plansOf(file);

  test('has one plan, without a diagnostic, and a page of prose', () => {
    expect(others).toEqual([]);
    const { diagnostics } = parsePlan(text, { file: `${page}.yaml` });
    expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
    expect(read(file).replace(text, '').split(/\s+/).length).toBeGreaterThan(80);
  });

  test('has a plan that runs to its end', async () => {
    const project = givenKitchen(page, text);
    let ran = await project.heddle('run', '--wait', '0s');
    for (let asked = 0; ran.code === 3 && asked < QUESTIONS_MAX; asked += 1) {
      for (const { task } of (await statusOf(project)).questions) await project.heddle('approve', task);
      ran = await project.heddle('resume', '--wait', '0s');
    }
    expect(ran.code, `${ran.out.slice(-2000)}\n${ran.errors.slice(-2000)}`).toBe(0);
  });
});

test('a reviewer that changes files fails its check', async () => {
  const page = 'review-by-two-models';
  const [text = ''] = plansOf(`${page}.md`);
  const project = givenKitchen(page, text, (plan) => ({
    ...plan,
    sandbox: { ...plan.sandbox, tree: 'auto' },
    settings: { ...plan.settings, attempts: 1 },
    tasks: plan.tasks.map((task) => withLine(task, 'first', '@write src/new.ts written')),
  }));
  await project.heddle('run', '--wait', '0s');
  const { out } = await project.heddle('status', '--json');
  expect(JSON.parse(out)).toMatchObject({ failures: [{ task: 'first', reason: 'check' }] });
});
