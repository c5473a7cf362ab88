// Candidates for the next word of a command line: from the commands, and from the runs of the project.
//
// complete/C1. Every name in brackets that a command or an option uses has its kind here; a test compares them.
import { Help, type Argument, type Option } from '@commander-js/extra-typings';
import { AGENT_KINDS } from '../../core/plan/language/agent-kinds.ts';
import { rootOf, visibleIn, type AnyCommand } from './command-tree.ts';
import { isForServers } from './remote-rules.ts';

/** A word, and its description where a shell shows one. */
export interface Offer {
  readonly word: string;
  readonly says: string;
}

/** Looked up only when it is asked for. */
export interface CompletionSources {
  readonly runs: () => Promise<readonly Offer[]>;
  readonly tasks: (run: string | undefined) => Promise<readonly Offer[]>;
  /** Tasks with an open question. */
  readonly asking: (run: string | undefined) => Promise<readonly Offer[]>;
  readonly steps: (run: string | undefined, task: string) => Promise<readonly Offer[]>;
  readonly topics: () => Promise<readonly Offer[]>;
}

/** The kinds of path that a shell completes itself. */
type Paths = 'files' | 'plans' | 'folders';

export interface Completion {
  readonly offers: readonly Offer[];
  readonly paths: Paths | undefined;
}

type Kind =
  | Paths
  | 'runs'
  | 'tasks'
  | 'runs and tasks'
  | 'runs and plans'
  | 'steps'
  | 'adapters'
  | 'modes'
  | 'topics'
  | 'own words';

export const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...kinds('plans', 'plan'),
  ...kinds('files', 'file', 'path', 'place'),
  ...kinds('folders', 'folder'),
  ...kinds('runs', 'run', 'name of a run'),
  ...kinds('tasks', 'task'),
  ...kinds('runs and tasks', 'run or tasks', 'task or run'),
  ...kinds('runs and plans', 'run and plan'),
  ...kinds('steps', 'step'),
  ...kinds('adapters', 'agent', 'name of an agent'),
  ...kinds('modes', 'mode'),
  ...kinds('topics', 'topic'),
  ...kinds(
    'own words',
    'text',
    'goal',
    'words',
    'command',
    'branch',
    'tag',
    'items',
    'endings',
    'name=value',
    'address',
    'address:port',
    'url',
  ),
  ...kinds('own words', 'count', 'number', 'money', 'duration', 'share', 'deviation'),
]);

function kinds(kind: Kind, ...names: readonly string[]): readonly (readonly [string, Kind])[] {
  return names.map((name) => [name, kind] as const);
}

const NOTHING: Completion = { offers: [], paths: undefined };

/** `words` are all after the program's name; the last is being typed and may be empty. */
export async function complete(
  program: AnyCommand,
  words: readonly string[],
  known: CompletionSources,
): Promise<Completion> {
  const typed = words.at(-1) ?? '';
  const line = readLine(program, words.slice(0, -1));
  const { offers, paths } = await completionOf(line, typed, known);
  return { offers: offers.filter(({ word }) => word.startsWith(typed)), paths };
}

async function completionOf(line: ReadLine, typed: string, known: CompletionSources): Promise<Completion> {
  const { valueOf } = line;
  if (valueOf !== undefined && !typed.startsWith('-')) return valuesOf({ line, of: valueOf, known });
  if (line.takesOptions && typed.startsWith('-')) return optionsOrValues(line, typed, known);
  const commands = line.given.length === 0 ? visibleIn(line.command) : [];
  if (commands.length > 0)
    return ofWords(commands.map((command) => [command.name(), command.summary() || command.description()]));
  const argument = argumentOf(line);
  return argument === undefined ? ofWords(optionWords(line)) : valuesOf({ line, of: argument, known });
}

async function optionsOrValues(line: ReadLine, typed: string, known: CompletionSources): Promise<Completion> {
  const [name = '', ...rest] = typed.split('=');
  const option = findOption(line.command, name);
  if (rest.length === 0 || option === undefined) return ofWords(optionWords(line));
  const { offers, paths } = await valuesOf({ line, of: option, known });
  return { offers: offers.map(({ word, says }) => ({ word: `${name}=${word}`, says })), paths };
}

const ofWords = (words: readonly (readonly [string, string])[]): Completion => ({
  offers: words.map(([word, says]) => ({ word, says })),
  paths: undefined,
});

const optionWords = ({ command, options }: ReadLine): readonly (readonly [string, string])[] =>
  [...new Help().visibleOptions(command), ...(isForServers(command) ? rootOf(command).options.filter(takesValue) : [])]
    .filter((option) => option.variadic || !options.has(nameOf(option)))
    .map((option) => [nameOf(option), option.description] as const);

const argumentOf = ({ command, given }: ReadLine): Argument | undefined => {
  const last = command.registeredArguments.at(-1);
  return command.registeredArguments[given.length] ?? (last?.variadic === true ? last : undefined);
};

interface Asked {
  readonly line: ReadLine;
  readonly of: Argument | Option;
  readonly known: CompletionSources;
}

