// Whatever the text: no throw, and a plan that comes of it checks.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../plan/build/parse.ts';
import { IMPORT_FORMATS, WRITTEN_BACK, type ImportFormat } from './formats.ts';
import { importPlan, readFormat } from './import-plan.ts';
import { writeProgress } from './write-back.ts';

const OPTIONS = { path: 'tasks', agent: 'claude', check: undefined, tag: undefined };

/** GSD tells its files apart by their names. */
const PATHS: Partial<Record<ImportFormat, string>> = { gsd: '.gsd/M001/M001-ROADMAP.md' };

function expectRight(format: ImportFormat, text: string): boolean {
  const sources = [{ path: PATHS[format] ?? 'tasks', text }];
  const imported = importPlan(format, sources, OPTIONS);
  if (imported.type === 'refused') {
    expect(imported.trouble.says).toMatch(/\.$/);
    expect(imported.trouble.says).not.toContain('would be wrong');
    return false;
  }
  const { diagnostics } = parsePlan(imported.text, { file: 'plan.yaml' });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const outline = readFormat(format, sources, OPTIONS);
  if (outline.type !== 'outline' || !WRITTEN_BACK.includes(format)) return true;
  const written = writeProgress({ format, outline, sources }, { of: () => 'done' });
  expect(written.sources[0]?.text.length).toBe(
    written.changes.reduce((length, { was, is }) => length + is.length - was.length, text.length),
  );
  return true;
}

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    '{{ x }}',
    '{% raw %}',
    '{{{',
    '\u0000',
    '\uD800',
    'T001',
    'S01',
    '',
    ' ',
    '- x',
    '#',
    '#1',
    '1',
    '2',
    'a: b',
    '[P] [US1] do it in src/a.ts',
    'con',
    'A',
    'a',
    'step',
    '../x',
    '`src/[id].ts`',
    "'",
    '"',
    '*',
    '&a',
    '|',
    'done',
    'pending',
    'deferred',
    'closed',
    'open',
    '2.1',
    '{{ step.a.response }}',
    '{{ last_response }}',
  ),
);

/** Lines of the kinds that the formats in Markdown know, in any order. */
const markdown = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        '# ',
        '## ',
        '### ',
        '## Phase 1: ',
        '## Slices',
        '## Tasks',
        '- [ ] ',
        '- [x] ',
        '* [X] ',
        '1. [ ] ',
        '2. [ ] ',
        '- [ ] T001 ',
        '- [ ] T002 [P] ',
        '- [x] T003 [US1] ',
        '  - [ ] ',
        '\t- [ ] ',
        '    ',
        '| S01 | ',
        '```',
        '<!-- ',
        '- [ ] **S01: a** `depends:[S02]` ',
        '- [ ] **S02: b** `depends:[S01-S03]` ',
        '  > After this: ',
        '---',
        '',
        '- [ ] **T01: a** `est:3h` ',
        '  - Verify: `',
        '- T002 depends on T001 ',
        '**Goal**: ',
        '-->',
        'Depends on: S01',
      ),
      words,
      fc.constantFrom('\n', '\r\n', '\r', '\n\n', '`\n'),
    ),
    { maxLength: 30 },
  )
  .map((lines) => lines.map((line) => line.join('')).join(''));

const value = fc.oneof(words, fc.integer({ min: -2, max: 5 }), fc.constantFrom(null, true, false, 0.5, 1e300));
const key = fc.oneof(
  fc.integer({ min: 0, max: 6 }),
  fc.constantFrom('1', '2', '2.1', 'a', 'b', 'A', 'c-d', '', 'x.y'),
  words,
);
const link = fc.record(
  { issue_id: key, depends_on_id: key, type: fc.constantFrom('blocks', 'parent-child', 'related', 'x'), number: key },
  { requiredKeys: [] },
);
const many = <Value>(one: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 4, arbitrary: fc.array<unknown>(one, { maxLength: 4 }) }, { weight: 1, arbitrary: value });

