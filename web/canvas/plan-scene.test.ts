import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compile } from '../../src/core/compile/compile.ts';
import { parsePlan } from '../../src/core/plan/build/parse.ts';
import { pictureOfPlan } from '../../src/core/view/draw/picture-of-plan.ts';
import { firstFolds, hitAt, makeScene } from './plan-scene.ts';
import { centreOn, fitIn, startIn, toPicture, zoomAt } from './viewport.ts';

function given(tasks: string) {
  const { plan } = parsePlan(`heddle: 1\nname: given\ntasks:\n${tasks}`, { file: 'plan.yaml' });
  if (plan === undefined) throw new Error('The plan is wrong.');
  return pictureOfPlan(compile(plan).plan, { all: true });
}

const PLAN = '  a: { run: x }\n  b: { needs: [a], tasks: { c: { run: x }, d: { needs: [c], run: x } } }';

test('a point inside a task hits the task, one in the heading of a subplan hits the subplan', () => {
  const scene = makeScene(given(PLAN), new Set());
  for (const { node, frame } of scene.nodes)
    expect(hitAt(scene, { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 })).toEqual({
      type: 'node',
      node,
    });
  const [box] = scene.groups;
  expect(hitAt(scene, { x: (box?.frame.x ?? 0) + 20, y: (box?.frame.y ?? 0) + 8 })).toMatchObject({
    type: 'group',
    group: { id: 'b' },
  });
  expect(hitAt(scene, { x: -5, y: -5 })).toBeUndefined();
});

test('tasks of a folded subplan are shown by its node', () => {
  const scene = makeScene(given(PLAN), new Set(['b']));
  expect(scene.nodes.map(({ node }) => node.id)).toEqual(['a', 'b']);
  expect(Object.fromEntries(scene.shownAs)).toEqual({ a: 'a', 'b.c': 'b', 'b.d': 'b' });
});

test('a large plan begins folded, a small one does not', () => {
  const part = (name: string): string =>
    `  ${name}: { tasks: { ${Array.from({ length: 100 }, (_, index) => `t${index}: { run: x }`).join(', ')} } }`;
  expect([...firstFolds(given([part('a'), part('b')].join('\n')))].length).toBeGreaterThan(0);
  expect(firstFolds(given(PLAN)).size).toBe(0);
});

test('zooming keeps the point under the pointer', () => {
  const number = fc.double({ min: -500, max: 500, noNaN: true });
  fc.assert(
    fc.property(number, number, fc.double({ min: 0.5, max: 2, noNaN: true }), (x, y, factor) => {
      const view = { x: 10, y: -20, scale: 0.7 };
      const before = toPicture(view, { x, y });
      const after = toPicture(zoomAt(view, { x, y }, factor), { x, y });
      expect(after.x).toBeCloseTo(before.x, 6);
      expect(after.y).toBeCloseTo(before.y, 6);
    }),
  );
});

test('a picture that is fitted is in sight, and a frame that is centred is in the middle', () => {
  const screen = { width: 800, height: 600 };
  const view = fitIn(screen, { width: 4000, height: 9000 });
  expect(toPicture(view, { x: 800, y: 600 }).x).toBeGreaterThan(4000);
  expect(toPicture(centreOn(view, screen, { x: 100, y: 100, width: 50, height: 50 }), { x: 400, y: 300 })).toEqual({
    x: 125,
    y: 125,
  });
});

test('a plan with twelve tasks side by side begins whole, and one that would be too small begins readable', () => {
  const screen = { width: 1000, height: 700 };
  const twelve = { width: 1750, height: 300, isDown: true };
  expect(startIn(screen, twelve)).toEqual(fitIn(screen, twelve));
  expect(startIn(screen, { width: 9000, height: 300, isDown: false })).toEqual({ scale: 0.75, x: 16, y: 16 });
});
