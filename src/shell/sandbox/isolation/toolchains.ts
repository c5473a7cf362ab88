// Programs that people have outside of the system's own folders, mostly in their home folder: what is on the PATH, and
// what those programs are links to. They can be read inside, with what they need, and nothing beside them.
//
// toolchains/T1. A folder is shown whole only if it is one of programs, of packages, or a recognisable installation. Of any
//     other folder the programs are shown one by one: of ~/.aws/helper only that file, of ~/.cargo/bin only that folder,
//     of ~/.nvm/versions/node/v24/bin all that v24 holds. Of a folder of programs, what may be secret is masked.
// toolchains/T2. Never the home folder or one right below it, because credentials lie there; nor a folder above it.
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
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
  /** Folders and files. */
  readonly paths: readonly string[];
  /** Files and folders in them that stay hidden. */
  readonly masked: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export function findToolchains(around: Surroundings): Toolchains {
  const onPath = around.path
    .split(delimiter)
    .filter((one) => isAbsolute(one) && isDirectory(one) && realpathSync(one) !== '/');
  const named = onPath.flatMap((folder) => [folder, realpathSync(folder)]);
  const programs = [...around.programs, ...onPath.flatMap(linksIn)].flatMap(wayOf);
  const own = IN_HOME.filter(({ folder }) => isDirectory(join(around.home, folder)));
  const shown = new Set([
    ...named.flatMap((folder) => ofFolder(folder, around)),
    ...programs.flatMap((file) => ofProgram(file, around)),
    ...own.map(({ folder }) => join(around.home, folder)),
  ]);
  const paths = [...shown].filter((one) => mayBeShown(one, around));
  const outermost = paths.filter((one) => !paths.some((other) => other !== one && isWithin(one, other)));
  return {
    paths: outermost,
    masked: outermost.filter(isOfPrograms).flatMap(secretsIn),
    environment: Object.fromEntries(own.map(({ folder, variable }) => [variable, join(around.home, folder)])),
  };
}

/** One program with what it needs, and the links on the way to it. */
export const showProgram = (file: string, around: Surroundings): readonly string[] =>
  [...new Set(wayOf(file).flatMap((each) => [each, ...ofProgram(each, around)]))].filter((one) =>
    mayBeShown(one, around),
  );

/** A folder of the PATH: as it is where it is one of programs, else the programs in it. */
function ofFolder(folder: string, around: Surroundings): readonly string[] {
  const packages = packagesAbove(folder);
  if (packages !== undefined) return [packages];
  if (isOfPrograms(folder)) return [folder, ...prefixOf(folder, around)];
  return isPrivate(folder, around) || hasSecretsBelow(folder) ? programsIn(folder) : [folder];
}

/** A program that a link leads to: with the folder it was installed to, where there is one. */
function ofProgram(file: string, around: Surroundings): readonly string[] {
  const folder = dirname(file);
  const packages = packagesAbove(folder);
  if (packages !== undefined) return [packages];
  if (isOfPrograms(folder)) return [file, ...prefixOf(folder, around)];
  return [isPrivate(folder, around) || hasSecretsBelow(folder) ? file : folder];
}

/** What belongs to packages of Node lies beside them. */
const packagesAbove = (folder: string): string | undefined => /^.*?\/node_modules(?=\/|$)/.exec(folder)?.[0];

const isOfPrograms = (folder: string): boolean => ['bin', 'sbin', 'shims'].includes(basename(folder));

/** What belongs to programs lies beside their `bin`: the whole installation, or else the libraries and their data there. */
function prefixOf(folder: string, around: Surroundings): readonly string[] {
  const prefix = dirname(folder);
  if (isRightBelow(prefix, around)) return [];
  const foldersOf = (names: readonly string[]): readonly string[] =>
    names.map((name) => join(prefix, name)).filter(isDirectory);
  const libraries = foldersOf(LIBRARIES);
  if (libraries.length === 0) return [];
  return isInstallation(prefix, around) ? [prefix] : [...libraries, ...foldersOf(DATA)];
}

const LIBRARIES = ['lib', 'lib32', 'lib64', 'libexec'];
const DATA = ['share', 'include'];

/** Folders that installations of languages, compilers and build tools have, and projects and services have not. */
const INSTALLED: ReadonlySet<string> = new Set([
  ...LIBRARIES,
  ...DATA,
  ...'bin sbin shims man doc docs legal license licenses locale completions'.split(' '),
  ...'src pkg api misc test codereview jmods demo sample init.d boot manual site-packages'.split(' '),
]);
/** An environment of Conda has folders of every name. */
const CONDA = 'conda-meta';
/** Of these, settings of an installation; those of a service would be there, too. */
const SETTINGS: ReadonlySet<string> = new Set(['etc', 'conf']);

/** Whether nothing lies beside the programs but what installations have. */
const isInstallation = (prefix: string, around: Surroundings): boolean =>
  !isPrivate(prefix, around) &&
  (isDirectory(join(prefix, CONDA)) || entriesIn(prefix).every((entry) => isInstalled(prefix, entry, around)));

