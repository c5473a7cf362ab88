import { describe, expect, test } from 'vitest';
import { ALIASES_MAX, TEXT_LENGTH_MAX } from './limits.ts';
import { offsetOf } from './source-node.ts';
import type { SourceNode } from './source-node.ts';
import { readYaml } from './read-yaml.ts';
import { positionAt } from './source-reader.ts';

/** The tree as plain data, for comparing. */
function dataOf(node: SourceNode | undefined): unknown {
  if (node === undefined) return undefined;
  if (node.type === 'scalar') return node.value;
  if (node.type === 'list') return node.items.map(dataOf);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, dataOf(value)]));
}

function read(text: string) {
  const { reading, root } = readYaml('plan.yaml', text);
  const found = reading.diagnostics.map(({ code, position }) => `${code} ${position.line}:${position.column}`);
  return { data: dataOf(root), found, root, reading };
}

describe('reading YAML', () => {
  test('resolves plain scalars by the core schema and leaves quoted ones alone', () => {
    const { data, found } = read('a: 1\nb: "1"\nc: yes\nd: ~\ne: 0x1F\nf: 1.5e3\ng: true\nh:\ni: -.inf\n');
    expect(data).toEqual({ a: 1, b: '1', c: 'yes', d: null, e: 31, f: 1500, g: true, h: null, i: -Infinity });
    expect(found).toEqual([]);
  });

  test('keeps keys as they are written', () => {
    expect(read('1: a\nnull: b\ntrue: c\n"x y": d\n').data).toEqual({ '1': 'a', null: 'b', true: 'c', 'x y': 'd' });
  });

  test('keeps a key called __proto__ apart from prototypes', () => {
    const { root } = read('__proto__: { polluted: true }\n');
    expect(root?.type === 'map' ? root.entries.map(({ key }) => key) : []).toEqual(['__proto__']);
  });

  test('reads a text with a byte order mark and with Windows line ends', () => {
    const { data, root, reading } = read('\uFEFFa: 1\r\nb: two\r\n');
    expect(data).toEqual({ a: 1, b: 'two' });
    expect(root === undefined ? undefined : positionAt(reading, offsetOf(root, ['b']))).toEqual({ line: 2, column: 4 });
  });

  test('finds the place of a path, or of the longest part of it that exists', () => {
    const { root, reading } = read('tasks:\n  api:\n    needs: [a, b]\n    run: make\n');
    const at = (...path: (string | number)[]) =>
      root === undefined ? undefined : positionAt(reading, offsetOf(root, path));
    expect(at('tasks', 'api')).toEqual({ line: 2, column: 3 });
    expect(at('tasks', 'api', 'needs', 1)).toEqual({ line: 3, column: 16 });
    expect(at('tasks', 'api', 'needs', 7)).toEqual({ line: 3, column: 12 });
    expect(at('tasks', 'api', 'run', 'deeper')).toEqual({ line: 4, column: 10 });
    expect(at('tasks', 'other')).toEqual({ line: 1, column: 1 });
  });

  test('places a quoted text at its quote and a block at its first word', () => {
    const { root, reading } = read('a: "x"\nb: |\n\n  text\n');
    const at = (key: string) => (root === undefined ? undefined : positionAt(reading, offsetOf(root, [key])));
    expect([at('a'), at('b')]).toEqual([
      { line: 1, column: 4 },
      { line: 4, column: 3 },
    ]);
  });

  test('finds entries of large maps, the first of two twins', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `k${index}: ${index}`);
    const { root, reading } = read(`${lines.join('\n')}\nk7: again\n`);
    const offset = root === undefined ? -1 : offsetOf(root, ['k7']);
    expect(positionAt(reading, offset)).toEqual({ line: 8, column: 5 });
  });
});

describe('aliases and merge keys', () => {
  test('are replaced by the marked value', () => {
    expect(read('a: &x { b: 1 }\nc: *x\nd: &k key\ne: { *k : 1 }\n').data).toEqual({
      a: { b: 1 },
      c: { b: 1 },
      d: 'key',
      e: { key: 1 },
    });
  });

  test('a merge adds the missing keys of a map, and the first of several maps wins', () => {
    const text = 'a: &a { x: 1, y: 1 }\nb: &b { y: 2, z: 2 }\nc: { <<: *a, x: 3 }\nd: { x: 0, <<: [*a, *b] }\n';
    expect(read(text).data).toMatchObject({ c: { x: 3, y: 1 }, d: { x: 0, y: 1, z: 2 } });
  });

  test('a quoted merge key is an ordinary key', () => {
    expect(read('a: { "<<": 1 }').data).toEqual({ a: { '<<': 1 } });
  });

  test('a merge of something that is not a map is refused', () => {
    expect(read('a: { <<: 5, b: 1 }').found).toEqual(['wrong-type 1:4']);
  });

  test('an unknown alias and one inside itself are refused, and the rest is read', () => {
    const { data, found } = read('a: *nothing\nb: &b [*b]\nc: { <<: *gone, d: 1 }\n');
    expect(found).toEqual(['unknown-alias 1:4', 'unknown-alias 2:8', 'unknown-alias 3:10']);
    expect(data).toMatchObject({ c: { d: 1 } });
  });

  test('a text that grows without end through aliases is refused once', () => {
    const levels = 'bcdefghij'
      .split('')
      .map((name, index) => `${name}: &${name} [${`*${'abcdefghi'[index]}, `.repeat(10)}]`);
    expect(read(`a: &a [1, 2, 3]\n${levels.join('\n')}\n`).found).toEqual([expect.stringMatching(/^too-many-aliases/)]);
  });

  test('more aliases than the limit are refused once', () => {
    expect(read(`a: &a 1\nb: [${'*a,'.repeat(ALIASES_MAX + 5)}]\n`).found).toHaveLength(1);
  });

  test('merges that bring in too much are refused', () => {
    const wide = `a: &a { ${Array.from({ length: 2000 }, (_, index) => `k${index}: 1`).join(', ')} }\n`;
    const { found } = read(`${wide}b: [${'{ <<: *a }, '.repeat(600)}]\n`);
    expect(found[0]).toMatch(/^too-many-aliases/);
  });

  test('an alias that nests too deep is refused', () => {
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
    expect(read(`a: &a ${deep}\nb: ${'['.repeat(30)}*a${']'.repeat(30)}\n`).found).toEqual(['too-deep 2:34']);
  });
});

