// Commands for a server on another machine: they print, ask and exit as they do here.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { makeProgram } from '../../../src/cli/program.ts';
import { commandsOf } from '../../../src/cli/argv/command-tree.ts';
import { REMOTE_RULES } from '../../../src/cli/argv/remote-rules.ts';
import { PATIENCE_MS } from '../../patience.given.ts';
import { silentTerminal } from '../help/terminal.given.ts';
import { heddle, type Ran } from '../heddle.given.ts';
import { clientOf, givenFolder, givenServed, posted, type Posted } from './served.given.ts';

const PLAN = `heddle: 1
name: small
sandbox: { tree: none }
tasks:
  a: { run: "echo hi; echo hello >&2" }
  ship: { needs: [a], gate: Ship it? }
  b: { needs: [ship], run: echo b }
`;

const WRONG = 'heddle: 1\nname: small\ntasks:\n  a: { nedds: [b], run: x }\n';

test('every command says whether and by whom it may be given from another machine', () => {
  const commands = commandsOf(makeProgram(silentTerminal(), () => undefined)).map(({ path }) => path.join(' '));
  expect(Object.keys(REMOTE_RULES).toSorted()).toEqual(commands.toSorted());
});

describe('a plan of the client', () => {
  test('is checked by the server with the words, places and exit code of a check here', async () => {
    const served = await givenServed();
    const files = { 'plan.yaml': PLAN, 'wrong.yaml': WRONG };
    const client = served.client(files);
    const here = givenFolder(files);
    for (const words of [
      ['check'],
      ['check', 'wrong.yaml'],
      ['check', 'wrong.yaml', '--json'],
      ['check', 'nowhere.yaml'],
      ['graph', '--format', 'dot'],
      ['check', '--sed', '1'],
    ]) {
      const ran = await client.ask(words);
      const expected = heddle(words, { cwd: here });
      expect({ ...ran, out: timeless(ran.out) }, words.join(' ')).toEqual({ ...expected, out: timeless(expected.out) });
    }
    expect(existsSync(join(served.folder, 'plan.yaml'))).toBe(false);
  });

  test('comes by standard input too', async () => {
    const { client } = await givenServed();
    const ran = await client().ask(['check', '-'], WRONG);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.errors).toContain('-:4:8 error unknown-key');
  });

  test('never opens a file of the server', async () => {
    const served = await givenServed({ 'secret.yaml': 'top: secret\n' });
    const secret = join(served.folder, 'secret.yaml');
    const refers = `heddle: 1\ntasks: { a: { run: x, output: { $ref: "${secret}" } } }\n`;
    const calls: readonly Posted[] = [
      { words: ['check', secret], files: {} },
      { words: ['check', 'secret.yaml'], files: {} },
      { words: ['check', 'plan.yaml', '--json'], files: { 'plan.yaml': refers } },
      { words: ['net', 'check', secret], files: {} },
      { words: ['import', 'markdown', secret], files: {} },
      { words: ['import', 'gsd', served.folder], files: {} },
      { words: ['amend', secret, '--yes'], files: {} },
      { words: ['split', '--goal', 'x', '--template', secret], files: {} },
    ];
    for (const call of calls) {
      const told = await posted(served, call);
      expect(told, call.words.join(' ')).toContain('"type":"exit","code":2');
      expect(told).not.toContain('top');
    }
  });
});

const timeless = (text: string): string => text.replaceAll(/\d+ ms/g, 'N ms');

test('a file that a command writes is written where the person is', async () => {
  const served = await givenServed();
  const client = served.client({ 'plan.yaml': PLAN });
  const before = readdirSync(served.folder);
  expect(await client.ask(['graph', '--out', 'graph.mmd'])).toEqual({ code: 0, out: '', errors: '' });
  expect(readFileSync(join(client.folder, 'graph.mmd'), 'utf8')).toContain('flowchart');
  expect(readdirSync(served.folder)).toEqual(before);
});

test('a task list of the person is marked where it is', async () => {
  const served = await givenServed();
  const list = '- [ ] T001 Write it\n';
  const client = served.client({ 'tasks.md': list });
  expect((await client.ask(['import', 'spec-kit', 'tasks.md'])).out).toContain('T001:');
  writeFileSync(join(client.folder, 'plan.yaml'), 'heddle: 1\nname: listed\ntasks: { T001: { run: "true" } }\n');
  expect(await client.ask(['run', '--no-git'])).toMatchObject({ code: 0 });
  expect(await client.ask(['import', 'spec-kit', 'tasks.md', '--write-back'])).toMatchObject({ code: 0, errors: '' });
  expect(readFileSync(join(client.folder, 'tasks.md'), 'utf8')).toBe(list.replace('[ ]', '[X]'));
});

