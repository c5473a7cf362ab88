// PHP: a class by its namespace and file name, and files that are included by path.

import { folderOf, within } from './tree-index.ts';
import { matches, scanned, stemOf } from './language.ts';
import type { Language } from './language.ts';

const USE = /^[ \t]*use[ \t]+(?:function[ \t]+|const[ \t]+)?\\?([\w\\]*\w)(?:\\\{([^{}]*)\})?/gm;
const INCLUDE = /\b(?:require|include)(?:_once)?[ \t(]+(?:__DIR__[ \t]*\.[ \t]*)?["']([^"'\n]+)["']/g;

export const PHP: Language = {
  extensions: ['php'],
  scan: (text, path) => {
    const [namespace] = matches(text, /^[ \t]*(?:<\?php[ \t]+)?namespace[ \t]+([\w\\]+)/gm);
    const own = namespace === undefined ? stemOf(path) : `${namespace}\\${stemOf(path)}`;
    return scanned([...classesUsed(text), ...matches(text, INCLUDE).map((name) => `./${name}`)], [`php ${own}`]);
  },
  resolve: ({ from, name, index }) => {
    if (!name.startsWith('./')) return index.declaring(`php ${name}`).slice(0, 1);
    const beside = within(folderOf(from), name.slice(2).replace(/^\//, ''));
    if (beside !== undefined && index.has(beside)) return [beside];
    const found = index.endingIn(name.replace(/^[./]+/, ''), from);
    return found === undefined ? [] : [found];
  },
};

function classesUsed(text: string): readonly string[] {
  return [...text.matchAll(USE)].flatMap(([, name = '', group]) => {
    if (group === undefined) return [name];
    return group
      .split(',')
      .flatMap((one) => /^\s*([\w\\]+)/.exec(one)?.[1] ?? [])
      .map((inner) => `${name}\\${inner}`);
  });
}
