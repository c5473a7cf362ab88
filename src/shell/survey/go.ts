// Go: an import names a folder below a module of a go.mod; all of its files count as imported, except tests.

import { folderOf, within } from './tree-index.ts';
import { matches, scanned } from './language.ts';
import type { Language } from './language.ts';

const SINGLE = /^[ \t]*import[ \t]+(?:[\w.]+[ \t]+)?"([^"\n]+)"/gm;
const BLOCK = /^[ \t]*import[ \t]*\(([^()]*)\)/gm;

export const GO: Language = {
  extensions: ['go'],
  scan: (text) =>
    scanned([...matches(text, SINGLE), ...matches(text, BLOCK).flatMap((block) => matches(block, /"([^"\n]+)"/g))]),
  resolve: ({ name, index }) => {
    for (let end = name.length; end > 0; end = name.lastIndexOf('/', end - 1)) {
      const [module] = index.declaring(`module ${name.slice(0, end)}`);
      const folder = module === undefined ? undefined : within(folderOf(module), name.slice(end + 1));
      if (folder !== undefined)
        return index.filesIn(folder).filter((path) => path.endsWith('.go') && !path.endsWith('_test.go'));
    }
    return [];
  },
};

/** Not a language, but the file that names modules. */
export const GO_MODULE: Language = {
  extensions: [],
  scan: (text) =>
    scanned(
      [],
      matches(text, /^module[ \t]+"?([^\s"]+)/gm).map((name) => `module ${name}`),
    ),
  resolve: () => [],
};
