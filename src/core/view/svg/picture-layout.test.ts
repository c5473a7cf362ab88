import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyPicture, givenPicture } from '../draw/picture.given.ts';
import { groupsAround, parentsOf, type Picture } from '../draw/picture.ts';
import { layOut, type Layout, type LayoutFrame } from './picture-layout.ts';

const measure = {
  nodeSize: ({ id }: { readonly id: string }) => ({ width: 60 + 10 * id.length, height: 30 + (id.length % 3) * 10 }),
  groupLabelSize: ({ label }: { readonly label: string }) => ({ width: label.length * 8, height: 16 }),
  portRoom: (_: unknown, length: number) => length / 2,
};

const overlap = (one: LayoutFrame, other: LayoutFrame): boolean =>
  one.x < other.x + other.width - 0.01 &&
  other.x < one.x + one.width - 0.01 &&
  one.y < other.y + other.height - 0.01 &&
  other.y < one.y + one.height - 0.01;

const holds = (outer: LayoutFrame, inner: LayoutFrame): boolean =>
  inner.x >= outer.x - 0.01 &&
  inner.y >= outer.y - 0.01 &&
  inner.x + inner.width <= outer.x + outer.width + 0.01 &&
  inner.y + inner.height <= outer.y + outer.height + 0.01;

/** What breaks layout/Y7, as sentences. */
function faultsOf(picture: Picture, layout: Layout): string[] {
  const faults: string[] = [];
  const parents = parentsOf(picture);
  const frames = [...layout.nodes, ...layout.groups];
  for (const [id, frame] of frames) {
    if (!holds({ x: 0, y: 0, width: layout.width, height: layout.height }, frame))
      faults.push(`${id} leaves the picture`);
    for (const group of groupsAround(parents, id)) {
      const outer = layout.groups.get(group);
      if (outer === undefined || !holds(outer, frame)) faults.push(`${id} leaves ${group}`);
    }
    for (const [other, otherFrame] of frames) {
      if (id >= other || groupsAround(parents, id).includes(other) || groupsAround(parents, other).includes(id))
        continue;
      if (overlap(frame, otherFrame)) faults.push(`${id} overlaps ${other}`);
    }
  }
  for (const points of layout.edges) {
    if (points.length < 2) faults.push('a line without ends');
    const isInside = points.every(({ x, y }) => x >= 0 && y >= 0 && x <= layout.width && y <= layout.height);
    if (!isInside) faults.push('a line leaves the picture');
  }
  return faults;
}

const onEdge = (frame: LayoutFrame, { x, y }: { readonly x: number; readonly y: number }): boolean =>
  Math.min(
    Math.abs(y - frame.y),
    Math.abs(y - frame.y - frame.height),
    Math.abs(x - frame.x),
    Math.abs(x - frame.x - frame.width),
  ) < 0.01;

