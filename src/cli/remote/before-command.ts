// Between the parsed command line and its command: whether it is for another machine, and whether whoever calls from one
// may give it.
import type { CommandRole } from '../../core/protocol/remote-command.ts';
import { commandPath, rootOf, type AnyCommand } from '../argv/command-tree.ts';
import { REMOTE_RULES, type RemoteRule } from '../argv/remote-rules.ts';
import { CommandFailure, type ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The command was carried out elsewhere, so it is not carried out here. */
export class DoneElsewhere extends Error {
  override readonly name = 'DoneElsewhere';
  readonly exit: ExitCode;

  constructor(exit: ExitCode) {
    super('done elsewhere');
    this.exit = exit;
  }
}

export interface CalledFrom {
  readonly words: readonly string[];
  /** The role of a person at another machine; undefined for a person at this one. */
  readonly role: CommandRole | undefined;
}

/** Returns when the command is to be carried out here. */
export async function beforeCommand(
  terminal: Terminal,
  command: AnyCommand,
  { words, role }: CalledFrom,
): Promise<void> {
  const name = commandPath(command).join(' ');
  const rule = REMOTE_RULES[name];
  if (role !== undefined) {
    mustBeGranted(command, { name, rule, role });
    if (rule?.isLong === true) terminal.far?.unlimited();
    return;
  }
  const { on } = rootOf(command).opts();
  const there = typeof on === 'string' ? on : process.env['HEDDLE_SERVER'];
  if (there === undefined || there === '') return;
  if (rule === undefined || rule.for === 'nobody') {
    // Only what was said on the command line itself is a mistake.
    if (on === undefined || rule?.calls === true) return;
    throw new CommandFailure(`heddle ${name} concerns this machine alone; leave out --on.`);
  }
  const { chooseServer } = await import('./choose-server.ts');
  const { runThere } = await import('./run-there.ts');
  throw new DoneElsewhere(await runThere(terminal, { server: chooseServer(there, command.opts()), command, words }));
}

interface Asked {
  readonly name: string;
  readonly rule: RemoteRule | undefined;
  readonly role: CommandRole;
}

function mustBeGranted(command: AnyCommand, { name, rule, role }: Asked): void {
  const given = command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .map(({ long }) => long ?? '');
  if (rule === undefined || rule.for === 'nobody')
    throw new CommandFailure(
      `heddle ${name} is not for calls from another machine. Call it on the machine of the server.`,
    );
  const never = given.find((option) => rule.nobodyOptions?.includes(option) === true);
  if (never !== undefined)
    throw new CommandFailure(`${never} is not for calls from another machine. Call it on the machine of the server.`);
  const more = given.find((option) => rule.operatorOptions?.includes(option) === true);
  const isMore = rule.for === 'operator' || more !== undefined;
  if (isMore && role === 'reader')
    throw new CommandFailure(
      `Your token may only read, and heddle ${[name, ...(more === undefined ? [] : [more])].join(' ')} does more. Ask for one with the role operator.`,
    );
}
