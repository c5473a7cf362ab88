// Everything that runs produced is found again, and what killed runs left is mended without losing any of it.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isolation } from '../../needs.given.ts';
import { endRepositoriesAfterEach, givenRepository, type InGit } from './repository.given.ts';
import { ATTEMPT_FILES } from '../../../src/shell/host/attempt-folder.ts';
import { pidInAttempt } from '../../../src/shell/host/attempt-folder.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

endRepositoriesAfterEach();

const WAIT = 'until [ -e $HEDDLE_HOME/go ]; do sleep 0.05; done';

interface Told {
  readonly ok: boolean;
  readonly repaired: readonly string[];
  readonly findings: readonly {
    readonly about: string;
    readonly is: string;
    readonly says: string;
    readonly remedy?: string;
  }[];
}

async function doctorOf(project: InGit, ...flags: readonly string[]): Promise<Told> {
  const { out, errors } = await project.heddle('doctor', '--json', ...flags);
  expect(errors).toBe('');
  // What it prints is read here and nowhere else.
  return JSON.parse(out) as Told;
}

const isIsolatedHere = ({ findings }: Told): boolean =>
  findings.some(({ about, is }) => about === 'isolation' && is === 'good');

describe('heddle recover', () => {
  test('lists what was committed and what was not, and gives any of it back', async () => {
    const project = givenRepository(`sandbox: { isolation: none }
tasks:
  one:
    steps:
      - { id: first, run: echo first >> src/one.txt }
      - { id: second, run: "echo half done > src/half.txt; ${WAIT}" }
`);
    const { git } = project;
    const going = project.start('run', '--json');
    await going.sees(({ type, work, step }) => work === 'step' && type === 'claim.made' && step === 'second');
    await expect
      .poll(async () => (await project.heddle('recover', '--json')).out, { timeout: PATIENCE_MS })
      .toContain('world-1/salvage/one/files-');
    const { out } = await project.heddle('recover', 'world-1');
    const [, salvage = ''] = /^(world-1\/salvage\/one\/files-\w+) /m.exec(out) ?? [];
    expect(out).toContain('world-1/checkpoints/one/first/1');
    expect(out).not.toContain('merge-fence');
    expect(out).toMatch(/Sandboxes on the disk\n +world-1\/one /);
    const before = git('for-each-ref');
    expect((await project.heddle('recover', salvage, '--into', 'back')).code).toBe(0);
    expect(readFileSync(project.file('back/src/half.txt'), 'utf8')).toBe('half done\n');
    expect(readFileSync(project.file('back/src/one.txt'), 'utf8')).toBe('one\nfirst\n');
    expect(git('for-each-ref')).toBe(before);
    const again = await project.heddle('recover', salvage, '--into', 'back');
    expect(again).toMatchObject({ code: 2, errors: expect.stringContaining('There is something at') });
    const name = 'world-1/checkpoints/one/first/1';
    for (const times of [1, 2])
      expect((await project.heddle('recover', name, '--to', 'first-try')).code, `${times}`).toBe(0);
    expect(git('show', 'first-try:src/one.txt')).toBe('one\nfirst');
    const taken = await project.heddle('recover', name, '--to', 'main');
    expect(taken).toMatchObject({ code: 2, errors: expect.stringContaining('There is a branch main already') });
    expect((await project.heddle('recover', name, '--to', 'a..b')).errors).toContain('cannot be the name of a branch');
    expect((await project.heddle('recover', `${name}1`, '--to', 'x')).errors).toContain(`Did you mean ${name}?`);
    expect((await project.heddle('recover', '--to', 'x')).code).toBe(2);
    expect((await project.heddle('recover', 'world-2')).code).toBe(2);
    writeFileSync(join(project.home, 'go'), '');
    expect((await going.ended).code).toBe(0);
    expect(git('status', '--porcelain')).toBe('?? back/');
  });

  test.each([
    ['damaged', (file: string) => writeFileSync(file, 'This is no database at all. '.repeat(400))],
    ['gone', (file: string) => rmSync(file)],
  ])('lists and restores all that git holds when the store is %s', async (_, ruin) => {
    const project = givenRepository('sandbox: { isolation: none }\ntasks: { one: { run: echo done > src/one.txt } }\n');
    expect((await project.heddle('run')).code).toBe(0);
    const file = join(project.home, 'store.sqlite');
    for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    ruin(file);
    const listed = await project.heddle('recover');
    expect(listed).toMatchObject({ code: 0, out: expect.stringContaining('world-1/merged') });
    expect(listed.errors).toContain('What follows is read from git and the disk.');
    expect((await project.heddle('recover', 'world-1/merged', '--into', 'back')).code).toBe(0);
    expect(readFileSync(project.file('back/src/one.txt'), 'utf8')).toBe('done\n');
  });
});

