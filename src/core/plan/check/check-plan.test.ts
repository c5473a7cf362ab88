import { describe, expect, test } from 'vitest';
import { PLAN_FINDING_CODES } from './plan-finding.ts';
import { codesOf, findingsIn, findingsOf, planOfText } from './plan-of.given.ts';
import type { Plan, Task } from '../plan.ts';

const P = 'prompt: x';

/** A code, a plan that shows it, where, and a plan that comes near and must stay silent. */
type Case = readonly [code: string, shows: string, where: string, silent: string];

const CASES: readonly Case[] = [
  [
    'host-in-place',
    `sandbox: { tree: none }\ntasks:\n  a: { on: gpu, ${P} }`,
    'tasks.a.on',
    `tasks:\n  a: { on: gpu, ${P} }`,
  ],
  [
    'host-in-place',
    `sandbox: { tree: none }\ntasks:\n  a: { steps: [{ ${P} }, { run: x, on: gpu }] }`,
    'tasks.a.steps.1.on',
    `sandbox: { tree: none }\ntasks:\n  a: { steps: [{ ${P} }, { run: x }] }`,
  ],
  [
    'host-in-place',
    `sandbox: { tree: none }\nagents: { claude: { use: claude, on: [gpu] } }\ntasks:\n  a: { ${P} }`,
    'agents.claude.on',
    `sandbox: { tree: auto }\nagents: { claude: { use: claude, on: [gpu] } }\ntasks:\n  a: { ${P} }`,
  ],
  [
    'unknown-need',
    `tasks:\n  a: { needs: [b], ${P} }\n  c: { ${P} }`,
    'tasks.a.needs.0',
    `tasks:\n  a: { needs: [c], ${P} }\n  c: { ${P} }`,
  ],
  [
    'unknown-need',
    `tasks:\n  a: { needs: { any: [c, b.d] }, ${P} }\n  c: { ${P} }\n  e: { ${P} }`,
    'tasks.a.needs.any.1',
    `tasks:\n  a: { needs: { any: [c, b.d] }, ${P} }\n  c: { ${P} }\n  b: { tasks: { d: { ${P} } } }`,
  ],
  [
    'need-inside-for-each',
    `tasks:\n  a: { needs: [f.item], ${P} }\n  f: { for_each: { in: [1], task: { ${P} } } }`,
    'tasks.a.needs.0',
    `tasks:\n  a: { needs: [f], ${P} }\n  f: { for_each: { in: [1], task: { ${P} } } }`,
  ],
  [
    'need-on-self',
    `tasks:\n  a: { needs: [a], ${P} }`,
    'tasks.a.needs.0',
    `tasks:\n  a: { tasks: { a: { ${P} }, b: { needs: [a], ${P} } } }`,
  ],
  [
    'need-on-ancestor',
    `tasks:\n  s: { tasks: { a: { needs: [s], ${P} } } }`,
    'tasks.s.tasks.a.needs.0',
    `tasks:\n  s: { tasks: { a: { needs: [t], ${P} } } }\n  t: { ${P} }`,
  ],
  [
    'need-on-descendant',
    `tasks:\n  s: { needs: [s.a], tasks: { a: { ${P} } } }`,
    'tasks.s.needs.0',
    `tasks:\n  s: { needs: [t.a], tasks: { a: { ${P} } } }\n  t: { tasks: { a: { ${P} } } }`,
  ],
  [
    'duplicate-need',
    `tasks:\n  a: { ${P} }\n  b: { needs: [a, a], ${P} }`,
    'tasks.b.needs.1',
    `tasks:\n  a: { ${P} }\n  b: { needs: [a], ${P} }`,
  ],
  [
    'cycle',
    `tasks:\n  a: { needs: [c], ${P} }\n  b: { needs: [a], ${P} }\n  c: { needs: [b], ${P} }`,
    'tasks.a.needs.0',
    `tasks:\n  a: { ${P} }\n  b: { needs: [a], ${P} }\n  c: { needs: [b, a], ${P} }`,
  ],
  [
    'at-least-out-of-range',
    `tasks:\n  a: { ${P} }\n  b: { needs: { at_least: 2, of: [a] }, ${P} }`,
    'tasks.b.needs.at_least',
    `tasks:\n  a: { ${P} }\n  c: { ${P} }\n  b: { needs: { at_least: 2, of: [a, c] }, ${P} }`,
  ],
  [
    'single-choice',
    `tasks:\n  a: { ${P} }\n  b: { needs: { race: [a] }, ${P} }`,
    'tasks.b.needs.race',
    `tasks:\n  a: { ${P} }\n  c: { ${P} }\n  b: { needs: { race: [a, c] }, ${P} }`,
  ],
  [
    'unreachable-task',
    `tasks:\n  a: { ${P} }\n  b: { needs: { at_least: 3, of: [a] }, ${P} }\n  c: { needs: [b], ${P} }`,
    'tasks.c.needs',
    `tasks:\n  a: { ${P} }\n  b: { needs: { at_least: 3, of: [a] }, ${P} }\n  c: { needs: { any: [a, b] }, ${P} }`,
  ],
  [
    'never-runs',
    `tasks:\n  a: { when: 1 > 2, ${P} }`,
    'tasks.a.when',
    `inputs: { n: 1 }\ntasks:\n  a: { when: inputs.n > 2, ${P} }\n  b: { when: 2 > 1, ${P} }`,
  ],
  [
    'unknown-step-need',
    `tasks:\n  a: { steps: [{ id: x, run: y }, { id: z, needs: [y], run: y }] }`,
    'tasks.a.steps.1.needs.0',
    `tasks:\n  a: { steps: [{ id: x, run: y }, { id: z, needs: [x], run: y }] }`,
  ],
  [
    'unknown-step-need',
    `tasks:\n  a: { steps: [{ id: x, needs: [z], run: y }, { id: z, run: y }] }`,
    'tasks.a.steps.0.needs.0',
    `tasks:\n  a: { steps: [{ id: z, run: y }, { id: x, needs: [z], run: y }] }`,
  ],
  [
    'unknown-step-need',
    `tasks:\n  a: { steps: [{ id: x, needs: [x], run: y }] }`,
    'tasks.a.steps.0.needs.0',
    `tasks:\n  a: { steps: [{ id: x, run: y }] }`,
  ],
  [
    'uncollected-async',
    `tasks:\n  a: { steps: [{ id: x, async: true, run: y }, { id: z, run: y }] }`,
    'tasks.a.steps.0.async',
    `tasks:\n  a: { steps: [{ id: x, async: true, run: y }, { run: y }, { id: z, needs: [x], run: y }] }`,
  ],
  [
    'join-of-nothing',
    `tasks:\n  a: { join: true }`,
    'tasks.a',
    `tasks:\n  b: { ${P} }\n  a: { needs: [b], join: true }`,
  ],
  [
    'join-of-nothing',
    `tasks:\n  a: { steps: [{ run: y }, { action: join }] }`,
    'tasks.a.steps.1',
    `tasks:\n  a: { steps: [{ id: x, run: y }, { action: join, needs: [x] }] }`,
  ],
  [
    'unstructured-need',
    `tasks:\n  b: { ${P} }\n  a: { needs: [b], join: true, output: { type: object } }`,
    'tasks.a.needs.0',
    `tasks:\n  b: { ${P}, output: { type: object } }\n  c: { ${P} }\n  a: { needs: [b], join: true, output: { type: object } }\n  d: { needs: [c], join: true }`,
  ],
  [
    'unstructured-need',
    `tasks:\n  a: { steps: [{ id: x, run: y }, { action: join, needs: [x], output: { type: object } }] }`,
    'tasks.a.steps.1.needs.0',
    `tasks:\n  a: { steps: [{ id: x, run: y, output: {} }, { action: join, needs: [x], output: { type: object } }] }`,
  ],
  [
    'incompatible-schema',
    `tasks:\n  b: { ${P}, output: { type: string } }\n  a: { needs: [b], join: true, output: { properties: { b: { type: object } } } }`,
    'tasks.a.output.properties.b',
    `tasks:\n  b: { ${P}, output: { type: [string, object] } }\n  a: { needs: [b], join: true, output: { properties: { b: { type: object } } } }`,
  ],
  [
    'incompatible-schema',
    `tasks:\n  b: { ${P}, output: {} }\n  a: { needs: [b], join: true, output: { properties: {}, additionalProperties: false } }`,
    'tasks.a.output.additionalProperties',
    `tasks:\n  b: { ${P}, output: {} }\n  a: { needs: [b], join: true, output: { properties: { b: {} }, additionalProperties: false } }`,
  ],
  [
    'incompatible-schema',
    `tasks:\n  b: { ${P}, output: {} }\n  a: { needs: [b], join: true, output: { required: [c] } }`,
    'tasks.a.output.required',
    `tasks:\n  b: { ${P}, output: {} }\n  a: { needs: [b], join: true, output: { required: [b] } }`,
  ],
  [
    'schema-may-not-fit',
    `tasks:\n  b: { ${P}, output: { type: object, properties: { x: {} } } }\n  a: { needs: [b], join: true, output: { properties: { b: { required: [y] } } } }`,
    'tasks.a.output.properties.b',
    `tasks:\n  b: { ${P}, output: { type: object, properties: { y: {} } } }\n  a: { needs: [b], join: true, output: { properties: { b: { required: [y] } } } }`,
  ],
  [
    'shared-conversation',
    `tasks:\n  a: { steps: [{ id: x, ${P} }, { id: y, async: true, resume: true, ${P} }, { id: z, ${P} }, { needs: [y], run: y }] }`,
    'tasks.a.steps.2',
    `tasks:\n  a: { steps: [{ id: x, ${P} }, { id: y, async: true, ${P} }, { id: z, ${P} }, { needs: [y], run: y }] }`,
  ],
  [
    'shared-conversation',
    `tasks:\n  a: { steps: [{ id: x, async: true, ${P} }, { id: y, resume: true, ${P} }, { needs: [x], run: y }] }`,
    'tasks.a.steps.1',
    `tasks:\n  a: { steps: [{ id: x, async: true, ${P} }, { id: y, needs: [x], resume: true, ${P} }] }`,
  ],
  [
    'nothing-to-resume',
    `tasks:\n  a: { resume: true, ${P} }`,
    'tasks.a.resume',
    `tasks:\n  a: { steps: [{ ${P} }, { resume: true, ${P} }] }`,
  ],
  [
    'nothing-to-resume',
    `tasks:\n  a: { steps: [{ ${P} }, { agent: codex, resume: true, ${P} }] }`,
    'tasks.a.steps.1.resume',
    `tasks:\n  a: { steps: [{ ${P} }, { agent: codex, ${P} }] }`,
  ],
  [
    'reference-without-path',
    `tasks:\n  a: { ${P} }\n  b: { prompt: '{{ tasks.a.response }}' }`,
    'tasks.b.prompt',
    `tasks:\n  a: { ${P} }\n  b: { needs: [a], prompt: '{{ tasks.a.response }}' }`,
  ],
  [
    'reference-without-path',
    `tasks:\n  a: { steps: [{ run: '{{ steps.x.ok }}' }, { id: x, run: y }] }`,
    'tasks.a.steps.0.run',
    `tasks:\n  a: { steps: [{ id: x, run: y }, { run: 'echo {{ steps.x.ok }}' }] }`,
  ],
  [
    'reference-without-path',
    `tasks:\n  a: { steps: [{ id: x, async: true, run: y }, { run: 'echo {{ steps.x.ok }}' }, { needs: [x], run: y }] }`,
    'tasks.a.steps.1.run',
    `tasks:\n  a: { steps: [{ id: x, async: true, run: y }, { needs: [x], run: y }, { run: 'echo {{ steps.x.ok }}' }] }`,
  ],
  [
    'unknown-name',
    `tasks:\n  a: { prompt: '{{ inputs.who }}' }`,
    'tasks.a.prompt',
    `inputs: { who: x }\ntasks:\n  a: { prompt: '{{ inputs.who }}' }`,
  ],
  [
    'unknown-name',
    `tasks:\n  a: { run: 'echo {{ env.HOME }}' }`,
    'tasks.a.run',
    `env: [HOME]\ntasks:\n  a: { run: 'echo {{ env.HOME }}' }`,
  ],
  [
    'unknown-name',
    `tasks:\n  a: { when: tasks.b.ok, ${P} }`,
    'tasks.a.when',
    `tasks:\n  b: { ${P} }\n  a: { needs: [b], when: tasks.b.ok, ${P} }`,
  ],
  [
    'unknown-name',
    `tasks:\n  a: { steps: [{ id: x, run: y }], repeat: { until: steps.y.ok, max: 2 } }`,
    'tasks.a.repeat.until',
    `tasks:\n  a: { steps: [{ id: x, run: y }], repeat: { until: steps.x.ok, max: 2 } }`,
  ],
  [
    'unknown-name',
    `tasks:\n  a: { gate: '{{ item }}' }`,
    'tasks.a.gate',
    `tasks:\n  a: { for_each: { in: [1], task: { gate: '{{ item }}' } } }`,
  ],
  [
    'unknown-name',
    `tasks:\n  a: { when: steps.x.ok, steps: [{ id: x, run: y }] }`,
    'tasks.a.when',
    `tasks:\n  a: { steps: [{ id: x, run: y }, { when: steps.x.ok, run: y }] }`,
  ],
  [
    'unknown-field',
    `tasks:\n  a: { ${P} }\n  b: { needs: [a], prompt: '{{ tasks.a.reponse }}' }`,
    'tasks.b.prompt',
    `tasks:\n  a: { ${P} }\n  b: { needs: [a], prompt: '{{ tasks.a.commit }} {{ tasks.a.cost }}' }`,
  ],
  [
    'unknown-field',
    `tasks:\n  a: { ${P}, on_result: [{ if: result.okay, do: retry }] }`,
    'tasks.a.on_result.0.if',
    `tasks:\n  a: { ${P}, on_result: [{ if: 'result.ok && ok && exit_code == 0', do: retry }] }`,
  ],
  [
    'reference-without-path',
    `tasks:\n  a: { steps: [{ id: one, ${P}, on_result: [{ if: steps.two.ok, do: retry }] }, { id: two, ${P} }] }`,
    'tasks.a.steps.0.on_result.0.if',
    `tasks:\n  a: { steps: [{ id: one, ${P}, on_result: [{ if: steps.one.ok, do: retry }] }, { id: two, ${P} }] }`,
  ],
  [
    'unknown-output',
    `tasks:\n  a: { ${P}, output: { type: object, properties: { x: {} }, additionalProperties: false } }\n  b: { needs: [a], when: tasks.a.output.y == 1, ${P} }`,
    'tasks.b.when',
    `tasks:\n  a: { ${P}, output: { type: object, properties: { x: {} }, additionalProperties: false } }\n  b: { needs: [a], when: tasks.a.output.x == 1, ${P} }`,
  ],
  [
    'unknown-output',
    `tasks:\n  a: { ${P}, output: {} }\n  j: { needs: [a], join: true, output: { type: object } }\n  b: { needs: [j], when: tasks.j.output.b.ok == 1, ${P} }`,
    'tasks.b.when',
    `tasks:\n  a: { ${P}, output: {} }\n  j: { needs: [a], join: true, output: { type: object } }\n  b: { needs: [j], when: tasks.j.output.a.ok == 1, ${P} }`,
  ],
  [
    'undeclared-output',
    `tasks:\n  a: { ${P}, output: { type: object, properties: { x: {} } } }\n  b: { needs: [a], when: tasks.a.output.y == 1, ${P} }`,
    'tasks.b.when',
    `tasks:\n  a: { ${P}, output: { type: object, properties: { x: {} } } }\n  b: { needs: [a], when: has(tasks.a.output.y), ${P} }`,
  ],
  [
    'undeclared-output',
    `tasks:\n  a: { ${P} }\n  b: { needs: [a], when: tasks.a.output.y == 1, ${P} }`,
    'tasks.b.when',
    `tasks:\n  a: { ${P}, output: { $ref: x.json } }\n  b: { needs: [a], when: tasks.a.output.y == 1, ${P} }`,
  ],
  [
    'template-syntax',
    `tasks:\n  a: { prompt: '{{ inputs' }`,
    'tasks.a.prompt',
    `tasks:\n  a: { prompt: '{% raw %}{{ inputs{% endraw %} }}' }`,
  ],
  ['expression-syntax', `tasks:\n  a: { when: 1 +, ${P} }`, 'tasks.a.when', `tasks:\n  a: { when: 1 + 1 == 2, ${P} }`],
  [
    'expression-type',
    `tasks:\n  a: { when: 1 + 1, ${P} }`,
    'tasks.a.when',
    `inputs: { n: true }\ntasks:\n  a: { when: inputs.n, ${P} }`,
  ],
  [
    'expression-type',
    `tasks:\n  a: { for_each: { in: '1 + 1', max: 2, task: { ${P} } } }`,
    'tasks.a.for_each.in',
    `tasks:\n  a: { for_each: { in: '[1, 2]', max: 2, task: { ${P} } } }`,
  ],
  [
    'unusable-pattern',
    `tasks:\n  a: { ${P}, output: { properties: { pattern: { anyOf: [{ type: number }, { pattern: "(?=a)b" }] } } } }`,
    'tasks.a.output.properties.pattern.anyOf.1.pattern',
    `tasks:\n  a: { ${P}, output: { properties: { pattern: { pattern: "^(a+)+$" } } } }`,
  ],
  [
    'unusable-pattern',
    `tasks:\n  a: { steps: [{ ${P}, output: { items: { patternProperties: { "(": {} } } } }] }`,
    'tasks.a.steps.0.output.items.patternProperties.(',
    `tasks:\n  a: { steps: [{ ${P}, output: { properties: { "(": {} } } }] }`,
  ],
  [
    'join-not-repeatable',
    `tasks:\n  a:\n    steps:\n      - { id: p, ${P} }\n      - { id: q, ${P}, async: true }\n      - { id: j, action: join, needs: [p], on_result: [{ if: ok, do: retry }] }\n      - { ${P}, needs: [q] }`,
    'tasks.a.steps.2.on_result',
    `tasks:\n  a:\n    steps:\n      - { id: p, ${P} }\n      - { id: q, ${P}, async: true }\n      - { id: j, action: join, needs: [p, q], on_result: [{ if: ok, do: retry }] }\n      - { ${P}, needs: [q] }`,
  ],
  [
    'join-not-repeatable',
    `tasks:\n  a:\n    steps:\n      - { id: p, ${P}, async: true }\n      - { id: j, async: true, action: join, needs: [p], on_result: [{ if: ok, do: gate }] }\n      - { ${P}, needs: [j, p] }`,
    'tasks.a.steps.1.on_result',
    `tasks:\n  a:\n    steps:\n      - { id: p, ${P}, async: true }\n      - { id: j, async: true, action: join, needs: [p], on_result: [{ if: ok, do: gate }] }\n      - { ${P}, needs: [j] }`,
  ],
  [
    'join-not-repeatable',
    `tasks:\n  a: { ${P} }\n  j: { needs: [a], join: , on_result: [{ if: ok, do: gate }, { if: ok, do: retry }] }`,
    'tasks.j.on_result.1.do',
    `tasks:\n  a: { ${P} }\n  j: { needs: [a], join: { on_error: wait_for_all }, on_result: [{ if: ok, do: retry }] }`,
  ],
  [
    'join-not-repeatable',
    `tasks:\n  a: { ${P} }\n  b: { ${P} }\n  j: { needs: { any: [a, b] }, join: { on_error: wait_for_all }, on_result: [{ if: ok, do: retry }] }`,
    'tasks.j.on_result.0.do',
    `tasks:\n  a: { ${P} }\n  b: { ${P} }\n  j: { needs: { any: [a, b] }, join: { on_error: wait_for_all }, on_result: [{ if: ok, do: gate }] }`,
  ],
  [
    'incompatible-schema',
    `tasks:\n  a: { ${P}, output: { type: object } }\n  j: { needs: [a], join: , output: { type: array } }`,
    'tasks.j.output.type',
    `tasks:\n  a: { ${P}, output: { type: object } }\n  j: { needs: [a], join: , output: { type: [object, array] } }`,
  ],
  ...(
    [
      ['anyOf', 'anyOf: [{ type: array }, { type: string }]', 'anyOf: [{ type: array }, {}]'],
      ['oneOf', 'oneOf: [{ type: array }, false]', 'oneOf: [{ type: array }, { type: object }]'],
      ['allOf.1.type', 'allOf: [{}, { type: array }]', 'allOf: [{}, { type: object }]'],
      ['enum', 'enum: [[1], 2]', 'enum: [{ a: {} }, 2]'],
      ['const', 'const: [1]', 'const: { a: {} }'],
      [
        '$ref',
        '$ref: "#/definitions/x", definitions: { x: { type: array } }',
        '$ref: "#/definitions/x", definitions: { x: {} }',
      ],
    ] as const
  ).map(([key, shows, silent]): Case => [
    'incompatible-schema',
    `tasks:\n  a: { ${P}, output: { type: object } }\n  j: { needs: [a], join: , output: { ${shows} } }`,
    `tasks.j.output.${key}`,
    `tasks:\n  a: { ${P}, output: { type: object } }\n  j: { needs: [a], join: , output: { ${silent} } }`,
  ]),
  [
    'unknown-need',
    `tasks:\n  f: { for_each: { in: [x, y], task: { ${P} } } }\n  b: { needs: [f.1], ${P} }`,
    'tasks.b.needs.0',
    `tasks:\n  f: { for_each: { in: [x, y], task: { ${P} } } }\n  b: { needs: [f.x], ${P} }`,
  ],
  [
    'nothing-to-resume',
    `tasks:\n  a: { ${P}, resume: fork }`,
    'tasks.a.resume',
    `tasks:\n  a: { steps: [{ ${P} }, { ${P}, resume: fork }] }`,
  ],
  [
    'nothing-to-resume',
    `agents: { c: claude, x: codex }\ntasks:\n  a: { ${P} }\n  b: { needs: [a], agent: x, ${P}, resume: { from: tasks.a } }`,
    'tasks.b.resume',
    `agents: { c: claude, x: codex }\ntasks:\n  a: { ${P} }\n  b: { needs: [a], ${P}, resume: { from: tasks.a } }`,
  ],
  [
    'unknown-name',
    `agents: { c: claude }\ntasks:\n  a: { ${P} }\n  b: { needs: [a], ${P}, resume: { from: tasks.aa } }`,
    'tasks.b.resume',
    `agents: { c: claude }\ntasks:\n  a: { ${P} }\n  b: { needs: [a], resume: { from: tasks.a }, steps: [{ run: x }, { ${P} }] }`,
  ],
  [
    'reference-without-path',
    `agents: { c: claude }\ntasks:\n  a: { ${P} }\n  b: { ${P}, resume: { fork: tasks.a } }`,
    'tasks.b.resume',
    `agents: { c: claude }\ntasks:\n  a: { ${P} }\n  b: { needs: [a], ${P}, resume: { fork: tasks.a } }`,
  ],
  [
    'shared-conversation',
    `agents: { c: claude }\ntasks:\n  a: { ${P} }\n  b: { needs: [a], ${P}, resume: { from: tasks.a } }\n  d: { needs: [a], ${P}, resume: { from: tasks.a } }`,
    'tasks.d.resume',
    `agents: { c: claude }\ntasks:\n  a: { ${P} }\n  b: { needs: [a], ${P}, resume: { from: tasks.a } }\n  d: { needs: [b], ${P}, resume: { from: tasks.a } }\n  e: { needs: [a], ${P}, resume: { fork: tasks.a } }`,
  ],
  [
    'shared-conversation',
    `agents: { c: claude }\ntasks:\n  a: { ${P} }\n  f: { needs: [a], for_each: { in: [1, 2], task: { ${P}, resume: { from: tasks.a } } } }`,
    'tasks.f.for_each.task.resume',
    `agents: { c: claude }\ntasks:\n  a: { ${P} }\n  f: { needs: [a], for_each: { in: [1, 2], task: { ${P}, resume: { fork: tasks.a } } } }`,
  ],
  [
    'conversation-stays',
    `agents: { g: gemini }\ntasks:\n  a: { ${P} }\n  b: { needs: [a], ${P}, resume: { from: tasks.a } }`,
    'tasks.b.resume',
    `agents: { g: gemini }\ntasks:\n  a: { steps: [{ ${P} }, { ${P}, resume: true }] }`,
  ],
  [
    'cannot-fork',
    `agents: { g: gemini }\ntasks:\n  a: { steps: [{ ${P} }, { ${P}, resume: fork }] }`,
    'tasks.a.steps.1.resume',
    `agents: { g: opencode }\ntasks:\n  a: { steps: [{ ${P} }, { ${P}, resume: fork }] }`,
  ],
  [
    'unknown-pool',
    `pools: { db: 1 }\ntasks:\n  a: { ${P}, hold: { dbb: 1 } }`,
    'tasks.a.hold.dbb',
    `pools: { db: 1 }\ntasks:\n  a: { ${P}, hold: { db: 1 } }`,
  ],
  [
    'pool-demand',
    `pools: { db: 1 }\ntasks:\n  a: { ${P}, hold: { db: 2 } }`,
    'tasks.a.hold.db',
    `pools: { db: 2 }\ntasks:\n  a: { ${P}, hold: { db: 2 } }`,
  ],
  [
    'hold-too-small',
    `pools: { db: 2 }\ntasks:\n  a: { hold: { db: 1 }, steps: [{ ${P} }, { run: x, pools: { db: 2 } }] }`,
    'tasks.a.hold.db',
    `pools: { db: 2 }\ntasks:\n  a: { hold: { db: 2 }, steps: [{ ${P} }, { run: x, pools: { db: 2 } }] }`,
  ],
  [
    'hold-cycle',
    `pools: { p: 1, q: 1, r: 1 }\ntasks:\n  a: { hold: [p], run: x, pools: [q] }\n  b: { hold: [q], run: x, pools: [r] }\n  c: { hold: [r], run: x, pools: [p] }`,
    'tasks.c.hold',
    `pools: { p: 1, q: 1, r: 1 }\ntasks:\n  a: { hold: [p], run: x, pools: [q] }\n  b: { hold: [q], run: x, pools: [r] }\n  c: { hold: [r, p], run: x, pools: [p] }`,
  ],
  [
    'no-agent-turn',
    'tasks:\n  a: { steps: [{ id: r, run: x }], repeat: { until: steps.r.ok, max: 2, feedback: "{{ steps.r.response }}" } }',
    'tasks.a.repeat.feedback',
    'tasks:\n  a: { steps: [{ prompt: x }, { id: r, run: x }], repeat: { until: steps.r.ok, max: 2, feedback: "{{ steps.r.response }}" } }',
  ],
  [
    'read-only-beside',
    'tasks:\n  a: { steps: [{ id: p, prompt: x, async: true }, { prompt: x, resume: false, read_only: true }, { run: x, needs: [p] }] }',
    'tasks.a.steps.1.read_only',
    'tasks:\n  a: { steps: [{ id: p, prompt: x, async: true }, { prompt: x, resume: false, read_only: true, needs: [p] }] }',
  ],
  [
    'read-only-beside',
    'tasks:\n  a: { steps: [{ id: p, prompt: x, async: true, read_only: true }, { run: x, needs: [p] }] }',
    'tasks.a.steps.0.read_only',
    'tasks:\n  a: { steps: [{ id: p, prompt: x, read_only: true }, { run: x, needs: [p] }] }',
  ],
  [
    'read-only-in-place',
    'sandbox: { tree: none }\ntasks:\n  a: { steps: [{ prompt: x, read_only: true }] }',
    'tasks.a.steps.0.read_only',
    'sandbox: { tree: none }\ntasks:\n  a: { steps: [{ prompt: x, read_only: false }] }',
  ],
  [
    'escalation-unreached',
    'agents: { ai: claude, b: claude, c: claude }\ntasks:\n  a: { prompt: x, attempts: 2, escalate: [ai, b, c] }',
    'tasks.a.escalate',
    'agents: { ai: claude, b: claude, c: claude }\ntasks:\n  a: { prompt: x, attempts: 3, escalate: [ai, b, c] }',
  ],
  [
    'unknown-agent',
    'tasks:\n  a: { prompt: x, escalate: [claude, c] }',
    'tasks.a.escalate.1',
    'agents: { claude: claude, c: claude }\ntasks:\n  a: { prompt: x, escalate: [claude, c] }',
  ],
  [
    'unsafe-value',
    'tasks:\n  a: { prompt: x, check: "eval {{ steps.main.response }}" }',
    'tasks.a.check',
    'tasks:\n  a: { prompt: x, check: "test {{ steps.main.response }}" }',
  ],
  [
    'unknown-name',
    'tasks:\n  f: { for_each: { in: [1], task: { prompt: x, check: "test {{ itme }}" } } }',
    'tasks.f.for_each.task.check',
    'tasks:\n  f: { for_each: { in: [1], task: { prompt: x, check: "test {{ item }}" } } }',
  ],
  [
    'unknown-name',
    'merge: { check: "make {{ tasks.a.response }}" }\ntasks:\n  a: { prompt: x }',
    'merge.check',
    'inputs: { a: 1 }\nmerge: { check: "make {{ inputs.a }}" }\ntasks:\n  a: { prompt: x }',
  ],
  [
    'unknown-name',
    'tasks:\n  a: { prompt: x, merge: { check: "make {{ env.HOME }}" } }',
    'tasks.a.merge.check',
    'env: [HOME]\ntasks:\n  a: { prompt: x, merge: { check: "make {{ env.HOME }}" } }',
  ],
  [
    'unsafe-value',
    `inputs: { v: x }\ntasks:\n  a: { run: 'eval {{ inputs.v }}' }`,
    'tasks.a.run',
    `inputs: { v: x }\ntasks:\n  a: { run: 'echo "{{ inputs.v }}"' }`,
  ],
  [
    'unsafe-value',
    `agents: { own: { use: command, command: sh, args: [-c, "llm '{prompt}'"] } }\ntasks:\n  a: { ${P} }`,
    'agents.own.args',
    `agents: { own: { use: command, command: sh, args: [-c, 'llm "$1"', sh, "{prompt}"] } }\ntasks:\n  a: { ${P} }`,
  ],
  ['unknown-agent', `tasks:\n  a: { agent: clod, ${P} }`, 'tasks.a.agent', `tasks:\n  a: { agent: codex, ${P} }`],
  [
    'unknown-agent',
    `tasks:\n  a: { steps: [{ agent: clod, ${P} }] }`,
    'tasks.a.steps.0.agent',
    `tasks:\n  a: { steps: [{ agent: codex, ${P} }] }`,
  ],
  [
    'permissions-unkept',
    `permissions: deny\nagents: { ai: { use: pi } }\ntasks:\n  a: { ${P} }`,
    'agents.ai',
    `permissions: deny\nagents: { ai: { use: codex } }\ntasks:\n  a: { ${P} }`,
  ],
  [
    'permissions-unasked',
    `permissions: gate\nagents: { ai: { use: codex } }\ntasks:\n  a: { ${P} }`,
    'agents.ai',
    `permissions: gate\nagents: { ai: { use: claude } }\ntasks:\n  a: { ${P} }`,
  ],
  [
    'permissions-unused',
    `permissions: { policy: allow, allow: [edit] }\ntasks:\n  a: { ${P} }`,
    'permissions.allow',
    `permissions: { allow: [edit] }\ntasks:\n  a: { ${P} }`,
  ],
  [
    'unknown-pool',
    `pools: { ci: 1 }\ntasks:\n  a: { pool: co, ${P} }`,
    'tasks.a.pools.co',
    `pools: { ci: 1 }\ntasks:\n  a: { pool: ci, ${P} }`,
  ],
  [
    'unknown-pool',
    `agents: { claude: { use: claude, pool: co } }\ntasks:\n  a: { ${P} }`,
    'agents.claude.pool',
    `pools: { co: 1 }\nagents: { claude: { use: claude, pool: co } }\ntasks:\n  a: { ${P} }`,
  ],
  [
    'pool-demand',
    `pools: { ci: 1 }\ntasks:\n  a: { pools: { ci: 2 }, ${P} }`,
    'tasks.a.pools.ci',
    `pools: { ci: 2 }\ntasks:\n  a: { pools: { ci: 2 }, ${P} }`,
  ],
  [
    'budget-too-small',
    `budget: { usd: 0.2 }\ntasks:\n  a: { ${P} }\n  b: { run: y }`,
    'budget.usd',
    `budget: { usd: 0.5 }\ntasks:\n  a: { ${P} }\n  b: { run: y }`,
  ],
  [
    'budget-too-small',
    `tasks:\n  s: { budget: { tokens: 5 }, tasks: { a: { ${P} } } }`,
    'tasks.s.budget.tokens',
    `tasks:\n  s: { budget: { tokens: 5 }, tasks: { a: { run: y } } }`,
  ],
  [
    'reservation-over-budget',
    `budget: { usd: 1 }\ntasks:\n  a: { ${P} }\n  b: { reserve: { usd: 2 }, ${P} }`,
    'tasks.b.reserve.usd',
    `budget: { usd: 2 }\ntasks:\n  a: { ${P} }\n  b: { reserve: { usd: 2 }, ${P} }`,
  ],
  [
    'budget-over-enclosing',
    `budget: { usd: 5 }\ntasks:\n  a: { budget: { usd: 6 }, ${P} }`,
    'tasks.a.budget.usd',
    `budget: { usd: 5 }\ntasks:\n  a: { budget: { usd: 5 }, ${P} }`,
  ],
  [
    'growth-without-budget',
    'tasks:\n  m: { grow: { prompt: x, max_tasks: 3 } }',
    'tasks.m.grow',
    'tasks:\n  m: { budget: { usd: 9 }, grow: { prompt: x, max_tasks: 3 } }',
  ],
  [
    'empty-for-each',
    `tasks:\n  a: { for_each: { in: [], max: 3, task: { ${P} } } }`,
    'tasks.a.for_each.in',
    `tasks:\n  a: { for_each: { in: [1], max: 3, task: { ${P} } } }`,
  ],
  [
    'write-overlap',
    `tasks:\n  a: { files: [src/**], ${P} }\n  b: { files: [src/x.ts], ${P} }`,
    'tasks.b.files',
    `tasks:\n  a: { files: [src/**], ${P} }\n  b: { needs: [a], files: [src/x.ts], ${P} }`,
  ],
  [
    'write-overlap',
    `tasks:\n  a: { files: [src/*.ts], ${P} }\n  b: { files: [src/x.*], ${P} }`,
    'tasks.b.files',
    `tasks:\n  a: { files: [src/*.ts], ${P} }\n  b: { files: [src/x.js], ${P} }`,
  ],
  [
    'no-check',
    `merge: { auto: auto }\ntasks:\n  a: { ${P} }`,
    'merge',
    `merge: { auto: auto }\ntasks:\n  a: { ${P}, check: make }`,
  ],
  [
    'no-check',
    `merge: { auto: auto }\ntasks:\n  a: { ${P} }`,
    'merge',
    `merge: { auto: auto }\ntasks:\n  a: { run: y }`,
  ],
];

