// Python: absolute imports from any enclosing folder of the file, relative imports by their dots.

import { foldersAround, parentFolderOf } from './tree-index.ts';
import type { TreeIndex } from './tree-index.ts';
import { scanned } from './language.ts';
import type { Language } from './language.ts';

const IMPORT = /^[ \t]*import[ \t]+([\w., \t]+)/gm;
const FROM = /^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(?:\(([^()]*)\)|([^\n]*))/gm;

export const PYTHON: Language = {
  extensions: ['py', 'pyi', 'pyx'],
  scan: (text) => scanned([...plainImports(text), ...namesFrom(text)]),
  resolve: ({ from, name, index }) => {
    const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(name) ?? [];
    const around = foldersAround(parentFolderOf(from));
    const folders =
      dots === ''
        ? [...around, ...around.map((folder) => under(folder, 'src'))]
        : around.slice(dots.length - 1).slice(0, 1);
    for (const folder of folders) {
      const found = moduleAt({ folder, dotted: rest, isRelative: dots !== '' }, index);
      if (found !== undefined) return [found];
    }
    return [];
  },
};

function plainImports(text: string): readonly string[] {
  return [...text.matchAll(IMPORT)].flatMap(([, list = '']) =>
    list.split(',').map((one) => one.trim().split(/\s+/)[0] ?? ''),
  );
}

/** `from a import b` may name the module a.b or a member of the module a; the longer name is tried first. */
function namesFrom(text: string): readonly string[] {
  return [...text.matchAll(FROM)].flatMap(([, module = '', bracketed, plain]) => {
    const names = (bracketed ?? plain ?? '').replace(/#.*$/gm, '').split(',');
    const words = names.flatMap((one) => /^\s*(\w+)/.exec(one)?.[1] ?? []);
    return words.length === 0
      ? [module]
      : words.map((word) => (/\.$|^$/.test(module) ? `${module}${word}` : `${module}.${word}`));
  });
}

const under = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

interface ModuleName {
  readonly folder: string;
  readonly dotted: string;
  readonly isRelative: boolean;
}

/** The module itself or, since the last name may be a member, the enclosing module. */
function moduleAt({ folder, dotted, isRelative }: ModuleName, index: TreeIndex): string | undefined {
  const names = dotted === '' ? [] : dotted.split('.');
  for (const depth of [names.length, names.length - 1]) {
    // With no name left it is the file's own package, which only a relative import can name.
    if (depth < 0 || (depth === 0 && !isRelative)) continue;
    const base = names.slice(0, depth).reduce(under, folder);
    const modules = depth === 0 ? [] : [`${base}.py`, `${base}.pyi`];
    const found = [...modules, under(base, '__init__.py')].find((candidate) => index.has(candidate));
    if (found !== undefined) return found;
  }
  return undefined;
}
