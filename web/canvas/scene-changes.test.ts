import { expect, test } from 'vitest';
import { compile } from '../../src/core/compile/compile.ts';
import { parsePlan } from '../../src/core/plan/build/parse.ts';
import { pictureOfPlan } from '../../src/core/view/draw/picture-of-plan.ts';
import { partsIn } from './draw-scene.ts';
import { PLAIN_LOOK } from './plan-looks.ts';
import { makeScene } from './plan-scene.ts';
import { looksOf, noteChanges, type Looks } from './scene-changes.ts';
import type { EdgeLook, NodeLook } from './scene-look.ts';
import { overlap } from './viewport.ts';

const TASKS = 'a: { run: x }\n  b: { needs: [a], run: x }\n  c: { needs: [b], run: x }\n  d: { needs: [c], run: x }';

function given() {
  const { plan } = parsePlan(`heddle: 1\nname: given\ntasks:\n  ${TASKS}\n`, { file: 'plan.yaml' });
  if (plan === undefined) throw new Error('The plan is wrong.');
  return makeScene(pictureOfPlan(compile(plan).plan, { all: true }), new Set());
}

const looks = (nodes: Readonly<Record<string, NodeLook>>, edge: EdgeLook = 'plain'): Looks => ({
  lookOf: (node) => nodes[node] ?? { ...PLAIN_LOOK },
  edgeLook: () => edge,
});

test('a step that changes nothing in sight draws nothing', () => {
  const drawn = looksOf(given(), looks({}));
  expect(noteChanges(drawn, looks({}))).toBeUndefined();
});

test('a task that looks different is drawn with what lies around it, once, and a distant task is not', () => {
  const scene = given();
  const drawn = looksOf(scene, looks({}));
  const done = looks({ b: { ...PLAIN_LOOK, group: 'done' } });
  const within = noteChanges(drawn, done);
  const frameOf = (id: string) => scene.nodes.find(({ node }) => node.id === id)?.frame;
  const [own, distant] = [frameOf('b'), frameOf('d')];
  if (within === undefined || own === undefined || distant === undefined) throw new Error('Nothing is drawn.');
  expect(within.x).toBeLessThan(own.x);
  expect(within.x + within.width).toBeGreaterThan(own.x + own.width);
  expect(overlap(within, distant)).toBe(false);
  expect(partsIn(scene, within).nodes.map(({ node }) => node.id)).toContain('b');
  expect(noteChanges(drawn, done)).toBeUndefined();
});

test('an edge that looks different is drawn along its whole line', () => {
  const scene = given();
  const within = noteChanges(looksOf(scene, looks({})), looks({}, 'holds'));
  for (const { frame } of scene.edges) {
    expect(within?.y).toBeLessThan(frame.y);
    expect((within?.y ?? 0) + (within?.height ?? 0)).toBeGreaterThan(frame.y + frame.height);
  }
});
