// TypeScript and JavaScript: relative paths, packages of the same tree by name, and `@/` or `~/` for the source folder.
//
// Limit: `paths` of a tsconfig are not read. When a project uses others than `@/` and `~/`, read them here.

import { foldersAround, parentFolderOf, within } from './tree-index.ts';
import type { TreeIndex } from './tree-index.ts';
import { matches, scanned } from './language.ts';
import type { Language } from './language.ts';

const IMPORT = /(?:\bfrom\s*|\bimport\s*(?:\(\s*)?|\brequire\s*\(\s*)(?:'([^'\n]+)'|"([^"\n]+)"|`([^`$\n]+)`)/g;
const ENDINGS = ['.ts', '.tsx', '.js', '.jsx', '.mts', '.cts', '.mjs', '.cjs', '.d.ts', '.vue', '.svelte', '.json'];
const INDEXES = ENDINGS.map((ending) => `/index${ending}`);

export const JAVASCRIPT: Language = {
  extensions: ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs', 'vue', 'svelte'],
  scan: (text) => scanned(matches(text, IMPORT)),
  resolve: ({ from, name, index }) => {
    const target = /^\.\.?(?:\/|$)/.test(name)
      ? fileAt(within(parentFolderOf(from), name), index)
      : (aliased(from, name, index) ?? inPackage(name, index));
    return target === undefined ? [] : [target];
  },
};

/** The path itself, with an extension, as the source of a compiled file, or as the index of a folder. */
function fileAt(path: string | undefined, index: TreeIndex): string | undefined {
  if (path === undefined) return undefined;
  const plain = path.replace(/\.([mc]?)jsx?$/, '');
  const candidates = [
    path,
    ...(plain === path ? [] : ['.ts', '.tsx', '.mts', '.cts'].map((ending) => `${plain}${ending}`)),
    ...ENDINGS.map((ending) => `${path}${ending}`),
    ...INDEXES.map((ending) => `${path}${ending}`.replace(/^\//, '')),
  ];
  return candidates.find((candidate) => index.has(candidate));
}

function aliased(from: string, name: string, index: TreeIndex): string | undefined {
  const rest = /^[@~]\/(.+)$/.exec(name)?.[1];
  if (rest === undefined) return undefined;
  for (const folder of foldersAround(parentFolderOf(from))) {
    const found = fileAt(within(folder, `src/${rest}`), index) ?? fileAt(within(folder, rest), index);
    if (found !== undefined) return found;
  }
  return undefined;
}

const PACKAGE = /^(@[^/]+\/[^/]+|[^@/][^/]*)(?:\/(.+))?$/;

/** A package of the same tree is declared by its package.json. */
function inPackage(name: string, index: TreeIndex): string | undefined {
  const [, packageName = '', rest] = PACKAGE.exec(name) ?? [];
  const [declared] = index.declaring(`package ${packageName}`);
  if (declared === undefined) return undefined;
  const folder = parentFolderOf(declared);
  const places =
    rest === undefined ? ['src/index', 'index', 'lib/index', 'src/main'] : [`src/${rest}`, rest, `lib/${rest}`];
  for (const place of places) {
    const found = fileAt(within(folder, place), index);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Not a language, but the file that names packages. */
export const PACKAGE_JSON: Language = {
  extensions: [],
  scan: (text, path) => {
    const name = /^\s*"name"\s*:\s*"([^"]+)"/m.exec(text)?.[1];
    return scanned([], path.endsWith('package.json') && name !== undefined ? [`package ${name}`] : []);
  },
  resolve: () => [],
};
