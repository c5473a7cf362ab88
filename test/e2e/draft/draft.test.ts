// From a goal to a merged branch: an agent drafts, Heddle judges, a person accepts, and only then something runs.
import { describe, expect, test } from 'vitest';
import { endRepositoriesAfterEach } from '../git-commands/repository.given.ts';
import { until } from '../world/project.given.ts';
import { draft, fenced, givenAnswers, GOAL, GOOD, isWritten } from './drafting.given.ts';

endRepositoriesAfterEach();

const NO_CHECKS = fenced('name: pages\ntasks:\n  three: { prompt: x }\n  four: { prompt: y }');

/** What `--json` prints, as far as these tests look at it. */
interface Told {
  readonly run: string;
  readonly state: string;
  readonly file: string;
  readonly plan?: string;
  readonly usd: number;
  readonly assumptions: readonly string[];
  readonly findings: readonly { readonly code: string }[];
  readonly eligibility?: { readonly ready: readonly string[] };
  readonly forecast?: { readonly peakParallelism: number };
  readonly drafts: readonly { readonly tasks?: number; readonly findings: readonly { readonly code: string }[] }[];
}

// What the program prints is read here and nowhere else.
const told = (text: string): Told => JSON.parse(text) as Told;

test('a goal becomes a plan, and the plan a merged branch', async () => {
  const project = givenAnswers('Let us talk about it first.', NO_CHECKS, GOOD);
  const planned = await draft(project, '--yes', '--json');
  expect(planned.code, planned.errors).toBe(0);
  const { run, state, file, drafts, assumptions, eligibility, forecast } = told(planned.out);
  expect({ run, state, file, assumptions }).toEqual({
    run: 'draft-1',
    state: 'accepted',
    file: 'plan.yaml',
    assumptions: ['both are in English.'],
  });
  expect(drafts.map(({ findings }) => [...new Set(findings.map(({ code }) => code))])).toEqual([
    ['no-plan'],
    ['files-missing', 'task-unchecked'],
    [],
  ]);
  expect(eligibility?.ready).toEqual(['three', 'four']);
  expect(forecast?.peakParallelism).toBe(2);
  expect(project.read('plan.yaml')).toContain('# Why: the pages share nothing.\n#\n# Assumes: both are in English.\n');
  // Nothing has run, and nothing of the user's has changed but the new file.
  expect(project.git('status', '--porcelain')).toBe('?? plan.yaml');
  expect(project.git('branch', '--format=%(refname:short)')).toBe('main');
  expect((await project.heddle('check')).code).toBe(0);
  const ran = await project.heddle('run', '--json');
  expect(ran.code, ran.errors).toBe(0);
  expect(project.git('show', 'heddle/pages-1:src/index.txt')).toBe('three\nfour');
  const status = await project.heddle('status');
  expect(status.out).toContain('pages-1');
});

test('drafts, findings and answers are turns of a run, in one conversation', async () => {
  const project = givenAnswers('No plan yet.', GOOD);
  await draft(project, '--yes');
  const { out } = await project.heddle('turns', 'draft-1', '--json');
  const turns = out
    .trim()
    .split('\n')
    // What the program prints is read here.
    .map((line) => JSON.parse(line) as { step: string; prompt: string; response: string; conversation: string })
    .filter(({ step }) => step === 'plan');
  expect(turns.map(({ conversation }) => conversation)).toEqual(['draft/plan#1', 'draft/plan#1 + plan#2']);
  expect(turns[0]?.prompt).toContain('# How to write a plan');
  expect(turns[0]?.prompt).toContain('# The test command\n\nIt passes on this commit.');
  expect(turns[1]?.prompt).toContain('error no-plan');
  expect(turns[1]?.prompt).not.toContain('# How to write a plan');
  expect(turns[0]?.response).toBe('No plan yet.\n');
});

test('the check of the project is run once, and its failure is told', async () => {
  const project = givenAnswers(GOOD);
  project.write('test/all.sh', 'echo the third test fails; exit 3\n');
  project.git('commit', '-qam', 'break');
  await draft(project, '--yes');
  const { out } = await project.heddle('turns', 'draft-1');
  expect(out).toContain('It fails on this commit with exit code 3');
  expect(out).toContain('the third test fails');
});

