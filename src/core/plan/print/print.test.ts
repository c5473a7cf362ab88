import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../build/parse.ts';
import { arbitraryPlanText, arbitraryText } from '../plan.given.ts';
import type { Plan } from '../plan.ts';
import { printPlan } from './print.ts';

function given(text: string): Plan {
  const { plan, diagnostics } = parsePlan(text, { file: 'plan.yaml' });
  if (plan === undefined) throw new Error(JSON.stringify(diagnostics));
  return plan;
}

const WRITTEN = `heddle: 1
name: checkout
agents: { claude: { model: opus, pool: coder }, cheap: codex }
pools: { coder: 4, db: 1 }
budget: { usd: $40, tokens: 20M }
inputs: { level: 3 }
tasks:
  types: { prompt: "Define the types.", files: [src/types/**], check: npm run typecheck, timeout: 1h30m }
  api:
    needs: types
    steps:
      - { id: tests, agent: cheap, prompt: Write tests. }
      - { id: code, prompt: "Make them pass:\\n{{ steps.tests.response }}\\n" }
      - { id: verify, run: npm test, pool: db }
    repeat: { until: steps.verify.ok, max: 3 }
  reviews:
    needs: { any: [types, api] }
    max_parallel: 2
    failure_mode: fail_fast
    tasks:
      security: { prompt: "Review: injection", output: { type: object } }
  fix: { for_each: { in: [a, { b: 1 }], task: { run: make } } }
  ship: { needs: reviews.security, when: inputs.level > 2, gate: "Ship?" }
`;

const PRINTED = `heddle: 1
name: checkout
base: HEAD
max_parallel: 4
failure_mode: continue_on_error
attempts: 2
timeout: 45m
idle_timeout: 10m
agent: claude
merge:
  order: completion
  strategy: per_run
  auto: confirm
  on_conflict: agent
  conflict_attempts: 2
  commits: task
budget: { usd: 40, tokens: 20M }
pools:
  coder: 4
  db: 1
agents:
  claude: { use: claude, model: opus, pool: coder }
  cheap: { use: codex }
inputs:
  level: { type: number, default: 3 }
tasks:
  types:
    timeout: 1h30m
    files: [src/types/**]
    check: npm run typecheck
    prompt: Define the types.
  api:
    needs: [types]
    repeat: { until: steps.verify.ok, max: 3 }
    steps:
      - id: tests
        agent: cheap
        prompt: Write tests.
      - id: code
        prompt: |
          Make them pass:
          {{ steps.tests.response }}
      - id: verify
        run: npm test
        pools: { db: 1 }
  reviews:
    needs: { any: [types, api] }
    max_parallel: 2
    failure_mode: fail_fast
    tasks:
      security:
        prompt: "Review: injection"
        output: { type: object }
  fix:
    for_each:
      in:
        - a
        - { b: 1 }
      as: item
      task:
        run: make
  ship:
    needs: [reviews.security]
    when: inputs.level > 2
    gate: Ship?
`;

describe('printing a plan', () => {
  test('reads like a hand-written plan, with settings only where they differ', () => {
    expect(printPlan(given(WRITTEN))).toBe(PRINTED);
  });

  test('keeps a pool that the task takes besides the pool of its first agent', () => {
    const plan = given(
      'heddle: 1\npools: { p: 2 }\nagents: { a: { use: codex, pool: p }, b: claude }\ntasks: { t: { prompt: x, agent: [a, b], pools: [p] } }',
    );
    expect(given(printPlan(plan)).tasks).toEqual(plan.tasks);
  });

  test('gives an equal plan when it is parsed again', () => {
    fc.assert(
      fc.property(arbitraryPlanText(), (text) => {
        const plan = given(text);
        expect(given(printPlan(plan))).toStrictEqual(plan);
      }),
      { numRuns: 100, seed: 11 },
    );
  });

  test.each(['true', 'false', 'fork', '{ from: tasks.s.a }', '{ fork: tasks.s.a }'])('keeps resume: %s', (resume) => {
    const plan = given(
      `heddle: 1\nagents: { c: claude }\ntasks:\n  s: { tasks: { a: { prompt: x, check: y }, b: { needs: [a], steps: [{ prompt: x }, { prompt: x, resume: ${resume} }] } } }\n`,
    );
    expect(given(printPlan(plan))).toStrictEqual(plan);
  });

  test('keeps every text exactly, however hostile', () => {
    const plan = given('heddle: 1\ntasks:\n  a: { run: x, description: y }\n');
    fc.assert(
      fc.property(arbitraryText(), (text) => {
        const hostile: Plan = {
          ...plan,
          name: text,
          tasks: plan.tasks.map((task) => ({ ...task, description: text })),
        };
        expect(given(printPlan(hostile))).toStrictEqual(hostile);
      }),
      { numRuns: 1000, seed: 12 },
    );
  });

  test('names a need so that it is found again, whatever is called the same', () => {
    const plan = given(`heddle: 1
tasks:
  x:
    tasks:
      y: { run: a }
      z: { needs: [y], run: b }
      x: { tasks: { y: { run: c }, w: { needs: [y, z], run: d } } }
  y: { needs: [x.y], run: e }
`);
    expect(given(printPlan(plan))).toStrictEqual(plan);
  });

  test('does not change with the settings files that lie around', () => {
    const plan = given('heddle: 1\nagent: claude\ntasks:\n  a: { prompt: x }\n');
    const layers = {
      project: { file: 'config.yaml', text: 'attempts: 9\nmax_parallel: 1\nmerge: { auto: manual }\n' },
    };
    expect(parsePlan(printPlan(plan), { file: 'plan.yaml', layers }).plan).toStrictEqual(plan);
  });
});

