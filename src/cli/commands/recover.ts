import { failureText } from '../../core/protocol/sandbox-failure.ts';
import { EXIT, CommandFailure, type ExitCode } from '../terminal/exit-code.ts';
import { refusalText } from '../../core/view/text/refusal-text.ts';
import type { Refusal } from '../../core/view/text/refusal.ts';
import {
  narrowProduced,
  openForRecovery,
  pickProduced,
  producedIn,
  restoreProduced,
  type AllProduced,
  type Produced,
  type Recovering,
} from '../../app/git/produced.ts';
import { aligned } from '../text/rows.ts';
import { mustNotBeNested } from '../../app/project.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';

export interface RecoverFlags {
  readonly to: string | undefined;
  readonly into: string | undefined;
  readonly json: boolean;
}

/** `heddle recover`: lists all that was ever produced, committed or not, and gives any of it back. */
export async function recover(terminal: Terminal, named: string | undefined, flags: RecoverFlags): Promise<ExitCode> {
  mustNotBeNested();
  const open = openForRecovery();
  const everything = await producedIn(open);
  const isRestored = flags.to !== undefined || flags.into !== undefined;
  const said = isRestored
    ? await restoreOne(open, pickProduced(everything, mustBeNamed(named)), flags)
    : list(terminal, narrowProduced(everything, named), flags);
  open.store?.close();
  if (open.problem !== undefined) terminal.err(paint(terminal, 'warn', unreadText(open.problem)));
  for (const failure of everything.failures) terminal.err(paint(terminal, 'warn', failureText(failure)));
  terminal.out(said);
  return EXIT.done;
}

/** Of a store that cannot be read; the list is complete all the same. */
const unreadText = (problem: Refusal): string => `${refusalText(problem)} What follows is read from git and the disk.`;

async function restoreOne(open: Recovering, produced: Produced, { to, into, json }: RecoverFlags): Promise<string> {
  if (to !== undefined && into !== undefined) throw new CommandFailure('Give --to BRANCH or --into FOLDER, not both.');
  const { name, commit } = produced;
  const { branch, folder } = await restoreProduced(open, produced, { branch: to, folder: into });
  if (json) return JSON.stringify({ name, commit, branch, folder }, undefined, 2);
  return folder === undefined ? `${name} is the branch ${branch ?? ''}.` : `${name} is in ${folder}.`;
}

function mustBeNamed(named: string | undefined): string {
  if (named === undefined) throw new CommandFailure('Say what to restore; heddle recover lists what there is.');
  return named;
}

function list(terminal: Terminal, { produced, sandboxes, kept }: AllProduced, { json }: RecoverFlags): string {
  if (json) return JSON.stringify({ produced, sandboxes, kept }, undefined, 2);
  if (produced.length === 0) return 'Nothing was produced here yet.';
  const rows = produced.map(({ name, at, commit, subject }) => [name, day(at), commit.slice(0, 12), subject]);
  const places = sandboxes.map(({ run, task, folder }) => [`${run}/${task}`, folder]);
  return [
    ...aligned(rows, ''),
    ...(places.length === 0 ? [] : [paint(terminal, 'strong', 'Sandboxes on the disk'), ...aligned(places)]),
    ...(kept.length === 0
      ? []
      : [
          paint(terminal, 'strong', 'Moved away, because they could not be read or saved'),
          ...kept.map((folder) => `  ${folder}`),
        ]),
    'heddle recover NAME --to BRANCH, or --into FOLDER, gives any of it back.',
  ].join('\n');
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
