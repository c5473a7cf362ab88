// A landing that is killed at any moment is mended by the next one.
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Repository } from '../../../src/shell/git/repository.ts';
import { gitIn, homeOf, makeProject, type Files, type Project } from '../git-project.given.ts';

const PROGRAM = fileURLToPath(new URL('./land-program.given.ts', import.meta.url));
const ROUNDS = 24;
const FILES = 120;
const BIG = 'x'.repeat(16 * 1024);

const numbered = (make: (index: number) => Files[string]): Files =>
  Object.fromEntries(Array.from({ length: FILES }, (_, index) => [`src/${index % 7}/file-${index}`, make(index)]));

/** A run that changed, deleted, added and retyped files. */
async function finishedRun(): Promise<{ readonly project: Project; readonly base: string; readonly commit: string }> {
  const project = makeProject({
    ...numbered((index) => `${index}\n${BIG}`),
    lib: 'a file\n',
    tool: { script: 'one\n' },
  });
  const base = project.git('rev-parse', 'HEAD');
  const commit = project.branch(base, {
    ...numbered((index) => (index % 5 === 0 ? undefined : `${index} changed\n${BIG}`)),
    lib: undefined,
    'lib/in/folder': 'in a folder\n',
    tool: { link: 'src/1/file-1' },
    'added/one': BIG,
    'added/two': 'two\n',
  });
  const repository = await project.open();
  await repository.pin('run-1', base);
  await repository.swap({ ref: 'refs/heads/heddle/run-1', from: undefined, to: commit });
  return { project, base, commit };
}

interface Ended {
  readonly said: string;
  readonly errors: string;
  readonly code: number | null;
  /** From when it began to land. */
  readonly ms: number;
}

/** Kills it so long after it began to land; never when that is undefined. */
async function land(
  folder: string,
  killed?: { readonly afterMs: number; readonly wholeGroup: boolean },
): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, homeOf(folder), folder], { detached: true, stdio: 'pipe' });
  let said = '';
  let errors = '';
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (text: Buffer) => {
      said += text.toString();
      if (said.includes('landing')) resolve();
    });
    child.on('close', () => resolve());
  });
  const from = performance.now();
  if (killed !== undefined) {
    await setTimeout(killed.afterMs);
    try {
      process.kill(killed.wholeGroup ? -(child.pid ?? 0) : (child.pid ?? 0), 'SIGKILL');
    } catch {
      // It was quicker.
    }
  }
  const code = await ended;
  return { code, said, errors, ms: performance.now() - from };
}

