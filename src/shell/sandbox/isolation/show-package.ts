// The folder to which a script belongs, as far as it may be seen inside.
//
// show-package/S1. A package is shown without what may be secret in it: names with a dot at their beginning, keys, tokens.
// show-package/S2. Never the home folder, a folder above it, or one of settings.
import { existsSync, realpathSync, type Dirent } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import {
  entriesIn,
  isDirectory,
  isOfSettings,
  isWithin,
  mayBeShown,
  OF_SECRETS,
  showProgram,
  type Surroundings,
} from './toolchains.ts';

/** By which the root of a package is known. */
const MARKERS = [
  'package.json',
  'pyproject.toml',
  'setup.py',
  'pyvenv.cfg',
  'go.mod',
  'Cargo.toml',
  'Gemfile',
  'deno.json',
];
/** Folders of packages hold names of every kind, and nothing of the user's. */
const PACKAGES: ReadonlySet<string> = new Set([
  'node_modules',
  'site-packages',
  'dist-packages',
  'vendor',
  '.yarn',
  '.venv',
]);
const NEEDED: ReadonlySet<string> = new Set([...PACKAGES, '.pnp.cjs', '.pnp.loader.mjs']);
const CODE: ReadonlySet<string> = new Set([
  '.js',
  '.mjs',
  '.cjs',
  '.ts',
  '.mts',
  '.py',
  '.rb',
  '.go',
  '.rs',
  '.php',
  '.lua',
]);

/** More entries than this nobody looks through, and more parts than this are not shown one by one. */
const ENTRIES_MAX = 5_000;
const PARTS_MAX = 200;

/** Undefined where nothing of it may be shown; the file alone where it belongs to no package. */
export function showScript(file: string, around: Surroundings): readonly string[] | undefined {
  const real = realpathSync(file);
  if (!mayBeShown(real, around)) return undefined;
  const root = packageAbove(dirname(real), around);
  const shown = root === undefined ? [] : showPackage(root, around);
  return [...new Set([file, real, ...(shown ?? [])])];
}

/** Undefined where the folder is no package, or may not be shown. */
export function showPackage(folder: string, around: Surroundings): readonly string[] | undefined {
  if (packageAbove(folder, around) !== folder) return undefined;
  const looked = { entries: 0 };
  const parts = partsOf(folder, looked).filter((part) => mayBeShown(part, around));
  if (looked.entries > ENTRIES_MAX || parts.length > PARTS_MAX) return undefined;
  return [...parts, ...packagesBeside(folder, around), ...showInterpreter(folder, around)];
}

/** That of a virtual environment of Python is a link to one elsewhere. */
export const showInterpreter = (folder: string, around: Surroundings): readonly string[] =>
  existsSync(join(folder, 'pyvenv.cfg')) ? showProgram(join(folder, 'bin', 'python'), around) : [];

/** The nearest folder that is the root of a package. */
function packageAbove(folder: string, around: Surroundings): string | undefined {
  if (isWithin(around.home, folder) || isOfSettings(folder, around)) return undefined;
  if (MARKERS.some((name) => existsSync(join(folder, name)))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : packageAbove(parent, around);
}

/** Node looks for packages in all folders above. */
function packagesBeside(folder: string, around: Surroundings): readonly string[] {
  const parent = dirname(folder);
  if (parent === folder || isWithin(around.home, parent)) return [];
  const packages = join(parent, 'node_modules');
  return [...(isDirectory(packages) ? [packages] : []), ...packagesBeside(parent, around)];
}

/** The whole folder where nothing in it may be secret, else its parts without that. */
function partsOf(folder: string, looked: { entries: number }): readonly string[] {
  const entries = entriesIn(folder);
  looked.entries += entries.length;
  if (looked.entries > ENTRIES_MAX) return [];
  const open = entries.filter((entry) => !maySecret(entry));
  const parts = open.flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() && !PACKAGES.has(entry.name) ? partsOf(path, looked) : [path];
  });
  const whole = new Set(parts);
  const isWhole = open.length === entries.length && open.every(({ name }) => whole.has(join(folder, name)));
  return isWhole ? [folder] : parts;
}

const maySecret = (entry: Dirent): boolean =>
  OF_SECRETS.test(entry.name) &&
  !NEEDED.has(entry.name) &&
  (entry.name.startsWith('.') || !entry.isFile() || !CODE.has(extname(entry.name)));