describe('each code is shown, and stays silent where it only comes near', () => {
  test.each(CASES)('%s', (...given) => {
    const [code, shows, where, silent] = given;
    expect(codesOf(shows)).toContain(`${code} ${where}`);
    // A task is out of reach only behind another fault, so its near miss has that fault.
    const others = code === 'unreachable-task' ? ['at-least-out-of-range tasks.b.needs.at_least'] : [];
    expect(codesOf(silent)).toEqual(others);
  });

  test('every code has a case, and each finding has the severity of its code', () => {
    const shown = new Set(CASES.map(([code]) => code));
    expect(Object.keys(PLAN_FINDING_CODES).filter((code) => !shown.has(code))).toEqual(['examined-in-part']);
    for (const [, shows] of CASES) {
      for (const { code, severity } of findingsOf(shows))
        expect(severity ?? 'error').toBe(PLAN_FINDING_CODES[code].severity);
    }
  });

  test('messages and hints are sentences', () => {
    for (const [, shows] of CASES) {
      for (const { message, hint } of findingsOf(shows)) {
        expect(message).toMatch(/^[A-Z0-9`].*\.$/s);
        expect(hint).toMatch(/^[A-Z`].*[.?]$/s);
      }
    }
  });
});

const messageOf = (text: string, code: string) => findingsOf(text).find((finding) => finding.code === code);

