import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BOUNDS_DEFAULT } from './source-file.ts';
import type { SourceFile } from './source-file.ts';
import { splitFiles } from './split-files.ts';
import { arbitraryBounds, arbitraryTree } from './tree.given.ts';
import { cutCycles } from './cut-cycles.ts';

const ring = (length: number): readonly SourceFile[] =>
  Array.from({ length }, (_, at) => ({
    path: `src/${String(at).padStart(3, '0')}.ts`,
    tokens: 10,
    imports: [`src/${String((at + 1) % length).padStart(3, '0')}.ts`],
  }));

describe('cutting cycles', () => {
  test('a ring that is too large is cut at one import', () => {
    const { files, cuts } = cutCycles(ring(60), BOUNDS_DEFAULT);
    expect(cuts).toHaveLength(1);
    const made = splitFiles(files, BOUNDS_DEFAULT);
    expect(made.leaves.every(({ excess }) => excess === undefined)).toBe(true);
    expect(made.leaves.length).toBeGreaterThan(2);
  });

  test('a ring that fits a task stays whole', () => {
    const { files, cuts } = cutCycles(ring(20), BOUNDS_DEFAULT);
    expect(cuts).toEqual([]);
    expect(splitFiles(files, BOUNDS_DEFAULT).leaves).toHaveLength(1);
  });

  test('a hub that everybody imports keeps its importers, and loses its own imports', () => {
    const spokes = Array.from({ length: 30 }, (_, at) => ({ path: `s${at}.ts`, tokens: 1, imports: ['hub.ts'] }));
    const hub = { path: 'hub.ts', tokens: 1, imports: spokes.slice(0, 25).map(({ path }) => path) };
    const extra = spokes.map((file, at) => ({ ...file, imports: [...file.imports, `s${(at + 1) % 30}.ts`] }));
    const { cuts } = cutCycles([hub, ...extra], BOUNDS_DEFAULT);
    expect(cuts.length).toBeLessThanOrEqual(26);
  });

  test('whatever the tree, no cycle is left that is too large, and only imports in such cycles are cut', () => {
    fc.assert(
      fc.property(arbitraryTree, arbitraryBounds, (given, bounds) => {
        const { files, cuts } = cutCycles(given, bounds);
        const before = splitFiles(given, bounds);
        expect(splitFiles(files, bounds).leaves.filter(({ excess }) => excess === 'cycle')).toEqual([]);
        const cycles = before.leaves.filter(({ excess }) => excess === 'cycle').map((leaf) => new Set(leaf.files));
        for (const { from, to } of cuts) expect(cycles.some((cycle) => cycle.has(from) && cycle.has(to))).toBe(true);
        const kept = new Set(files.flatMap(({ path, imports }) => imports.map((to) => `${path} ${to}`)));
        const known = new Set(given.map(({ path }) => path));
        for (const { path, imports } of given) {
          for (const to of imports) {
            const isCut = cuts.some((cut) => cut.from === path && cut.to === to);
            if (known.has(to) && to !== path) expect(kept.has(`${path} ${to}`)).toBe(!isCut);
          }
        }
        expect(cutCycles(given.toReversed(), bounds)).toEqual({ files, cuts });
      }),
      { numRuns: 80 },
    );
  });
});