const schema = fc.constantFrom<unknown>(
  { type: 'object', properties: { a: { type: 'string' } } },
  { type: 'nonsense' },
  {},
  'x',
  { type: 'array' },
);

/** A thing with the fields that one of the formats in JSON or YAML looks at, of any kind. */
const thingOf = (inner: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.record(
    {
      id: key,
      title: value,
      description: value,
      details: value,
      status: value,
      state: value,
      body: value,
      definition: value,
      epic_id: key,
      summary: value,
      kind: value,
      target: value,
      writes: many(words),
      number: fc.oneof(fc.integer({ min: 1, max: 5 }), value),
      issue_type: value,
      estimated_minutes: value,
      dependencies: fc.oneof(many(key), many(link)),
      depends_on: many(key),
      verification: many(inner),
      subtasks: many(inner),
      subIssues: many(link),
      blockedBy: many(link),
      parent: link,
      priority: value,
      prompt: value,
      async: fc.boolean(),
      action: fc.oneof(fc.constantFrom('join', 'pause_for_human'), value),
      condition: fc.oneof(
        value,
        fc.constantFrom('never', '{{ step.a.exit_code }} == 0', '{{ step.b.response }} contains "x"'),
      ),
      resume: value,
      on_error: fc.oneof(fc.constantFrom('wait_for_all', 'continue', 'retry'), value),
      model: value,
      context: fc.record({ shell: value }),
      output_schema: schema,
      max_retries: value,
      runner: value,
      on_result: many(fc.record({ contains: value, action: fc.constantFrom('continue', 'abort_pipeline', 'x') })),
      do_while: fc.record({ max_iterations: value, exit_when: value, steps: many(inner) }),
      before: many(inner),
      for_each: fc.record({ over: value, steps: many(inner) }),
      disabled: value,
      labels: many(value),
      comments: many(value),
    },
    { requiredKeys: [] },
  );
const thing = thingOf(thingOf(value));

const things = fc.array(thing, { maxLength: 8 });
/** JSON is YAML too, save for lone surrogates. */
const json = (made: unknown): string => JSON.stringify(made);

const SHAPED: Readonly<Record<ImportFormat, fc.Arbitrary<string>>> = {
  'spec-kit': markdown,
  markdown,
  gsd: markdown,
  'task-master': fc.oneof(
    things.map((tasks) => json({ tasks })),
    fc.tuple(things, things).map(([one, two]) => json({ master: { tasks: one }, other: { tasks: two } })),
  ),
  beads: things.map((issues) => issues.map(json).join('\n')),
  github: things.map(json),
  brunch: fc.tuple(things, things).map(([epics, slices]) => json({ epics, slices })),
  ail: fc
    .tuple(fc.record({ model: value, max_concurrency: value, timeout_seconds: value }), things)
    .map(([defaults, pipeline]) => json({ version: '0.1', defaults, pipeline })),
};

describe('an import of any text', () => {
  test.each(IMPORT_FORMATS)('from %s never throws, and the resulting plan checks', (format) => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), words, markdown), (text) => void expectRight(format, text)),
      { numRuns: 40 },
    );
  });

  test.each(IMPORT_FORMATS)('from %s in its own shape never throws, and the resulting plan checks', (format) => {
    fc.assert(
      fc.property(SHAPED[format], (text) => void expectRight(format, text)),
      { numRuns: Number(process.env['HEDDLE_IMPORT_RUNS'] ?? 20) },
    );
  });

  test.each(IMPORT_FORMATS)(
    'from %s in its own shape often is a plan, so that the law above has something to say',
    (format) => {
      const texts = fc.sample(SHAPED[format], { seed: 1, numRuns: 30 });
      expect(texts.filter((text) => expectRight(format, text)).length).toBeGreaterThan(5);
    },
  );

  test('from this very file never throws either', () => {
    const text = readFileSync(import.meta.filename, 'utf8');
    for (const format of IMPORT_FORMATS) expectRight(format, text);
  });
});