describe('needs', () => {
  test('a name that is nearly right is put right', () => {
    const hint = (need: string) =>
      messageOf(`tasks:\n  a: { needs: [${need}], ${P} }\n  reviews: { tasks: { security: { ${P} } } }`, 'unknown-need')
        ?.hint;
    expect(hint('review')).toBe('Did you mean `reviews`?');
    expect(hint('security')).toBe('Did you mean `reviews.security`?');
    expect(hint('reviews.secruity')).toBe('Did you mean `reviews.security`?');
    expect(hint('zzz')).toBe('Name a task of this plan: `reviews`.');
  });

  test('a cycle is named in full and by the shortest way', () => {
    expect(
      messageOf(
        `tasks:\n  a: { needs: [b], ${P} }\n  b: { needs: [c, d], ${P} }\n  c: { needs: [d], ${P} }\n  d: { needs: [a], ${P} }`,
        'cycle',
      )?.message,
    ).toBe('These tasks wait for each other, so none can start: a → b → d → a.');
  });

  test('a cycle through a subplan is found', () => {
    const plan = `tasks:\n  a: { needs: [s], ${P} }\n  s: { tasks: { b: { ${P} }, c: { needs: [a], ${P} } } }`;
    expect(messageOf(plan, 'cycle')?.message).toContain('a → s → s.c → a');
    const inherited = `tasks:\n  s: { needs: [t], tasks: { b: { ${P} } } }\n  t: { needs: [s.b], ${P} }`;
    expect(messageOf(inherited, 'cycle')?.message).toContain('s → t → s.b → s');
    const choice = `tasks:\n  a: { needs: { any: [b, c] }, ${P} }\n  b: { needs: [a], ${P} }\n  c: { ${P} }`;
    expect(messageOf(choice, 'cycle')?.message).toContain('a → b → a');
  });

  test('two cycles are two findings, and tasks behind them give none', () => {
    const plan = `tasks:\n  a: { needs: [b], ${P} }\n  b: { needs: [a], ${P} }\n  c: { needs: [d, a], ${P} }\n  d: { needs: [c], ${P} }\n  e: { needs: [c], prompt: '{{ tasks.d.response }}' }`;
    expect(codesOf(plan)).toEqual(['cycle tasks.a.needs.0', 'cycle tasks.c.needs.0']);
  });

  test('a need by the number of a copy is none of the inner task', () => {
    expect(
      codesOf(
        `tasks:\n  f: { for_each: { in: [1, 2], task: { tasks: { x: { ${P} }, y: { needs: [x], ${P} } } } } }\n  a: { needs: [f.1.x], ${P} }`,
      ),
    ).toEqual([]);
    expect(codesOf(`tasks:\n  a: { needs: [f.1.z], ${P} }\n  f: { for_each: { in: [1], task: { ${P} } } }`)).toEqual([
      'unknown-need tasks.a.needs.0',
    ]);
  });
});