test('a set-up that does not work in a sandbox tells nothing about the check', async () => {
  const project = givenAnswers(GOOD);
  project.write('package-lock.json', 'no lock file\n');
  project.git('add', '--all');
  project.git('commit', '-qm', 'lock');
  await draft(project, '--yes');
  expect((await project.heddle('turns', 'draft-1')).out).toContain('Whether it passes is not known');
});

test('a goal that needs one task gives one task', async () => {
  const project = givenAnswers(fenced('tasks: { fix: { prompt: "Fix the typo in src/one.txt.", check: npm test } }'));
  const planned = await draft(project, '--yes', '--json', '--no-tests');
  expect(told(planned.out).drafts).toEqual([expect.objectContaining({ tasks: 1, findings: [] })]);
});

test('without a person a draft waits, and is accepted later', async () => {
  const project = givenAnswers(GOOD);
  const planned = await draft(project, '--json', '--no-tests');
  expect(planned.code).toBe(3);
  expect(told(planned.out)).toMatchObject({ run: 'draft-1', state: 'proposed' });
  expect(isWritten(project)).toBe(false);
  const again = await project.heddle('plan', '--yes');
  expect(again.code, again.errors).toBe(0);
  expect(again.errors).toContain('Goes on with draft-1');
  expect(isWritten(project)).toBe(true);
  expect((await project.heddle('plan')).errors).toContain('No drafting waits to go on.');
});

test('the same goal goes on with the draft that waits, unless a new one is asked for', async () => {
  const project = givenAnswers(GOOD);
  await draft(project, '--no-tests');
  const same = await draft(project, '--json');
  expect(told(same.out).run).toBe('draft-1');
  const fresh = await draft(project, '--json', '--fresh', '--no-tests');
  expect(told(fresh.out).run).toBe('draft-2');
  const within = await draft(project, '--json', '--within', '2h', '--no-tests');
  expect(told(within.out).run).toBe('draft-3');
});

test('a plan that is there is never overwritten', async () => {
  const project = givenAnswers(GOOD);
  project.write('plan.yaml', 'mine\n');
  const planned = await draft(project, '--yes', '--no-tests');
  expect(planned.out).toContain('The plan is in plan-2.yaml. plan.yaml is there already and was kept.');
  expect(project.read('plan.yaml')).toBe('mine\n');
  expect(isWritten(project, 'plan-2.yaml')).toBe(true);
});

describe('what was asked for', () => {
  test('holds for the plan: time and money', async () => {
    const dear = GOOD.replace('merge:', 'budget: { usd: 50 }\nmerge:');
    const right = GOOD.replace('merge:', 'budget: { usd: 9 }\nmerge:');
    const project = givenAnswers(GOOD, dear, right);
    const planned = await draft(project, '--yes', '--json', '--no-tests', '--within', '2h', '--budget', '9');
    expect(told(planned.out).drafts.map(({ findings }) => findings.map(({ code }) => code))).toEqual([
      ['no-ceiling'],
      ['no-ceiling'],
      [],
    ]);
    const late = await draft(project, '--yes', '--json', '--no-tests', '--fresh', '--within', '1m', '--rounds', '1');
    expect(late.code).toBe(2);
    expect(told(late.out).findings.map(({ code }) => code)).toEqual(['over-time']);
  });

  test('is a text from files, too', async () => {
    const project = givenAnswers(GOOD);
    project.write('issue.md', 'The second page must be blue.\n');
    await draft(project, '--yes', '--no-tests', '--from', 'issue.md');
    const { out } = await project.heddle('turns', 'draft-1');
    expect(out).toContain('> # issue.md');
    expect(out).toContain('> The second page must be blue.');
  });

  test('holds for the drafting: its budget ends it, and the drafts stay', async () => {
    const project = givenAnswers('Not yet.');
    const goal = `@spend usd=0.4\n${GOAL}`;
    const planned = await project.heddle(
      'plan',
      goal,
      '--agent',
      'scripted',
      '--budget-usd',
      '1',
      '--no-tests',
      '--yes',
    );
    expect(planned.code, planned.errors).toBe(4);
    expect(planned.errors).toContain('The drafting has reached its budget');
    expect((await project.heddle('turns', 'draft-1')).out).toContain('Not yet.');
    expect(isWritten(project)).toBe(false);
  });
});

