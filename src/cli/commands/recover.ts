import { resolve } from 'node:path';
import { nearest } from '../../core/plan/language/nearest-name.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { Failure } from '../failure.ts';
import { producedIn, groundFor, type AllProduced, type Produced } from '../../app/git/produced.ts';
import { aligned } from '../text/rows.ts';
import { openProject, type OpenProject } from '../../app/open-project.ts';
import { mustNotBeNested } from '../../app/nested.ts';
import { paint, type Terminal } from '../terminal.ts';

export interface RecoverFlags {
  readonly to: string | undefined;
  readonly into: string | undefined;
  readonly json: boolean;
}

/** `heddle recover`: lists all that was ever produced, committed or not, and gives any of it back. */
export async function recover(terminal: Terminal, named: string | undefined, flags: RecoverFlags): Promise<ExitCode> {
  mustNotBeNested();
  const open = openProject('read');
  const everything = await producedIn(open);
  const isRestored = flags.to !== undefined || flags.into !== undefined;
  const said = isRestored
    ? await restoreOne(open, pick(everything, named), flags)
    : list(terminal, narrowed(everything, named), flags);
  open.store.close();
  for (const line of everything.says) terminal.err(paint(terminal, 'warn', line));
  terminal.out(said);
  return EXIT.done;
}

async function restoreOne(open: OpenProject, produced: Produced, { to, into, json }: RecoverFlags): Promise<string> {
  if (to !== undefined && into !== undefined) throw new Failure('Give --to BRANCH or --into FOLDER, not both.');
  const { repository } = await groundFor(open, undefined);
  const { commit, name } = produced;
  const folder = into === undefined ? undefined : resolve(into);
  const restored = await repository.restore(folder === undefined ? { commit, branch: to ?? '' } : { commit, folder });
  if (restored.type !== 'restored') throw new Failure(restored.message);
  if (json) return JSON.stringify({ name, commit, branch: to, folder }, undefined, 2);
  return folder === undefined ? `${name} is the branch ${to ?? ''}.` : `${name} is in ${folder}.`;
}

/** By its name, or by the start of its commit. */
function pick({ produced }: AllProduced, named: string | undefined): Produced {
  if (named === undefined) throw new Failure('Say what to restore; heddle recover lists what there is.');
  const found =
    produced.find(({ name }) => name === named) ??
    (/^[\da-f]{7,64}$/.test(named) ? produced.find(({ commit }) => commit.startsWith(named)) : undefined);
  if (found !== undefined) return found;
  const like = nearest(
    named,
    produced.map(({ name }) => name),
  );
  const hint = like === undefined ? 'heddle recover lists what there is.' : `Did you mean ${like}?`;
  throw new Failure(`Nothing was produced that is called ${named}. ${hint}`);
}

/** A run, or the beginning of a name up to a slash. */
function narrowed(everything: AllProduced, named: string | undefined): AllProduced {
  if (named === undefined) return everything;
  const isOf = (name: string): boolean => name === named || name.startsWith(`${named}/`);
  const produced = everything.produced.filter(({ name }) => isOf(name));
  const sandboxes = everything.sandboxes.filter(({ run, task }) => isOf(run) || isOf(`${run}/${task}`));
  if (produced.length === 0 && sandboxes.length === 0)
    throw new Failure(`Nothing was produced that is called ${named}. heddle recover lists what there is.`);
  return { ...everything, produced, sandboxes };
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
          paint(terminal, 'strong', 'Moved away, because they could not be read'),
          ...kept.map((folder) => `  ${folder}`),
        ]),
    'heddle recover NAME --to BRANCH, or --into FOLDER, gives any of it back.',
  ].join('\n');
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
