// Under which heading help lists each command, and in which order: that in which people come to need them.
import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Begin:': ['demo', 'init'],
  'Plans:': ['check', 'simulate', 'graph', 'split', 'import', 'config', 'plan', 'schema', 'net'],
  'Runs:': ['run', 'watch', 'status', 'runs', 'explain', 'logs', 'turns', 'events', 'amend'],
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
  'Results:': ['report', 'land', 'conflicts', 'open', 'merge', 'recover'],
  'This machine:': ['agents', 'doctor', 'completion', 'help'],
};

const ORDER: readonly string[] = Object.values(GROUPS).flat();

/** Gives each command its heading. One that nobody has placed is listed last, under a heading of Commander's. */
export function groupCommands(program: Command): void {
  for (const [heading, names] of Object.entries(GROUPS))
    for (const command of program.commands) if (names.includes(command.name())) command.helpGroup(heading);
}

export const inOrder = (commands: readonly CommandUnknownOpts[]): CommandUnknownOpts[] =>
  commands.toSorted((one, other) => placeOf(one) - placeOf(other));

function placeOf(command: CommandUnknownOpts): number {
  const place = ORDER.indexOf(command.name());
  return place === -1 || command.parent?.parent !== null ? ORDER.length : place;
}
