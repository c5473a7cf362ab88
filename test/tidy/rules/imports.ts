// Imports follow the table in ARCHITECTURE.md, parts of the shell stay apart, nothing is renamed, nothing goes round.
import { isOfTable, rowOf, type Row } from '../architecture.ts';
import { importsOf, type Import } from '../read-imports.ts';
import { isTest, type Source } from '../source.ts';
import type { Violation } from '../violation.ts';

/** What tests may use beyond the row of their folder. */
const TEST_PACKAGES = ['vitest', 'fast-check', 'node:*'];

/** What tests anywhere ask of the machine: programs, and time. */
const OF_ALL_TESTS = new Set(['test/needs.given.ts', 'test/patience.given.ts']);

const packageOf = (from: string): string => {
  if (from.startsWith('node:')) return 'node:*';
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
};

const listed = (names: readonly string[]): string => (names.length === 0 ? 'nothing' : names.join(', '));

const layerOf = (part: string): string => part.split('/')[0] ?? part;

const isWithin = (part: string, whole: string): boolean => part === whole || part.startsWith(`${whole}/`);

const mayImport = (table: readonly Row[], source: Source, target: string): boolean => {
  if (OF_ALL_TESTS.has(target) && isTest(source.path)) return true;
  const own = rowOf(table, source.path);
  const other = rowOf(table, target);
  if (own === undefined || other === undefined) return false;
  // A part stands for all parts below it: `core` for `core/net`.
  if (own === other || own.parts.some((part) => isWithin(other.part, part))) return true;
  return isTest(source.path) && layerOf(own.part) === layerOf(other.part);
};

const checkPath = (
  table: readonly Row[],
  source: Source,
  item: Import & { readonly path: string },
): readonly Violation[] => {
  const row = rowOf(table, source.path);
  if (row === undefined || mayImport(table, source, item.path)) return [];
  return [
    {
      path: source.path,
      line: item.line,
      says: `${row.part} imports ${item.path}, but the import table lets it import only: ${listed(row.parts)}`,
      instead:
        'Pass the value in as an argument, move the code to the side that may know both, or argue for a new cell in the table',
      rule: 'STYLE 6',
    },
  ];
};

const checkPackage = (table: readonly Row[], source: Source, item: Import): readonly Violation[] => {
  const row = rowOf(table, source.path);
  const allowed = [...(row?.packages ?? []), ...(isTest(source.path) ? TEST_PACKAGES : [])];
  if (row === undefined || allowed.includes(packageOf(item.from))) return [];
  return [
    {
      path: source.path,
      line: item.line,
      says: `${row.part} imports the package ${packageOf(item.from)}, but the import table gives it: ${listed(row.packages)}`,
      instead: 'Keep packages at the part that owns the door to them, and pass plain values inwards',
      rule: 'STYLE 6',
    },
  ];
};

/** The table holds for all files under `src/` and `web/`. */
export function checkImports(table: readonly Row[], source: Source): readonly Violation[] {
  if (!isOfTable(source.path)) return [];
  if (rowOf(table, source.path) === undefined) {
    return [
      {
        path: source.path,
        line: 1,
        says: 'no row of the import table in ARCHITECTURE.md speaks for this file, so nothing limits what it knows',
        instead: 'Add a row with the least that it must import',
        rule: 'STYLE 6',
      },
    ];
  }
  return importsOf(source).flatMap((item) =>
    item.path === undefined
      ? checkPackage(table, source, item)
      : checkPath(table, source, { ...item, path: item.path }),
  );
}

const shellPartOf = (path: string): string | undefined => /^src\/shell\/([^/]+)\//.exec(path)?.[1];

/** The composition root: the one folder where parts of the shell are put together. */
const COMPOSITION_ROOT = 'src/app/';

/** Libraries of the shell, for all of its parts. */
const LIBRARIES: ReadonlySet<string> = new Set(['exec', 'ports']);

/** What stands on git stands on real git: a port between them would only repeat it. */
const ON_GIT: ReadonlySet<string> = new Set(['sandbox', 'merge', 'workplace']);