describe('references', () => {
  const reads = (needs: string, more = '') =>
    codesOf(
      `tasks:\n  x: { ${P} }\n  a: { needs: [x], ${P} }\n  b: { needs: [x], ${P} }\n  c: { ${P} }\n${more}  d: { needs: ${needs}, prompt: '{{ tasks.x.response }}' }`,
    );

  test('a task that all paths lead through is certain, whatever is chosen among them', () => {
    expect(reads('{ any: [a, b] }')).toEqual([]);
    expect(reads('{ any: [a, c] }')).toEqual(['reference-without-path tasks.d.prompt']);
    expect(reads('{ at_least: 2, of: [a, c] }')).toEqual([]);
    expect(reads('{ at_least: 2, of: [a, b, c] }')).toEqual([]);
    expect(reads('{ at_least: 1, of: [a, b, c] }')).toEqual(['reference-without-path tasks.d.prompt']);
    expect(reads('{ race: [a, b] }')).toEqual([]);
    expect(reads('{ any: [x] }')).toEqual(['single-choice tasks.d.needs.any']);
  });

  test('needing a subplan makes certain all that is inside, and all that this needs', () => {
    expect(reads('[s]', `  s: { tasks: { p: { ${P} }, q: { needs: [a], ${P} } } }\n`)).toEqual([]);
    expect(reads('[s]', `  s: { tasks: { p: { ${P} } } }\n`)).toEqual(['reference-without-path tasks.d.prompt']);
    expect(
      codesOf(
        `tasks:\n  s: { tasks: { p: { ${P} } } }\n  t: { needs: [s], tasks: { q: { prompt: '{{ tasks.s.p.response }}' } } }`,
      ),
    ).toEqual([]);
  });

  test('a for_each that may be empty makes nothing certain but its own needs', () => {
    const each = (list: string) =>
      codesOf(
        `tasks:\n  x: { ${P} }\n  f: { for_each: { in: ${list}, max: 2, task: { needs: [x], ${P} } } }\n  d: { needs: [f], prompt: '{{ tasks.x.response }}' }`,
      );
    expect(each('[1]')).toEqual([]);
    expect(each('inputs.l')).toContain('reference-without-path tasks.d.prompt');
  });

  test('the nearest task of a name is meant, as for needs', () => {
    const plan = (read: string) =>
      codesOf(
        `tasks:\n  x: { ${P} }\n  s: { tasks: { x: { ${P} }, y: { needs: [x], prompt: '{{ tasks.${read}.response }}' } } }`,
      );
    expect(plan('x')).toEqual([]);
    expect(plan('s.x')).toEqual([]);
    expect(codesOf(`tasks:\n  x: { ${P} }\n  s: { tasks: { y: { prompt: '{{ tasks.x.response }}' } } }`)).toEqual([
      'reference-without-path tasks.s.tasks.y.prompt',
    ]);
  });

  test('a choice is named in the hint, and so is the container of the reader', () => {
    const hint = (text: string) => messageOf(text, 'reference-without-path')?.hint;
    expect(
      hint(`tasks:\n  a: { ${P} }\n  b: { ${P} }\n  c: { needs: { any: [a, b] }, prompt: '{{ tasks.a.response }}' }`),
    ).toContain('all');
    expect(hint(`tasks:\n  s: { tasks: { a: { prompt: '{{ tasks.s.ok }}' } } }`)).toContain('ends before');
    expect(hint(`tasks:\n  a: { ${P} }\n  c: { prompt: '{{ tasks.a.response }}' }`)).toBe(
      'Add `a` to the needs of `c`.',
    );
  });

  test('names that are nearly right are put right', () => {
    const hint = (prompt: string) =>
      messageOf(
        `inputs: { ticket: x }\ntasks:\n  api-v2: { ${P} }\n  b: { needs: [api-v2], steps: [{ id: tests, run: y }, { ${prompt} }] }`,
        'unknown-name',
      )?.hint;
    expect(hint(`prompt: '{{ inputs.tickt }}'`)).toBe('Did you mean `ticket`?');
    expect(hint(`prompt: '{{ input.ticket }}'`)).toBe('Did you mean `inputs`?');
    expect(hint(`prompt: '{{ steps.test.ok }}'`)).toBe('Did you mean `tests`?');
    expect(hint(`prompt: '{{ tasks.api-v3.ok }}'`)).toBe('Did you mean `api-v2`?');
    expect(hint(`prompt: '{{ tests.ok }}'`)).toBe('Did you mean `steps.tests.ok`?');
    expect(hint(`prompt: '{{ api-v2.ok }}'`)).toBe('Did you mean `tasks.api-v2.ok`?');
    expect(hint(`prompt: x, when: tasks.api-v2.ok`)).toContain('tasks["api-v2"]');
    expect(hint(`prompt: '{{ zzzzzz.ok }}'`)).toMatch(/Names begin with `inputs`.* \{% raw %\}/u);
    expect(hint(`prompt: x, when: zzzzzz.ok`)).not.toContain('raw');
    expect(hint(`prompt: '{{ steps.zzzzzz.ok }}'`)).toContain('Its steps are `tests`');
    expect(hint(`prompt: '{{ tasks.zzzzzz.ok }}'`)).toContain('dotted path');
    expect(hint(`prompt: '{{ env.ZZ }}'`)).toContain('Add it to env:');
  });

  test('a way that is worked out during the run is left to the run', () => {
    expect(
      codesOf(
        `inputs: { k: x }\ntasks:\n  a: { ${P} }\n  b: { needs: [a], when: 'tasks[inputs.k].ok || tasks.a[inputs.k] == 1 || size(tasks) > 1', ${P} }`,
      ),
    ).toEqual([]);
    expect(
      codesOf(
        `inputs: { k: x }\ntasks:\n  b: { steps: [{ id: x, run: y }, { run: 'echo {{ steps[inputs.k].ok }} {{ steps.x[inputs.k] }}' }] }`,
      ),
    ).toEqual([]);
  });

  test('the parts of a join are known by its needs, and below them by the declarations of the needs', () => {
    const plan = (
      read: string,
      output = '{ type: object, properties: { score: { type: number } }, additionalProperties: false }',
    ) =>
      codesOf(
        `tasks:\n  p: { ${P}, output: ${output} }\n  v: { needs: [p], join: true, output: { type: object } }\n  b: { needs: [v], when: 'tasks.v.output.${read} == 1', ${P} }`,
      );
    expect(plan('p.score')).toEqual([]);
    expect(plan('p.error')).toEqual([]);
    expect(plan('p.scroe')).toEqual(['unknown-output tasks.b.when']);
    expect(plan('p.score.x')).toEqual(['unknown-output tasks.b.when']);
    expect(plan('p.a.b', '{ type: object }')).toEqual([]);
    expect(
      plan(
        'p.list[0].x',
        '{ type: object, properties: { list: { type: array, items: { type: object, properties: { x: {} } } } } }',
      ),
    ).toEqual([]);
    expect(plan('p.list.x', '{ type: object, properties: { list: { type: array } } }')).toEqual([
      'unknown-output tasks.b.when',
    ]);
  });

  test('commands, questions and lists are read too, and a broken line is reported', () => {
    expect(
      codesOf(
        `tasks:\n  a: { gate: '{{ nope }}' }\n  b: { for_each: { in: nope.x, max: 1, task: { run: 'echo {{ nope }}' } } }`,
      ),
    ).toEqual([
      'unknown-name tasks.a.gate',
      'unknown-name tasks.b.for_each.in',
      'unknown-name tasks.b.for_each.task.run',
    ]);
    expect(messageOf(`tasks:\n  a:\n    prompt: |\n      one\n      {% if %}`, 'template-syntax')?.message).toContain(
      'on line 2',
    );
    expect(messageOf(`tasks:\n  a: { when: 'true b', ${P} }`, 'expression-syntax')?.message).toContain('character 6');
  });

  test('a step that is always skipped is reported by its name', () => {
    expect(messageOf(`tasks:\n  a: { steps: [{ id: x, when: false, run: y }] }`, 'never-runs')?.message).toContain(
      'Step `x` of `a`',
    );
  });
});