describe('permissions', () => {
  const planWith = (permissions: string): string => `heddle: 1\npermissions: ${permissions}\ntasks: { a: { run: x } }`;

  test.each([
    ['allow', { policy: 'allow', allow: [] }],
    ['gate', { policy: 'gate', timeoutMs: 86_400_000, allow: [] }],
    ['{ allow: [edit] }', { policy: 'deny', allow: ['edit'] }],
    ['{ policy: allow, allow: [edit] }', { policy: 'allow', allow: ['edit'] }],
    ['{ policy: gate, timeout: 2h, allow: ["Bash(npm test*)"] }', { timeoutMs: 7_200_000, allow: ['Bash(npm test*)'] }],
  ])('%s are written as they were read', (permissions, expected) => {
    const plan = given(planWith(permissions));
    expect(plan.permissions).toMatchObject(expected);
    expect(given(printPlan(plan))).toEqual(plan);
  });

  test.each([
    ['maybe', /one of allow, deny, gate/u],
    ['[gate]', /allow, deny, gate or a map/u],
    ['{ policy: ask }', /one of allow, deny, gate/u],
    ['{ timeout: 0s }', /between 1s and 30d/u],
    ['{ deny: [x] }', /deny/u],
  ])('%s gets the possible values, once', (permissions, message) => {
    const { diagnostics } = parsePlan(planWith(permissions), { file: 'plan.yaml' });
    expect(diagnostics).toHaveLength(1);
    expect(`${diagnostics[0]?.message} ${diagnostics[0]?.hint}`).toMatch(message);
  });
});

describe('agents that take over, and questions', () => {
  const TEXT = `heddle: 1
pools: { p: 1 }
agents: { claude: { pool: p }, codex: codex, other: { use: scripted } }
agent: [claude, codex]
questions: { policy: deny, timeout: 2h, allow: ["Bash(npm test)"] }
tasks:
  a: { prompt: x }
  b: { agent: [codex, codex, other], prompt: x }
  c:
    steps:
      - { prompt: x }
      - { prompt: y, agent: [claude, other] }
      - { prompt: z, agent: codex }
`;

  test('are written as they were read, each agent with the pools that its turns hold', () => {
    const plan = given(TEXT);
    const printed = printPlan(plan);
    expect(given(printed)).toEqual(plan);
    for (const part of [
      'agent: [claude, codex]',
      'agent: [codex, other]',
      'agent: [claude, other]',
      'questions: { policy: deny, timeout: 2h, allow: [Bash(npm test)] }',
    ])
      expect(printed).toContain(part);
    const [first] = plan.tasks;
    expect(first?.type === 'work' ? first.steps[0] : undefined).toMatchObject({
      agent: 'claude',
      fallbacks: [{ agent: 'codex', pools: [] }],
      pools: [{ pool: 'p', tokens: 1 }],
    });
    expect(given('heddle: 1\nquestions: deny\ntasks: { a: { run: x } }').questions.policy).toBe('deny');
  });

  test('that do not exist are reported with their position in the list', () => {
    const { diagnostics } = parsePlan(TEXT.replace('[claude, other]', '[claude, othre]'), { file: 'plan.yaml' });
    const found = diagnostics.find(({ code }) => code === 'unknown-agent');
    expect(found).toMatchObject({ hint: 'Did you mean `other`?', position: { line: 12 } });
    const empty = parsePlan(TEXT.replace('[claude, codex]', '[]'), { file: 'plan.yaml' });
    expect(empty.diagnostics.map(({ code }) => code)).toContain('out-of-range');
  });
});
