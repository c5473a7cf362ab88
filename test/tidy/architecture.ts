// Reads the import table and the map out of ARCHITECTURE.md, so that the document and the wall cannot differ.
import type { Violation } from './violation.ts';

export interface Row {
  /** A folder or file under `src/`: `core/net`, `cli/main.ts`; or `web`, which lies beside it. */
  readonly part: string;
  /** Other parts it may import. */
  readonly parts: readonly string[];
  /** Packages it may import; `node:*` stands for all that Node brings. */
  readonly packages: readonly string[];
  readonly line: number;
}

const codeWords = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');

const headingLine = (lines: readonly string[], heading: string): number =>
  lines.findIndex((line) => line.trim() === heading);

/** The lines of a section with their numbers, from its heading to the next one of the same depth. */
const sectionOf = (text: string, heading: string): readonly { readonly text: string; readonly line: number }[] => {
  const lines = text.split('\n');
  const from = headingLine(lines, heading);
  if (from < 0) return [];
  const length = lines.slice(from + 1).findIndex((line) => line.startsWith('## '));
  const to = length < 0 ? lines.length : from + 1 + length;
  return lines.slice(from + 1, to).map((line, index) => ({ text: line, line: from + 2 + index }));
};

/** The table under "## Imports", a row for each part, with all that the part may import, directly or by way of another. */
export function importTable(text: string): readonly Row[] {
  const rows = sectionOf(text, '## Imports').flatMap(({ text: lineText, line }) => {
    if (!lineText.startsWith('|')) return [];
    const [, names = '', parts = '', packages = ''] = lineText.split('|');
    return codeWords(names).map((part) => ({ part, parts: codeWords(parts), packages: codeWords(packages), line }));
  });
  const partsOf = new Map(rows.map(({ part, parts }) => [part, parts]));
  return rows.map((row) => ({ ...row, parts: reachedFrom(row.parts, partsOf) }));
}

/** A part of core or of the shell brings along what it may import; `app` does not, so that `cli` never reaches the shell. */
function reachedFrom(parts: readonly string[], partsOf: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const reached = new Set(parts);
  for (const part of reached) {
    if (!part.startsWith('core/') && !part.startsWith('shell/')) continue;
    for (const below of partsOf.get(part) ?? []) reached.add(below);
  }
  return [...reached];
}

/** Where a part lies: the page is no part of the program that Node runs, so `web` lies beside `src`. */
export const folderOf = (part: string): string => (part.split('/')[0] === 'web' ? part : `src/${part}`);

/** Whether the import table has to speak for a path. */
export const isOfTable = (path: string): boolean => path.startsWith('src/') || path.startsWith('web/');

/** The row that speaks for a path from the root: the longest part that holds it. A test belongs to what it tests. */
export function rowOf(table: readonly Row[], path: string): Row | undefined {
  const owner = path.replace(/\.(test|given)\.ts$/, '.ts');
  return table
    .filter((row) => owner === folderOf(row.part) || owner.startsWith(`${folderOf(row.part)}/`))
    .toSorted((one, other) => other.part.length - one.part.length)[0];
}

/** Folders drawn under "## Map", as paths from the root, with the line each stands on. */
export function mappedFolders(text: string): ReadonlyMap<string, number> {
  const folders = new Map<string, number>();
  const open: { readonly indent: number; readonly path: string }[] = [];
  for (const { text: lineText, line } of sectionOf(text, '## Map')) {
    const match = /^( *)([\w./-]+)\/(?:\s|$)/.exec(lineText);
    const [, indent = '', name = ''] = match ?? [];
    if (match === null) continue;
    while ((open.at(-1)?.indent ?? -1) >= indent.length) open.pop();
    const above = open.at(-1)?.path;
    const path = above === undefined ? name : `${above}/${name}`;
    open.push({ indent: indent.length, path });
    folders.set(path, line);
  }
  return folders;
}

/** How deep the map goes under a folder: the parts of core and of the shell are on it, those of the rest are not. */
const depthOf = (parents: readonly string[]): number => {
  if (parents[0] !== 'src') return 1;
  return parents[1] === 'core' || parents[1] === 'shell' ? 3 : 2;
};

/** Folders of the tree that the map has to show. */
export function foldersToMap(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    const parents = path.split('/').slice(0, -1);
    if (parents.length === 0 || parents[0]?.startsWith('.')) continue;
    for (let length = 1; length <= Math.min(depthOf(parents), parents.length); length += 1) {
      folders.add(parents.slice(0, length).join('/'));
    }
  }
  return folders;
}

/** The map shows each folder, and each folder it shows exists. */
export function checkMap(text: string, paths: readonly string[]): readonly Violation[] {
  const mapped = mappedFolders(text);
  const folders = foldersToMap(paths);
  const place = { path: 'ARCHITECTURE.md', rule: 'STYLE 39' };
  const gone = [...mapped].filter(([folder]) => !paths.some((path) => path.startsWith(`${folder}/`)));
  const missing = [...folders].filter((folder) => !mapped.has(folder));
  return [
    ...gone.map(([folder, line]) => ({
      ...place,
      line,
      says: `the map shows ${folder}/, which holds no file, so a reader would look for what is not there`,
      instead: 'Remove it from the map, or add the file that makes it true',
    })),
    ...missing.map((folder) => ({
      ...place,
      line: 1,
      says: `the map does not show ${folder}/, so a reader cannot learn what it is for`,
      instead: 'Add a line for it under "## Map", or put the file where the map has room',
    })),
  ];
}