function isInstalled(prefix: string, entry: Dirent, around: Surroundings): boolean {
  if (!entry.isDirectory()) return entry.isSymbolicLink() || PAPERS.test(entry.name);
  return INSTALLED.has(entry.name) || (SETTINGS.has(entry.name) && !isPrivate(join(prefix, entry.name), around));
}

/** Files for people, and those that say which version it is. */
const PAPERS = /^(?:[A-Z][A-Z_-]*|release|version|go\.env|.*\.(?:md|txt|rst|html|cfg))$/;

/** The home folder, one right below it or one above. */
const isRightBelow = (folder: string, { home }: Surroundings): boolean =>
  isWithin(home, folder) || dirname(folder) === home;

/** Of the home folder, what is known to hold secrets. */
const SECRET = ['.ssh', '.gnupg', '.aws', '.azure', '.config', '.docker', '.kube', '.mozilla', '.password-store'];

/** What an installation does not have, and a project, a home or a folder of settings has. */
export const OF_SECRETS =
  /^\.|secret|credential|passw|token|^id_(?:rsa|dsa|ecdsa|ed25519)|(?:api|private|ssh|deploy)[-_.]?key|\.(?:pem|key|env|p12|pfx|jks|keystore|kdbx|ppk)$/i;
/** The same without names that begin with a dot, which every folder of some depth has, and without code. */
const SECRET_NAME =
  /^\.env|(?:secret|credential|passw|token)(?!.*\.(?:[cm]?[jt]s|py|rb|go|so|h|hpp|md)$)|\.(?:pem|key)$/i;

/** Whether it may hold more than programs and what they need. */
function isPrivate(folder: string, around: Surroundings): boolean {
  if (isRightBelow(folder, around)) return true;
  if (isOfSettings(folder, around)) return true;
  return entriesIn(folder).some(({ name }) => OF_SECRETS.test(name) && name !== GO_SETTINGS);
}

/** Folders in a folder of programs that are looked through: so deep, and no deeper. */
const DEPTH_MAX = 2;

/** Whether a folder in it, which is none of an installation or of packages, holds what is named like a secret. */
const hasSecretsBelow = (folder: string, depth = 1): boolean =>
  entriesIn(folder)
    .filter((entry) => entry.isDirectory() && !INSTALLED.has(entry.name) && entry.name !== 'node_modules')
    .map(({ name }) => join(folder, name))
    .some(
      (inner) =>
        entriesIn(inner).some(({ name }) => SECRET_NAME.test(name)) ||
        (depth < DEPTH_MAX && hasSecretsBelow(inner, depth + 1)),
    );

/** Whether it lies where settings and keys of the user lie. */
export const isOfSettings = (folder: string, { home }: Surroundings): boolean =>
  SECRET.some((name) => isWithin(folder, join(home, name)));

/** Every installation of Go has it, and nothing of a user's is in it. */
const GO_SETTINGS = 'go.env';

/** Beyond so many entries a folder is none of programs. */
const ENTRIES_MAX = 5_000;
/** Each is an argument of bubblewrap. */
const PROGRAMS_MAX = 100;

export function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).slice(0, ENTRIES_MAX);
  } catch {
    // It is somebody else's, who lets others use what they know the name of.
    return [];
  }
}

/** In a folder of programs, what is none and looks like a secret. */
const secretsIn = (folder: string): readonly string[] =>
  entriesIn(folder)
    .filter((entry) => OF_SECRETS.test(entry.name) && !entry.isSymbolicLink())
    .map(({ name }) => join(folder, name))
    .filter((path) => !isProgram(path));

const programsIn = (folder: string): readonly string[] =>
  entriesIn(folder)
    .map(({ name }) => join(folder, name))
    .filter(isProgram)
    .slice(0, PROGRAMS_MAX);

export function isProgram(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && (found.mode & 0o111) !== 0;
}

function linksIn(folder: string): readonly string[] {
  if (isOfSystem(folder)) return [];
  const links = entriesIn(folder).filter((entry) => entry.isSymbolicLink());
  return links.map(({ name }) => join(folder, name));
}

/** The system follows no more. */
const HOPS_MAX = 40;

/** The program that a path leads to, and the links on the way. */
function wayOf(path: string): readonly string[] {
  try {
    const aim = realpathSync(path);
    // Beside a folder lies what has nothing to do with programs: the parent of all, for a link to its own folder. A file
    // that nobody can start may hold anything.
    if (!isProgram(aim)) return [];
    const way = [aim];
    let at = path;
    for (let hops = 0; hops < HOPS_MAX && lstatSync(at).isSymbolicLink(); hops += 1) {
      at = resolve(dirname(at), readlinkSync(at));
      way.push(at);
    }
    return way;
  } catch {
    // It leads nowhere.
    return [];
  }
}

export const mayBeShown = (path: string, { home, hidden }: Surroundings): boolean =>
  path !== '/' &&
  !isOfSystem(path) &&
  !isWithin(home, path) &&
  !hidden.some((one) => isWithin(one, path) || isWithin(path, one));

export const isOfSystem = (folder: string): boolean => SYSTEM_FOLDERS.some((one) => isWithin(folder, one));

/** Whether a folder is another or lies in it. */
export const isWithin = (inner: string, outer: string): boolean =>
  inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);

/** A PATH may name folders of somebody else, which we may not even look at. */
export const isDirectory = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();
