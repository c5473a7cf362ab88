// Java and Kotlin: a class by its package and file name; of a whole package, the files whose names occur.
//
// Limit: code of the same package needs no import, so such imports are not seen.

import { matches, namedBy, scanned, stemOf, typesNamedIn } from './language.ts';
import type { Language } from './language.ts';

const IMPORT = /^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]*\w(?:\.\*)?)/gm;

export const JAVA: Language = {
  extensions: ['java', 'kt', 'kts'],
  scan: (text, path) => {
    const [name] = matches(text, /^[ \t]*package[ \t]+([\w.]+)/gm);
    const found = scanned(
      matches(text, IMPORT),
      name === undefined ? [] : [`java ${name}.${stemOf(path)}`, `java ${name}.*`],
    );
    const isWhole = found.imports.some((each) => each.endsWith('.*'));
    return isWhole ? { ...found, words: typesNamedIn(text) } : found;
  },
  resolve: ({ name, words, index }) => {
    if (name.endsWith('.*') && index.declaring(`java ${name}`).length > 0)
      return namedBy(index.declaring(`java ${name}`), words);
    // A static import names a member of a class, and a Kotlin import may name a function in any file of the package.
    for (let end = name.length; end > 0; end = name.lastIndexOf('.', end - 1)) {
      const [found] = index.declaring(`java ${name.slice(0, end)}`);
      if (found !== undefined) return [found];
    }
    return [];
  },
};
