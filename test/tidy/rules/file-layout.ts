// Where files lie and what they are called: folders are few, small and on one side of each other, and one search finds one
// thing.
import { posix } from 'node:path';
import { isOfTable } from '../architecture.ts';
import { importsOf } from '../read-imports.ts';
import { isTest, type Source } from '../source.ts';
import { circlesIn } from './imports.ts';
import { PUBLISHED } from './values.ts';
import type { Violation } from '../violation.ts';

const FOLDER_FILES_MAX = 25;
const FOLDER_FILES_MIN = 3;
const LEVELS_MAX = 3;

const isCode = (path: string): boolean => /\.(ts|tsx|js)$/.test(path) && !path.endsWith('.d.ts');

/** Counts source files directly in each folder, tests aside. */
export function checkFolders(paths: readonly string[]): readonly Violation[] {
  const sources = paths.filter((path) => isCode(path) && !isTest(path));
  return [...Map.groupBy(sources, (path) => posix.dirname(path))]
    .filter(([, files]) => files.length > FOLDER_FILES_MAX)
    .map(([folder, files]) => ({
      path: folder,
      line: 1,
      says: `this folder has ${files.length} source files, and ${FOLDER_FILES_MAX} is the most that one finds one's way in`,
      instead: 'Merge what reads better together, and look for names that share a prefix: that prefix is a folder',
      rule: 'STYLE 10',
    }));
}

/** A folder of the program without subfolders has something to order. */
export function checkSmallFolders(paths: readonly string[]): readonly Violation[] {
  const sources = paths.filter((path) => /^(src|web)\//.test(path) && isCode(path) && !isTest(path));
  const folders = Map.groupBy(sources, (path) => posix.dirname(path));
  return [...folders]
    .filter(([folder, files]) => files.length < FOLDER_FILES_MIN && !isAbove(folder, [...folders.keys()]))
    .map(([folder, files]) => ({
      path: folder,
      line: 1,
      says: `a folder for ${files.length === 1 ? 'one file' : `${files.length} files`} is one more place to look in`,
      instead: 'Move them to the folder of those who use them',
      rule: 'STYLE 10',
    }));
}

const isAbove = (folder: string, others: readonly string[]): boolean =>
  others.some((other) => other.startsWith(`${folder}/`));

/** Flat and findable beats nested. */
export function checkDepth(paths: readonly string[]): readonly Violation[] {
  const folders = new Set(paths.filter(isCode).map((path) => posix.dirname(path)));
  return [...folders]
    .filter((folder) => folder.startsWith('src/') && folder.split('/').length - 1 > LEVELS_MAX)
    .map((folder) => ({
      path: folder,
      line: 1,
      says: `this folder is more than ${LEVELS_MAX} levels below src, where nobody looks`,
      instead: 'Move its files up, under names that say what the folder said',
      rule: 'STYLE 10',
    }));
}

/** What starts a folder's programs is always called main. */
const isStart = (path: string): boolean => posix.basename(path) === 'main.ts' && !path.startsWith('src/');

/** Whether a test, or what tests share, lies beside the file that it is named for. */
const isBeside = (path: string, all: ReadonlySet<string>): boolean =>
  isTest(path) && all.has(path.replace(/\.(test|given)\.ts$/, '.ts'));

/** Two files never share a name, so that going to a file by its name goes to one. */
export function checkSameNames(paths: readonly string[]): readonly Violation[] {
  const all = new Set(paths);
  const named = paths.filter((path) => isCode(path) && !isStart(path) && !isBeside(path, all));
  return [...Map.groupBy(named, (path) => posix.basename(path))]
    .filter(([, files]) => files.length > 1)
    .map(([, [first = '', ...others]]) => ({
      path: first,
      line: 1,
      says: `${others.join(' and ')} ${others.length === 1 ? 'has' : 'have'} the same name, so that one search finds several things`,
      instead: 'Name each for what only it is about',
      rule: 'STYLE 10',
    }));
}

const foldersImported = (source: Source): readonly string[] =>
  importsOf(source).flatMap(({ path }) => (path !== undefined && isOfTable(path) ? [posix.dirname(path)] : []));

/** Folders that import each other in a circle cannot be read, tested or replaced one without the others. What a package
    publishes lies in the folder that it names, above all that it passes on. */
export function checkFolderCycles(sources: readonly Source[]): readonly Violation[] {
  const program = sources.filter(({ path }) => isOfTable(path) && !isTest(path) && !PUBLISHED.has(path));
  const folders = Map.groupBy(program, ({ path }) => posix.dirname(path));
  const graph = new Map(
    [...folders].map(([folder, files]) => [folder, files.flatMap(foldersImported).filter((to) => to !== folder)]),
  );
  return circlesIn(graph).map((way) => ({
    path: way[0] ?? '',
    line: 1,
    says: `folders import each other in a circle (${[...way, way[0]].join(' → ')})`,
    instead: 'Move what both sides need to one of them, or join the folders',
    rule: 'STYLE 6',
  }));
}

/** `W1.` or `dispatcher/K1.` at the beginning of a line, as invariants are numbered in the header of a file. */
const LABEL = /^\/\/ ((?:[a-z-]+\/)?[A-Z]{1,2}\d+)\. /;

/** A label is cited in other files, so it means one thing in the program. */
export function checkLabels(sources: readonly Source[]): readonly Violation[] {
  const labels = sources.flatMap(({ path, comments }) =>
    comments.flatMap(({ text, line }) => {
      const label = LABEL.exec(text)?.[1];
      return label === undefined ? [] : [{ label, path, line }];
    }),
  );
  return [...Map.groupBy(labels, ({ label }) => label)].flatMap(([label, [first, ...others]]) => {
    const isPromise = /^P\d+$/.test(label);
    if (first === undefined || (others.length === 0 && !isPromise)) return [];
    const elsewhere = isPromise ? 'ARCHITECTURE.md' : others.map(({ path }) => path).join(' and ');
    return [
      {
        path: first.path,
        line: first.line,
        says: `the invariant ${label} is another one in ${elsewhere}, and who cites it could mean either`,
        instead: 'Put the name of the file before it, as in dispatcher/K1, here and where it is cited',
        rule: 'STYLE 29',
      },
    ];
  });
}
