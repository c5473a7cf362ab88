import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isolation, need } from '../needs.given.ts';
import { EXAMPLES, givenFile, heddle, ROOT, scratchFolder } from './heddle.given.ts';

const examples = readdirSync(EXAMPLES).filter((name) => name.endsWith('.yaml'));

describe('heddle check', () => {
  test.each(examples)('finds nothing wrong with examples/%s, proves it and forecasts it', (name) => {
    const { code, out, errors } = heddle(['check', join(EXAMPLES, name)]);
    expect(errors).toBe('');
    expect(out).toContain('Sound');
    expect(out).toContain('Can start now');
    expect(out).toContain('Critical path');
    expect(out).toContain('Forecast');
    expect(code).toBe(0);
  });

  test('finds nothing wrong with the first plan of the README', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const plan = /```yaml\n([\s\S]*?)```/u.exec(readme)?.[1] ?? '';
    const { code, out, errors } = heddle(['check', givenFile('plan.yaml', plan)]);
    expect(errors).toBe('');
    expect(out).toContain('Sound');
    expect(code).toBe(0);
  });

  test('names the MCP servers that an agent will not have under isolation, as heddle doctor does', async (context) => {
    const cwd = scratchFolder();
    const servers = { far: { type: 'http', url: 'https://mcp.example.com/x' } };
    writeFileSync(join(cwd, '.claude.json'), JSON.stringify({ mcpServers: servers }));
    const plan = (wanted: string, more = ''): string =>
      `heddle: 1\nagent: claude\nsandbox: { isolation: ${wanted}${more} }\nmerge: { check: ls }\ntasks: { a: { prompt: x } }\n`;
    const check = (text: string) => {
      writeFileSync(join(cwd, 'plan.yaml'), text);
      return JSON.parse(heddle(['check', '--json'], { cwd }).out).missingServers;
    };
    const why = { code: 'unreachable', host: 'mcp.example.com' };
    expect(check(plan('os'))).toEqual([{ agent: 'claude', missing: [{ server: 'far', why }] }]);
    const said = 'claude: The MCP server far does not work under isolation: mcp.example.com is not reached';
    expect(heddle(['check'], { cwd }).out).toContain(said);
    expect(check(plan('os', ', network: ["*.example.com"]'))).toEqual([]);
    expect(check(plan('none'))).toEqual([]);
    need(context, await isolation());
    mkdirSync(join(cwd, 'bin'));
    writeFileSync(join(cwd, 'bin', 'claude'), '#!/bin/sh\n', { mode: 0o755 });
    const env = { PATH: `${join(cwd, 'bin')}:${process.env['PATH']}` };
    expect(heddle(['doctor'], { cwd, env }).out).toContain(said);
  });

  test('reports every mistake at once, each with its line, and exits with 2', () => {
    const file = givenFile(
      'plan.yaml',
      'heddle: 1\nname: bad\nagent: claude\nmax_paralel: 4\ntasks:\n  a: { prompt: x, needs: [b] }\n  b: { prompt: y, needs: [a, c] }\n',
    );
    const { code, out, errors } = heddle(['check', file]);
    expect(out).toBe('');
    expect(errors).toContain(`${file}:4:1 error unknown-key`);
    expect(errors).toContain('Did you mean max_parallel?');
    expect(errors).toMatch(/:7:\d+ error unknown-need/);
    expect(errors).toMatch(/error cycle/);
    expect(errors).toContain('3 errors');
    expect(code).toBe(2);
  });

  test('a warning alone is no failure', () => {
    const { code, errors } = heddle([
      'check',
      givenFile('plan.yaml', 'heddle: 1\nname: w\nagent: claude\ntasks:\n  a: { prompt: x }\n'),
    ]);
    expect(errors).toContain('warning no-check');
    expect(code).toBe(0);
  });

  test('--json is one document with the proof, the eligibility and the forecast', () => {
    const { code, out } = heddle(['check', join(EXAMPLES, 'race.yaml'), '--json']);
    const read = JSON.parse(out);
    expect(read).toMatchObject({ ok: true, plan: 'fix-the-flaky-test', diagnostics: [] });
    expect(read.proof.verdict).toEqual({ type: 'sound', by: 'reduction' });
    expect(read.eligibility.ready).toEqual(['by-hand', 'by-retry']);
    expect(read.eligibility.blocked[0]).toEqual({ task: 'winner', by: ['by-hand', 'by-retry'] });
    expect(read.forecast.makespanMs.low).toBeLessThanOrEqual(read.forecast.makespanMs.high);
    expect(read.forecast.expectedMs).toBeGreaterThanOrEqual(read.forecast.lowerBoundMs);
    expect(code).toBe(0);
  });

  test('--json of a wrong plan is still JSON, and nothing else', () => {
    const { code, out, errors } = heddle(['check', '--json', givenFile('plan.yaml', 'heddle: 1\n')]);
    expect(JSON.parse(out)).toMatchObject({ ok: false });
    expect(errors).toBe('');
    expect(code).toBe(2);
  });

  test('shows which tasks may write the same files, with the paths', () => {
    const text =
      'heddle: 1\nname: o\nagent: claude\nmerge: { check: make }\ntasks:\n  a: { prompt: x, files: [src/**] }\n  b: { prompt: y, files: [src/api/*.ts] }\n';
    const { out, errors } = heddle(['check', givenFile('plan.yaml', text)]);
    expect(errors).toContain('warning');
    expect(out).toContain('May write the same files');
    expect(out).toMatch(/a, b +src\/\*\* and src\/api\/\*\.ts/);
  });

  test('the same seed gives the same forecast', () => {
    const forecastOf = (seed: string): string =>
      heddle(['check', join(EXAMPLES, 'first.yaml'), '--json', '--seed', seed]).out;
    expect(forecastOf('3')).toBe(forecastOf('3'));
    expect(forecastOf('3')).not.toBe(forecastOf('4'));
  });

  test('reads the plan from standard input, and plan.yaml when none is named', () => {
    const text = 'heddle: 1\nname: piped\nsandbox: { tree: none }\ntasks: { a: { run: make } }\n';
    expect(heddle(['check', '-'], { input: text }).out).toContain('piped');
    expect(heddle(['check'], { cwd: dirname(givenFile('plan.yaml', text)) }).out).toContain('piped');
  });

  test('settings come from the command line before the plan, and from the files after it', () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, '.heddle'));
    writeFileSync(join(folder, '.heddle', 'config.yaml'), 'attempts: 5\nmax_parallel: 3\n');
    writeFileSync(join(folder, 'plan.yaml'), 'heddle: 1\nname: layers\nmax_parallel: 7\ntasks: { a: { run: make } }\n');
    const explained = heddle(['config', '--explain', 'plan.yaml', '--timeout', '5m'], { cwd: folder }).out;
    expect(explained).toMatch(/max_parallel +7 +plan/);
    expect(explained).toMatch(/attempts +5 +project file \(\.heddle\/config\.yaml:1\)/);
    expect(explained).toMatch(/timeout +5m +command line/);
  });

  test('the project file is that of the repository around the plan, wherever heddle is called', () => {
    const folder = scratchFolder();
    for (const name of ['.git', '.heddle', 'plans']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, '.heddle', 'config.yaml'), 'attempts: 5\n');
    const file = join(folder, 'plans', 'plan.yaml');
    writeFileSync(file, 'heddle: 1\ntasks: { a: { run: make } }\n');
    for (const cwd of [ROOT, folder, dirname(file)]) {
      expect(heddle(['config', file], { cwd, env: { XDG_CONFIG_HOME: '' } }).out).toMatch(/attempts +5 +project file/);
    }
  });
});

