// Rules that the linter has already are held by .oxlintrc.json; here each is planted once, so that none is lost from there.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from './source-tree.ts';

const LINES_300 = `export const a = 1;\n${'// More of it.\n'.repeat(299)}`;

/** By file: its text, and the rules that it breaks. */
const PLANTED: Readonly<Record<string, readonly [text: string, ...broken: string[]]>> = {
  'src/long.ts': [`${LINES_300}// Too much.\n`, 'max-lines'],
  'src/long-enough.ts': [LINES_300],
  'src/long.test.ts': [`${LINES_300}// Too much.\n`],
  'src/any.ts': ['export let a: any;\n', 'no-explicit-any'],
  'src/any-argument.ts': ['export const a = new Map<string, any>();\n', 'no-explicit-any'],
  'src/claim.ts': ['declare const b: { c?: number };\nexport const a = b.c!;\n', 'no-non-null-assertion'],
  'src/default.ts': ['export default 1;\n', 'no-default-export'],
  'own.config.ts': ['export default 1;\n'],
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-lint-'));
  for (const [path, [text]] of Object.entries(PLANTED)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Finding {
  readonly code: string;
  readonly filename: string;
}

const lint = (): Promise<readonly Finding[]> =>
  new Promise((resolve) => {
    const words = ['-c', join(root, '.oxlintrc.json'), '--format', 'json', '.'];
    // It exits with 1 for what it finds; what it prints says whether it ran.
    execFile(join(root, 'node_modules', '.bin', 'oxlint'), words, { cwd: folder }, (_, stdout) => {
      // Its form is its own.
      resolve((JSON.parse(stdout) as { readonly diagnostics: readonly Finding[] }).diagnostics);
    });
  });

test('the linter finds what is planted, and nothing else', async () => {
  const found = (await lint()).map(({ filename, code }) => `${filename}: ${/\(([^)]*)\)/.exec(code)?.[1] ?? code}`);
  const expected = Object.entries(PLANTED).flatMap(([path, [, ...broken]]) => broken.map((rule) => `${path}: ${rule}`));
  expect(found.toSorted()).toEqual(expected.toSorted());
});
