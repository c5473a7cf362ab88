import { expect, test } from 'vitest';
import { drawDot } from './dot.ts';
import { givenEdge, givenNode, givenPicture } from './picture.given.ts';
import { HOSTILE_LABELS } from './xml.given.ts';

test('draws clusters, edges clipped at clusters, and kinds by style', () => {
  const picture = givenPicture('a b c', '', { sub: 'b inner', inner: 'c' });
  const edges = [
    givenEdge('a', 'sub'),
    givenEdge('inner', 'a', 'read'),
    { ...givenEdge('a', 'c', 'any'), count: 3, label: '2' },
  ];
  const [a = givenNode('a'), ...rest] = picture.nodes;
  expect(drawDot({ ...picture, nodes: [{ ...a, optional: true }, ...rest], edges })).toMatchInlineSnapshot(`
    "digraph "given" {
      rankdir=TB;
      compound=true;
      graph [fontname="Helvetica,Arial,sans-serif", fontsize=12];
      node [fontname="Helvetica,Arial,sans-serif", fontsize=12];
      edge [fontname="Helvetica,Arial,sans-serif", fontsize=10, color="#667085"];
      n0 [label="a", shape=box, style="rounded,filled", fillcolor="#e8f0fd", color="#5b86c9", peripheries=2];
      subgraph cluster_0 {
        label="sub"; labeljust=l; style="rounded"; color="#b3bac4";
        n1 [label="b", shape=box, style="rounded,filled", fillcolor="#e8f0fd", color="#5b86c9"];
        subgraph cluster_1 {
          label="inner"; labeljust=l; style="rounded"; color="#b3bac4";
          n2 [label="c", shape=box, style="rounded,filled", fillcolor="#e8f0fd", color="#5b86c9"];
        }
      }
      n0 -> n1 [lhead=cluster_0];
      n2 -> n0 [style=dashed, arrowhead=empty, ltail=cluster_1];
      n0 -> n2 [style=dashed, label="2 ×3"];
    }
    "
  `);
});

test('no label can end its quotes', () => {
  const nodes = HOSTILE_LABELS.map((label, index) => ({ ...givenNode(`n ${index}`), label: [label, label] }));
  const text = drawDot({ ...givenPicture('', ''), title: '"\\', direction: 'right', nodes });
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => line.includes('[label='));
  expect(lines).toHaveLength(nodes.length);
  for (const line of lines) expect(line).toMatch(/^ {2}n\d+ \[label="(?:[^"\\]|\\.)*", shape=[^\n]*\];$/u);
  expect(text).toContain('digraph "\\"\\\\" {');
  expect(text).toContain('&amp;amp;');
});