describe('content that YAML does not allow', () => {
  test.each([
    ['a: "open\n', 'yaml-syntax'],
    ['a: [1, 2\n', 'yaml-syntax'],
    ['a: [1 2, {]\n', 'yaml-syntax'],
    ['a: "\\q"\n', 'yaml-syntax'],
    ['- a\n - b\n- c: d\n   e: f\n', 'yaml-syntax'],
    ['a: b: c\n', 'yaml-syntax'],
    ['a: &\n', 'yaml-syntax'],
    ['a: !<x\n', 'yaml-syntax'],
    ['%YAML 3.0\n---\na: 1\n', 'yaml-syntax'],
    ['a: | text\n', 'yaml-syntax'],
    ['a: {b\n c: d\n', 'yaml-syntax'],
    ['a: 1\nb\n', 'yaml-syntax'],
    ['a: @b\n', 'yaml-syntax'],
    ['a: 1\n\tb: 2\n', 'tab-indentation'],
    [`a: ${'['.repeat(100)}${']'.repeat(100)}\n`, 'too-deep'],
  ])('%j is refused with a place', (text, code) => {
    const { found, data, reading } = read(text);
    expect(found).toEqual([expect.stringMatching(`^${code} [1-4]:`)]);
    expect(data).toBeUndefined();
    expect(reading.diagnostics[0]?.hint).not.toBe('');
  });

  test('a value with a second colon is explained as such', () => {
    expect(read('prompt: Fix it: now\n').reading.diagnostics[0]?.message).toContain('contains ": "');
  });

  test('a key that is a list is refused, and the rest is read', () => {
    const { data, found } = read('? [a]\n: 1\nb: 2\n');
    expect(found).toEqual(['yaml-syntax 1:3']);
    expect(data).toEqual({ b: 2 });
  });

  test('control characters and lone surrogates are named and stepped over', () => {
    const { data, found, reading } = read('a: x\u0000y\nb: \uD800\n');
    expect(found).toEqual(['forbidden-character 1:5', 'forbidden-character 2:4']);
    expect(reading.diagnostics.map(({ message }) => message.slice(14, 20))).toEqual(['U+0000', 'U+D800']);
    expect(data).toEqual({ a: 'x y', b: null });
  });

  test('of a binary file only the first characters are named', () => {
    expect(read('\u0001'.repeat(500)).found).toHaveLength(20);
  });

  test('a second document is refused, and the first is read', () => {
    const { data, found } = read('a: 1\n---\nb: 2\n');
    expect(data).toEqual({ a: 1 });
    expect(found).toEqual(['several-documents 2:1']);
  });

  test('a text over the limit is not read at all', () => {
    expect(read('#'.repeat(TEXT_LENGTH_MAX + 1)).found).toEqual(['text-too-large 1:1']);
  });

  test('standard tags are honoured, others refused', () => {
    const { data, found } = read(
      'a: !!str 1\nb: !!int "2"\nc: !x 3\nd: !!map { e: !!float 1 }\ng: !!bool maybe\nh: ! 5\ni: !!seq {}\nj: !!null ""\nk: ! [1]\n',
    );
    expect(data).toEqual({ a: '1', b: 2, c: 3, d: { e: 1 }, g: 'maybe', h: '5', i: {}, j: null, k: [1] });
    expect(found).toEqual(['unsupported-tag 3:4', 'unsupported-tag 5:11', 'unsupported-tag 7:4']);
  });
});

describe('templates without quotes', () => {
  test('a value that is only a template is taken for the text it was meant to be', () => {
    const { data, found } = read('a: {{ x.y }}\nb: [{{ z }}]\nc: {{ v | default: "w" }}\n');
    expect(data).toEqual({ a: '{{ x.y }}', b: ['{{ z }}'], c: '{{ v | default: "w" }}' });
    expect(found).toEqual(['unquoted-template 1:4', 'unquoted-template 2:5', 'unquoted-template 3:4']);
  });

  test('a template that is no valid YAML is skipped, and the rest is read', () => {
    const { data, found } = read('a: {{ x }} more\nb:\n  - {{ y }} and more\n  - { c: {{ z }} end, d: 1 }\ne: 5\n');
    expect(found).toEqual(['unquoted-template 1:4', 'unquoted-template 3:5', 'unquoted-template 4:10']);
    expect(data).toMatchObject({ b: [expect.any(String), { d: 1 }], e: 5 });
  });

  test('a template that is not closed is reported as unquoted', () => {
    expect(read('a: {{ x\nb: 1\n').found[0]).toBe('unquoted-template 1:4');
  });

  test('a template that is not to blame is not blamed', () => {
    expect(read('a: "{{ x }}"\nb: [1, 2\n').found).toEqual([expect.stringMatching(/^yaml-syntax/)]);
  });
});
