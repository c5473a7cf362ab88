import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { componentsOf } from '../graph/components.ts';
import { graphOf } from '../graph/directed-graph.ts';
import { BOUNDS_DEFAULT, fits } from './source-file.ts';
import type { SourceFile, SplitBounds } from './source-file.ts';
import { splitFiles } from './split-files.ts';
import type { SplitLeaf, SplitPart, Split } from './split-files.ts';
import { arbitraryBounds, arbitraryTree, givenProjectFiles } from './tree.given.ts';

const RUNS = 80;
const holds = (law: (files: readonly SourceFile[], bounds: SplitBounds, made: Split) => void): void =>
  fc.assert(
    fc.property(arbitraryTree, arbitraryBounds, (files, bounds) => law(files, bounds, splitFiles(files, bounds))),
    { numRuns: RUNS },
  );

const leafByFile = ({ leaves }: Split): ReadonlyMap<string, SplitLeaf> =>
  new Map(leaves.flatMap((leaf) => leaf.files.map((file) => [file, leaf] as const)));

/** Everything that each leaf waits for, in the end. */
function waitsOf({ leaves }: Split): ReadonlyMap<string, ReadonlySet<string>> {
  const byPath = new Map(leaves.map((leaf) => [leaf.path, leaf]));
  const waits = new Map<string, Set<string>>();
  for (const leaf of leaves) {
    const all = new Set<string>();
    const open = [...leaf.needs];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (all.has(next)) continue;
      all.add(next);
      open.push(...(byPath.get(next)?.needs ?? ['?']));
    }
    waits.set(leaf.path, all);
  }
  return waits;
}

const partsIn = (parts: readonly SplitPart[]): readonly SplitPart[] =>
  parts.flatMap((part) => (part.type === 'leaf' ? [part] : [part, ...partsIn(part.children)]));

