import { array, assert, constantFrom, property } from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { mayOverlap, readGlob } from './glob-overlap.ts';
import { overlapsOf } from './files-overlap.ts';
import { planOfText } from './plan-of.given.ts';

function meet(left: string, right: string): boolean | undefined {
  const [one, other] = [readGlob(left), readGlob(right)];
  return one === undefined || other === undefined ? undefined : mayOverlap(one, other);
}

describe('two globs', () => {
  test.each([
    ['src/**', 'src/a/b.ts'],
    ['src/**/*.ts', 'src/x.ts'],
    ['**/*.test.ts', 'src/**'],
    ['src/*.ts', 'src/a*'],
    ['src/?.ts', 'src/a.ts'],
    ['src/[a-c].ts', 'src/b.ts'],
    ['src/[!a].ts', 'src/b.ts'],
    ['src/[^a].ts', 'src/[b-d].ts'],
    ['src/{a,b}.ts', 'src/b.ts'],
    ['src/{a,{b,c}}/**', 'src/c/d'],
    ['src/f{1..3}.ts', 'src/f2.ts'],
    ['src', 'src/a.ts'],
    ['src/', 'src/a/b.ts'],
    ['./src/a.ts', 'src/a.ts'],
    ['src/\\*.ts', 'src/\\*.ts'],
    ['src/[[:alpha:]].ts', 'src/x.ts'],
    ['a/**/b', 'a/b'],
    ['**', 'x'],
    ['src/{a}.ts', 'src/a.ts'],
    ['src/[ab].ts', 'src/[bc].ts'],
    ['*.ts', '?.ts'],
  ])('%s and %s may meet', (left, right) => {
    expect(meet(left, right)).toBe(true);
    expect(meet(right, left)).toBe(true);
  });

  test.each([
    ['src/*.ts', 'src/*.js'],
    ['src/*', 'src/a/b'],
    ['src/a/**', 'src/b/**'],
    ['src/[a-c].ts', 'src/d.ts'],
    ['src/[^a].ts', 'src/a.ts'],
    ['src/{a,b}.ts', 'src/c.ts'],
    ['a.ts', 'b.ts'],
    ['src/?', 'src/ab'],
    ['a/*/c', 'a/c*'],
    ['src/[ab].ts', 'src/[cd].ts'],
    ['x*y', 'x*z'],
  ])('%s and %s cannot', (left, right) => {
    expect(meet(left, right)).toBe(false);
    expect(meet(right, left)).toBe(false);
  });

  test.each(['!src/**', '+(a|b)', '', 'x'.repeat(1001), '{a,b}'.repeat(7)])('of %.10s nothing is claimed', (glob) => {
    expect(meet(glob, '**')).toBeUndefined();
  });

  test('meet whenever a path matches both', () => {
    const pieces = constantFrom('a', 'b', '*', '**', '?', '[ab]', '[!a]', '{a,b}', 'a*', '*b', 'a?', '{a,b}c', '*.ts');
    const globs = array(pieces, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    const paths = array(constantFrom('a', 'b', 'c', 'ab', 'ac', 'bc', 'x.ts'), { minLength: 1, maxLength: 4 }).map(
      (parts) => parts.join('/'),
    );
    assert(
      property(globs, globs, array(paths, { maxLength: 30 }), (left, right, candidates) => {
        const matches = [picomatch(left), picomatch(right)];
        if (candidates.some((path) => matches.every((match) => match(path))))
          expect(meet(left, right), `${left} ${right}`).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('overlaps of a plan', () => {
  test('name both tasks and the globs that meet', () => {
    const plan = planOfText(
      'tasks:\n  a: { files: [src/**, docs/x.md], prompt: x }\n  b: { files: [src/a.ts, "docs/*"], prompt: x }\n  c: { needs: [a, b], files: [src/**], prompt: x }',
    );
    expect(overlapsOf(plan)).toEqual({
      overlaps: [
        {
          tasks: ['a', 'b'],
          files: [
            ['docs/x.md', 'docs/*'],
            ['src/**', 'src/a.ts'],
          ],
        },
      ],
      isWhole: true,
    });
  });

  test('are bounded, and say so', () => {
    const lines = Array.from({ length: 30 }, (_, nth) => `  t${nth}: { files: [src/**], prompt: x }`);
    const { overlaps, isWhole } = overlapsOf(planOfText(`tasks:\n${lines.join('\n')}`));
    expect(overlaps).toHaveLength(200);
    expect(isWhole).toBe(false);
  });
});
