// `heddle init` as people call it, in repositories and elsewhere.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { need, terminal } from '../../needs.given.ts';
import { heddle, ROOT, type Ran } from '../heddle.given.ts';
import { givenFolder, givenGit, givenPrograms, removeFoldersAfterEach } from './folders.given.ts';

removeFoldersAfterEach();

const NODE = {
  'package.json': JSON.stringify({ scripts: { test: 'node --test' }, dependencies: { a: '1' } }),
  'package-lock.json': '{}',
};

function givenRepository(files: Readonly<Record<string, string>> = NODE): string {
  const folder = givenFolder(files);
  const git = (...words: readonly string[]): void => void execFileSync('git', words, { cwd: folder });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('-c', 'user.name=someone', '-c', 'user.email=someone@localhost', 'commit', '-q', '--allow-empty', '-m', 'start');
  return folder;
}

const VERSION = '#!/bin/sh\necho 1.2.3\n';

/** With agents that say no more than their version, and nothing else that is an agent. */
function init(cwd: string, words: readonly string[] = [], agents: readonly string[] = ['claude', 'codex']): Ran {
  const programs = givenPrograms(Object.fromEntries(agents.map((name) => [name, VERSION])));
  const env = { PATH: `${programs}:${givenGit()}`, ANTHROPIC_API_KEY: 'x', OPENAI_API_KEY: 'x', HOME: cwd };
  return heddle(['init', ...words], { cwd, env });
}

const SETTINGS = join('.heddle', 'config.yaml');