describe('laws over trees of files', () => {
  test('every file is in exactly one leaf', () => {
    holds((files, _bounds, { leaves }) => {
      expect(leaves.flatMap((leaf) => leaf.files).sort()).toEqual(files.map(({ path }) => path).sort());
    });
  });

  test('files that import each other in a cycle are in one leaf', () => {
    holds((files, _bounds, made) => {
      const numbers = new Map(files.map(({ path }, at) => [path, at]));
      const component = componentsOf(
        graphOf(files.map(({ imports }) => imports.flatMap((path) => numbers.get(path) ?? []))),
      );
      const leafOf = leafByFile(made);
      const leafOfCycle = new Map<number, SplitLeaf | undefined>();
      files.forEach(({ path }, at) => {
        const cycle = component[at] ?? -1;
        if (!leafOfCycle.has(cycle)) leafOfCycle.set(cycle, leafOf.get(path));
        expect(leafOfCycle.get(cycle)).toBe(leafOf.get(path));
      });
    });
  });

  test('a part waits for the parts that it imports, and never for itself', () => {
    holds((files, _bounds, made) => {
      const leafOf = leafByFile(made);
      const waits = waitsOf(made);
      for (const [path, all] of waits) expect(all.has(path)).toBe(false);
      for (const { path, imports } of files) {
        for (const to of imports) {
          const [from, need] = [leafOf.get(path)?.path ?? '', leafOf.get(to)?.path];
          if (need !== undefined && need !== from) expect(waits.get(from)?.has(need)).toBe(true);
        }
      }
    });
  });

  test('a need is there only because of an import', () => {
    holds((files, _bounds, made) => {
      const leafOf = leafByFile(made);
      const imported = new Set(
        files.flatMap(({ path, imports }) =>
          imports.map((to) => `${leafOf.get(path)?.path ?? ''} ${leafOf.get(to)?.path ?? ''}`),
        ),
      );
      for (const leaf of made.leaves) for (const need of leaf.needs) expect(imported).toContain(`${leaf.path} ${need}`);
    });
  });

  test('a leaf is too large only when it is one file or one cycle', () => {
    holds((files, bounds, { leaves }) => {
      for (const leaf of leaves) {
        if (fits({ files: leaf.files.length, tokens: leaf.tokens }, bounds)) {
          expect(leaf.excess).toBeUndefined();
          continue;
        }
        const numbers = new Map(leaf.files.map((path, at) => [path, at]));
        const own = files
          .filter(({ path }) => numbers.has(path))
          .toSorted((one, other) => (numbers.get(one.path) ?? 0) - (numbers.get(other.path) ?? 0));
        const component = componentsOf(
          graphOf(own.map(({ imports }) => imports.flatMap((path) => numbers.get(path) ?? []))),
        );
        expect(new Set(component).size).toBe(1);
        expect(leaf.excess).toBe(leaf.files.length === 1 ? 'file' : 'cycle');
      }
    });
  });

  test('a leaf has too few files only when it could join no other', () => {
    holds((_files, bounds, made) => {
      const waits = waitsOf(made);
      const isBetween = (from: SplitLeaf, to: SplitLeaf): boolean =>
        made.leaves.some(
          ({ path }) => waits.get(from.path)?.has(path) === true && waits.get(path)?.has(to.path) === true,
        );
      for (const small of made.leaves.filter((leaf) => leaf.files.length < bounds.filesMin)) {
        for (const other of made.leaves) {
          if (other === small) continue;
          const both = { files: small.files.length + other.files.length, tokens: small.tokens + other.tokens };
          if (fits(both, bounds)) expect(isBetween(small, other) || isBetween(other, small)).toBe(true);
        }
      }
    });
  });

  test('the order of the input does not matter', () => {
    fc.assert(
      fc.property(
        arbitraryTree.chain((files) =>
          fc.tuple(fc.constant(files), fc.shuffledSubarray([...files], { minLength: files.length })),
        ),
        arbitraryBounds,
        ([files, shuffled], bounds) => {
          const turned = shuffled.map((file) => ({ ...file, imports: file.imports.toReversed() }));
          expect(splitFiles(turned, bounds)).toEqual(splitFiles(files, bounds));
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('links between parts are right, ids are safe, and siblings differ in more than case', () => {
    holds((_files, _bounds, { parts }) => {
      const all = partsIn(parts);
      expect(new Set(all.map(({ path }) => path.toLowerCase())).size).toBe(all.length);
      const top = new Set(parts.map(({ id }) => id));
      for (const part of all) {
        expect(part.id).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$/);
        expect(part.id).not.toMatch(/^(con|aux)$/i);
        expect(part.path).toBe(part.parent === undefined ? part.id : `${part.parent}.${part.id}`);
        if (part.parent !== undefined) expect(top.has(part.id)).toBe(false);
        if (part.type === 'leaf') continue;
        expect(part.children.length).toBeGreaterThan(1);
        for (const child of part.children) expect(child.parent).toBe(part.path);
        expect(part.fileCount).toBe(
          partsIn([part]).reduce((sum, each) => sum + (each.type === 'leaf' ? each.files.length : 0), 0),
        );
      }
    });
  });

  test('a project of fewer than 50 files has two levels at most', () => {
    holds((files, _bounds, { levels }) => {
      if (files.length < 50) expect(levels).toBeLessThanOrEqual(2);
    });
  });
});

describe('depth follows size', () => {
  test.each([
    [40, 2, 2],
    [500, 3, 4],
    [5_000, 4, 7],
  ])('%i realistic files give %i to %i levels', (count, least, most) => {
    const made = splitFiles(givenProjectFiles(count), BOUNDS_DEFAULT);
    expect(made.levels).toBeGreaterThanOrEqual(least);
    expect(made.levels).toBeLessThanOrEqual(most);
    expect(made.size.files).toBe(count);
  });

  test('5,000 files in one folder still give four levels', () => {
    const files = Array.from({ length: 5_000 }, (_, at) => ({ path: `src/file-${at}.ts`, tokens: 500, imports: [] }));
    expect(splitFiles(files, BOUNDS_DEFAULT).levels).toBe(4);
  });

  test('folders nested without end do not nest the plan without end', () => {
    const files = Array.from({ length: 400 }, (_, at) => ({
      path: `${'deep/'.repeat(Math.floor(at / 10))}file-${at}.ts`,
      tokens: 10,
      imports: [],
    }));
    const made = splitFiles(files, { filesMin: 1, filesMax: 3, tokensMax: 1_000 });
    expect(made.levels).toBeLessThanOrEqual(13);
    expect(made.leaves.flatMap((leaf) => leaf.files)).toHaveLength(400);
  });
});

describe('names and messages', () => {
  const file = (path: string, ...imports: readonly string[]): SourceFile => ({ path, tokens: 100, imports });

  test('a cluster that cannot be divided ends there', () => {
    const ring = Array.from({ length: 60 }, (_, at) => file(`src/ring/${at}.ts`, `src/ring/${(at + 1) % 60}.ts`));
    const { leaves } = splitFiles(
      [...ring, file('src/huge.ts')].map((each) => ({ ...each, tokens: 60_000 })),
      BOUNDS_DEFAULT,
    );
    expect(leaves.map(({ id, files, excess }) => [id, files.length, excess])).toEqual([
      ['huge', 1, 'file'],
      ['ring', 60, 'cycle'],
    ]);
  });

  test('folders come first, ids are their names, and needs follow imports', () => {
    const bounds = { filesMin: 2, filesMax: 3, tokensMax: 10_000 };
    const made = splitFiles(
      [
        file('src/api/order.ts', 'src/core/money.ts'),
        file('src/api/pay.ts', 'src/core/tax.ts', 'src/store/read.ts'),
        file('src/core/money.ts'),
        file('src/core/tax.ts', 'src/core/money.ts'),
        file('src/store/read.ts', 'src/core/money.ts'),
        file('src/store/write.ts'),
      ],
      bounds,
    );
    expect(made.leaves.map(({ id, needs }) => [id, needs])).toEqual([
      ['api', ['store']],
      ['core', []],
      ['store', ['core']],
    ]);
  });

  test('a part of a whole small project is called all, one of what other parts leave rest, and no part is named after a hidden file', () => {
    const idsOf = (...paths: readonly string[]): readonly string[] =>
      splitFiles(
        paths.map((path) => file(path)),
        BOUNDS_DEFAULT,
      ).leaves.map(({ id }) => id);
    expect(idsOf('.gitignore', 'package.json', 'api/a.ts', 'web/b.ts')).toEqual(['all']);
    expect(idsOf('.gitignore', 'package.json')).toEqual(['package']);
    const core = Array.from({ length: 18 }, (_, at) => `core/c${at}.ts`);
    expect(idsOf(...core, 'package.json', 'ui/a.ts', 'web/b.ts', 'web/c.ts')).toEqual(['core', 'rest']);
  });

  test('within a folder files that import each other stay together before neighbours do', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const files = names.map((name, at) => file(`src/${name}.ts`, ...(at < 3 ? [`src/${names[at + 3]}.ts`] : [])));
    const { leaves } = splitFiles(files, { filesMin: 2, filesMax: 2, tokensMax: 10_000 });
    expect(leaves.map((leaf) => leaf.files)).toEqual([
      ['src/a.ts', 'src/d.ts'],
      ['src/b.ts', 'src/e.ts'],
      ['src/c.ts', 'src/f.ts'],
    ]);
  });

  test('folders that need each other both ways are cut so that their parts can be done in an order', () => {
    const made = splitFiles(
      [
        file('src/a/low.ts'),
        file('src/a/high.ts', 'src/b/middle.ts'),
        file('src/b/middle.ts', 'src/a/low.ts'),
        file('src/b/top.ts', 'src/a/high.ts'),
      ],
      { filesMin: 1, filesMax: 2, tokensMax: 10_000 },
    );
    expect(made.leaves.map((leaf) => [leaf.files, leaf.needs])).toEqual([
      [['src/a/high.ts'], ['b-middle']],
      [['src/a/low.ts'], []],
      [['src/b/middle.ts'], ['a-low']],
      [['src/b/top.ts'], ['a-high']],
    ]);
  });

  test('a folder that is called as one at the root is called by its parent too, so that a path means one task', () => {
    const many = (folder: string) => Array.from({ length: 30 }, (_, at) => file(`${folder}/${at}.ts`, 'core/1/0.ts'));
    const folders = ['core/1', 'core/2', 'core/3', 'app/core', 'app/core/x', 'app/core/y', 'app/ui', 'app/net'];
    const { parts, leaves } = splitFiles(folders.flatMap(many), { filesMin: 1, filesMax: 10, tokensMax: 10_000 });
    const app = parts.find(({ id }) => id === 'app');
    expect(parts.map(({ id }) => id)).toEqual(['app', 'core']);
    expect(app?.type === 'branch' && app.children.map(({ id }) => id)).toEqual(['app-core', 'net', 'ui']);
    const first = leaves.find(({ files }) => files.includes('core/1/0.ts'));
    for (const leaf of leaves.filter((each) => each !== first)) expect(leaf.needs).toEqual([first?.path]);
  });

  test('nothing to split gives no parts', () => {
    expect(splitFiles([], BOUNDS_DEFAULT)).toMatchObject({ parts: [], leaves: [], levels: 1 });
  });
});

test('a name that is taken gets a number that people can say', () => {
  const files = ['src/core.ts', 'src/core.test.ts', 'src/b.ts'].map((path) => ({ path, tokens: 10, imports: [] }));
  const bounds = { filesMin: 1, filesMax: 1, tokensMax: 1_000 };
  expect(splitFiles(files, bounds).leaves.map(({ path }) => path)).toMatchInlineSnapshot(`
    [
      "b",
      "core",
      "core-2",
    ]
  `);
});