describe('permissions', () => {
  const codes = (permissions: string, use: string): readonly string[] =>
    codesOf(
      `permissions: ${permissions}\nagents: { ai: { use: ${use}, command: x } }\nmerge: { check: t }\ntasks: { a: { prompt: x } }`,
    );

  test('that people decide about need a program that asks', () => {
    for (const use of ['claude', 'acp', 'scripted']) expect(codes('gate', use)).toEqual([]);
    for (const use of ['codex', 'opencode', 'gemini'])
      expect([use, codes('gate', use), codes('deny', use)]).toEqual([use, ['permissions-unasked agents.ai'], []]);
  });

  test('that are refused need a program that can be kept from something', () => {
    for (const use of ['pi', 'command'])
      for (const policy of ['gate', 'deny', '{ allow: [edit] }'])
        expect(codes(policy, use)).toEqual(['permissions-unkept agents.ai']);
    expect(codes('allow', 'pi')).toEqual([]);
  });

  test('of which all are given need no list', () => {
    expect(codes('{ policy: allow, allow: [edit] }', 'claude')).toEqual(['permissions-unused permissions.allow']);
    expect(codes('{ policy: allow, allow: ["mcp__db__*"] }', 'claude')).toEqual([]);
  });
});

describe('joins', () => {
  test('two needs of the same id leave the keys open', () => {
    expect(
      codesOf(
        `tasks:\n  s: { tasks: { x: { ${P}, output: { type: string } } } }\n  t: { tasks: { x: { ${P}, output: { type: string } } } }\n  j: { needs: [s.x, t.x], join: true, output: { required: [y], properties: { x: { type: object } } } }`,
      ),
    ).toEqual([]);
  });

  test('a for_each and a task whose last step declares output can be joined', () => {
    expect(
      codesOf(
        `tasks:\n  f: { for_each: { in: [1], task: { ${P}, output: { type: object } } } }\n  w: { steps: [{ ${P}, output: { type: object } }] }\n  j: { needs: [f, w], join: true, output: { properties: { f: { type: array } } } }`,
      ),
    ).toEqual([]);
    expect(
      codesOf(`tasks:\n  f: { for_each: { in: [1], task: { ${P} } } }\n  j: { needs: [f], join: true, output: {} }`),
    ).toEqual(['unstructured-need tasks.j.needs.0']);
  });
});