describe('a drafting that is interrupted', () => {
  const SLOW = `@sleep 5s\n${GOAL}`;
  const start = (project: ReturnType<typeof givenAnswers>) =>
    project.start('plan', SLOW, '--agent', 'scripted', '--no-tests');

  test('by a signal is stopped, and goes on', async () => {
    const project = givenAnswers(GOOD);
    const going = start(project);
    await until(() => going.errors().includes('scripted drafts'));
    going.child.kill('SIGINT');
    expect((await going.ended).code).toBe(130);
    expect(going.errors()).toContain('heddle plan --run draft-1 goes on with it.');
    const again = await project.heddle('plan', '--yes');
    expect(again.code, again.errors).toBe(0);
    expect(isWritten(project)).toBe(true);
  });

  test('by a kill of everything goes on as well', async () => {
    const project = givenAnswers(GOOD);
    const going = start(project);
    await until(() => going.errors().includes('scripted drafts'));
    await project.endProcesses();
    await going.ended;
    const again = await project.heddle('plan', '--run', 'draft-1', '--yes');
    expect(again.code, again.errors).toBe(0);
    expect(isWritten(project)).toBe(true);
  });
});

describe('a plan is revised', () => {
  const REVISED = GOOD.replace('src/three.txt three', 'src/three.txt drei');
  const revise = (project: ReturnType<typeof givenAnswers>, ...words: readonly string[]) =>
    project.heddle(
      'plan',
      '--revise',
      '@next answers.txt\nIn German.',
      '--agent',
      'scripted',
      '--no-tests',
      '--yes',
      ...words,
    );

  test('in its file', async () => {
    const project = givenAnswers(REVISED);
    project.write('plan.yaml', 'heddle: 1\nagent: scripted\ntasks: { a: { run: "true" } }\n');
    const planned = await revise(project, 'plan.yaml');
    expect(planned.code, planned.errors).toBe(0);
    expect(project.read('plan.yaml')).toContain('src/three.txt drei');
    expect((await project.heddle('turns', 'draft-1')).out).toContain('> # The plan to revise');
  });

  test('not over changes that were made meanwhile', async () => {
    const project = givenAnswers(REVISED);
    project.write('plan.yaml', 'heddle: 1\nagent: scripted\ntasks: { a: { run: "true" } }\n');
    const waits = await project.heddle('plan', '--revise', '@next answers.txt', '--agent', 'scripted', '--no-tests');
    expect(waits.code).toBe(3);
    project.write('plan.yaml', 'mine\n');
    expect((await project.heddle('plan', '--yes')).out).toContain('The plan is in plan-2.yaml.');
    expect(project.read('plan.yaml')).toBe('mine\n');
  });

  test('and a run that follows it is amended', async () => {
    const project = givenAnswers(REVISED);
    project.write(
      'plan.yaml',
      'heddle: 1\nname: pages\nagent: scripted\ntasks:\n  go: { gate: Begin? }\n  old: { needs: [go], run: "true" }\n',
    );
    await project.heddle('run', '--wait', '0');
    const planned = await revise(project);
    expect(planned.code, planned.errors).toBe(0);
    expect(planned.out).toMatch(/The plan is amended: .*three/u);
    expect((await project.heddle('status', '--json')).out).toContain('"three"');
    await project.heddle('cancel');
  });
});

test('a goal is told from the subcommand by its words', async () => {
  const project = givenAnswers(GOOD);
  const printed = await project.heddle('plan', 'print', 'nowhere.yaml');
  expect(printed.errors).toContain('nowhere.yaml');
  const planned = await project.heddle(
    'plan',
    `print the pages\n${GOAL}`,
    '--agent',
    'scripted',
    '--no-tests',
    '--json',
  );
  expect(told(planned.out).run).toBe('draft-1');
});