test('a run is created and carried out there, followed here, and answered from another client', async () => {
  const served = await givenServed();
  const client = served.client({ 'plan.yaml': PLAN });
  const running = client.start(['run', '--no-git', '--wait', '10m']);
  await vi.waitFor(() => expect(running.printed()).toContain('ship asks'), { timeout: PATIENCE_MS, interval: 50 });
  expect((await client.ask(['approve', 'ship'])).code).toBe(0);
  const ran = await running.ended;
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.out).toContain('small-1: plan.yaml\n');
  expect(ran.out).toContain('3 of 3 tasks completed');
  const reader = served.client({}, 'reader');
  expect(await reader.ask(['logs', 'a'])).toMatchObject({ code: 0, out: 'hi\nhello\n' });
  expect((await reader.ask(['runs'])).out).toContain('small-1');
  expect((await reader.ask(['status'])).code).toBe(0);
  expect((await reader.ask(['events'])).out.trimEnd().split('\n').length).toBeGreaterThan(5);
  expect((await reader.ask(['report', '--out', 'report.html'])).code).toBe(0);
  expect(readFileSync(join(reader.folder, 'report.html'), 'utf8')).toContain('<html');
});

test('every command that reads prints from afar what it prints in the project', async () => {
  const files = {
    'plan.yaml': 'heddle: 1\nname: made\ntasks:\n  a: { run: "echo b > b.txt" }\n  b: { needs: [a], run: echo b }\n',
    'TODO.md': '- [ ] Write it\n- [ ] Test it\n',
    'model.pnml': heddle(['graph', 'examples/first.yaml', '--format', 'pnml']).out,
  };
  const served = await givenServed(files);
  expect((await served.client(files).ask(['run'])).code).toBe(0);
  const reader = served.client(files, 'reader');
  for (const line of READING) {
    const words = line.split(' ');
    const here = heddle(words, { cwd: served.folder });
    const there = await reader.ask(words);
    expect({ line, ...plainly(there) }).toEqual({ line, ...plainly(here) });
  }
});

const READING = [
  'check',
  'check --json',
  'simulate --json',
  'graph --format svg',
  'config',
  'plan print',
  'net check model.pnml',
  'import markdown TODO.md',
  'import markdown nowhere.md',
  'status',
  'status --json --all',
  'status made-1 --at 3',
  'status made-2',
  'runs',
  'explain a',
  'explain z',
  'logs a',
  'turns a',
  'events made-1',
  'events --raw',
  'watch made-1',
  'report',
  'report --format md',
  'trace --json',
  'conflicts',
  'recover made-1',
  'doctor --json',
  'agents',
  'logs',
];

/** What took how long, and when it was, differs between two calls. */
function plainly({ code, out, errors }: Ran): Ran {
  const plain = (text: string): string =>
    text.replaceAll(/[\d.]+ ?(?:ms|s|m|GB|MB)?\b/g, 'N').replaceAll(/"id": "[^"]+"/g, '');
  return { code, out: plain(out), errors: plain(errors) };
}

describe('who may give a command', () => {
  test('a reader changes nothing', async () => {
    const served = await givenServed();
    const reader = served.client({ 'plan.yaml': PLAN }, 'reader');
    for (const words of [['run'], ['land'], ['stop'], ['doctor', '--fix'], ['amend', 'plan.yaml', '--yes']])
      expect(await reader.ask(words), words.join(' ')).toEqual({
        code: 2,
        out: '',
        errors: `heddle: Your token may only read, and heddle ${words[0]}${words[0] === 'doctor' ? ' --fix' : ''} does more. Ask for one with the role operator.\n`,
      });
    const { out, errors } = await reader.ask(['runs']);
    expect(out + errors).not.toContain('small');
  });

  test('a token that the server does not know opens nothing', async () => {
    const served = await givenServed();
    const { code, errors } = await served.client({}, 'nobody').ask(['runs']);
    expect(code).toBe(2);
    expect(errors).toMatch(/^heddle: \S+ does not take this token: .*\n$/);
  });

  test('commands of this machine stay here, and say so when they are sent away', async () => {
    const { client } = await givenServed();
    expect((await client().ask(['schema'])).code).toBe(0);
    expect(await client().ask(['--on', 'http://127.0.0.1:1', 'demo'])).toMatchObject({
      code: 2,
      errors: 'heddle: heddle demo concerns this machine alone; leave out --on.\n',
    });
  });
});

describe('heddle login', () => {
  test('stores a token that the server takes, for its owner alone, and no other', async () => {
    const { url, tokenOf } = await givenServed();
    const folder = givenFolder({ bad: `${tokenOf('nobody')}\n` });
    const client = clientOf(url, folder, 'x');
    expect((await client.ask(['login', url, '--token-file', 'bad'])).code).toBe(2);
    expect(existsSync(join(folder, '.config'))).toBe(false);
    expect((await client.ask(['login', url], `${tokenOf('operator')}\n`)).code).toBe(0);
    const [file = ''] = readdirSync(join(folder, '.config', 'heddle', 'tokens'));
    expect(readFileSync(join(folder, '.config', 'heddle', 'tokens', file), 'utf8')).toBe(`${tokenOf('operator')}\n`);
  });
});

test('a server that is not there is one sentence', () => {
  const cwd = givenFolder({ token: `${'x'.repeat(43)}\n` });
  writeFileSync(join(cwd, 'plan.yaml'), PLAN);
  const ran = heddle(['check', '--on', 'http://127.0.0.1:1', '--token-file', 'token'], { cwd });
  expect(ran).toEqual({
    code: 2,
    out: '',
    errors: 'heddle: No server listens at 127.0.0.1:1. Start heddle serve there, or correct the address.\n',
  });
  expect(heddle(['runs', '--on', 'http://build.example'], { cwd }).errors).toContain('others could read the token');
});
