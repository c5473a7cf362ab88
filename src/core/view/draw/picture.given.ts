// Pictures for tests: `given('a b c', 'a>b b>c', { sub: 'b c' })`, and random ones with groups and loops.

import fc from 'fast-check';
import type { NodeKind, Picture, PictureEdge, PictureNode } from './picture.ts';

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');

/** Names of nodes, arrows between names, and the members of each group; a nested group is a member too. */
export function givenPicture(nodes: string, arrows: string, groups: Readonly<Record<string, string>> = {}): Picture {
  const holder = new Map<string, string>();
  for (const [group, held] of Object.entries(groups)) for (const name of words(held)) holder.set(name, group);
  return {
    title: 'given',
    direction: 'down',
    unit: { one: 'task', many: 'tasks' },
    nodes: words(nodes).map((id) => givenNode(id, holder.get(id))),
    groups: Object.keys(groups).map((id) => ({ id, label: id, group: holder.get(id) })),
    edges: words(arrows).map((arrow) => {
      const [from = '', to = ''] = arrow.split('>');
      return givenEdge(from, to);
    }),
  };
}

export function givenNode(id: string, group?: string, kind: NodeKind = 'prompt'): PictureNode {
  return { id, label: [id], kind, group, optional: false, standsFor: 1 };
}

export function givenEdge(from: string, to: string, kind: PictureEdge['kind'] = 'need'): PictureEdge {
  return { from, to, label: undefined, kind, count: 1 };
}

const KINDS: readonly NodeKind[] = [
  'prompt',
  'run',
  'steps',
  'join',
  'gate',
  'for_each',
  'subplan',
  'folded',
  'place',
  'transition',
];

interface Seeds {
  readonly nodes: readonly { readonly kind: NodeKind; readonly lines: readonly string[]; readonly group: number }[];
  readonly parents: readonly number[];
  readonly edges: readonly (readonly [number, number])[];
  readonly direction: Picture['direction'];
}

/** Any picture that keeps picture/D1 to picture/D3. */
export function anyPicture(nodesMax = 14): fc.Arbitrary<Picture> {
  const line = fc.string({ unit: 'grapheme', maxLength: 20 });
  const node = fc.record({
    kind: fc.constantFrom(...KINDS),
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    group: fc.nat({ max: 5 }),
  });
  const seeds: fc.Arbitrary<Seeds> = fc.record({
    nodes: fc.array(node, { maxLength: nodesMax }),
    parents: fc.array(fc.nat({ max: 5 }), { maxLength: 4 }),
    edges: fc.array(fc.tuple(fc.nat({ max: nodesMax + 3 }), fc.nat({ max: nodesMax + 3 })), {
      maxLength: 2 * nodesMax,
    }),
    direction: fc.constantFrom('down', 'right'),
  });
  return seeds.map(pictureFrom);
}

function pictureFrom({ nodes, parents, edges, direction }: Seeds): Picture {
  const groupName = (index: number): string | undefined => (index < parents.length ? `g${index}` : undefined);
  const drawn = nodes.map(({ kind, lines, group }, index): PictureNode => ({
    ...givenNode(`n${index}`, groupName(group), kind),
    label: lines,
  }));
  const groups = parents.map((parent, index) => ({
    id: `g${index}`,
    label: `group ${index}`,
    group: parent < index ? groupName(parent) : undefined,
  }));
  const parentOf = new Map<string, string | undefined>([...groups, ...drawn].map(({ id, group }) => [id, group]));
  const around = (id: string): string[] => {
    const list: string[] = [];
    for (let at = parentOf.get(id); at !== undefined; at = parentOf.get(at)) list.push(at);
    return list;
  };
  const held = new Set(drawn.flatMap((node) => around(node.id)));
  const kept = groups.filter((group) => held.has(group.id));
  const ids = [...drawn, ...kept].map(({ id }) => id);
  const joined = edges.flatMap(([one, other]) => {
    const from = ids[one];
    const to = ids[other];
    if (from === undefined || to === undefined || from === to) return [];
    return around(from).includes(to) || around(to).includes(from) ? [] : [givenEdge(from, to)];
  });
  return { ...givenPicture('', ''), direction, nodes: drawn, groups: kept, edges: joined };
}
