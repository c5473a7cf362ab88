// `heddle report` over real runs: in git and in place, over, going on and killed.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { endProjectsAfterEach, givenProject } from '../world/given-project.given.ts';
import type { Project } from '../world/project.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

endProjectsAfterEach();

interface ReportLine {
  readonly version: number;
  readonly stage: string;
  readonly result: string | null;
  readonly coordinators: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly times: Readonly<Record<string, number>>;
  readonly agents: readonly { readonly agent: string; readonly usd: number; readonly tokens: number }[];
  readonly failures: readonly { readonly task: string; readonly reason: string; readonly output: string }[];
  readonly conflicts: readonly unknown[];
  readonly git: null | {
    readonly branch: string;
    readonly commits: readonly { readonly task: string; readonly subject: string; readonly isLanded: boolean }[];
  };
}

async function reportOf(project: Project, ...words: readonly string[]): Promise<ReportLine> {
  const { code, out, errors } = await project.heddle('report', '--json', ...words);
  expect(`${code} ${errors}`).toBe('0 ');
  // What the program promises of its own output is what these tests look at.
  return JSON.parse(out) as ReportLine;
}

function givenRepository(
  plan: string,
  env: Readonly<Record<string, string>> = {},
): Project & { git: (...words: readonly string[]) => string } {
  const project = givenProject(`heddle: 1\nname: world\n${plan}`, env);
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: project.folder, encoding: 'utf8' }).trim();
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'someone');
  git('config', 'user.email', 'someone@localhost');
  writeFileSync(project.file('shared.txt'), 'start\n');
  git('add', 'shared.txt');
  git('commit', '-qm', 'start');
  return { ...project, git };
}

describe('the report of a run in a repository', () => {
  test('has tasks, agents, failures and commits, and what has landed', async () => {
    const project = givenRepository(`
agents: { ai: { use: scripted, model: big-1 } }
agent: ai
merge: { check: test -s shared.txt }
tasks:
  one: { prompt: "Say one.\\n@write one.txt one\\n@spend usd=0.25 tokens=100" }
  two: { needs: wait, prompt: "Say two.\\n@write two.txt two\\n@spend usd=0.25 tokens=100" }
  wait: { run: sleep 0.1 }
  bad: { run: "echo '<b>nothing</b> | works'; exit 3", attempts: 1 }
`);
    expect((await project.heddle('run')).code).toBe(1);
    const report = await reportOf(project);
    expect(report).toMatchObject({ version: 1, stage: 'ended', result: 'failed', coordinators: 1 });
    expect(report.counts).toMatchObject({ completed: 3, failed: 1 });
    expect(report.times['peak']).toBeGreaterThanOrEqual(1);
    expect(report.times['boundMs']).toBeLessThanOrEqual(report.times['makespanMs'] ?? 0);
    expect(report.agents).toMatchObject([{ agent: 'ai', models: ['big-1'], unreported: 0 }]);
    expect(report.failures).toMatchObject([{ task: 'bad', reason: 'failed', exitCode: 3 }]);
    expect(report.failures[0]?.output).toContain('<b>nothing</b> | works');
    expect(report.git?.branch).toBe('heddle/world-1');
    expect(report.git?.commits.map(({ task, isLanded }) => `${task} ${isLanded}`).toSorted()).toEqual([
      'one false',
      'two false',
    ]);
    expect((await project.heddle('land', '--completed', '--yes')).code).toBe(0);
    const landed = await reportOf(project);
    expect(landed.git?.commits.map(({ isLanded }) => isLanded)).toEqual([true, true]);
    expect(landed.git?.commits.map(({ subject }) => subject).toSorted()).toEqual(['Say one.', 'Say two.']);
  });
});

test('work that fails its check once it is merged is reported with the output of the check', async () => {
  const project = givenRepository(`
attempts: 1
merge: { check: "echo looking; test ! -e broken || { echo it is broken; exit 5; }" }
tasks:
  fine: { run: echo 1 > one }
  bad: { run: echo 1 > broken }
`);
  expect((await project.heddle('run')).code).toBe(1);
  const { failures } = await reportOf(project);
  expect(failures).toMatchObject([{ task: 'bad', reason: 'check', step: null }]);
  expect(failures[0]?.output).toMatch(/^looking\nit is broken\n/);
});

