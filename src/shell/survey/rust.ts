// Rust: `use` of paths in the same crate and of other crates of the tree. A `mod` locates a file and imports nothing.

import { parentFolderOf, foldersAround } from './tree-index.ts';
import type { TreeIndex } from './tree-index.ts';
import { matches, scanned, stemOf } from './language.ts';
import type { Language } from './language.ts';

const USE = /^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?use[ \t]+([^;]{1,4000});/gm;
const TREE_DEPTH_MAX = 16;

export const RUST: Language = {
  extensions: ['rs'],
  scan: (text) =>
    scanned(matches(text, USE).flatMap((tree) => spelt(tree.replace(/\s+as\s+\w+/g, '').replace(/\s+/g, ''), 0))),
  resolve: ({ from, name, index }) => {
    const [first = '', ...rest] = name.split('::');
    const found = inCrate(from, { first, rest }, index);
    return found === undefined || found === from ? [] : [found];
  },
};

/** `a::{b, c::{d}}` as `a::b` and `a::c::d`. */
function spelt(tree: string, depth: number): readonly string[] {
  const open = tree.indexOf('{');
  if (open === -1 || depth > TREE_DEPTH_MAX) return [tree];
  const inside = tree.slice(open + 1, tree.lastIndexOf('}'));
  return atCommas(inside).flatMap((part) => spelt(part, depth + 1).map((one) => `${tree.slice(0, open)}${one}`));
}

/** Splits at the commas outside of braces. */
function atCommas(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const sign = text[at];
    if (sign === '{') depth += 1;
    if (sign === '}') depth -= 1;
    if (sign !== undefined && (sign !== ',' || depth > 0)) continue;
    if (at > start) parts.push(text.slice(start, at));
    start = at + 1;
  }
  return parts;
}

interface UsePath {
  readonly first: string;
  readonly rest: readonly string[];
}

function inCrate(from: string, { first, rest }: UsePath, index: TreeIndex): string | undefined {
  if (first === 'crate') return longest(crateFolder(from, index), rest, index);
  if (first === 'self') return longest(moduleFolder(from), rest, index);
  if (first === 'super') {
    const ups = rest.findIndex((name) => name !== 'super');
    const up = ups === -1 ? rest.length : ups;
    return longest(foldersAround(moduleFolder(from))[up + 1], rest.slice(up), index);
  }
  const [crate] = index.declaring(`crate ${first}`);
  if (crate !== undefined) {
    const source = parentFolderOf(crate) === '' ? 'src' : `${parentFolderOf(crate)}/src`;
    const root = `${source}/lib.rs`;
    return longest(source, rest, index) ?? (index.has(root) ? root : undefined);
  }
  return longest(moduleFolder(from), [first, ...rest], index);
}

/** The folder of the modules below a file. */
function moduleFolder(path: string): string {
  const [folder, stem] = [parentFolderOf(path), stemOf(path)];
  if (['mod', 'lib', 'main'].includes(stem)) return folder;
  return folder === '' ? stem : `${folder}/${stem}`;
}

function crateFolder(from: string, index: TreeIndex): string | undefined {
  return foldersAround(parentFolderOf(from)).find((folder) =>
    ['lib.rs', 'main.rs'].some((root) => index.has(folder === '' ? root : `${folder}/${root}`)),
  );
}

/** The file of the longest prefix that is a module. */
function longest(folder: string | undefined, names: readonly string[], index: TreeIndex): string | undefined {
  if (folder === undefined) return undefined;
  for (let depth = names.length; depth > 0; depth -= 1) {
    const base = [...(folder === '' ? [] : [folder]), ...names.slice(0, depth)].join('/');
    const found = [`${base}.rs`, `${base}/mod.rs`].find((path) => index.has(path));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Not a language, but the file that names crates. */
export const CARGO: Language = {
  extensions: [],
  scan: (text) => {
    const name = /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/m.exec(text)?.[1];
    return scanned([], name === undefined ? [] : [`crate ${name.replaceAll('-', '_')}`]);
  },
  resolve: () => [],
};