describe('resources', () => {
  test('an agent that is only inherited is reported where it is written', () => {
    expect(codesOf(`agent: nobody\ntasks:\n  a: { ${P} }\n  s: { tasks: { b: { ${P} } } }`)).toEqual([
      'unknown-agent agent',
    ]);
    expect(codesOf(`tasks:\n  s: { agent: nobody, tasks: { b: { ${P} }, c: { steps: [{ ${P} }] } } }`)).toEqual([
      'unknown-agent tasks.s.agent',
    ]);
  });

  test('an unknown pool of an agent is reported once, at the agent', () => {
    expect(codesOf(`agents: { claude: { use: claude, pool: co } }\ntasks:\n  a: { ${P} }\n  b: { ${P} }`)).toEqual([
      'unknown-pool agents.claude.pool',
    ]);
  });

  test('a budget inside one that is too small is not reported again', () => {
    expect(codesOf(`budget: { usd: 0.1 }\ntasks:\n  a: { reserve: { usd: 3 }, ${P} }\n  b: { ${P} }`)).toEqual([
      'budget-too-small budget.usd',
    ]);
  });
});

describe('files', () => {
  test('a race keeps one of its tasks, so they may write the same', () => {
    expect(
      codesOf(
        `tasks:\n  a: { files: [x], ${P} }\n  s: { tasks: { b: { files: [x], ${P} } } }\n  c: { needs: { race: [a, s] }, ${P} }`,
      ),
    ).toEqual([]);
  });

  test('beyond twenty pairs the rest is counted', () => {
    const tasks = Array.from({ length: 8 }, (_, nth) => `  t${nth}: { files: [x], ${P} }`).join('\n');
    const codes = findingsOf(`tasks:\n${tasks}`).map(({ code }) => code);
    expect(codes.filter((code) => code === 'write-overlap')).toHaveLength(20);
    expect(codes.at(-1)).toBe('examined-in-part');
  });
});