describe('the report of a run in place', () => {
  const PLAN = 'tasks:\n  a: { run: echo fine }\n  b: { run: "echo key $MY_API_KEY; exit 2", attempts: 1 }\n';

  test('is the same every time, in every form, and goes where it is wanted', async () => {
    const project = givenProject(PLAN);
    await project.heddle('run');
    for (const format of ['text', 'md', 'json', 'html']) {
      const first = await project.heddle('report', '--format', format);
      expect(first.code).toBe(0);
      expect((await project.heddle('report', 'world-1', '--format', format)).out).toBe(first.out);
    }
    const html = await project.heddle('report', '-o', 'report.html');
    expect(html.errors).toContain('The report of world-1 is in report.html.');
    expect(readFileSync(project.file('report.html'), 'utf8')).toMatch(/^<!doctype html>/);
    await project.heddle('report', '--out', 'report.md');
    expect(readFileSync(project.file('report.md'), 'utf8')).toMatch(/^# Run world-1\n/);
    expect((await reportOf(project)).git).toBeNull();
  });

  test('holds no secret of the environment', async () => {
    const project = givenProject(PLAN, { MY_API_KEY: 's3cret-s3cret' });
    await project.heddle('run');
    for (const format of ['text', 'md', 'json', 'html']) {
      const { out } = await project.heddle('report', '--format', format);
      expect(out).toContain('key [redacted]');
      expect(out).not.toContain('s3cret-s3cret');
    }
  });

  test('of a run that is active, and of one whose coordinator was killed, says so', async () => {
    const project = givenProject('tasks:\n  a: { run: echo fine }\n  b: { run: sleep 300 }\n');
    const going = project.start('run');
    await vi.waitFor(async () => expect((await reportOf(project)).counts).toMatchObject({ completed: 1 }), {
      timeout: PATIENCE_MS,
      interval: 300,
    });
    expect((await project.heddle('report')).out).toContain('world: not over after');
    process.kill(going.pid, 'SIGKILL');
    await going.ended;
    await project.endProcesses();
    const report = await reportOf(project);
    expect(report).toMatchObject({ stage: 'going', result: null });
    expect(report.counts).toMatchObject({ completed: 1, running: 1 });
  });

  test('of a resumed run counts its coordinators', async () => {
    const project = givenProject('tasks:\n  a: { gate: Go? }\n  b: { needs: a, run: echo fine }\n');
    expect((await project.heddle('run', '--wait', '0s')).code).toBe(3);
    await project.heddle('approve', 'a');
    expect((await project.heddle('resume')).code).toBe(0);
    expect(await reportOf(project)).toMatchObject({ result: 'done', coordinators: 2 });
    expect((await project.heddle('report')).out).toContain('2, one after the other');
  });
});

test('a run without a report is refused in one sentence', async () => {
  const project = givenProject('tasks: { a: { run: echo fine } }\n');
  const none = await project.heddle('report');
  expect(none).toMatchObject({ code: 2, out: '' });
  expect(none.errors).toContain('There is no run in');
  await project.heddle('run');
  expect((await project.heddle('report', 'world-2')).errors).toContain('Did you mean world-1?');
  expect((await project.heddle('report', '--format', 'pdf')).code).toBe(2);
  const odd = await project.heddle('report', '--out', 'report.pdf');
  expect(odd).toMatchObject({ code: 2, errors: expect.stringContaining('Give --format text, md, json or html.') });
  const lost = await project.heddle('report', '--out', 'no/such/folder/report.md');
  expect(lost).toMatchObject({ code: 2 });
  expect(lost.errors).toContain('could not be written');
  expect(existsSync(project.file('no'))).toBe(false);
  expect((await project.heddle('report', '--help')).out).toContain('Examples:');
});
