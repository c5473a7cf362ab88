import { expect, test } from 'vitest';
import { buildNet } from '../../net/lay-net.ts';
import { pictureOfNet } from './picture-of-net.ts';
import type { Net } from '../../net/net.ts';

/** Two tasks that share a pool, and a switch that claims read. */
function givenNet(): Net<
  { readonly id: string; readonly task: string },
  { readonly id: string; readonly task: string }
> {
  const builder = buildNet<
    { readonly id: string; readonly task: string },
    { readonly id: string; readonly task: string }
  >();
  const pool = builder.place({ id: 'coder', task: '' }, { tokens: 7, counted: true });
  const on = builder.place({ id: 'on', task: '' }, { tokens: 1 });
  for (const task of ['a', 'b']) {
    const ready = builder.place({ id: `${task} ready`, task }, { tokens: 2 });
    const working = builder.place({ id: `${task} working`, task });
    builder.transition({ id: `claim ${task}`, task }, { takes: [ready, [pool, 2]], gives: [working], reads: [on] });
    builder.transition(
      { id: `end ${task}`, task },
      {
        takes: [working],
        gives: [
          [pool, 2],
          [ready, 3],
        ],
      },
    );
  }
  return builder.build();
}

const nodesOf = (picture: ReturnType<typeof pictureOfNet>): string[] =>
  picture.nodes.map((node) => `${node.kind} ${node.label.join(' | ')}`);

test('places show their first tokens, heavier arcs their weight, and reads are edges of their own kind', () => {
  const picture = pictureOfNet(givenNet());
  expect(nodesOf(picture)).toMatchInlineSnapshot(`
    [
      "place coder | ● ×7",
      "place on | ●",
      "place a ready | ●●",
      "place a working",
      "place b ready | ●●",
      "place b working",
      "transition claim a",
      "transition end a",
      "transition claim b",
      "transition end b",
    ]
  `);
  expect(picture.edges.slice(0, 5).map((edge) => `${edge.from} -${edge.kind}-> ${edge.to} ${edge.label ?? ''}`))
    .toMatchInlineSnapshot(`
    [
      "place 2 -flow-> transition 0 ",
      "place 0 -flow-> transition 0 2",
      "place 1 -read-> transition 0 ",
      "transition 0 -flow-> place 3 ",
      "place 3 -flow-> transition 1 ",
    ]
  `);
});

test('a place that many touch is drawn apart and named at each transition', () => {
  const picture = pictureOfNet(givenNet(), { arcsMax: 3 });
  expect(nodesOf(picture)).toMatchInlineSnapshot(`
    [
      "place coder | ● ×7",
      "place on | ●",
      "place a ready | ●●",
      "place a working",
      "place b ready | ●●",
      "place b working",
      "transition claim a | takes 2 coder",
      "transition end a | gives 2 coder",
      "transition claim b | takes 2 coder",
      "transition end b | gives 2 coder",
    ]
  `);
  expect(picture.groups.map((group) => group.label)).toEqual(['shared places']);
  expect(picture.edges.some((edge) => edge.from === 'place 0' || edge.to === 'place 0')).toBe(false);
});

test('a transition with very many shared places counts the rest', () => {
  const builder = buildNet();
  const places = Array.from({ length: 9 }, (_, index) => builder.place({ id: `p${index}` }));
  builder.transition({ id: 't' }, { takes: places, gives: [] });
  const picture = pictureOfNet(builder.build(), { arcsMax: 0 });
  expect(picture.nodes.at(-1)?.label).toEqual([
    't',
    'takes p0',
    'takes p1',
    'takes p2',
    'takes p3',
    'takes p4',
    '… 4 more arcs',
  ]);
});

test('the parts of one task fold into one node when the net is too large', () => {
  const groupOf = ({ task }: { readonly task: string }): string[] => (task === '' ? [] : ['tasks', task]);
  const options = {
    groupOfPlace: groupOf,
    groupOfTransition: groupOf,
    labelOfPlace: () => 'p',
    labelOfTransition: () => 't',
  };
  const open = pictureOfNet(givenNet(), options);
  expect(open.groups.map(({ label, group }) => [label, group])).toEqual([
    ['tasks', undefined],
    ['a', 'group ["tasks"]'],
    ['b', 'group ["tasks"]'],
  ]);
  const folded = pictureOfNet(givenNet(), { ...options, foldOver: 5, title: 'two tasks' });
  expect(nodesOf(folded)).toMatchInlineSnapshot(`
    [
      "place p | ● ×7",
      "place p | ●",
      "folded a (4 places and transitions)",
      "folded b (4 places and transitions)",
    ]
  `);
  expect(folded.title).toBe('two tasks');
  const expanded = pictureOfNet(givenNet(), { ...options, foldOver: 5, expand: new Set(['tasks.a']) });
  expect(expanded.groups.map(({ label }) => label)).toEqual(['tasks', 'a']);
});
