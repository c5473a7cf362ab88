import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyPicture, givenEdge, givenPicture } from './picture.given.ts';
import type { Picture } from './picture.ts';
import { foldPicture } from './fold-picture.ts';
import { mergeEdges } from './merge-nodes.ts';

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

function said(picture: Picture): string[] {
  const labels = picture.nodes.map((node) => node.label.join(' | '));
  return [...labels, ...picture.edges.map(({ from, to, count }) => `${from}>${to}${count === 1 ? '' : ` ×${count}`}`)];
}

describe('foldPicture', () => {
  test('leaves a picture alone that is small enough, and one that must be drawn whole', () => {
    const picture = givenPicture('a b c', 'a>b a>c');
    expect(foldPicture(picture, { foldOver: 3 })).toEqual(picture);
    expect(foldPicture(picture, { foldOver: 1, all: true })).toEqual(picture);
  });

  test('folds the deepest subplan first, and lifts and counts its edges (fold/F1, F6)', () => {
    const picture = givenPicture('a x y p q z', 'a>x a>y x>p y>q p>z q>z', { outer: 'x y inner', inner: 'p q' });
    expect(said(foldPicture(picture, { foldOver: 5 }))).toEqual([
      'a',
      'x',
      'y',
      'inner (2 tasks)',
      'z',
      'a>x',
      'a>y',
      'x>inner',
      'y>inner',
      'inner>z ×2',
    ]);
    expect(said(foldPicture(picture, { foldOver: 4 }))).toEqual([
      'a',
      'outer (4 tasks)',
      'z',
      'a>outer ×2',
      'outer>z ×2',
    ]);
  });

  test('folds siblings of one size together', () => {
    const picture = givenPicture('a1 a2 b1 b2 c1 c2', '', { a: 'a1 a2', b: 'b1 b2', c: 'c1 c2' });
    expect(said(foldPicture(picture, { foldOver: 5 }))).toEqual(['a (2 tasks)', 'b (2 tasks)', 'c (2 tasks)']);
  });

  test('keeps expanded parts open, with all groups around them (fold/F5)', () => {
    const picture = givenPicture('a x y p q z', 'a>x', { outer: 'x y inner', inner: 'p q' });
    expect(
      foldPicture(picture, { foldOver: 2, expand: new Set(['inner', 'a', 'x', 'y', 'p', 'q', 'z']) }).nodes,
    ).toHaveLength(6);
    const open = foldPicture(picture, { foldOver: 5, expand: new Set(['outer']) });
    expect(open.groups.map((group) => group.id)).toEqual(['outer']);
  });

  test('a subplan with one task is not folded: nothing would be gained', () => {
    const picture = givenPicture('a b c', 'a>b b>c', { only: 'b' });
    expect(foldPicture(picture, { foldOver: 2 }).groups).toHaveLength(1);
  });

  test('folds the middle of a long row and keeps its ends', () => {
    const arrows = range(9).map((index) => `t${index}>t${index + 1}`);
    const picture = givenPicture(
      range(10)
        .map((index) => `t${index}`)
        .join(' '),
      arrows.join(' '),
    );
    expect(said(foldPicture(picture, { foldOver: 4 }))).toEqual([
      't0',
      '… 7 tasks in a row | t1 … t7',
      't8',
      't9',
      't0>t1',
      't1>t8',
      't8>t9',
    ]);
  });

  test('folds most of many that are alike and keeps the first', () => {
    const names = range(10).map((index) => `t${index}`);
    const picture = givenPicture(`s ${names.join(' ')}`, names.map((name) => `s>${name}`).join(' '));
    expect(said(foldPicture(picture, { foldOver: 4 }))).toEqual([
      's',
      't0',
      't1',
      '… 8 tasks with the same needs | t2 … t9',
      's>t0',
      's>t1',
      's>t2 ×8',
    ]);
  });

  test('folds the nodes of one depth when nothing else helps, and then bands of depths', () => {
    const names = range(40).map((index) => `t${index}`);
    const arrows = range(40).flatMap((index) =>
      index < 4 ? [] : [`t${index - 4}>t${index}`, `t${index - 3 - (index % 4)}>t${index}`],
    );
    const picture = givenPicture(names.join(' '), arrows.filter((arrow) => !arrow.includes('t-')).join(' '));
    const layered = foldPicture(picture, { foldOver: 24 });
    expect(layered.nodes.some((node) => node.label[0]?.endsWith('at this depth'))).toBe(true);
    const banded = foldPicture(picture, { foldOver: 3 });
    expect(banded.nodes.length).toBeLessThanOrEqual(3);
    expect(banded.nodes.every((node) => /depths?$/u.test(node.label[0] ?? ''))).toBe(true);
  });

  test('edges that were counted before are counted on, and different kinds stay apart (fold/F1)', () => {
    const edges = [
      { ...givenEdge('a', 'b'), count: 2 },
      { ...givenEdge('a', 'c'), count: 3 },
      givenEdge('a', 'c', 'any'),
      givenEdge('b', 'c'),
    ];
    const merged = mergeEdges(edges, (id) => (id === 'c' ? 'b' : id));
    expect(merged.map(({ to, kind, count }) => [to, kind, count])).toEqual([
      ['b', 'need', 5],
      ['b', 'any', 1],
    ]);
  });

  test('whatever the picture: it fits unless groups forbid it, counts add up, and edges end at something (fold/F6)', () => {
    fc.assert(
      fc.property(anyPicture(), fc.integer({ min: 1, max: 10 }), (picture, foldOver) => {
        const folded = foldPicture(picture, { foldOver });
        const ids = new Set([...folded.nodes, ...folded.groups].map(({ id }) => id));
        expect(folded.nodes.reduce((sum, node) => sum + node.standsFor, 0)).toBe(picture.nodes.length);
        expect(folded.nodes.length).toBeLessThanOrEqual(Math.max(foldOver, folded.groups.length + 1));
        for (const { from, to } of folded.edges) expect(ids.has(from) && ids.has(to) && from !== to).toBe(true);
        for (const { group } of folded.nodes) expect(group === undefined || ids.has(group)).toBe(true);
        expect(foldPicture(picture, { foldOver })).toEqual(folded);
      }),
    );
  });
});