describe('what cannot be read', () => {
  const wrong: readonly (readonly [string, readonly string[], string])[] = [
    ['a file that is not there', ['check', 'nowhere.yaml'], 'There is no file nowhere.yaml'],
    ['a folder', ['check', EXAMPLES], 'is a folder'],
    ['no plan at all', ['check'], 'Name the plan'],
    ['a mistyped command', ['chekc'], 'Did you mean check?'],
    ['a mistyped flag', ['check', '--jsn'], 'Did you mean --json?'],
    [
      'a mistyped subplan',
      ['graph', join(EXAMPLES, 'first.yaml'), '--expand', 'nowhere-at-all'],
      'There is no nowhere-at-all to expand',
    ],
    ['a flag out of range', ['simulate', '--failures', '2'], 'Give a number from 0 to 1'],
    [
      'a place that cannot be written',
      ['graph', join(EXAMPLES, 'first.yaml'), '--out', '/nowhere/at/all.svg'],
      'could not be written',
    ],
  ];
  const isTold = (words: readonly string[], sentence: string): void => {
    const { code, errors } = heddle(words, { cwd: tmpdir() });
    expect(errors).toContain(sentence);
    expect(errors).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
  };
  test.each(wrong)('%s is told in a line, with exit code 2 and no stack', (_name, words, sentence) => {
    isTold(words, sentence);
  });
  test('bytes that are no text are told in a line, with exit code 2 and no stack', () => {
    isTold(['check', givenFile('plan.yaml', Uint8Array.of(0xff, 0xfe, 0x00, 0x80))], 'not text in UTF-8');
  });
});

test('a standard output that cannot be written is reported in a line', () => {
  const readOnly = openSync(join(EXAMPLES, 'first.yaml'), 'r');
  const words = [join(ROOT, 'bin', 'heddle.js'), 'schema'];
  const { status, stderr } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    stdio: ['ignore', readOnly, 'pipe'],
  });
  closeSync(readOnly);
  expect(stderr).toMatch(/^heddle: the output could not be written: [^\n]*\n$/);
  expect(status).toBe(2);
});

describe('colour', () => {
  const esc = '\u001B[';
  test('is off when piped and where NO_COLOR is set, and on where it is forced', () => {
    const words = ['check', join(EXAMPLES, 'first.yaml')];
    expect(heddle(words).out).not.toContain(esc);
    expect(heddle(words, { env: { FORCE_COLOR: '1' } }).out).toContain(esc);
    expect(heddle(words, { env: { FORCE_COLOR: '1', NO_COLOR: '1' } }).out).not.toContain(esc);
  });
});
