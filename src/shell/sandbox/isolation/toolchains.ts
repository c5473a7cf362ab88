// Programs that people have outside of the system's own folders, mostly in their home folder: what is on the PATH, and
// what those programs are links to. They can be read inside, and nothing beside them.
//
// toolchains/T1. Neither the home folder itself nor a folder right below it is ever shown for the sake of a program in
//     it, because credentials lie there: of ~/.cargo/bin only that, of ~/.nvm/versions/node/v24/bin all that v24 holds.
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { SYSTEM_FOLDERS } from './system-folders.ts';

export interface Surroundings {
  readonly path: string;
  /** The real home folder, which programs inside do not see. */
  readonly home: string;
  /** Folders that stay hidden whatever leads there. */
  readonly hidden: readonly string[];
  /** Programs that must be there though no PATH says so. */
  readonly programs: readonly string[];
}

/** Toolchains that look for the rest of themselves in the home folder, and what tells them where that is. */
const IN_HOME: readonly { readonly folder: string; readonly variable: string }[] = [
  { folder: '.rustup', variable: 'RUSTUP_HOME' },
  { folder: '.pyenv', variable: 'PYENV_ROOT' },
  { folder: '.rbenv', variable: 'RBENV_ROOT' },
  { folder: '.asdf', variable: 'ASDF_DATA_DIR' },
  { folder: '.volta', variable: 'VOLTA_HOME' },
  { folder: '.sdkman', variable: 'SDKMAN_DIR' },
];

export interface Toolchains {
  readonly folders: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export function findToolchains(around: Surroundings): Toolchains {
  const onPath = around.path.split(delimiter).filter((one) => isAbsolute(one) && isFolder(one));
  const given = [...onPath, ...around.programs.map((program) => dirname(program))];
  const folders = new Set<string>();
  for (const folder of given) {
    for (const one of [folder, realpathSync(folder), ...linkedFrom(folder)]) {
      const root = rootOf(one, around);
      if (mayBeShown(root, around)) folders.add(root);
    }
  }
  const own = IN_HOME.filter(({ folder }) => isFolder(join(around.home, folder)));
  for (const { folder } of own) folders.add(join(around.home, folder));
  return {
    folders: [...folders].filter((one) => ![...folders].some((other) => other !== one && isWithin(one, other))),
    environment: Object.fromEntries(own.map(({ folder, variable }) => [variable, join(around.home, folder)])),
  };
}

/** Beyond so many entries a folder is none of programs. */
const ENTRIES_MAX = 5_000;

/** Folders of the programs that links in this one lead to, and of the links on the way. */
function linkedFrom(folder: string): readonly string[] {
  if (isOfSystem(folder)) return [];
  const links = readdirSync(folder, { withFileTypes: true })
    .slice(0, ENTRIES_MAX)
    .filter((entry) => entry.isSymbolicLink());
  return links.flatMap(({ name }) => wayOf(join(folder, name)));
}

/** The system follows no more. */
const HOPS_MAX = 40;

function wayOf(link: string): readonly string[] {
  try {
    const aim = realpathSync(link);
    // Beside a folder lies what has nothing to do with programs: the parent of all, for a link to its own folder.
    if (!statSync(aim).isFile()) return [];
    const folders = [dirname(aim)];
    let at = link;
    for (let hops = 0; hops < HOPS_MAX && lstatSync(at).isSymbolicLink(); hops += 1) {
      at = resolve(dirname(at), readlinkSync(at));
      folders.push(dirname(at));
    }
    return folders;
  } catch {
    // It leads nowhere.
    return [];
  }
}

/** What belongs to programs lies beside their `bin`, and to packages of Node beside them. */
function rootOf(folder: string, { home }: Surroundings): string {
  const packages = /^.*?\/node_modules(?=\/|$)/.exec(folder)?.[0];
  if (packages !== undefined) return packages;
  const parent = dirname(folder);
  const isApart = !isWithin(home, parent) && (!isWithin(parent, home) || relative(home, parent).includes('/'));
  return ['bin', 'sbin'].includes(basename(folder)) && isApart ? parent : folder;
}

const mayBeShown = (folder: string, { home, hidden }: Surroundings): boolean =>
  folder !== '/' &&
  !isOfSystem(folder) &&
  !isWithin(home, folder) &&
  !hidden.some((one) => isWithin(one, folder) || isWithin(folder, one));

const isOfSystem = (folder: string): boolean => SYSTEM_FOLDERS.some((one) => isWithin(folder, one));

/** Whether a folder is another or lies in it. */
export const isWithin = (inner: string, outer: string): boolean =>
  inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);

/** A PATH may name folders of somebody else, which we may not even look at. */
const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();
