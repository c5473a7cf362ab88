// Functions and parameter lists stay small enough to be read whole. The length of files is the linter's to hold.
import { functionsOf } from '../functions.ts';
import type { Source } from '../source.ts';
import type { Violation } from '../violation.ts';

const FUNCTION_LINES_MAX = 70;
const PARAMETERS_MAX = 4;

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