/** Parts of the shell do not know each other, and only the composition root names them. */
export function checkShell(source: Source): readonly Violation[] {
  if (!source.path.startsWith('src/') || isTest(source.path)) return [];
  const own = shellPartOf(source.path);
  return importsOf(source).flatMap((item) => {
    const other = item.path === undefined ? undefined : shellPartOf(item.path);
    if (other === undefined || other === own || source.path.startsWith(COMPOSITION_ROOT)) return [];
    if (LIBRARIES.has(other)) return [];
    if (other === 'git' && own !== undefined && ON_GIT.has(own)) return [];
    // It is nothing but the use of the two together.
    if (own === 'workplace' && other === 'sandbox') return [];
    return [
      {
        path: source.path,
        line: item.line,
        says: `this names the concrete part shell/${other}, which only src/app may do, so that each part can be replaced alone`,
        instead: 'Take what you need as a port from shell/ports.ts and let src/app hand it in',
        rule: 'STYLE 6',
      },
    ];
  });
}

/** Processes are started by shell/exec alone, so that each has a limit and somebody who ends it. */
export function checkProcesses(source: Source): readonly Violation[] {
  const isExec = source.path.startsWith('src/shell/exec/');
  if (!source.path.startsWith('src/') || isExec || isTest(source.path)) return [];
  return importsOf(source)
    .filter(({ from }) => from === 'node:child_process')
    .map(({ line }) => ({
      path: source.path,
      line,
      says: 'this starts processes, which only shell/exec may do, so that none is without a limit or left behind',
      instead: 'Use SupervisedProcess, capture, runInForeground or startInBackground of shell/exec',
      rule: 'STYLE 6',
    }));
}

/** What is for tests alone is not built, so code that imports it would break when it is published. */
export function checkGiven(source: Source): readonly Violation[] {
  if (!isOfTable(source.path) || isTest(source.path)) return [];
  return importsOf(source)
    .filter((item) => item.path !== undefined && isTest(item.path))
    .map((item) => ({
      path: source.path,
      line: item.line,
      says: `this imports ${item.from}, which is for tests alone and is not part of what is published`,
      instead: 'Move what both need into a file of its own',
      rule: 'STYLE 32',
    }));
}

/** A thing has one name everywhere. */
export const checkRenames = (source: Source): readonly Violation[] =>
  importsOf(source).flatMap((item) =>
    item.renames.map((rename) => ({
      path: source.path,
      line: item.line,
      says: `this import renames (${rename}), and then one thing has two names to search for`,
      instead:
        'Import it under its own name; when two names clash, give one of them a better name where it is declared',
      rule: 'STYLE 17',
    })),
  );

/** Follows imports from `start` and returns the way back to it, if there is one. */
const wayBack = (graph: ReadonlyMap<string, readonly string[]>, start: string): readonly string[] | undefined => {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const path of queue) {
    for (const next of graph.get(path) ?? []) {
      if (next === start) return wayTo(cameFrom, start, path);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, path);
      queue.push(next);
    }
  }
  return undefined;
};

const wayTo = (cameFrom: ReadonlyMap<string, string>, start: string, end: string): readonly string[] => {
  const way = [end];
  for (let at = end; at !== start;) {
    at = cameFrom.get(at) ?? start;
    way.unshift(at);
  }
  return way;
};

/** The shortest circle through each node that no circle before it has. */
export function circlesIn(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const told = new Set<string>();
  return [...graph.keys()].flatMap((node) => {
    const way = told.has(node) ? undefined : wayBack(graph, node);
    for (const each of way ?? []) told.add(each);
    return way === undefined ? [] : [way];
  });
}

/** Files that import each other in a circle are one file in disguise. Each circle is told once. */
export function checkCycles(sources: readonly Source[]): readonly Violation[] {
  const known = new Set(sources.map((source) => source.path));
  const graph = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source).flatMap((item) => (item.path !== undefined && known.has(item.path) ? [item.path] : [])),
    ]),
  );
  return circlesIn(graph).map((way) => ({
    path: way[0] ?? '',
    line: 1,
    says: `imports go in a circle (${[...way, way[0]].join(' → ')}), so none of these files can be read alone`,
    instead: 'Move what both sides need into a file of its own, or join the files',
    rule: 'STYLE 6',
  }));
}