test('the plan of the page has nothing wrong with it', () => {
  const page = `
budget: { usd: 40, tokens: 20M }
pools: { coder: 4, tester: 2 }
agents: { claude: { use: claude, pool: coder }, cheap: { use: codex, pool: tester } }
tasks:
  types: { prompt: Define the types., files: [src/types/**], check: npm run typecheck }
  api:
    needs: [types]
    agent: claude
    steps:
      - { id: tests, agent: cheap, prompt: Write failing tests. }
      - { id: code, prompt: 'Make these pass: {{ steps.tests.response }}' }
      - { id: verify, run: npm test }
    repeat: { until: steps.verify.ok, max: 3 }
  reviews:
    needs: [api]
    tasks:
      security: { prompt: Review., output: { $ref: schemas/review.json } }
      speed: { prompt: Review., output: { $ref: schemas/review.json } }
  verdict: { needs: [reviews.security, reviews.speed], join: { on_error: wait_for_all }, output: { type: object } }
  ship: { needs: [verdict], when: tasks.verdict.output.security.score >= 7, gate: Ship it? }`;
  expect(findingsOf(page)).toEqual([]);
});

describe('large plans', () => {
  const [model] = planOfText(`tasks:\n  a: { ${P} }`).tasks;
  const many = (count: number, change: (nth: number) => Partial<Task> & { readonly prompt?: string }): Plan => {
    const plan = planOfText(`tasks:\n  a: { ${P} }`);
    if (model?.type !== 'work') throw new Error('a prompt is a work task');
    const tasks = Array.from({ length: count }, (_, nth): Task => {
      const { needs, prompt = 'x' } = change(nth);
      const [step] = model.steps;
      const steps = step?.type === 'prompt' ? [{ ...step, prompt }] : [];
      return { ...model, id: `t${nth}`, path: `t${nth}`, needs: needs ?? model.needs, steps };
    });
    return { ...plan, tasks };
  };

  test('a chain of many tasks, each reading the first, has nothing wrong with it', () => {
    const plan = many(5_000, (nth) => ({
      needs: { type: 'all', of: nth === 0 ? [] : [`t${nth - 1}`] },
      prompt: nth === 0 ? 'x' : '{{ tasks.t0.response }}',
    }));
    expect(findingsIn(plan)).toEqual([]);
  });

  test('a cycle of many tasks is one finding', () => {
    const findings = findingsIn(many(5_000, (nth) => ({ needs: { type: 'all', of: [`t${(nth + 1) % 5_000}`] } })));
    expect(findings.map(({ code }) => code)).toEqual(['cycle']);
    expect(findings[0]?.message).toContain('more …');
  });

  test('many unknown needs are all reported', () => {
    expect(findingsIn(many(5_000, (nth) => ({ needs: { type: 'all', of: [`unknown${nth}`] } })))).toHaveLength(5_000);
  });

  test('past the bound of work it is said that not everything was examined', () => {
    const plan = many(3_000, (nth) => ({
      needs: nth < 2 ? { type: 'all', of: [] } : { type: 'any', of: [`t${nth - 1}`, `t${nth - 2}`] },
      prompt: nth < 2 ? 'x' : '{{ tasks.t0.response }}',
    }));
    expect(findingsIn(plan).at(-1)?.code).toBe('examined-in-part');
  });
});
