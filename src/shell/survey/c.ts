// C, C++ and Objective-C: an include is relative to the file's folder, else the nearest file whose path ends with it.

import { folderOf, within } from './tree-index.ts';
import { matches, scanned } from './language.ts';
import type { Language } from './language.ts';

const INCLUDE = /^[ \t]*#[ \t]*(?:include|import)[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)/gm;

export const C: Language = {
  extensions: ['c', 'h', 'cc', 'hh', 'cpp', 'hpp', 'cxx', 'hxx', 'inl', 'ipp', 'm', 'mm', 'cu', 'cuh'],
  scan: (text) => scanned(matches(text, INCLUDE)),
  resolve: ({ from, name, index }) => {
    const beside = within(folderOf(from), name);
    if (beside !== undefined && index.has(beside)) return [beside];
    const found = index.endingIn(name.replace(/^(?:\.\.?\/)+/, ''), from);
    return found === undefined ? [] : [found];
  },
};
