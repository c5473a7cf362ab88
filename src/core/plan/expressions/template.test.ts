import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeReference } from './text-reference.ts';
import { readTemplate, renderTemplate } from './template.ts';

const namesIn = (text: string) => readTemplate(text).references.map((reference) => writeReference(reference));

describe('reading a template', () => {
  test('lists the names that it reads, with their positions', () => {
    const { references, problems } = readTemplate('Do\n{{ steps.tests.response }} and {{inputs.who}}');
    expect(references).toEqual([
      { root: 'steps', path: ['tests', 'response'], offset: 6, open: false, guarded: false },
      { root: 'inputs', path: ['who'], offset: 36, open: false, guarded: false },
    ]);
    expect(problems).toEqual([]);
  });

  test('a text without markup reads nothing', () => {
    expect(readTemplate('plain } } text {a}')).toEqual({ references: [], problems: [] });
  });

  test('names bound inside the template are not references', () => {
    expect(namesIn('{% assign y = tasks.a.output %}{{ y.z }}')).toEqual(['tasks.a.output']);
    expect(namesIn('{% for i in tasks.a.output.list %}{{ i }}{{ forloop.index }}{% endfor %}')).toEqual([
      'tasks.a.output.list',
    ]);
    expect(namesIn('{% capture z %}{{ inputs.q }}{% endcapture %}{{ z }}')).toEqual(['inputs.q']);
  });

  test('places, quoted keys, filters and conditions are read too', () => {
    expect(namesIn('{{ tasks["api v2"].output[0].b | append: inputs.z }}')).toEqual([
      'tasks["api v2"].output[0].b',
      'inputs.z',
    ]);
    expect(namesIn('{% if a.b == "c" and d %}{{ e }}{% endif %}')).toEqual(['a.b', 'd', 'e']);
    expect(namesIn('{{ tasks.api-v2.ok }}')).toEqual(['tasks.api-v2.ok']);
    expect(namesIn('{{ true }}{{ nil }}')).toEqual([]);
  });

  test('a place that is worked out leaves the reference open', () => {
    const { references } = readTemplate('{{ steps[inputs.k].response }}');
    expect(references).toMatchObject([
      { root: 'steps', path: [], open: true },
      { root: 'inputs', path: ['k'], open: false },
    ]);
  });

  test('a template with a default for a missing value is guarded', () => {
    expect(readTemplate('{{ inputs.x | default: "y" }}').references[0]?.guarded).toBe(true);
    expect(readTemplate('{{ inputs.x | upcase }}').references[0]?.guarded).toBe(false);
  });

  test.each([
    ['a {{ b', 2, 'not closed'],
    ['{% foo %}', 0, 'not found'],
    ['{{ a | nofilter }}', 0, 'undefined filter'],
    ['{% if a %}', 0, 'not closed'],
    ['{% include "x" %}', 0, 'not found'],
    ['{{ x | raw }}', 0, 'undefined filter'],
    ['{% if a %}'.repeat(20_000), 0, ''],
    ['x'.repeat(1_000_001), 0, 'at most'],
  ])('%.20s is a problem', (text, offset, words) => {
    const { problems } = readTemplate(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain(words);
    expect(problems[0]?.message).not.toContain('line:');
    if (offset > 0) expect(problems[0]?.offset).toBe(offset);
  });
});

const text = (template: string, scope = {}) => {
  const rendered = renderTemplate(template, scope);
  return rendered.type === 'rendered' ? rendered.text : `${rendered.reason}: ${rendered.name ?? rendered.message}`;
};

describe('rendering a template', () => {
  test('prints texts as they are, and lists and objects as JSON', () => {
    expect(text('{{ a.b }}, {{ a.n }}', { a: { b: 'x "y"', n: 7.5 } })).toBe('x "y", 7.5');
    expect(text('{{ a }}', { a: [1, { b: null }] })).toBe('[1,{"b":null}]');
    expect(text('plain')).toBe('plain');
  });

  test('a name without a value is a failure that names it', () => {
    expect(text('{{ a.b.c }}', { a: { b: {} } })).toBe('missing-name: a.b.c');
    expect(text('{{ constructor }}')).toBe('missing-name: constructor');
    expect(text('{{ a | first }}', { a: [] })).toContain('missing-name');
  });

  test('an absent value may be asked for and replaced', () => {
    expect(text('{{ a.b | default: "none" }}{% if a.c %}c{% else %}-{% endif %}', { a: {} })).toBe('none-');
  });

  test('work is bounded', () => {
    expect(text('{% for i in (1..1000000000) %}x{% endfor %}')).toContain('limit');
    expect(text('{{ s | replace: "a", s }}', { s: 'a'.repeat(8000) })).toContain('limit');
    expect(text('x'.repeat(1_000_001))).toContain('limit');
  });

  test('invalid templates fail as syntax', () => {
    expect(text('{{ a')).toContain('syntax');
  });

  test('nothing is thrown, whatever the text', () => {
    const pieces = constantFrom(
      '{{',
      '}}',
      '{%',
      '%}',
      ' a',
      '.b',
      '| ',
      'if ',
      'for ',
      'x in ',
      '"',
      "'",
      '[',
      ']',
      '0',
      '\n',
      'endif',
      '-',
    );
    assert(
      property(array(pieces, { maxLength: 20 }), (parts) => {
        const template = parts.join('');
        readTemplate(template);
        renderTemplate(template, { a: { b: [1] } });
      }),
      { numRuns: 300 },
    );
  });

  test('a template that renders without a missing name reads only names it was given', () => {
    assert(
      property(array(constantFrom('{{ a }}', '{{ b.c }}', ' x ', '{% if a %}y{% endif %}')), (parts) => {
        const template = parts.join('');
        const roots = readTemplate(template).references.map((reference) => reference.root);
        for (const root of roots) expect(['a', 'b']).toContain(root);
        expect(renderTemplate(template, { a: 'A', b: { c: 'C' } }).type).toBe('rendered');
      }),
      { numRuns: 50 },
    );
  });
});