const locksIn = (folder: string): readonly string[] =>
  readdirSync(join(folder, '.git'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.lock'));

describe('a landing that is killed', () => {
  test('at any moment is done by the next one, and leaves nothing behind', async () => {
    const { project, commit } = await finishedRun();
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-land-')));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const copyIn = (name: string): string => {
      const copy = join(folder, name, 'project');
      const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
      cpSync(dirname(project.folder), dirname(copy), options);
      gitIn(copy, 'status', '--porcelain');
      return copy;
    };
    const { code, ms } = await land(copyIn('whole'));
    expect(code).toBe(0);
    const seen = { locked: 0, halfWritten: 0, unmoved: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const copy = copyIn(`round-${round}`);
      const at = { afterMs: (ms * (round + 0.5)) / ROUNDS, wholeGroup: round % 3 !== 0 };
      await land(copy, at);
      if (locksIn(copy).length > 0) seen.locked += 1;
      const isMoved = gitIn(copy, 'rev-parse', 'main') === commit;
      if (!isMoved) seen.unmoved += 1;
      if (!isMoved && !existsSync(join(copy, 'src/0/file-0'))) seen.halfWritten += 1;
      const again = await land(copy);
      expect(again, `round ${round}: ${again.errors}`).toMatchObject({ code: 0 });
      expect(gitIn(copy, 'rev-parse', 'main')).toBe(commit);
      expect(gitIn(copy, 'status', '--porcelain')).toBe('');
      expect(locksIn(copy)).toEqual([]);
      expect(readdirSync(homeOf(copy)).filter((name) => name.startsWith('landing'))).toEqual([]);
      rmSync(dirname(copy), { recursive: true, force: true });
    }
    console.log(`${ROUNDS} landings killed: ${JSON.stringify(seen)}`);
  });

  test('while it wrote a file is mended, and what a person changed since is left alone', async () => {
    const { project, base, commit } = await finishedRun();
    const { folder } = project;
    const note = { by: { pid: 1, startedAt: 'long ago' }, ref: 'refs/heads/main', from: base, to: commit, folder };
    const name = await noteName(folder);
    const halfWritten = `1 changed\n${BIG}`.slice(0, 500);
    writeFileSync(join(homeOf(folder), name), JSON.stringify(note));
    writeFileSync(join(folder, 'src/1/file-1'), 'of a person\n');
    writeFileSync(join(folder, '.git/index.lock'), '');
    const refused = await land(folder);
    expect(refused.code).toBe(1);
    expect(refused.errors).toMatch(/landing-killed.*src\/1\/file-1/);
    expect(readFileSync(join(folder, 'src/1/file-1'), 'utf8')).toBe('of a person\n');
    writeFileSync(join(folder, 'src/1/file-1'), halfWritten);
    expect(await land(folder)).toMatchObject({ code: 0 });
    expect(gitIn(folder, 'status', '--porcelain')).toBe('');
    expect(gitIn(folder, 'rev-parse', 'main')).toBe(commit);
  });

  test('and has later commits of a person is left as it is', async () => {
    const { project, base, commit } = await finishedRun();
    const { folder } = project;
    const landHere = await openLand(project);
    const landing = { target: 'main', from: base, to: commit, updatesCheckout: true };
    const note = { by: { pid: 1, startedAt: 'long ago' }, ref: 'refs/heads/main', from: base, to: commit };
    const name = await noteName(folder);
    // Its files were all written, and its branch was not moved.
    gitIn(folder, 'read-tree', '-m', '-u', base, commit);
    writeFileSync(join(homeOf(folder), name), JSON.stringify({ ...note, folder }));
    expect(await landHere(landing)).toMatchObject({ type: 'landed', checkout: folder });
    // The branch has moved, and its checkout is gone.
    writeFileSync(join(homeOf(folder), name), JSON.stringify({ ...note, folder: `${folder}-gone` }));
    expect(await landHere(landing)).toMatchObject({ type: 'landed' });
    // A person has staged something since.
    gitIn(folder, 'reset', '--quiet', '--hard', base);
    writeFileSync(join(folder, 'lib'), 'staged\n');
    gitIn(folder, 'add', 'lib');
    writeFileSync(join(homeOf(folder), name), JSON.stringify({ ...note, folder }));
    expect(await landHere(landing)).toMatchObject({
      type: 'refused',
      failure: { code: 'checkout-changed', path: 'lib' },
    });
    expect(readFileSync(join(folder, 'lib'), 'utf8')).toBe('staged\n');
  });

  test('waits for the git of a person', async () => {
    const { project, base, commit } = await finishedRun();
    const { folder } = project;
    const land = await openLand(project);
    const note = { by: { pid: 1, startedAt: 'long ago' }, ref: 'refs/heads/main', from: base, to: commit, folder };
    writeFileSync(join(homeOf(folder), await noteName(folder)), JSON.stringify(note));
    writeFileSync(join(folder, '.git/index.lock'), '');
    const person = spawn('git', ['cat-file', '--batch'], { cwd: folder, stdio: 'pipe' });
    await new Promise((resolve) => person.on('spawn', resolve));
    const landing = { target: 'main', from: base, to: commit, updatesCheckout: true };
    const refused = await land(landing);
    person.stdin.end();
    await new Promise((resolve) => person.on('close', resolve));
    if (process.platform === 'linux')
      expect(refused).toMatchObject({ type: 'refused', failure: { code: 'git-runs', folder } });
    expect(await land(landing)).toMatchObject({ type: 'landed', checkout: folder });
  });

  test('and is not dead yet refuses the next one', async () => {
    const { project, base, commit } = await finishedRun();
    const { folder } = project;
    const { thisProcess } = await import('../../../src/shell/exec/process.ts');
    const note = { by: thisProcess(), ref: 'refs/heads/main', from: base, to: commit, folder };
    writeFileSync(join(homeOf(folder), await noteName(folder)), JSON.stringify(note));
    expect((await land(folder)).errors).toContain('"landing-runs","ref":"refs/heads/main"');
    expect(gitIn(folder, 'rev-parse', 'main')).toBe(base);
  });
});

const openLand = async (project: Project): Promise<Repository['land']> => (await project.open()).land;

/** Where the next landing on main looks for a note. */
async function noteName(folder: string): Promise<string> {
  const { writeLandingNote } = await import('../../../src/shell/git/user/repair-landing.ts');
  const home = homeOf(folder);
  await writeLandingNote(home, { ref: 'refs/heads/main', from: '', to: '', folder: undefined });
  return readdirSync(home).find((name) => name.startsWith('landing-')) ?? '';
}