describe('heddle init', () => {
  test('shows its findings and each file that it would write, and writes nothing without consent', () => {
    const folder = givenRepository();
    const { code, out, errors } = init(folder);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(out).toContain('claude 1.2.3, codex 1.2.3');
    expect(out).toContain('npm (package.json, package-lock.json)');
    expect(out).toContain('    agent: [claude, codex]');
    expect(out).toContain('      check: npm test');
    expect(out).toContain('      setup: npm ci');
    expect(out).toContain(
      'Nothing was written. heddle init --yes writes .heddle/config.yaml, plan.yaml, and .heddle/plan.schema.json.',
    );
    expect(existsSync(join(folder, '.heddle')) || existsSync(join(folder, 'plan.yaml'))).toBe(false);
  });

  test('writes exactly what it showed, which passes heddle check, and the second time changes nothing', () => {
    const folder = givenRepository();
    const shown = init(folder).out.replaceAll(/^ {4}/gm, '');
    const { code, out } = init(folder, ['--yes']);
    expect(code).toBe(0);
    expect(out).toContain('Wrote .heddle/config.yaml, plan.yaml, and .heddle/plan.schema.json.');
    const texts = [SETTINGS, 'plan.yaml'].map((name) => readFileSync(join(folder, name), 'utf8'));
    for (const text of texts) expect(shown).toContain(text);
    const checked = heddle(['check'], { cwd: folder });
    expect(checked, checked.errors).toMatchObject({ code: 0, errors: '' });
    expect(checked.out).toContain('Sound');
    const again = init(folder, ['--yes'], []);
    expect(again.code).toBe(0);
    expect(texts[1]).toMatch(/^# yaml-language-server: \$schema=\.heddle\/plan\.schema\.json\n/);
    expect(JSON.parse(readFileSync(join(folder, '.heddle/plan.schema.json'), 'utf8'))).toHaveProperty('properties');
    expect(again.out).toContain('plan.yaml is there already, and is kept as it is.');
    expect(again.out).toContain('There is nothing to write.');
    expect([SETTINGS, 'plan.yaml'].map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(texts);
  });

  test('keeps an existing plan of any name, and writes the missing files', () => {
    const folder = givenRepository({ ...NODE, 'heddle.yml': 'mine' });
    const { out } = init(folder, ['--yes']);
    expect(out).toContain('heddle.yml is there already, and is kept as it is.');
    expect(out).toContain('Wrote .heddle/config.yaml.');
    expect(readFileSync(join(folder, 'heddle.yml'), 'utf8')).toBe('mine');
    expect(existsSync(join(folder, 'plan.yaml'))).toBe(false);
  });

  test('names the usual agent where there is none, and says how to get it', () => {
    const folder = givenRepository();
    const { out } = init(folder, ['--yes'], []);
    expect(out).toContain('No agent is installed here, so the plan names claude.');
    expect(out).toContain('npm install --global @anthropic-ai/claude-code');
    expect(readFileSync(join(folder, SETTINGS), 'utf8')).toContain('\nagent: claude\n');
    expect(heddle(['check'], { cwd: folder }).code).toBe(0);
  });

  test('brings settings of the environment into sandboxes that git does not know, and no others', () => {
    const folder = givenRepository({ ...NODE, '.env.test': 'KNOWN=1', '.gitignore': '.env\n.env.local\n' });
    for (const name of ['.env', '.env.local', '.env.example']) writeFileSync(join(folder, name), 'SECRET=1\n');
    expect(init(folder, ['--yes']).out).toContain('.env, .env.local (not in git)');
    expect(readFileSync(join(folder, 'plan.yaml'), 'utf8')).toContain('  include: [.env, .env.local]\n');
  });

  test('proposes a plan for a new project in an empty folder', () => {
    const folder = givenFolder({});
    const { code, out } = init(folder, ['--yes']);
    expect(code).toBe(0);
    expect(out).toContain('nothing yet');
    expect(readFileSync(join(folder, 'plan.yaml'), 'utf8')).toContain('\n  design:');
    expect(heddle(['check'], { cwd: folder }).code).toBe(0);
  });

  test('says that an agent is not logged in', () => {
    const folder = givenRepository();
    const programs = givenPrograms({ gemini: VERSION });
    const { out } = heddle(['init'], { cwd: folder, env: { PATH: `${programs}:${givenGit()}`, HOME: folder } });
    expect(out).toContain('gemini 1.2.3 (no sign of a login)');
    expect(out).toContain('agent: gemini');
    expect(out).toContain('Start gemini once and log in, or set GEMINI_API_KEY.');
  });

  test('puts the files at the root of the repository, from wherever it is called', () => {
    const folder = givenRepository({ 'go.mod': 'module x\n', 'web/package.json': '{"scripts":{"test":"x"}}' });
    const { out } = init(join(folder, 'web'), ['--yes']);
    expect(out).toContain(`This folder belongs to the repository ${folder}, so the files go there.`);
    expect(out).toContain('note: The check leaves out web.');
    expect(out).toContain('  cd ..');
    expect(readFileSync(join(folder, SETTINGS), 'utf8')).toContain('check: go test ./...');
    expect(existsSync(join(folder, 'web', 'plan.yaml'))).toBe(false);
  });

  test('says that there are several projects, and joins their checks', () => {
    const folder = givenRepository({ 'api/go.mod': 'module x\n', 'web/package.json': '{"scripts":{"test":"x"}}' });
    const { out } = init(folder, ['--yes']);
    expect(out).toContain('go (api/go.mod)');
    expect(out).toContain('npm (web/package.json)');
    expect(out).toContain('note: There are 2 projects here');
    expect(readFileSync(join(folder, SETTINGS), 'utf8')).toContain('(cd api && go test ./...) && (cd web && npm test)');
    expect(heddle(['check'], { cwd: folder }).code).toBe(0);
  });

  test('writes a plan that runs, with a check that judges the work', () => {
    const folder = givenRepository({
      'package.json': '{"scripts":{"test":"sh check.sh"}}',
      'check.sh': 'test ! -e broken\n',
      '.gitignore': 'plan.yaml\nbroken.yaml\n',
    });
    expect(init(folder, ['--yes']).code).toBe(0);
    const well = heddle(['run', '--agent', 'scripted'], { cwd: folder });
    expect(well, well.errors).toMatchObject({ code: 0 });
    expect(well.out).toContain('3 of 3 tasks completed');
    const plan = 'heddle: 1\ntasks: { a: { prompt: "@write broken yes", agent: scripted, attempts: 1 } }\n';
    writeFileSync(join(folder, 'broken.yaml'), plan);
    const badly = heddle(['run', 'broken.yaml'], { cwd: folder });
    expect(badly).toMatchObject({ code: 1 });
    expect(badly.out).toContain('its check failed');
  });

  test('names what is missing in a folder that is no repository, or has no commit, and writes there with --yes', () => {
    const folder = givenFolder({ Makefile: 'test:\n\ttrue\n' });
    const { code, out } = init(folder, ['--yes']);
    expect(code).toBe(0);
    expect(out).toContain('This is no git repository, and sandboxes are made of commits: git init');
    expect(heddle(['check'], { cwd: folder }).code).toBe(0);
    execFileSync('git', ['init', '-q'], { cwd: folder });
    expect(init(folder).out).toContain('This repository has no commit yet');
  });

  test('prints everything as JSON, and writes only with consent', () => {
    const folder = givenRepository();
    const proposed = JSON.parse(init(folder, ['--json']).out);
    expect(proposed).toMatchObject({
      root: folder,
      chosen: { uses: ['claude', 'codex'] },
      check: { run: 'npm test' },
      setup: { run: 'npm ci' },
      repository: 'ready',
      files: [
        { path: '.heddle/config.yaml', state: 'proposed' },
        { path: 'plan.yaml', state: 'proposed' },
        { path: '.heddle/plan.schema.json', state: 'proposed' },
      ],
    });
    expect(existsSync(join(folder, 'plan.yaml'))).toBe(false);
    const written = JSON.parse(init(folder, ['--json', '--yes']).out);
    expect(written.files[1]).toMatchObject({ state: 'written', text: readFileSync(join(folder, 'plan.yaml'), 'utf8') });
    expect(JSON.parse(init(folder, ['--json', '--yes']).out).files[1]).toEqual({ path: 'plan.yaml', state: 'kept' });
  });

  test('refuses impossible calls in one sentence', () => {
    const folder = givenFolder({ '.heddle': 'a file where the folder would be' });
    const absent = init(folder, ['nowhere']);
    expect(absent).toMatchObject({ code: 2, out: '' });
    expect(absent.errors).toContain(`There is no folder ${join(folder, 'nowhere')}.`);
    const blocked = init(folder, ['--yes']);
    expect(blocked.code).toBe(2);
    expect(blocked.errors).toContain('could not be written');
  });

  test.for([
    ['y', true],
    ['', false],
  ] as const)('asks at a terminal, and %j is taken for what it says', async ([answer, isWritten], context) => {
    need(context, terminal());
    const folder = givenRepository();
    const said = await typed(folder, answer);
    expect(said).toContain(
      isWritten ? 'Wrote .heddle/config.yaml, plan.yaml, and .heddle/plan.schema.json.' : 'Nothing was written.',
    );
    expect(existsSync(join(folder, 'plan.yaml'))).toBe(isWritten);
  });

  test('skips files that it cannot read', () => {
    const folder = givenRepository({ 'package.json': '{ "scripts": ' });
    writeFileSync(join(folder, 'Cargo.toml'), Buffer.from([0xff, 0xfe, 0]));
    const { code, out } = init(folder);
    expect(code).toBe(0);
    expect(out).toContain('cargo test');
  });
});

/** Answers the question at a terminal. */
async function typed(folder: string, answer: string): Promise<string> {
  const command = `'${process.execPath}' '${join(ROOT, 'bin', 'heddle.js')}' init`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, SHELL: '/bin/sh', TERM: 'xterm' },
    stdio: 'pipe',
  });
  let said = '';
  let isAnswered = false;
  child.stdout.on('data', (text: Buffer) => {
    said += text.toString();
    if (isAnswered || !said.includes('Write these 3 files? [y/N]')) return;
    isAnswered = true;
    child.stdin.write(`${answer}\n`);
  });
  await new Promise((resolve) => child.on('close', resolve));
  expect(isAnswered, said).toBe(true);
  return said;
}
