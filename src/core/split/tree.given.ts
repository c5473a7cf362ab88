// Trees of files for tests: small ones by chance, and one that looks like a real project of any size.
import fc from 'fast-check';
import { chance } from '../schedule/chance.ts';
import type { SourceFile, SplitBounds } from './source-file.ts';

const FOLDERS = ['api', 'Api', 'core', 'con', 'ui', 'über', '[id]', 'a b', 'x.y'];
const NAMES = ['index.ts', 'main.ts', 'Main.ts', 'aux.ts', 'view.tsx', '{{ x }}.ts', '(group).ts', '.env', 'läufer.py'];

const path = fc
  .tuple(
    fc.array(fc.constantFrom(...FOLDERS), { maxLength: 5 }),
    fc.constantFrom(...NAMES),
    fc.integer({ min: 0, max: 9 }),
  )
  // The number keeps a file from having the path of a folder.
  .map(([folders, name, number]) => [...folders, `${number}-${name}`].join('/'));

/** Without a size of its own a list stays at about ten, and the depth of a plan would never be seen. */
const paths = fc.uniqueArray(path, { minLength: 1, maxLength: 120, size: 'max' });

/** Of some trees the imports go one way, as by chance nearly all would be in one cycle. */
export const arbitraryTree: fc.Arbitrary<readonly SourceFile[]> = fc
  .tuple(paths, fc.boolean())
  .chain(([all, isOneWay]) =>
    fc.tuple(
      ...all.map((own) =>
        fc.record({
          path: fc.constant(own),
          tokens: fc.integer({ min: 0, max: 900 }),
          imports: fc
            .array(fc.constantFrom(...all, 'elsewhere.ts'), { maxLength: 3 })
            .map((imports) => (isOneWay ? imports.filter((to) => to.length > own.length) : imports)),
        }),
      ),
    ),
  );

export const arbitraryBounds: fc.Arbitrary<SplitBounds> = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 14 }), fc.integer({ min: 100, max: 6_000 }))
  .map(([filesMin, more, tokensMax]) => ({ filesMin, filesMax: filesMin + more, tokensMax }));

const MODULES = 'account billing catalog checkout delivery search admin report shared platform'.split(' ');
const LAYERS = 'api domain storage view job'.split(' ');

/** Modules with features, layers in them, a few files in each; imports stay near, and some go to what is shared. */
export function givenProjectFiles(count: number, seed = 1): readonly SourceFile[] {
  const random = chance(seed);
  const paths: string[] = [];
  for (let file = 0; file < count; file += 1) {
    const feature = `feature-${random.below(Math.ceil(count / 500))}`;
    const [area, layer] = [MODULES[random.below(MODULES.length)], LAYERS[random.below(LAYERS.length)]];
    paths.push(`src/${area}/${feature}/${layer}/file-${file}.ts`);
  }
  paths.sort();
  return paths.map((own, at) => {
    const imports = Array.from({ length: random.below(6) }, () => {
      const isNear = random.happens(0.85);
      const to = isNear ? at + 1 + random.below(30) : random.below(paths.length);
      // Most imports go one way, as in a project that somebody looks after; some cycles are left.
      return paths[isNear || random.happens(0.02) ? to : Math.max(to, at)] ?? own;
    });
    return { path: own, tokens: 100 + random.below(1_900), imports };
  });
}
