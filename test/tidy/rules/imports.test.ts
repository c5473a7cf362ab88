import { describe, expect, test } from 'vitest';
import { importTable } from '../architecture.ts';
import { readSource } from '../source.ts';
import { checkCycles, checkGiven, checkImports, checkProcesses, checkRenames, checkShell } from './imports.ts';

const table = importTable(`## Imports
| \`core/assert.ts\` | | |
| \`core/net\` | \`core/assert.ts\` | |
| \`core/plan\` | \`core/assert.ts\` | \`ajv\`, \`@marcbachmann/cel-js\` |
| \`cli\` | \`core/plan\` | \`node:*\` |
`);
const says = (path: string, text: string) =>
  checkImports(table, readSource(path, text)).map((violation) => violation.says);

describe('the import table', () => {
  test('lets a part import itself, what its row names, and packages of its row', () => {
    expect(
      says('src/core/net/fire.ts', `import { a } from './deep/net.ts'; import { assert } from '../assert.ts';`),
    ).toEqual([]);
    expect(
      says('src/core/plan/a.ts', `import b from 'ajv/dist/2020.js'; import { c } from '@marcbachmann/cel-js';`),
    ).toEqual([]);
    expect(says('src/cli/a.ts', `import { readFileSync } from 'node:fs';`)).toEqual([]);
    expect(says('bench/main.ts', `import { a } from '../src/core/net/net.ts';`)).toEqual([]);
  });

  test('refuses a part that the row does not name, types too', () => {
    expect(says('src/core/net/fire.ts', `import type { Plan } from '../plan/plan.ts';`)).toEqual([
      'core/net imports src/core/plan/plan.ts, but the import table lets it import only: core/assert.ts',
    ]);
    expect(says('src/core/net/fire.ts', `import { a } from '../../../tools/steps.ts';`)).toHaveLength(1);
  });

  test('refuses a package that the row does not name', () => {
    expect(says('src/core/net/fire.ts', `import { z } from 'zod';`)).toEqual([
      'core/net imports the package zod, but the import table gives it: nothing',
    ]);
    expect(says('src/core/net/fire.ts', `import { readFileSync } from 'node:fs';`)).toHaveLength(1);
  });

  test('lets tests reach all of their layer and the test packages, and no other layer', () => {
    const text = `import { test } from 'vitest'; import { plan } from '../plan/plan.ts';`;
    expect(says('src/core/net/fire.test.ts', text)).toEqual([]);
    expect(says('src/core/net/fire.test.ts', `import { a } from '../../cli/main.ts';`)).toHaveLength(1);
  });

  test('asks for a row when none speaks for a file', () => {
    expect(says('src/core/stray/a.ts', '')).toEqual([expect.stringContaining('no row of the import table')]);
  });
});

describe('the shell', () => {
  const shell = (path: string, from: string) => checkShell(readSource(path, `import { a } from '${from}';`));

  test('keeps its parts apart', () => {
    expect(shell('src/shell/git/merge.ts', '../log/append.ts')).toHaveLength(1);
    expect(shell('src/shell/git/merge.ts', './refs.ts')).toEqual([]);
    expect(shell('src/shell/git/merge.ts', '../ports.ts')).toEqual([]);
  });

  test('lets sandboxes and merging stand on git, and nothing else', () => {
    expect(shell('src/shell/sandbox/tree/open.ts', '../../git/repository.ts')).toEqual([]);
    expect(shell('src/shell/merge/merge-queue.ts', '../git/repository.ts')).toEqual([]);
    expect(shell('src/shell/merge/merge-queue.ts', '../sandbox/open.ts')).toHaveLength(1);
    expect(shell('src/shell/host/serve.ts', '../git/repository.ts')).toHaveLength(1);
  });

  test('is named by src/app alone', () => {
    expect(shell('src/cli/run.ts', '../shell/git/merge.ts')).toHaveLength(1);
    expect(shell('src/shell/run.ts', './git/merge.ts')).toHaveLength(1);
    expect(shell('src/app/wire.ts', '../shell/git/merge.ts')).toEqual([]);
  });
});

test('code does not import what is for tests alone, while tests may', () => {
  const text = `import { net } from './net.given.ts';`;
  expect(checkGiven(readSource('src/core/net/fire.ts', text))).toHaveLength(1);
  expect(checkGiven(readSource('src/core/net/fire.test.ts', text))).toEqual([]);
});

test('an import that renames is named with both names', () => {
  expect(checkRenames(readSource('src/a.ts', `import { b as c } from './b.ts';`))[0]?.says).toContain('b as c');
  expect(checkRenames(readSource('src/a.ts', `import { b } from './b.ts';`))).toEqual([]);
});

test('processes are started by shell/exec alone, and by tests', () => {
  const at = (path: string) => checkProcesses(readSource(path, `import { spawn } from 'node:child_process';`));
  expect(at('src/shell/git/run/git.ts')).toHaveLength(1);
  for (const path of ['src/shell/exec/capture.ts', 'src/shell/git/git.test.ts', 'tools/test.ts'])
    expect(at(path)).toEqual([]);
});

describe('circles', () => {
  const files = (texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([path, imports]) =>
      readSource(
        path,
        imports
          .split(' ')
          .map((name) => `import type { X } from './${name}.ts';`)
          .join('\n'),
      ),
    );

  test('a circle is told once, with the way around it', () => {
    const found = checkCycles(files({ 'src/a.ts': 'b', 'src/b.ts': 'c', 'src/c.ts': 'a', 'src/d.ts': 'a' }));
    expect(found.map((violation) => violation.says)).toEqual([
      expect.stringContaining('(src/a.ts → src/b.ts → src/c.ts → src/a.ts)'),
    ]);
  });

  test('two ways to the same file are no circle', () => {
    expect(checkCycles(files({ 'src/a.ts': 'b c', 'src/b.ts': 'd', 'src/c.ts': 'd', 'src/d.ts': 'gone' }))).toEqual([]);
  });
});
