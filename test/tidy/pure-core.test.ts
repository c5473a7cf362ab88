// Core cannot reach the world by construction: the compiler, set up as for core and given all of core, knows none of
// the names that lead there. A package whose types brought Node's along would show here.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './source-tree.ts';

const WORLD =
  'console process performance setTimeout queueMicrotask fetch crypto Buffer require TextEncoder URL structuredClone document window navigator'.split(
    ' ',
  );

/** Compiles all of core and one file more, which names `names` one per line, and returns what the compiler says. */
const compileWithCore = (names: readonly string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-core-'));
  const probe = join(folder, 'probe.ts');
  const core = join(root, 'src', 'core');
  const compilerOptions = { composite: false, declaration: false, incremental: false, noEmit: true, rootDir: '/' };
  writeFileSync(probe, names.map((name) => `void ${name};\n`).join(''));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(core, 'tsconfig.json'),
      compilerOptions: { ...compilerOptions, tsBuildInfoFile: null },
      include: [probe, `${core}/**/*.ts`],
      exclude: [`${core}/**/*.test.ts`, `${core}/**/*.given.ts`],
    }),
  );
  const { stdout } = spawnSync('tsc', ['-p', folder], { encoding: 'utf8', shell: process.platform === 'win32' });
  rmSync(folder, { recursive: true, force: true });
  return stdout;
};

test('core knows no name that leads out of it', () => {
  const said = compileWithCore([...WORLD, 'Math']);
  const known = WORLD.filter((name) => !said.includes(`Cannot find name '${name}'`));
  expect(known, 'STYLE 1: these names lead out of core, so take their types away from it').toEqual([]);
  expect(said).not.toContain("Cannot find name 'Math'");
});
