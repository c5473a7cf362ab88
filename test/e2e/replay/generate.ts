// A repository with many merges of all that makes merging hard: renames of files and folders, names that differ by case
// alone, modes, links, files that are no text, other ends of lines, attributes, submodules, and branches that merged
// each other.
import { mkdirSync } from 'node:fs';
import { chance } from '../../../src/core/schedule/chance.ts';
import { gitIn } from './merge-in-checkout.ts';

type Random = ReturnType<typeof chance>;

interface Entry {
  readonly mode: '100644' | '100755' | '120000' | '160000';
  /** The content; the id of a commit where it is a submodule. */
  readonly content: Buffer;
}

type Tree = Map<string, Entry>;

interface Commit {
  readonly mark: number;
  readonly tree: Tree;
}

export interface GenerateOptions {
  readonly folder: string;
  readonly seed: number;
  readonly merges: number;
}

const FOLDERS = ['src', 'src/deep', 'docs', 'ü x'];
const LINES = 16;
const CHANGES_MAX = 4;
/** Merges build on others, so that there are histories with several merge bases. */
const TIPS_MAX = 6;

/** Its merges hold the tree of their first parent: what they should hold is the question. */
export function generate({ folder, seed, merges }: GenerateOptions): void {
  const random = chance(seed);
  mkdirSync(folder, { recursive: true });
  gitIn(folder, ['init', '--quiet', '--initial-branch=main']);
  const parts: string[] = [];
  let mark = 0;
  const commit = (tree: Tree, parents: readonly number[]): Commit => {
    mark += 1;
    parts.push(textOf({ mark, tree }, parents));
    return { mark, tree };
  };
  let tips: readonly Commit[] = [commit(baseTree(), [])];
  for (let count = 0; count < merges; count += 1) {
    const [from, other] = [pick(tips, random), pick(tips, random)];
    const ours = commit(changed(from.tree, random), [from.mark]);
    const theirs = commit(changed(other.tree, random), [other.mark]);
    const merged = commit(ours.tree, [ours.mark, theirs.mark]);
    tips = [...tips, ours, theirs, merged].slice(-TIPS_MAX);
    parts.push(`reset refs/heads/merge-${count}\nfrom :${merged.mark}\n\n`);
  }
  gitIn(folder, ['fast-import', '--quiet', '--force'], Buffer.from(parts.join(''), 'latin1'));
  gitIn(folder, ['symbolic-ref', 'HEAD', 'refs/heads/merge-0']);
}

