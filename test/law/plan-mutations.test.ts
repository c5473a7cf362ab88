import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/core/plan/diagnostic.ts';
import { parsePlan } from '../../src/core/plan/build/parse.ts';
import { printPlan } from '../../src/core/plan/print/print.ts';
import { DIAGNOSTIC_CODES } from '../../src/core/plan/build/diagnostic-codes.ts';

const MUTANTS = 100_000;
const SEED = 7;
const MUTATIONS_MAX = 4;

const SEEDS: readonly string[] = [
  'heddle: 1\nagent: claude\ntasks:\n  a: { prompt: Do it. }\n  b:\n    needs: [a]\n    run: npm test\n',
  `heddle: 1
pools: { coder: 4, db: 1 }
agents:
  claude: { use: claude, model: opus, pool: coder }
  cheap: { use: codex, args: ["--profile", "fast"], reserve: { usd: 0.1, tokens: 20k } }
budget: { usd: 40, tokens: 20M }
merge: { order: plan, check: npm test }
tasks:
  api:
    pool: db
    steps:
      - id: tests
        agent: cheap
        prompt: Write failing tests.
      - id: code
        prompt: |
          Make these pass:
          {{ steps.tests.response }}
      - id: verify
        run: npm test
    repeat: { until: steps.verify.ok, max: 3 }
`,
  `heddle: 1
agent: claude
tasks:
  reviews:
    max_parallel: 2
    failure_mode: fail_fast
    tasks:
      security: { prompt: Review., output: { type: object } }
      speed: { prompt: "Review: slow", output: { type: object } }
  verdict:
    needs: { all: [reviews.security, reviews.speed] }
    join: { on_error: wait_for_all }
    output: { type: object }
  ship:
    needs: verdict
    when: tasks.verdict.output.security.score >= 7
    gate: Ship it?
`,
  `heddle: 1
inputs: { level: 3, who: { type: string, default: me } }
x-base: &base { attempts: 3, timeout: 1h30m }
tasks:
  fix:
    <<: *base
    for_each:
      in: [a, 'b', "c"]
      as: file
      task: { run: "make $file" }
  late:
    needs: { at_least: 1, of: [fix] }
    for_each: { in: '["x"]', max: 2, task: { tasks: { one: { run: a }, two: { needs: one, run: b } } } }
`,
  `heddle: 1
agent: claude
sandbox: { include: [.env], ports: 2, tree: auto }
env: [CI]
tasks:
  a:
    steps:
      - { id: one, async: true, prompt: One }
      - { id: two, action: join, needs: [one], on_error: wait_for_all }
    on_error: continue
  b: { prompt: "{{ inputs.x }}", resume: true, on_result: [{ if: ok, do: retry }] }
`,
];

const TOKENS: readonly string[] = [
  '{{',
  '}}',
  '{{ x }}',
  ': ',
  '- ',
  '? ',
  '&a ',
  '*a',
  '<<: *base',
  '!!int ',
  '!x ',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '|',
  '>',
  '#',
  '\t',
  '\n',
  '\r\n',
  '\r',
  '---\n',
  '...\n',
  '%TAG ! x\n',
  '__proto__: x',
  'constructor: {}',
  '\0',
  '\uD800',
  '\uDC00',
  '\uFEFF',
  '\u0085',
  '999999999999999999999',
  '1e999',
  '.nan',
  '-0',
  '~',
  'null',
  'true',
  '..',
  '/',
  'a'.repeat(70),
  '  ',
  ',',
  '\\',
  '\\x',
  '${HOME}',
  '{% if %}',
  '日',
  'tasks:',
  'needs: [a]',
  'prompt: x',
  'steps: []',
  'for_each: {}',
  'join:',
  '45m',
  '$40',
  '0x',
  'on_error: gate',
];

/** A small random number generator, so that a failure can be reproduced. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = ReturnType<typeof random>;

function mutate(text: string, draw: Random): string {
  const at = draw(text.length + 1);
  const length = 1 + draw(12);
  const lines = text.split('\n');
  const line = draw(lines.length);
  switch (draw(9)) {
    case 0:
      return text.slice(0, at) + String.fromCharCode(draw(2) === 0 ? draw(128) : draw(65_536)) + text.slice(at + 1);
    case 1:
      return text.slice(0, at) + text.slice(at + length);
    case 2:
      return text.slice(0, at + length) + text.slice(at);
    case 3:
    case 4:
      return text.slice(0, at) + (TOKENS[draw(TOKENS.length)] ?? '') + text.slice(at);
    case 5:
      return text.slice(0, at);
    case 6:
      return lines.with(line, lines[draw(lines.length)] ?? '').join('\n');
    case 7:
      return lines.with(line, ' '.repeat(draw(6)) + (lines[line] ?? '').trimStart()).join('\n');
    default:
      return lines.toSpliced(line, 0, ...lines.slice(draw(lines.length)).slice(0, 1 + draw(4))).join('\n');
  }
}

function isInside(diagnostic: Diagnostic, text: string): boolean {
  const { line, column } = diagnostic.position;
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  return line >= 1 && line <= lines.length && column >= 1 && column <= (lines[line - 1] ?? '').length + 1;
}

/** Faults in the treatment of a text; empty when there are none. */
function complaint(text: string): string {
  const { plan, diagnostics } = parsePlan(text, { file: 'mutant.yaml' });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if ((plan === undefined) !== errors.length > 0) return 'there must be a plan or an error, and not both';
  const lost = diagnostics.find((diagnostic) => !isInside(diagnostic, text));
  if (lost !== undefined) return `a diagnostic is outside of the text: ${JSON.stringify(lost)}`;
  const unknown = diagnostics.find(({ code }) => !DIAGNOSTIC_CODES.has(code));
  if (unknown !== undefined) return `a code is not in the list: ${unknown.code}`;
  const mute = diagnostics.find(({ message, hint }) => message.length < 5 || hint.length < 5);
  return mute === undefined ? '' : `a diagnostic does not help: ${JSON.stringify(mute)}`;
}

describe('mutated plans', () => {
  test('each gives a plan or errors with a place in the text, and none throws', () => {
    const draw = random(SEED);
    let plans = 0;
    for (let index = 0; index < MUTANTS; index += 1) {
      let text = SEEDS[index % SEEDS.length] ?? '';
      for (let count = 1 + draw(1 + draw(MUTATIONS_MAX)); count > 0; count -= 1) text = mutate(text, draw);
      const wrong = complaint(text);
      if (wrong !== '') expect.fail(`mutant ${index}: ${wrong}\n${JSON.stringify(text)}`);
      if (index % 49 === 0) plans += roundTrips(text) ? 1 : 0;
    }
    expect(plans).toBeGreaterThan(50);
  });
});

/** Mutants that are still plans must survive printing as well. */
function roundTrips(text: string): boolean {
  const { plan } = parsePlan(text, { file: 'mutant.yaml' });
  if (plan === undefined) return false;
  expect(parsePlan(printPlan(plan), { file: 'again.yaml' }).plan).toStrictEqual(plan);
  return true;
}
