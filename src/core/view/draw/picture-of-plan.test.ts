import { describe, expect, test } from 'vitest';
import type { Picture } from './picture.ts';
import { pictureOfPlan } from './picture-of-plan.ts';
import { givenPlan } from './plan.given.ts';

/** One line for each node, group and edge. */
function said(picture: Picture): string {
  const nodes = picture.nodes.map(
    (node) => `${node.id} [${node.kind}${node.optional ? '?' : ''}] ${node.label.join(' | ')}`,
  );
  const groups = picture.groups.map((group) => `{${group.id}} ${group.label}`);
  const edges = picture.edges.map(
    (edge) => `${edge.from} -${edge.kind}${edge.count > 1 ? `×${edge.count}` : ''}-> ${edge.to}`,
  );
  return `\n${[...nodes, ...groups, ...edges].join('\n')}\n`;
}

describe('pictureOfPlan', () => {
  test('a task shows its work, its agent and its check', () => {
    const plan = givenPlan({
      types: { agent: 'claude', pools: [{ pool: 'coder', tokens: 2 }], check: 'npm run typecheck' },
      api: {
        needs: ['types'],
        steps: ['tests', 'code', 'verify', 'tidy'],
        agent: 'claude',
        pools: [{ pool: 'coder', tokens: 1 }],
        rounds: 3,
      },
      lint: { run: 'npm run lint -- --max-warnings 0 --cache' },
      one: { steps: ['only'] },
      verdict: { needs: ['api', 'lint'], join: 'wait_for_all' },
      all: { needs: ['verdict'], join: 'fail_fast' },
      ship: { needs: ['all'], when: 'tasks.verdict.output.score >= 7', gate: 'Ship the checkout flow to everyone?' },
    });
    expect(said(pictureOfPlan(plan))).toMatchInlineSnapshot(`
      "
      types [prompt] types | prompt · claude · pool coder ×2 | check npm run typecheck
      api [steps] api | 4 steps: tests, code, +2 | claude · pool coder | repeat up to 3 times
      lint [run] lint | run npm run lint -- --max-warning…
      one [steps] one | 1 step: only
      verdict [join] verdict | join · wait_for_all
      all [join] all | join
      ship [gate?] ship | Ship the checkout flow | to everyone? | when tasks.verdict.ou…
      types -need-> api
      api -need-> verdict
      lint -need-> verdict
      verdict -need-> all
      all -need-> ship
      "
    `);
  });

  test('kinds of needs are different edges, and the task shows how many needs it waits for', () => {
    const plan = givenPlan({
      a: {},
      b: {},
      any: { needs: { type: 'any', of: ['a', 'b'] } },
      two: { needs: { type: 'at_least', count: 2, of: ['a', 'b'] } },
      race: { needs: { type: 'race', of: ['a', 'b'] } },
    });
    expect(said(pictureOfPlan(plan))).toMatchInlineSnapshot(`
      "
      a [prompt] a | prompt
      b [prompt] b | prompt
      any [prompt] any | prompt | after any of 2
      two [prompt] two | prompt | after 2 of 2
      race [prompt] race | prompt | first of 2 wins
      a -any-> any
      b -any-> any
      a -any-> two
      b -any-> two
      a -race-> race
      b -race-> race
      "
    `);
  });

  test('a subplan is a group, an empty one a node, and a need on a subplan ends at the group', () => {
    const plan = givenPlan({
      a: {},
      sub: { needs: ['a'], cap: 2, failureMode: 'fail_fast', tasks: { x: {}, y: { needs: ['sub.x'] } } },
      none: { tasks: {} },
      z: { needs: ['sub', 'none'] },
    });
    expect(said(pictureOfPlan(plan))).toMatchInlineSnapshot(`
      "
      a [prompt] a | prompt
      sub.x [prompt] x | prompt
      sub.y [prompt] y | prompt
      none [subplan] none | subplan without tasks
      z [prompt] z | prompt
      {sub} sub · cap 2 · fail_fast
      a -need-> sub
      sub.x -need-> sub.y
      sub -need-> z
      none -need-> z
      "
    `);
  });

  test('a for_each is one node with its number of copies, or a group when a subplan is copied', () => {
    const plan = givenPlan({
      list: {},
      known: { needs: ['list'], forEach: { items: [1, 2, 3], task: { agent: 'claude' } } },
      later: { forEach: { items: 'tasks.list.output', itemsMax: 20, task: { gate: 'Good?' } } },
      twice: {
        forEach: {
          items: [1, 2],
          task: { forEach: { items: [1, 2, 3], task: { join: 'fail_fast', needs: ['list'] } } },
        },
      },
      group: { forEach: { items: [1, 2], task: { cap: 1, tasks: { x: {}, y: { needs: ['group.item.x'] } } } } },
      end: { needs: ['known', 'group', 'group.item.y'] },
    });
    expect(said(pictureOfPlan(plan))).toMatchInlineSnapshot(`
      "
      list [prompt] list | prompt
      known [for_each] known | for_each ×3 | prompt · claude
      later [for_each] later | for_each ×≤20 | Good?
      twice [for_each] twice | for_each ×2 ×3 | join
      group.item.x [prompt] x | prompt
      group.item.y [prompt] y | prompt
      end [prompt] end | prompt
      {group} group · for_each ×2 · cap 1
      list -need-> known
      list -need-> twice
      group.item.x -need-> group.item.y
      known -need-> end
      group -need-> end
      group.item.y -need-> end
      "
    `);
  });

  test('needs that are diagnostics of the plan make no edge', () => {
    const plan = givenPlan({
      a: { needs: ['a', 'nowhere'] },
      sub: { needs: ['sub.x'], tasks: { x: { needs: ['sub'] } } },
    });
    expect(pictureOfPlan(plan).edges).toEqual([]);
  });

  test('a wide plan reads to the right, a deep one down, and the caller may say', () => {
    const wide = givenPlan(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`t${index}`, {}])));
    expect(pictureOfPlan(wide).direction).toBe('right');
    expect(pictureOfPlan(wide, { direction: 'down' }).direction).toBe('down');
    expect(pictureOfPlan(givenPlan({ a: {}, b: { needs: ['a'] } })).direction).toBe('down');
    expect(pictureOfPlan(givenPlan({}))).toMatchObject({ nodes: [], edges: [], groups: [], direction: 'down' });
  });
});
