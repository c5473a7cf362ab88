// Ruby: `require_relative` from the file, `require` and `load` by the end of a path.
//
// Limit: constants that a framework loads by name are not seen.

import { folderOf, within } from './tree-index.ts';
import { matches, scanned } from './language.ts';
import type { Language } from './language.ts';

const RELATIVE = /^[ \t]*require_relative[ \t(]+["']([^"'\n]+)["']/gm;
const REQUIRE = /^[ \t]*(?:require|load)[ \t(]+["']([^"'\n]+)["']/gm;
const AUTOLOAD = /^[ \t]*autoload[ \t(]+:\w+[ \t]*,[ \t]*["']([^"'\n]+)["']/gm;

const withEnding = (name: string): string => (name.endsWith('.rb') ? name : `${name}.rb`);

export const RUBY: Language = {
  extensions: ['rb', 'rake'],
  scan: (text) =>
    scanned([
      ...matches(text, RELATIVE).map((name) => (name.startsWith('.') ? name : `./${name}`)),
      ...matches(text, REQUIRE),
      ...matches(text, AUTOLOAD),
    ]),
  resolve: ({ from, name, index }) => {
    const target = name.startsWith('.')
      ? within(folderOf(from), withEnding(name))
      : index.endingIn(withEnding(name), from);
    return target === undefined ? [] : [target];
  },
};