const pick = <Item>(items: readonly Item[], random: Random): Item => {
  const item = items[random.below(items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
};

function baseTree(): Tree {
  const tree: Tree = new Map();
  const linesOf = (path: string, end: string): Buffer =>
    Buffer.from(Array.from({ length: LINES }, (_, line) => `${path} has a line ${line} of its own${end}`).join(''));
  for (const folder of FOLDERS) {
    for (const name of ['one', 'two', 'Three'])
      tree.set(`${folder}/${name}`, { mode: '100644', content: linesOf(`${folder}/${name}`, '\n') });
  }
  tree.set('docs/windows.txt', { mode: '100644', content: linesOf('docs/windows.txt', '\r\n') });
  tree.set('src/list.union', { mode: '100644', content: linesOf('src/list.union', '\n') });
  tree.set('picture.bin', { mode: '100644', content: Buffer.from([0, 1, 2, 3, 0, 255]) });
  tree.set('module', { mode: '160000', content: Buffer.from('1'.repeat(40)) });
  tree.set('.gitattributes', { mode: '100644', content: Buffer.from('*.union merge=union\n*.lock -merge\n') });
  return tree;
}

function changed(from: Tree, random: Random): Tree {
  const tree: Tree = new Map(from);
  for (let left = 1 + random.below(CHANGES_MAX); left > 0; left -= 1) changeOnce(tree, random);
  return tree;
}

type Change = (tree: Tree, path: string, random: Random) => void;

const CHANGES: readonly Change[] = [
  edit,
  edit,
  edit,
  edit,
  (tree, path, random) => put(tree, `${folderOf(path)}added ${random.below(3)}.lock`, text(`${random.below(3)}\n`)),
  (tree, path) => void tree.delete(path),
  (tree, path, random) => move(tree, path, `${pick(FOLDERS, random)}/moved ${random.below(2)}`),
  (tree, path, random) => moveFolder(tree, folderOf(path), `moved-${random.below(2)}/`),
  (tree, path) => move(tree, path, swappedCase(path)),
  (tree, path) => {
    const entry = tree.get(path);
    if (entry?.mode.startsWith('100') === true)
      tree.set(path, { ...entry, mode: entry.mode === '100755' ? '100644' : '100755' });
  },
  (tree, path) => put(tree, path, { mode: '120000', content: Buffer.from('one') }),
  (tree, path) => put(tree, `${path}/below`, text('below\n')),
  (tree, _, random) =>
    put(tree, 'module', { mode: '160000', content: Buffer.from(String(1 + random.below(4)).repeat(40)) }),
  (tree, _, random) =>
    put(tree, 'picture.bin', { mode: '100644', content: Buffer.from([0, random.below(3), 2, 3, 0, 255]) }),
  (tree, path) => {
    const entry = tree.get(path);
    if (entry?.mode === '100644')
      tree.set(path, {
        ...entry,
        content: Buffer.from(entry.content.toString('latin1').replaceAll(/\r?\n/g, '\r\n'), 'latin1'),
      });
  },
];

function changeOnce(tree: Tree, random: Random): void {
  const paths = [...tree.keys()].filter((path) => path !== '.gitattributes').sort();
  if (paths.length > 0) pick(CHANGES, random)(tree, pick(paths, random), random);
}

const text = (content: string): Entry => ({ mode: '100644', content: Buffer.from(content) });
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
const swappedCase = (path: string): string => (path === path.toLowerCase() ? path.toUpperCase() : path.toLowerCase());

function edit(tree: Tree, path: string, random: Random): void {
  const entry = tree.get(path);
  if (entry === undefined || !entry.mode.startsWith('100')) return;
  const lines = entry.content.toString('latin1').split('\n');
  lines[random.below(Math.max(1, lines.length - 1))] = `edited to ${random.below(3)}`;
  tree.set(path, { ...entry, content: Buffer.from(lines.join('\n'), 'latin1') });
}

/** What is in the way, as a file above or as a folder of this name, goes. */
function put(tree: Tree, path: string, entry: Entry): void {
  for (const other of tree.keys()) if (path.startsWith(`${other}/`) || other.startsWith(`${path}/`)) tree.delete(other);
  tree.set(path, entry);
}

function move(tree: Tree, from: string, to: string): void {
  const entry = tree.get(from);
  tree.delete(from);
  if (entry !== undefined) put(tree, to, entry);
}

function moveFolder(tree: Tree, from: string, to: string): void {
  if (from === '') return;
  // Chosen before anything is moved, because what was moved may have a name that is to be moved.
  const paths = [...tree.keys()].filter((path) => path.startsWith(from));
  for (const path of paths) move(tree, path, `${to}${path.slice(from.length)}`);
}

/** As `fast-import` reads it, a letter for each byte. */
function textOf({ mark, tree }: Commit, parents: readonly number[]): string {
  const [first, second] = parents;
  const head = `commit refs/heads/work\nmark :${mark}\ncommitter User <user@localhost> ${1_700_000_000 + mark} +0000\ndata 0\n`;
  const onto = first === undefined ? '' : `from :${first}\n`;
  const also = second === undefined ? '' : `merge :${second}\n`;
  const files = [...tree].map(([path, { mode, content }]) => {
    const name = `"${Buffer.from(path).toString('latin1')}"`;
    if (mode === '160000') return `M 160000 ${content.toString('latin1')} ${name}\n`;
    return `M ${mode} inline ${name}\ndata ${content.length}\n${content.toString('latin1')}\n`;
  });
  return `${head}${onto}${also}deleteall\n${files.join('')}\n`;
}
