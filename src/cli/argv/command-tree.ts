// The commands as a tree that others walk (help, completion, the reference), their headings, and the style of help.
import { Help, type Command, type HelpConfiguration, type Option } from '@commander-js/extra-typings';
import { paint, type Terminal } from '../terminal/terminal.ts';

/** A command with any arguments and options. */
export type AnyCommand = Command['commands'][number];

export interface Walked {
  /** The words that call it, without the program's own name. */
  readonly path: readonly string[];
  readonly command: AnyCommand;
}

/** Every command that people call, the outer before the inner. */
export const commandsOf = (program: Command): readonly Walked[] =>
  visibleIn(program).flatMap((command) => walk(command, []));

function walk(command: AnyCommand, above: readonly string[]): readonly Walked[] {
  const path = [...above, command.name()];
  return [{ path, command }, ...visibleIn(command).flatMap((inner) => walk(inner, path))];
}

/** The words that call a command, without the program's own name. */
export const commandPath = (command: AnyCommand): readonly string[] =>
  command.parent === null ? [] : [...commandPath(command.parent), command.name()];

export const rootOf = (command: AnyCommand): AnyCommand => (command.parent === null ? command : rootOf(command.parent));

/** Without internal commands. Only Commander knows the hidden ones. */
export const visibleIn = (command: AnyCommand): readonly AnyCommand[] =>
  new Help().visibleCommands(command).filter((inner) => command.commands.includes(inner));

/** The heading of each command in help, in the order in which people need them. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Begin:': ['demo', 'init', 'plan'],
  'Plans:': ['check', 'simulate', 'graph', 'split', 'import', 'config', 'schema', 'net'],
  'Runs:': ['run', 'watch', 'web', 'mcp', 'status', 'runs', 'explain', 'logs', 'turns', 'events', 'amend'],
  'Answers and control:': [
    'approve',
    'reject',
    'answer',
    'pause',
    'resume',
    'stop',
    'cancel',
    'skip',
    'retry',
    'rollback',
  ],
  'Results:': ['report', 'trace', 'land', 'conflicts', 'open', 'merge', 'recover'],
  'Other machines:': ['serve', 'host', 'hosts', 'token', 'cluster', 'login', 'fetch'],
  'This machine:': ['agents', 'doctor', 'completion', 'help'],
};

/** Short descriptions of commands whose own description does not fit on a line of the list. */
const SUMMARIES: Readonly<Record<string, string>> = {
  demo: 'show a real run on a small project; no key, no network',
  init: 'propose a first plan and settings for this repository',
  plan: 'let an agent draft a plan for a goal, and judge it',
  turns: 'print prompts and responses of the agents',
  check: 'diagnose a plan, prove that it can finish, forecast it',
  split: 'split a large job on a code base into tasks side by side',
  import: 'make a plan of a task list of another tool',
  amend: 'change the plan of a run that has begun',
  explain: 'explain what a task waits for, and when it is expected',
  answer: 'answer the question of an agent, or a permission request',
  watch: 'follow a run live, as heddle run shows it',
  web: 'see runs in a browser: live, replayed, with answers',
  mcp: 'serve agents such as Claude Code, Codex and Gemini',
  serve: 'run everything here, with hosts on other machines',
  hosts: 'show the hosts: who is there, and what they hold',
  token: 'give, list and revoke tokens of hosts and people',
  cluster: 'try a cluster of servers and hosts on this machine',
  resume: 'resume a run or tasks that were paused or stopped',
  retry: 'run again what failed or was cancelled',
  rollback: 'roll a task back to before one of its steps',
  report: 'report what a run did: by whom, at what cost, how fast',
  trace: 'export the spans of a run to a collector, or as JSON',
  land: 'move the target branch to what a run has made',
  host: 'work for the runs of a server on another machine',
  conflicts: 'forecast which tasks will conflict',
  open: 'open a plain checkout of the work of a task',
  merge: 'merge your resolution of a conflict, and go on',
  recover: 'list everything that runs ever produced, and restore it',
  login: 'store your token for a heddle serve, for --on',
  fetch: 'bring the branch of a run from a heddle serve',
  agents: 'list the agents on this machine and how each is called',
  doctor: 'say what works here, what is wrong and what to do about it',
  completion: 'print a script that completes commands in your shell',
  help: 'explain a command, a code or a page of the documents',
};

const ORDER: readonly string[] = Object.values(GROUPS).flat();

/** Sets the heading and the line of each command. A command without a heading is listed last, under Commander's own. */
export function groupCommands(program: Command): void {
  for (const [heading, names] of Object.entries(GROUPS))
    for (const command of program.commands) if (names.includes(command.name())) command.helpGroup(heading);
  for (const command of program.commands) command.summary(SUMMARIES[command.name()] ?? command.description());
}

export const inOrder = (commands: readonly AnyCommand[]): AnyCommand[] =>
  commands.toSorted((one, other) => placeOf(one) - placeOf(other));

function placeOf(command: AnyCommand): number {
  const place = ORDER.indexOf(command.name());
  return place === -1 || command.parent?.parent !== null ? ORDER.length : place;
}

/** Only the information for a choice, so that help fits on a screen of 80 columns. */
export const helpStyle = (terminal: Terminal): HelpConfiguration => ({
  // Narrow columns are read more easily than lines that the terminal breaks.
  minWidthToWrap: 20,
  visibleCommands: (command) => inOrder(visibleIn(command)),
  subcommandTerm: (command) => command.name(),
  commandDescription: (command) => sentence(command.description()),
  optionDescription: describeOption,
  groupItems: (_, items, groupOf) => new Map([...Map.groupBy(items, groupOf)].toSorted(ownFirst)),
  styleTitle: (text) => paint(terminal, 'strong', text),
  styleCommandText: (text) => paint(terminal, 'strong', text),
});

/** A command's own options before shared options. */
const ownFirst = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  Number(other === 'Options:') - Number(one === 'Options:');

/** That something is off, or nothing, unless it is asked for goes without saying. */
function describeOption(option: Option): string {
  const { description, argChoices: choices, defaultValue: value } = option;
  const notes = [
    ...(choices === undefined ? [] : [choices.join(', ')]),
    ...(value === undefined || typeof value === 'boolean' || String(value) === '' ? [] : [`default: ${String(value)}`]),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

const sentence = (text: string): string => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return whole === '' || whole.endsWith('.') ? whole : `${whole}.`;
};

/** Adds a pointer to the right usage after each usage error. */
export function pointToHelp(program: Command): void {
  program.showHelpAfterError('heddle --help lists the commands.');
  const point = (command: AnyCommand, path: string): void => {
    command.showHelpAfterError(`heddle help ${path} shows how it is called.`);
    for (const inner of command.commands) point(inner, `${path} ${inner.name()}`);
  };
  for (const command of program.commands) point(command, command.name());
}
