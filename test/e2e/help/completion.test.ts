// Completion as people meet it: in their shells, in a project that has a run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skipUnless } from '../../needs.given.ts';
import { EXIT } from '../../../src/cli/terminal/exit-code.ts';
import { makeProgram } from '../../../src/cli/program.ts';
import { commandsOf } from '../../../src/cli/argv/command-tree.ts';
import { KINDS, placeholderOf } from '../../../src/cli/argv/complete.ts';
import { heddle } from '../heddle.given.ts';
import { askShell, givenProgram, hasShell } from './shells.given.ts';
import { silentTerminal } from './terminal.given.ts';

const PLAN = `heddle: 1
name: weave
sandbox: { tree: none }
tasks:
  warp: { steps: [{ id: wind, run: "true" }, { id: stretch, run: "true" }] }
  weft: { needs: [warp], tasks: { red: { run: "true" }, green: { run: "true" } } }
`;

const cwd = mkdtempSync(join(tmpdir(), 'heddle-complete-'));
const place = { cwd, bin: givenProgram(mkdtempSync(join(tmpdir(), 'heddle-bin-'))) };

beforeAll(() => {
  writeFileSync(join(cwd, 'weave.yaml'), PLAN);
  writeFileSync(join(cwd, 'notes.txt'), '');
  expect(heddle(['run', '--no-git', 'weave.yaml'], { cwd }).code).toBe(EXIT.done);
  expect(heddle(['run', '--no-git', 'weave.yaml'], { cwd }).code).toBe(EXIT.done);
});

afterAll(() => {
  for (const folder of [cwd, place.bin]) rmSync(folder, { recursive: true, force: true });
});

const LINES: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [['heddle', 'sche'], ['schema']],
  [
    ['heddle', 'logs', 'w'],
    ['warp', 'weft', 'weft.green', 'weft.red'],
  ],
  [
    ['heddle', 'status', ''],
    ['weave-1', 'weave-2'],
  ],
  [
    ['heddle', 'pause', 'weave-1', 'weft.'],
    ['weft.green', 'weft.red'],
  ],
  [
    ['heddle', 'rollback', 'warp', ''],
    ['stretch', 'wind'],
  ],
  [['heddle', 'logs', '--run', 'weave-2', 'weft.g'], ['weft.green']],
  [['heddle', 'net', ''], ['check']],
  [['heddle', 'land', '--how', 's'], ['squash']],
  [['heddle', 'check', 'weave'], ['weave.yaml']],
  [
    ['heddle', 'amend', 'weave'],
    ['weave-1', 'weave-2', 'weave.yaml'],
  ],
  [['heddle', 'check', '--pro'], ['--proof']],
];

/** The program answers all shells alike, so it is enough that each asks and shows some of everything. */
const FEW = LINES.filter((_, at) => at % 3 === 0);

describe.each([
  ['bash', LINES],
  ['zsh', FEW],
  ['fish', FEW],
] as const)('in %s', (shell, lines) => {
  skipUnless({ name: 'shells', missing: hasShell(place, shell) ? undefined : `there is no ${shell} here` });

  test.each(lines)(`${shell} completes %j`, (words, offered) => {
    expect(askShell(place, shell, words)).toEqual(offered);
  });

  test(`${shell} completes the value behind an equals sign`, () => {
    const told = askShell(place, shell, ['heddle', 'run', '--policy=s']);
    expect(told.map((word) => word.replace('--policy=', ''))).toEqual(['serial']);
  });
});

describe('completion', () => {
  const ask = (...words: readonly string[]): readonly string[] =>
    heddle(['complete', '--', ...words], { cwd })
      .out.split('\n')
      .map((line) => line.split('\t')[0] ?? '')
      .filter((line) => line !== '');

  test('an option that was given is not offered again', () => {
    expect(ask('check', '--json', '--')).not.toContain('--json');
    expect(ask('check', '--')).toContain('--json');
  });

  test('a command for another machine is offered the option that names it', () => {
    expect(ask('status', '--o')).toEqual(['--on']);
    expect(ask('fetch', '--o')).toEqual(['--on']);
    expect(ask('demo', '--o')).toEqual([]);
    expect(ask('logs', '--on', 'https://build', 'wa')).toEqual(['warp']);
  });

  test('a value of an option is not taken for a task', () => {
    expect(ask('logs', '--step', '')).toEqual([]);
    expect(ask('logs', '--attempt', '1', 'wa')).toEqual(['warp']);
  });

  test('behind two dashes nothing is an option', () => {
    expect(ask('logs', '--', '--')).toEqual([]);
  });

  test('a task that was named is not offered again', () => {
    expect(ask('cancel', 'warp', 'w')).toEqual(['weft', 'weft.red', 'weft.green']);
  });

  test('answer is offered the tasks that ask, with their questions', () => {
    writeFileSync(
      join(cwd, 'ask.yaml'),
      'heddle: 1\nname: ask\nsandbox: { tree: none }\ntasks:\n  go: { run: "true" }\n  ship: { gate: Ship it? }\n',
    );
    expect(heddle(['run', '--no-git', '--wait', '0', 'ask.yaml'], { cwd }).code).toBe(EXIT.waiting);
    expect(heddle(['complete', '--', 'approve', '--run', 'ask-1', ''], { cwd }).out).toContain('ship\tShip it?\n');
    expect(ask('approve', 'ask-1', '')).toEqual(['ship']);
    expect(ask('logs', '--run', 'ask-1', '')).toEqual(['go', 'ship']);
    expect(ask('approve', 'weave-1', 'warp')).toEqual(['warp']);
  });

  test('help completes commands, pages and codes', () => {
    expect(ask('help', 'unknown-ne')).toEqual(['unknown-need']);
    expect(ask('help', 'lan')).toEqual(['land']);
    expect(ask('help', 'reference/reas')).toEqual(['reference/reasons']);
  });

  test('commands that only our programs call are not offered', () => {
    expect(ask('co')).toEqual(['config', 'conflicts', 'completion']);
  });

  test('a place without runs, a run that is not there and a damaged store are met with silence', () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'heddle-no-runs-'));
    const quiet = { code: EXIT.done, out: '', errors: '' };
    expect(heddle(['complete', '--', 'logs', ''], { cwd: elsewhere })).toEqual(quiet);
    expect(heddle(['complete', '--', 'logs', '--run', 'weave-9', ''], { cwd })).toEqual(quiet);
    spawnSync('mkdir', ['-p', join(elsewhere, '.heddle')]);
    writeFileSync(join(elsewhere, '.heddle', 'store.sqlite'), 'no store');
    expect(heddle(['complete', '--', 'status', ''], { cwd: elsewhere })).toEqual(quiet);
    rmSync(elsewhere, { recursive: true, force: true });
  });

  test('completion knows what kind of word stands in every pair of brackets', () => {
    const used = commandsOf(makeProgram(silentTerminal(), () => undefined)).flatMap(({ command }) =>
      [
        ...command.registeredArguments.filter(({ argChoices }) => argChoices === undefined),
        ...command.options.filter(({ required, optional, argChoices }) => (required || optional) && !argChoices),
      ].map((of) => placeholderOf(of, command)),
    );
    expect([...new Set(used)].filter((name) => !KINDS.has(name))).toEqual([]);
  });

  test('an unknown shell is refused with the known ones', () => {
    const { code, errors } = heddle(['completion', 'tcsh']);
    expect({ code, errors }).toEqual({ code: EXIT.wrong, errors: expect.stringContaining('bash, zsh, fish') });
  });
});
