import { expect, test } from 'vitest';
import { drawMermaid } from './mermaid.ts';
import { givenEdge, givenNode, givenPicture } from './picture.given.ts';
import { HOSTILE_LABELS } from './xml.given.ts';

test('draws nodes, nested subgraphs, edges with their kinds and counts, and classes', () => {
  const picture = givenPicture('a b c', '', { sub: 'b inner', inner: 'c' });
  const edges = [givenEdge('a', 'sub'), givenEdge('b', 'c', 'any'), { ...givenEdge('a', 'c', 'race'), count: 3 }];
  const [a = givenNode('a'), ...rest] = picture.nodes;
  const gate = { ...a, kind: 'gate', label: ['a', 'Ship it?'], optional: true } as const;
  expect(drawMermaid({ ...picture, direction: 'right', nodes: [gate, ...rest], edges })).toMatchInlineSnapshot(`
    "flowchart LR
      n0{"a<br/>Ship it?"}
      subgraph g0["sub"]
        n1("b")
        subgraph g1["inner"]
          n2("c")
        end
      end
      n0 --> g0
      n1 -.-> n2
      n0 -.->|"×3"| n2
      classDef gateKind fill:#fbe0d3,stroke:#cc7a4d,color:#45200b
      class n0 gateKind
      classDef promptKind fill:#dbe8fb,stroke:#5b86c9,color:#16233a
      class n1,n2 promptKind
      classDef optional stroke-dasharray:5 3
      class n0 optional
    "
  `);
});

test('no label can end its quotes, start markup or be taken for a keyword', () => {
  const nodes = HOSTILE_LABELS.map((label, index) => ({ ...givenNode(`end ${index}`), label: [label, label] }));
  const edge = { ...givenEdge('end 0', 'end 1'), label: HOSTILE_LABELS[1] };
  const text = drawMermaid({ ...givenPicture('', ''), nodes, edges: [edge] });
  const lines = text.trimEnd().split('\n').slice(1);
  for (const line of lines.slice(0, nodes.length))
    expect(line).toMatch(/^ {2}n\d+\("[^"<>`[\]{}|\\&*]*<br\/>[^"<>`[\]{}|\\&*]*"\)$/u);
  expect(lines[nodes.length]).toMatch(/^ {2}n0 -->\|"[^"]*"\| n1$/u);
  expect(text).toContain('n2("end<br/>end")');
  expect(text).toContain('#60;script#62;');
});

test('marks that Markdown would read as lists or emphasis are written by number', () => {
  const node = { ...givenNode('a'), label: ['1. one', '- two', '_three_ fail_fast', 'v1.2 #3; x', 'fa:fa-car: $$x$$'] };
  expect(drawMermaid({ ...givenPicture('', ''), nodes: [node] })).toContain(
    'n0("1#46; one<br/>#45; two<br/>#95;three#95; fail_fast<br/>v1.2 #35;3#59; x<br/>fa#58;fa-car: #36;#36;x#36;#36;")',
  );
});
