// The commands as a tree that others walk: help, completion, the reference.
import { Help, type Command } from '@commander-js/extra-typings';

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

/** Without internal commands. Only Commander knows the hidden ones. */
export const visibleIn = (command: AnyCommand): readonly AnyCommand[] =>
  new Help().visibleCommands(command).filter((inner) => command.commands.includes(inner));
