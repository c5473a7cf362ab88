// The whole tree, read as git sees it, against the rules of STYLE.md. The rules themselves are tested beside them.
import { describe, expect, test } from 'vitest';
import { isSupported } from '../../bin/supported-node.js';
import { checkMap, folderOf, importTable } from './architecture.ts';
import { checkEngines } from './rules/engines.ts';
import { checkCycles, checkGiven, checkImports, checkProcesses, checkRenames, checkShell } from './rules/imports.ts';
import {
  checkDepth,
  checkFolderCycles,
  checkFolders,
  checkLabels,
  checkSameNames,
  checkSmallFolders,
} from './rules/file-layout.ts';
import { checkDeclared, checkFileName, checkMainExport, checkSameExports } from './rules/names.ts';
import { checkFunctionSize, checkParameters } from './rules/sizes.ts';
import {
  checkAssertions,
  checkClaims,
  checkClasses,
  checkExports,
  checkPurity,
  checkSwitches,
} from './rules/values.ts';
import { checkComments, checkProse, checkSkipped, checkTestNames, checkText } from './rules/words.ts';
import { listFiles, readSources, readText } from './source-tree.ts';
import { holds } from './violation.ts';

const paths = listFiles();
const sources = readSources(paths);
const architecture = readText('ARCHITECTURE.md');
const table = importTable(architecture);
const documents = paths.filter((path) => path.endsWith('.md'));
const texts = paths.filter((path) => /\.(md|ts|tsx|css|html|js|json|yaml|yml|sh)$/.test(path) || path === '.ci/run');

describe('shape', () => {
  test('imports follow the table in ARCHITECTURE.md', () => {
    expect(table.length).toBeGreaterThan(5);
    holds(sources.flatMap((source) => checkImports(table, source)));
  });
  test('every row of the import table speaks for something that exists', () => {
    const gone = table.filter(
      ({ part }) => !paths.some((path) => path === folderOf(part) || path.startsWith(`${folderOf(part)}/`)),
    );
    expect(gone.map(({ part }) => part)).toEqual([]);
  });
  test('parts of the shell do not import each other, and only src/app names them', () => {
    holds(sources.flatMap(checkShell));
    holds(sources.flatMap(checkProcesses));
  });
  test('what is published imports nothing that is for tests alone', () => holds(sources.flatMap(checkGiven)));
  test('no imports go in a circle', () => holds(checkCycles(sources)));
  test('folders do not import each other', () => holds(checkFolderCycles(sources)));
  test('the map in ARCHITECTURE.md shows the folders that exist', () => holds(checkMap(architecture, paths)));
});

describe('size', () => {
  test('functions fit on one screen', () => holds(sources.flatMap(checkFunctionSize)));
  test('parameter lists stay short', () => holds(sources.flatMap(checkParameters)));
  test('folders stay small', () => holds(checkFolders(paths)));
  test('folders have something to order', () => holds(checkSmallFolders(paths)));
  test('folders stay near src', () => holds(checkDepth(paths)));
});

describe('names', () => {
  test('no two files share a name', () => holds(checkSameNames(paths)));
  test('no two files export the same name', () => holds(checkSameExports(sources)));
  test('files are named for a thing', () => holds(sources.flatMap(({ path }) => checkFileName(path))));
  test('files are named for their main export', () => holds(sources.flatMap(checkMainExport)));
  test('declared names are whole words with a meaning', () => holds(sources.flatMap(checkDeclared)));
  test('nothing is renamed on import', () => holds(sources.flatMap(checkRenames)));
  test('no file only passes on what others export', () => holds(sources.flatMap(checkExports)));
});

describe('types and values', () => {
  test('nothing is claimed with an exclamation mark', () => holds(sources.flatMap(checkClaims)));
  test('type assertions give their reason', () => holds(sources.flatMap(checkAssertions)));
  test('switches over a type name every variant', () => holds(sources.flatMap(checkSwitches)));
  test('core reaches for nothing outside itself', () => holds(sources.flatMap(checkPurity)));
  test('core has no classes', () => holds(sources.flatMap(checkClasses)));
});

describe('words', () => {
  test('comments give reasons and silence nothing', () => holds(sources.flatMap(checkComments)));
  test('labels of invariants are unique', () => holds(checkLabels(sources)));
  test('every test runs', () => holds(sources.flatMap(checkSkipped)));
  test('the name of a test is a sentence', () => holds(sources.flatMap(checkTestNames)));
  test('documents make no promises and cite no tickets', () => {
    holds(documents.flatMap((path) => checkProse(path, readText(path))));
  });
  test('no file names a machine or a registry', () => holds(texts.flatMap((path) => checkText(path, readText(path)))));
  test('ARCHITECTURE.md can be read in ten minutes', () => {
    expect(architecture.split('\n').length, 'STYLE 39: keep ARCHITECTURE.md under 200 lines').toBeLessThan(200);
  });
});

describe('the package', () => {
  test('package.json asks for the Nodes that the launcher accepts', () => {
    holds(checkEngines(readText('package.json'), isSupported));
  });
});
