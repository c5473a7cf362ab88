// Help as people meet it: every command explains itself, with examples that are right.
import { CommanderError } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/terminal/exit-code.ts';
import { commandsOf, type Walked } from '../../../src/cli/argv/command-tree.ts';
import { makeProgram } from '../../../src/cli/program.ts';
import { heddle } from '../heddle.given.ts';
import { callsIn } from './command-lines.given.ts';
import { keepingTerminal, silentTerminal } from './terminal.given.ts';

const COLUMNS = 80;

const COMMANDS = commandsOf(makeProgram(silentTerminal(), () => undefined)).map(({ path }) => path.join(' '));

/** What help prints of a command, on a terminal of 80 columns. */
function helpOf(name: string): string {
  const { terminal, said } = keepingTerminal(COLUMNS);
  const program = makeProgram(terminal, () => undefined);
  commandsOf(program)
    .find(({ path }) => path.join(' ') === name)
    ?.command.outputHelp();
  return said();
}

const examplesOf = (help: string): readonly string[] => {
  const [, text = ''] = help.split('\nExamples:\n');
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
};

/** Commands that do something themselves and have commands below them. */
const ACTING: ReadonlySet<string> = new Set(['plan', 'mcp']);

/** Reads a call as the program would, and does nothing. */
function parseOnly(words: readonly string[]): string {
  const { terminal, said } = keepingTerminal(COLUMNS);
  const program = makeProgram(terminal, () => undefined);
  const idle = ({ command }: Walked): void => {
    if (command.commands.length === 0 || ACTING.has(command.name())) command.action(() => undefined);
  };
  for (const walked of commandsOf(program)) idle(walked);
  try {
    program.parse(words, { from: 'user' });
    return '';
  } catch (trouble) {
    return trouble instanceof CommanderError && trouble.exitCode === 0 ? '' : said();
  }
}

describe.each(COMMANDS)('heddle %s', (name) => {
  const help = helpOf(name);
  const calls = examplesOf(help).flatMap(callsIn);

  test(`${name} has examples of itself that can be called`, () => {
    expect(calls.map((words) => [words.join(' '), parseOnly(words)])).toEqual(
      calls.map((words) => [words.join(' '), '']),
    );
    expect(calls.filter((words) => words.join(' ').startsWith(name)).length).toBeGreaterThan(0);
  });

  test(`${name} says what it does in a sentence`, () => {
    expect(help).toMatch(/^Usage: heddle .*\n\n[A-Z][^]*?\.\n/);
  });

  test(`${name} fits on a terminal of 80 columns`, () => {
    const [body = ''] = help.split('\nExamples:\n');
    expect(body.split('\n').filter((line) => line.length > COLUMNS)).toEqual([]);
  });
});

/** What they print is for programs as it is, or for nobody but people. */
const WITHOUT_JSON: Readonly<Record<string, string>> = {
  logs: 'what programs printed, byte for byte',
  events: 'prints JSON anyhow',
  schema: 'prints JSON anyhow',
  graph: 'prints formats of other programs',
  'plan print': 'prints a plan, which is YAML',
  open: 'prints a folder with --print',
  watch: 'is looked at; heddle events --follow is for programs',
  serve: 'prints one address on standard output, and the rest beside it',
  'token add': 'prints the token on standard output, and the rest beside it',
  'token revoke': 'prints what it did; heddle token list is for programs',
  'cluster up': 'tells a person what it starts; heddle cluster status is for programs',
  'cluster down': 'tells a person what it ends; heddle cluster status is for programs',
  web: 'prints one address on standard output, and the rest beside it',
  completion: 'prints a script',
  help: 'is read',
};

test('every command with output has it for programs too', () => {
  const program = makeProgram(silentTerminal(), () => undefined);
  const without = commandsOf(program)
    .filter(({ command }) => command.commands.length === 0 && !command.options.some(({ long }) => long === '--json'))
    .map(({ path }) => path.join(' '));
  expect(without.toSorted()).toEqual(Object.keys(WITHOUT_JSON).toSorted());
});

describe('the list of commands', () => {
  const { terminal, said } = keepingTerminal(COLUMNS);
  makeProgram(terminal, () => undefined).outputHelp();
  const lines = said().split('\n');

  test('fits on 80 columns, one line for each command, every one under a heading of ours', () => {
    expect(lines.filter((line) => line.length > COLUMNS)).toEqual([]);
    expect(lines.filter((line) => /^ {6}/.test(line))).toEqual([]);
    expect(lines).not.toContain('Commands:');
    const listed = lines.flatMap((line) => /^ {2}([a-z]+) {2}/.exec(line)?.[1] ?? []);
    expect(listed.toSorted()).toEqual(COMMANDS.filter((name) => !name.includes(' ')).toSorted());
  });

  test('has examples that can be called', () => {
    const calls = examplesOf(said()).flatMap(callsIn);
    expect(calls.length).toBeGreaterThan(2);
    expect(calls.map(parseOnly).filter((trouble) => trouble !== '')).toEqual([]);
  });
});

describe('a mistyped call', () => {
  test('of a command is met with the one that was meant', () => {
    expect(heddle(['chek'])).toEqual({
      code: EXIT.wrong,
      out: '',
      errors: "heddle: unknown command 'chek'\n(Did you mean check?)\nheddle --help lists the commands.\n",
    });
  });

  test('of an option is met with the one that was meant', () => {
    expect(heddle(['net', 'check', '--jsn', 'x.pnml'])).toEqual({
      code: EXIT.wrong,
      out: '',
      errors: "heddle: unknown option '--jsn'\n(Did you mean --json?)\nheddle help net check shows how it is called.\n",
    });
  });

  test('that leaves something out names it, and where to look', () => {
    expect(heddle(['logs']).errors).toBe(
      "heddle: missing required argument 'task'\nheddle help logs shows how it is called.\n",
    );
  });

  test('that takes a value which is none of the choices names them', () => {
    expect(heddle(['run', '--policy', 'fast']).errors).toContain('Allowed choices are parallel, serial.');
  });
});

describe('heddle help', () => {
  test('prints the same as --help', () => {
    expect(heddle(['help', 'net', 'check']).out).toBe(heddle(['net', 'check', '--help']).out);
  });

  test('explains a code of a diagnostic, of a finding and of a reason', () => {
    expect(heddle(['help', 'unknown-need']).out).toMatch(/^`unknown-need` \(error\)\n\nA task needs a task/);
    expect(heddle(['help', 'deadlock']).out).toMatch(/^`deadlock`\n\nA marking can be reached/);
    expect(heddle(['help', 'reasons/quota']).out).toMatch(/^`quota`\n\nThe quota of its account/);
  });

  test('prints a page by its name', () => {
    expect(heddle(['help', 'landing']).out).toMatch(/^Landing, and finding work again\n/);
    const topics = heddle(['help', 'topics']).out;
    expect(topics).toContain('reference/landing');
    expect(topics.split('\n').filter((line) => line.length > COLUMNS)).toEqual([]);
  });

  test('of an unknown topic names the nearest ones', () => {
    const { code, errors } = heddle(['help', 'unknwon-need']);
    expect({ code, errors }).toEqual({
      code: EXIT.wrong,
      errors: expect.stringContaining('Did you mean unknown-need?'),
    });
  });
});