describe('heddle doctor', () => {
  test('reports what works on this machine, and writes nothing where nothing has run', async () => {
    const project = givenRepository('tasks:\n  one: { run: "true" }\n');
    const { code, out } = await project.heddle('doctor');
    expect(code).toBe(0);
    expect(out).toMatch(/✓ git +git version/);
    expect(out).toMatch(/✓ trees +checkout works/);
    expect(out).toMatch(/and is what runs get/);
    expect(out).toMatch(/disk +[\d.]+ GiB free/);
    expect(existsSync(project.home)).toBe(false);
    expect(project.git('status', '--porcelain')).toBe('');
    expect(isIsolatedHere(await doctorOf(project))).toBe((await isolation()).missing === undefined);
  });

  test('is not well without a repository, or without git', async () => {
    const project = givenRepository('tasks:\n  one: { run: "true" }\n', { PATH: join('/', 'nowhere') });
    const bare = await doctorOf(project);
    expect(bare.ok).toBe(false);
    expect(bare.findings[0]).toMatchObject({ about: 'git', is: 'bad', says: 'There is no git on the PATH.' });
  });

  test('finds a repository that git cannot open, which no other command takes for a bug', async () => {
    const project = givenRepository('tasks:\n  one: { run: echo x > x.txt }\n');
    expect((await project.heddle('run')).code).toBe(0);
    writeFileSync(join(project.home, 'repo.git', 'HEAD'), 'garbage');
    const told = await project.heddle('recover');
    expect(told).toMatchObject({ code: 2, errors: expect.stringContaining('not a git repository') });
    expect(told.errors).toContain('heddle doctor says what is wrong');
    const { ok, findings } = await doctorOf(project);
    expect(ok).toBe(false);
    expect(findings.find(({ about, is }) => about === 'store' && is === 'bad')?.says).toContain(
      'The repository that keeps the work of runs',
    );
  });

  test('finds what killed processes left, and repairs it without losing anything', async () => {
    const project = givenRepository(`sandbox: { isolation: none }
tasks:
  one: { run: "echo half done > src/half.txt; ${WAIT}" }
`);
    const going = project.start('run', '--json');
    await going.sees(({ type, work }) => work === 'step' && type === 'claim.made');
    await expect
      .poll(async () => (await project.heddle('recover', '--json')).out, { timeout: PATIENCE_MS })
      .toContain('world-1/salvage/one/files-');
    await project.endProcesses();
    await going.ended;
    const left = await doctorOf(project);
    const aboutRun = left.findings.find(({ about }) => about === 'runs');
    expect(aboutRun).toMatchObject({ is: 'odd', says: 'world-1 has not ended, and has no coordinator.' });
    expect(aboutRun?.remedy).toContain('heddle resume world-1');
    expect(left.findings.filter(({ about }) => about === 'left over')).toEqual([]);
    expect((await doctorOf(project, '--fix')).ok).toBe(true);
    expect(readdirSync(join(project.home, 'sandboxes', 'world-1'))).toEqual(['one']);
    expect((await project.heddle('cancel', 'world-1')).code).toBe(1);
    const opened = await project.heddle('recover', '--json');
    const commit = /"name": "(world-1\/salvage\/one\/files-\w+)"/.exec(opened.out)?.[1] ?? '';
    expect((await project.heddle('recover', commit, '--to', 'half')).code).toBe(0);
    expect(project.git('show', 'half:src/half.txt')).toBe('half done');
  });

  test('finds a worker that a signal has stopped, since when it is silent, and lets it go on', async () => {
    const project = givenRepository(`sandbox: { isolation: none }\ntasks:\n  one: { run: "${WAIT}" }\n`);
    const going = project.start('run', '--json');
    const folder = project.attempt({ work: 'step', task: 'one', step: 'main', attempt: 1 });
    await expect.poll(() => existsSync(join(folder, ATTEMPT_FILES.heartbeat)), { timeout: PATIENCE_MS }).toBe(true);
    const pid = pidInAttempt(folder);
    process.kill(pid, 'SIGSTOP');
    const minuteAgo = Date.now() / 1_000 - 60;
    utimesSync(join(folder, ATTEMPT_FILES.heartbeat), minuteAgo, minuteAgo);
    const says = (await doctorOf(project)).findings.filter(({ about }) => about === 'workers');
    expect(says).toMatchObject([
      {
        says: expect.stringMatching(/^Silent in world-1: one \(process \d+, silent for 1m.*, stopped by a signal\)$/),
        remedy: expect.stringContaining('--fix'),
      },
    ]);
    expect((await project.heddle('status')).out).toMatch(/one: .*1m/);
    // Frozen before its first heartbeat.
    rmSync(join(folder, ATTEMPT_FILES.heartbeat));
    const attempt = readFileSync(join(folder, ATTEMPT_FILES.attempt), 'utf8');
    const earlier = attempt.replace(/"at":(\d+)/, (_, at: string) => `"at":${Number(at) - 120_000}`);
    writeFileSync(join(folder, ATTEMPT_FILES.attempt), earlier);
    expect((await project.heddle('status')).out).toMatch(/one: .*2m/);
    expect((await project.heddle('doctor', '--fix')).out).toContain('Let the worker of world-1/one go on');
    writeFileSync(join(project.home, 'go'), '');
    expect((await going.ended).code).toBe(0);
  });

  test('finds workers without a coordinator, and names the command that takes them over', async () => {
    const project = givenRepository(`sandbox: { isolation: none }\ntasks:\n  one: { run: "${WAIT}" }\n`);
    const going = project.start('run', '--json');
    await going.sees(({ type, work }) => work === 'step' && type === 'claim.made');
    await expect
      .poll(async () => (await project.heddle('status', '--json')).out, { timeout: PATIENCE_MS })
      .toContain('"is": "alive"');
    const aboutWorkers = async () => (await doctorOf(project)).findings.filter(({ about }) => about === 'workers');
    expect(await aboutWorkers()).toEqual([]);
    process.kill(going.pid, 'SIGKILL');
    await going.ended;
    expect(await aboutWorkers()).toEqual([
      {
        code: 'workers-without-coordinator',
        about: 'workers',
        is: 'odd',
        says: expect.stringMatching(/^Running for world-1, which has no coordinator: one \(process \d+\)$/),
        remedy: 'heddle resume world-1 takes them over, heddle cancel world-1 ends them.',
      },
    ]);
    writeFileSync(join(project.home, 'go'), '');
    expect((await project.heddle('resume', '--json')).code).toBe(0);
    expect(await aboutWorkers()).toEqual([]);
  });

  test('says which agents are here without a sign of a log-in, and how to log in', async () => {
    const programs = mkdtempSync(join(tmpdir(), 'heddle-agents-'));
    onTestFinished(() => rmSync(programs, { recursive: true, force: true }));
    writeFileSync(join(programs, 'codex'), '#!/bin/sh\necho codex 1.0\n', { mode: 0o755 });
    const surroundings = { PATH: `${programs}:${process.env['PATH'] ?? ''}`, HOME: programs };
    const without = givenRepository('tasks:\n  one: { run: "true" }\n', { ...surroundings, OPENAI_API_KEY: '' });
    expect((await doctorOf(without)).findings.find(({ about }) => about === 'agents')).toMatchObject({
      is: 'odd',
      says: expect.stringMatching(/^codex \(.*\), without a sign of a log-in$/),
      remedy: expect.stringContaining('codex login'),
    });
    const having = givenRepository('tasks:\n  one: { run: "true" }\n', { ...surroundings, OPENAI_API_KEY: 'key' });
    expect((await doctorOf(having)).findings.find(({ about }) => about === 'agents')).toMatchObject({ is: 'good' });
  });

  test('removes sandboxes and locks of runs that have ended, and keeps what was in them', async () => {
    const project = givenRepository('tasks:\n  one: { run: echo more >> src/one.txt }\n');
    expect((await project.heddle('run', '--json')).code).toBe(0);
    const folder = (await project.heddle('open', 'one')).out.trim();
    writeFileSync(join(folder, 'mine.txt'), 'mine\n');
    writeFileSync(join(project.home, 'repo.git', 'refs', 'heads', 'left.lock'), '');
    mkdirSync(join(project.home, 'candidates', 'world-1.9'), { recursive: true });
    mkdirSync(join(project.home, 'ports'), { recursive: true });
    writeFileSync(join(project.home, 'ports', '21001'), join(project.home, 'sandboxes', 'world-0', 'one'));
    writeFileSync(join(project.home, 'ports', '21002'), project.folder);
    const found = await doctorOf(project);
    expect(found.findings.filter(({ about }) => about === 'left over').map(({ says }) => says)).toEqual([
      'Sandboxes of runs that have ended: world-1/one@person',
      '1 port of sandboxes that are gone: 21001',
      '1 tree of checks that were killed',
      expect.stringContaining('refs/heads/left.lock'),
    ]);
    const fixed = await doctorOf(project, '--fix');
    expect(fixed.repaired.join('\n')).toContain('Removed the sandbox of world-1/one@person.');
    expect(fixed.findings.filter(({ about }) => about === 'left over')).toEqual([]);
    expect(existsSync(folder)).toBe(false);
    const name = /"name": "(world-1\/salvage\/[^"]+)"/.exec((await project.heddle('recover', '--json')).out)?.[1] ?? '';
    expect((await project.heddle('recover', name, '--to', 'mine')).code).toBe(0);
    expect(project.git('show', 'mine:mine.txt')).toBe('mine');
  });
});
