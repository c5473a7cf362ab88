// The commands and their options. Each command's work is loaded only when it is called, so that help is quick.
import { Command, CommanderError } from '@commander-js/extra-typings';
import { EXIT, CommandFailure, type ExitCode } from './terminal/exit-code.ts';
import { refusalOf } from '../app/refused.ts';
import type { StoreFailure } from '../core/protocol/store-failure.ts';
import { addHostCommand } from './argv/add-host-command.ts';
import { addClusterCommands } from './argv/add-cluster-commands.ts';
import { addMcpCommand } from './argv/add-mcp-command.ts';
import { addMachineCommands, addHelpCommand } from './argv/add-machine-commands.ts';
import { addFarCommands } from './remote/add-far-commands.ts';
import { addOnboardingCommands } from './argv/add-onboarding-commands.ts';
import { addPlanCommands } from './argv/add-plan-commands.ts';
import { addResultCommands } from './argv/add-result-commands.ts';
import { addRunCommands } from './argv/add-run-commands.ts';
import { addServeCommands } from './argv/add-serve-commands.ts';
import { examples } from './argv/options.ts';
import { beforeCommand, DoneElsewhere } from './remote/before-command.ts';
import type { CommandRole } from '../core/protocol/remote-command.ts';
import { addServerOptions } from './argv/remote-rules.ts';
import { groupCommands, helpStyle, pointToHelp } from './argv/command-tree.ts';
import { programVersion } from '../app/package-root.ts';
import { paint, type Terminal } from './terminal/terminal.ts';
import { storeFailureText } from '../core/view/text/store-failure-text.ts';

/** Runs one command line and returns its exit code. */
export async function runProgram(
  terminal: Terminal,
  words: readonly string[],
  /** Of a person at another machine. */
  role?: CommandRole,
): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const program = makeProgram(terminal, (said) => {
    code = said;
  });
  program.hook('preAction', (_, command) => beforeCommand(terminal, command, { words, role }));
  if (role === undefined) addExecute(program, (said) => (code = said));
  try {
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof DoneElsewhere) return error.exit;
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrong;
    const message = await messageOf(error);
    if (message === undefined) throw error;
    terminal.err(`${paint(terminal, 'bad', 'heddle:')} ${message}`);
    if (isNamed(error, 'GitError')) terminal.err('heddle doctor says what is wrong with the repository.');
    return EXIT.wrong;
  }
}

/** What `heddle serve` calls for people at other machines; it cannot be called from there. */
function addExecute(program: Command, say: Say): void {
  program
    .command('execute', { hidden: true })
    .description('carry out a command line for a person at another machine')
    .action(async () => say(await (await import('./remote/execute.ts')).execute(runProgram)));
}

/** The change that a person must make before the command can work; undefined for a bug of ours. */
async function messageOf(error: unknown): Promise<string | undefined> {
  if (error instanceof CommandFailure) return error.message;
  // Recognized by name, because most commands load neither the store nor git.
  if (isStoreError(error)) return storeFailureText(error.failure);
  if (isNamed(error, 'GitError')) return error.message;
  const refusal = refusalOf(error);
  if (refusal === undefined) return undefined;
  return (await import('../core/view/text/refusal-text.ts')).refusalText(refusal);
}

const isStoreError = (error: unknown): error is Error & { readonly failure: StoreFailure } =>
  isNamed(error, 'StoreError');

const isNamed = (error: unknown, name: string): error is Error => error instanceof Error && error.name === name;

type Say = (code: ExitCode) => void;

/** All commands, for the program, the help and the reference. */
export function makeProgram(terminal: Terminal, say: Say): Command {
  const program: Command = new Command('heddle')
    .description('Runs many coding agents on one repository at once, from a plan that is proved to finish.')
    .version(programVersion(), '--version', 'print the version')
    .option('--on <address>', 'give the command to a heddle serve; see heddle help remote')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .configureHelp(helpStyle(terminal))
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error:/, paint(terminal, 'bad', 'heddle:'))),
      getOutHelpWidth: () => terminal.width,
      getErrHelpWidth: () => terminal.width,
      getOutHasColors: () => terminal.colour,
      getErrHasColors: () => terminal.colour,
    })
    .addHelpText(
      'after',
      examples(
        'heddle check plan.yaml',
        'heddle simulate plan.yaml',
        'heddle run plan.yaml',
        'heddle help guide/first-plan',
      ),
    );
  addOnboardingCommands(program, terminal, say);
  addPlanCommands(program, terminal, say);
  addRunCommands(program, terminal, say);
  addMcpCommand(program, terminal, say);
  addHostCommand(program, terminal, say);
  addResultCommands(program, terminal, say);
  addFarCommands(program, terminal, say);
  addServeCommands(program, terminal, say);
  addClusterCommands(program, terminal, say);
  addMachineCommands(program, terminal, say);
  addServerOptions(program);
  addHelpCommand(program, terminal);
  groupCommands(program);
  pointToHelp(program);
  return program;
}