async function valuesOf({ line, of, known }: Asked): Promise<Completion> {
  if (of.argChoices !== undefined) return ofWords(of.argChoices.map((word) => [word, '']));
  const { command, given, options } = line;
  const run = options.get('--run') ?? (await runAmong(command, given, known));
  switch (KINDS.get(placeholderOf(of, command)) ?? 'own words') {
    case 'runs':
      return { ...NOTHING, offers: await known.runs() };
    case 'tasks':
      return { ...NOTHING, offers: await tasksFor(command, run, known) };
    case 'runs and tasks':
      return { ...NOTHING, offers: await runsAndTasks(line, run, known) };
    case 'runs and plans':
      return { offers: given.length === 0 ? await known.runs() : [], paths: 'plans' };
    case 'steps':
      return { ...NOTHING, offers: await known.steps(run, given.at(-1) ?? '') };
    case 'topics':
      return { ...NOTHING, offers: given.length === 0 ? await known.topics() : [] };
    case 'adapters':
      return ofWords(AGENT_KINDS.map((word) => [word, '']));
    case 'modes':
      return ofWords(['continue_on_error', 'fail_fast'].map((word) => [word, '']));
    case 'files':
      return { ...NOTHING, paths: 'files' };
    case 'plans':
      return { ...NOTHING, paths: 'plans' };
    case 'folders':
      return { ...NOTHING, paths: 'folders' };
    case 'own words':
      return NOTHING;
  }
}

async function runsAndTasks(
  { command, given }: ReadLine,
  run: string | undefined,
  known: CompletionSources,
): Promise<readonly Offer[]> {
  const runs = given.length === 0 ? await known.runs() : [];
  const tasks = await tasksFor(command, run, known);
  return [...runs, ...tasks.filter(({ word }) => !given.includes(word))];
}

const ANSWERS: ReadonlySet<string> = new Set(['approve', 'reject', 'answer']);

/** For an answer, the tasks with an open question; all tasks where there is none. */
async function tasksFor(
  command: AnyCommand,
  run: string | undefined,
  known: CompletionSources,
): Promise<readonly Offer[]> {
  const asking = ANSWERS.has(command.name()) ? await known.asking(run) : [];
  return asking.length === 0 ? await known.tasks(run) : asking;
}

/** The first word after a command that takes both may be a run. */
async function runAmong(
  command: AnyCommand,
  [first]: readonly string[],
  known: CompletionSources,
): Promise<string | undefined> {
  if (command.registeredArguments[0]?.name() !== 'run or tasks' || first === undefined) return undefined;
  return (await known.runs()).find(({ word }) => word === first)?.word;
}

/** The name in brackets. `name` is a run or an agent, depending on the command. */
export function placeholderOf(of: Argument | Option, command: AnyCommand): string {
  const name = 'flags' in of ? (/[<[]([^>\]]+?)(?:\.{3})?[>\]]/.exec(of.flags)?.[1] ?? '') : of.name();
  if (name !== 'name') return name;
  return command.name() === 'recover' ? 'name of a run' : 'name of an agent';
}

interface ReadLine {
  readonly command: AnyCommand;
  /** The arguments so far, without options and without the incomplete word. */
  readonly given: readonly string[];
  /** The options so far by their long names, with their values. */
  readonly options: ReadonlyMap<string, string | undefined>;
  /** The option whose value is incomplete. */
  readonly valueOf: Option | undefined;
  /** Behind `--` nothing is an option. */
  readonly takesOptions: boolean;
}

/** `words` are the words before the incomplete one. */
function readLine(program: AnyCommand, words: readonly string[]): ReadLine {
  const start: ReadLine = { command: program, given: [], options: new Map(), valueOf: undefined, takesOptions: true };
  return words.reduce(readWord, start);
}

function readWord(line: ReadLine, word: string): ReadLine {
  if (line.valueOf !== undefined && !(mayEnd(line.valueOf) && word.startsWith('-'))) return takeValue(line, word);
  if (!line.takesOptions) return { ...line, given: [...line.given, word] };
  if (word === '--') return { ...line, valueOf: undefined, takesOptions: false };
  if (word.startsWith('-') && word !== '-') return takeOption(line, word);
  const inner = line.given.length === 0 ? line.command.commands.find((command) => command.name() === word) : undefined;
  if (inner !== undefined) return { ...line, command: inner, options: new Map() };
  return { ...line, given: [...line.given, word], valueOf: undefined };
}

/** Whether it is complete without a further word: its value may be left out, or it has taken one of many. */
const mayEnd = (option: Option): boolean => option.optional || option.variadic;

function takeValue(line: ReadLine, word: string): ReadLine {
  const { valueOf: option } = line;
  if (option === undefined) return line;
  const options = new Map([...line.options, [nameOf(option), word]]);
  return { ...line, options, valueOf: option.variadic ? option : undefined };
}

function takeOption(line: ReadLine, word: string): ReadLine {
  const [name = '', ...value] = word.split('=');
  const option = findOption(line.command, name);
  if (option === undefined) return { ...line, valueOf: undefined };
  const options = new Map([...line.options, [nameOf(option), value.length === 0 ? undefined : value.join('=')]]);
  return { ...line, options, valueOf: takesValue(option) && value.length === 0 ? option : undefined };
}

const takesValue = ({ required, optional }: Option): boolean => required || optional;

/** Options of the program itself stand after a command too. */
const findOption = (command: AnyCommand, name: string): Option | undefined =>
  [...command.options, ...rootOf(command).options].find(({ short, long }) => name === short || name === long);

const nameOf = ({ long, short }: Option): string => long ?? short ?? '';
