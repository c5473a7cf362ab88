import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyPicture, givenEdge, givenNode, givenPicture } from '../draw/picture.given.ts';
import { drawSvg } from './svg.ts';
import { faultInXml, HOSTILE_LABELS } from '../draw/xml.given.ts';

test('is one accessible, self-contained file with both themes', () => {
  const svg = drawSvg(givenPicture('a b', 'a>b'));
  expect(svg).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" class="heddle" viewBox="0 0 \d+ \d+" [^>]*role="img" aria-label="given">\n<title>given<\/title>/u,
  );
  expect(svg).toContain('@media (prefers-color-scheme:dark)');
  expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/<script|https?:|@import|<image|href/u);
});

test('draws each node where the layout put it, and lines with heads', () => {
  const svg = drawSvg(givenPicture('a b', 'a>b'));
  const drawn = svg.slice(svg.indexOf('class="paper"'));
  expect(drawn).toMatchInlineSnapshot(`
    "class="paper" width="112" height="156"/>
    <path class="edge need" d="M56 55L56 101" marker-end="url(#heddle-head)"/>
    <g><title>a</title><rect class="node prompt" x="20" y="20" width="72" height="35" rx="8"/><text class="name" x="56" y="42">a</text></g>
    <g><title>b</title><rect class="node prompt" x="20" y="101" width="72" height="35" rx="8"/><text class="name" x="56" y="123">b</text></g>
    </svg>
    "
  `);
});

test('writes counts and weights beside lines, dashes special needs, and marks optional tasks', () => {
  const picture = givenPicture('a b', '');
  const edges = [
    { ...givenEdge('a', 'b', 'any'), count: 12 },
    { ...givenEdge('a', 'b', 'read'), label: '2' },
  ];
  const svg = drawSvg({ ...picture, nodes: [givenNode('a'), { ...givenNode('b'), optional: true }], edges });
  expect(svg).toContain('>×12</text>');
  expect(svg).toContain('>2</text>');
  expect(svg).toContain('class="edge any"');
  expect(svg).toContain('marker-end="url(#heddle-hollow)"');
  expect(svg).toContain('class="node prompt optional"');
});

test('a label that its group has no room for is cut', () => {
  const picture = givenPicture('a', '', { sub: 'a' });
  const svg = drawSvg({
    ...picture,
    direction: 'right',
    groups: [{ id: 'sub', label: 'a rather long name of a subplan', group: undefined }],
  });
  expect(svg).toMatch(/<text class="label"[^>]*>a [^<]*…<\/text>/u);
});

test('is well formed whatever the labels say', () => {
  const nodes = HOSTILE_LABELS.map((label, index) => ({ ...givenNode(`n${index}`, 'g'), label: [label, label] }));
  const groups = [{ id: 'g', label: '<b>"&', group: undefined }];
  const svg = drawSvg({ ...givenPicture('', ''), title: '<&"', nodes, groups });
  expect(faultInXml(svg)).toBeUndefined();
  expect(svg).not.toContain('<script');
});

test('is well formed, and the same each time, on any picture', () => {
  fc.assert(
    fc.property(anyPicture(), (picture) => {
      const svg = drawSvg(picture);
      expect(faultInXml(svg)).toBeUndefined();
      expect(svg).not.toMatch(/NaN|Infinity|undefined/u);
      expect(drawSvg(picture)).toBe(svg);
    }),
    { numRuns: 60 },
  );
});

test('eight hundred nodes are drawn', () => {
  const names = Array.from({ length: 800 }, (_, index) => `t${index}`);
  const arrows = names.flatMap((name, index) =>
    index < 40 ? [] : [`t${index - 40 + (index % 3)}>${name}`, `t${Math.floor(index / 2)}>${name}`],
  );
  expect(drawSvg(givenPicture(names.join(' '), arrows.join(' '))).length).toBeGreaterThan(100_000);
});
