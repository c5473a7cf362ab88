// Functions, parameter lists and folders stay small enough to be read whole. The length of files is the linter's to hold.
import { posix } from 'node:path';
import { functionsOf } from '../functions.ts';
import { isTest } from '../source.ts';
import type { Source } from '../source.ts';
import type { Violation } from '../violation.ts';

const FUNCTION_LINES_MAX = 70;
const PARAMETERS_MAX = 4;
const FOLDER_FILES_MAX = 26;

/** A `describe` only groups tests, so its length says nothing. */
const isGroupOfTests = (source: Source, argumentOf: string | undefined): boolean =>
  source.path.endsWith('.test.ts') && (argumentOf === 'describe' || argumentOf === 'each');

export const checkFunctionSize = (source: Source): readonly Violation[] =>
  functionsOf(source)
    .filter((found) => found.lines > FUNCTION_LINES_MAX && !isGroupOfTests(source, found.argumentOf))
    .map((found) => ({
      path: source.path,
      line: found.line,
      says: `this function has ${found.lines} lines and a function has at most ${FUNCTION_LINES_MAX}, so that it fits on one screen`,
      instead: 'Keep the branching here and move straight-line work into functions of its own',
      rule: 'STYLE 8',
    }));

export const checkParameters = (source: Source): readonly Violation[] =>
  functionsOf(source)
    .filter((found) => found.parameters > PARAMETERS_MAX)
    .map((found) => ({
      path: source.path,
      line: found.line,
      says: `this takes ${found.parameters} parameters and ${PARAMETERS_MAX} is the most, because a call with more cannot be read without its declaration`,
      instead: 'Take one object with named fields, all given at the call',
      rule: 'STYLE 11',
    }));

/** Counts source files directly in each folder, tests aside. */
export function checkFolders(paths: readonly string[]): readonly Violation[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    if (!/\.(ts|js)$/.test(path) || isTest(path)) continue;
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > FOLDER_FILES_MAX)
    .map(([folder, count]) => ({
      path: folder,
      line: 1,
      says: `this folder has ${count} source files; about 12 is the most, and ${FOLDER_FILES_MAX} the limit`,
      instead: 'Look for names that share a prefix: that prefix is a folder',
      rule: 'STYLE 10',
    }));
}
