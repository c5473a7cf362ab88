// Random pairs of branches off one base, written in one go, with all that makes merges hard: edits of the same lines,
// deletions, renames of files and folders, files that become folders, modes, links.
import { execFileSync } from 'node:child_process';
import { chance } from '../../src/core/schedule/chance.ts';

export interface Pair {
  readonly ours: string;
  readonly theirs: string;
}

interface Entry {
  readonly mode: '100644' | '100755' | '120000';
  readonly text: string;
}

type Tree = Map<string, Entry>;
type Random = ReturnType<typeof chance>;

const FOLDERS = ['a', 'a/b', 'c', 'ü x', '-d'];
const FILES_OF_FOLDER = 3;
const LINES = 12;
const CHANGES_MAX = 5;

export interface Histories {
  readonly base: string;
  readonly pairs: readonly Pair[];
}

export function writeHistories(folder: string, seed: number, count: number): Histories {
  const random = chance(seed);
  const base = baseTree();
  const parts = [commitOf('base', undefined, base)];
  for (let pair = 0; pair < count; pair += 1) {
    for (const side of ['ours', 'theirs']) parts.push(commitOf(`${side}-${pair}`, 'base', changed(base, random)));
  }
  const run = (args: readonly string[], input: string): string =>
    execFileSync('git', args, { cwd: folder, input, encoding: 'utf8', maxBuffer: 2 ** 30 });
  run(['fast-import', '--quiet', '--force'], parts.join(''));
  const listed = run(['for-each-ref', '--format=%(refname:lstrip=2) %(objectname)', 'refs/random'], '');
  const idOf = new Map(
    listed.split('\n').map((line): [string, string] => [line.split(' ')[0] ?? '', line.split(' ')[1] ?? '']),
  );
  return {
    base: idOf.get('base') ?? '',
    pairs: Array.from({ length: count }, (_, pair) => ({
      ours: idOf.get(`ours-${pair}`) ?? '',
      theirs: idOf.get(`theirs-${pair}`) ?? '',
    })),
  };
}

function baseTree(): Tree {
  const tree: Tree = new Map();
  for (const folder of FOLDERS) {
    for (let file = 0; file < FILES_OF_FOLDER; file += 1) {
      const path = `${folder}/file ${file}`;
      const lines = Array.from({ length: LINES }, (_, line) => `${path} has a line ${line} of its own`);
      tree.set(path, { mode: '100644', text: `${lines.join('\n')}\n` });
    }
  }
  return tree;
}

function changed(base: Tree, random: Random): Tree {
  const tree: Tree = new Map(base);
  const changes = 1 + random.below(CHANGES_MAX);
  for (let change = 0; change < changes; change += 1) changeOnce(tree, random);
  return tree;
}

function changeOnce(tree: Tree, random: Random): void {
  const paths = [...tree.keys()].sort();
  const path = paths[random.below(paths.length)] ?? '';
  const entry = tree.get(path);
  if (entry === undefined) return;
  const kind = random.below(10);
  if (kind < 4) tree.set(path, { ...entry, text: edited(entry.text, random) });
  else if (kind === 4)
    put(tree, `${folderOf(path)}/added ${random.below(3)}`, { mode: '100644', text: `${random.below(2)}\n` });
  else if (kind === 5) tree.delete(path);
  else if (kind === 6) move(tree, path, `${FOLDERS[random.below(FOLDERS.length)] ?? ''}/moved ${random.below(2)}`);
  else if (kind === 7) moveFolder(tree, folderOf(path), `moved-${random.below(2)}`);
  else if (kind === 8) tree.set(path, { ...entry, mode: entry.mode === '100755' ? '100644' : '100755' });
  else put(tree, random.below(2) === 0 ? `${path}/below` : path, { mode: '120000', text: 'target' });
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** What is in the way, as a file above or as a folder of this name, goes. */
function put(tree: Tree, path: string, entry: Entry): void {
  for (const other of tree.keys()) {
    if (path.startsWith(`${other}/`) || other.startsWith(`${path}/`)) tree.delete(other);
  }
  tree.set(path, entry);
}

function move(tree: Tree, from: string, to: string): void {
  const entry = tree.get(from);
  tree.delete(from);
  if (entry !== undefined) put(tree, to, entry);
}

function moveFolder(tree: Tree, from: string, to: string): void {
  // Chosen before anything is moved, because what was moved may have a name that is to be moved.
  const paths = [...tree.keys()].filter((path) => path.startsWith(`${from}/`));
  for (const path of paths) move(tree, path, `${to}${path.slice(from.length)}`);
}

function edited(text: string, random: Random): string {
  const lines = text.split('\n');
  lines[random.below(Math.max(1, lines.length - 1))] = `edited to ${random.below(3)}`;
  return lines.join('\n');
}

function commitOf(name: string, from: string | undefined, tree: Tree): string {
  const head = `commit refs/random/${name}\ncommitter User <user@localhost> 1700000000 +0000\ndata 0\n`;
  const files = [...tree].map(
    ([path, { mode, text }]) => `M ${mode} inline "${path}"\ndata ${Buffer.byteLength(text)}\n${text}\n`,
  );
  return `${head}${from === undefined ? '' : `from refs/random/${from}\ndeleteall\n`}${files.join('')}\n`;
}
