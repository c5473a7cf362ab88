import { expect, test } from 'vitest';
import { assert } from '../../assert.ts';
import { parsePlan } from '../../plan/build/parse.ts';
import { foldNamedGroups } from './fold-groups.ts';
import { pictureOfPlan } from './picture-of-plan.ts';

const PLAN = parsePlan(
  `heddle: 1
name: given
tasks:
  a: { run: x }
  b: { needs: [a], tasks: { c: { run: x }, d: { tasks: { e: { run: x }, f: { run: x } } } } }
  g: { needs: [b], run: x }`,
  { file: 'plan.yaml' },
).plan;

const drawn = (folded: readonly string[]) => {
  assert(PLAN !== undefined, 'The plan is right.');
  const { nodes, groups, edges } = foldNamedGroups(pictureOfPlan(PLAN, { all: true }), new Set(folded));
  return {
    nodes: nodes.map(({ id }) => id),
    groups: groups.map(({ id }) => id),
    edges: edges.map(({ from, to }) => `${from} → ${to}`),
  };
};

test('only the chosen groups are folded, the outermost of nested ones', () => {
  expect(drawn(['b.d'])).toEqual({ nodes: ['a', 'b.c', 'b.d', 'g'], groups: ['b'], edges: ['a → b', 'b → g'] });
  expect(drawn(['b', 'b.d'])).toEqual({ nodes: ['a', 'b', 'g'], groups: [], edges: ['a → b', 'b → g'] });
  expect(drawn([]).nodes).toEqual(['a', 'b.c', 'b.d.e', 'b.d.f', 'g']);
});