describe('layOut', () => {
  test('a diamond is symmetric and reads down', () => {
    const { nodes } = layOut(givenPicture('a b c d', 'a>b a>c b>d c>d'), measure);
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => nodes.get(id) ?? { x: 0, y: 0, width: 0, height: 0 });
    expect(a?.x).toBeCloseTo(d?.x ?? 0, 1);
    expect(((b?.x ?? 0) + (c?.x ?? 0)) / 2).toBeCloseTo(a?.x ?? 0, 1);
    expect(b?.y).toBe(c?.y);
    expect((a?.y ?? 0) < (b?.y ?? 0) && (b?.y ?? 0) < (d?.y ?? 0)).toBe(true);
  });

  test('a long line runs straight beside the nodes that it passes', () => {
    const layout = layOut(givenPicture('a b c d e', 'a>b b>c c>d d>e a>e'), measure);
    const long = layout.edges[4] ?? [];
    expect(new Set(long.slice(1, -1).map(({ x }) => Math.round(x))).size).toBe(1);
    for (const id of ['b', 'c', 'd']) {
      const frame = layout.nodes.get(id);
      expect(long.some(({ x, y }) => frame !== undefined && overlap({ x, y, width: 1, height: 1 }, frame))).toBe(false);
    }
  });

  test('a line to a whole group ends at the edge of its box', () => {
    const picture = givenPicture('a x y z', 'a>sub sub>z', { sub: 'x y' });
    for (const direction of ['down', 'right'] as const) {
      const layout = layOut({ ...picture, direction }, measure);
      const box = layout.groups.get('sub') ?? { x: 0, y: 0, width: 0, height: 0 };
      expect(onEdge(box, layout.edges[0]?.at(-1) ?? { x: -1, y: -1 })).toBe(true);
      expect(onEdge(box, layout.edges[1]?.[0] ?? { x: -1, y: -1 })).toBe(true);
    }
  });

  test('an arrow of a loop starts at its own node, though it points up', () => {
    const layout = layOut(givenPicture('a b', 'a>b b>a'), measure);
    const [first, last] = [layout.edges[1]?.[0], layout.edges[1]?.at(-1)];
    expect((first?.y ?? 0) > (last?.y ?? 0)).toBe(true);
  });

  test('a group that spans empty rows keeps strangers out', () => {
    const picture = givenPicture('p a b c q', 'p>a a>b b>c c>q', { sub: 'p q' });
    expect(faultsOf(picture, layOut(picture, measure))).toEqual([]);
  });

  test('sibling groups keep their sides in every row, even where lines would rather cross over (layout/Y4)', () => {
    const picture = givenPicture('a1 x a2 b1 b2', 'a1>b1 b1>a2 a1>x', { a: 'a1 a2', b: 'b1 b2' });
    expect(faultsOf(picture, layOut(picture, measure))).toEqual([]);
  });

  test('no line has a stub shorter than a pixel, which would turn its arrow head', () => {
    fc.assert(
      fc.property(anyPicture(), (picture) => {
        for (const points of layOut(picture, measure).edges) {
          const [last, before] = [points.at(-1), points.at(-2)];
          const length = Math.hypot((last?.x ?? 0) - (before?.x ?? 0), (last?.y ?? 0) - (before?.y ?? 0));
          expect(length).toBeGreaterThanOrEqual(1);
        }
      }),
    );
  });

  test('an empty picture has a margin and nothing else', () => {
    expect(layOut(givenPicture('', ''), measure)).toMatchObject({ width: 40, height: 40, edges: [] });
  });

  test('an edge that ends at nothing is a bug of ours', () => {
    expect(() => layOut(givenPicture('a', 'a>b'), measure)).toThrow('An edge of a picture ends at nothing.');
  });

  test('nothing overlaps or leaves the frame, and twice gives the same, on any picture (layout/Y7)', () => {
    fc.assert(
      fc.property(anyPicture(), (picture) => {
        const layout = layOut(picture, measure);
        expect(faultsOf(picture, layout)).toEqual([]);
        expect(layOut(picture, measure)).toEqual(layout);
      }),
      { numRuns: 150 },
    );
  });

  test('lines beyond the number of bends that can be drawn go straight', () => {
    const names = Array.from({ length: 150 }, (_, index) => `t${index}`);
    const arrows = names.flatMap((name, index) =>
      index === 0 ? [] : [`t${index - 1}>${name}`, ...(index % 2 === 0 ? [`t0>${name}`, `t1>${name}`] : [])],
    );
    const picture = givenPicture(names.join(' '), arrows.filter((arrow) => arrow !== 't1>t1').join(' '));
    const layout = layOut(picture, measure);
    expect(faultsOf(picture, layout)).toEqual([]);
    expect(
      layout.edges.some(
        (points, index) =>
          points.length <= 4 && picture.edges[index]?.from === 't0' && picture.edges[index]?.to === 't148',
      ),
    ).toBe(true);
  });
});
