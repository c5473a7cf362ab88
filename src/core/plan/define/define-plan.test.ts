import fc from 'fast-check';
import { load } from 'js-yaml';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../build/parse.ts';
import type { DeclaredGrow } from '../language/grow-shape.ts';
import type { DeclaredAgent, DeclaredPlan } from '../language/plan-shape.ts';
import type { DeclaredStep } from '../language/step-shape.ts';
import type { DeclaredTask } from '../language/task-shape.ts';
import { arbitraryPlanText } from '../plan.given.ts';
import { printPlan } from '../print/print.ts';
import { plan } from './define-plan.ts';
import type { AgentSpec, GrowSpec, PlanSpec, StepSpec, TaskSpec } from './plan-spec.ts';

/** A key of the plan file that the types do not have, or the other way round, is an error of the compiler here. */
type Difference<One, Other> = Exclude<keyof One, keyof Other> | Exclude<keyof Other, keyof One>;
const none = <Keys extends never>(...keys: readonly Keys[]): number => keys.length;

const MERGE = { check: 'make test' };

describe('a plan in TypeScript', () => {
  test('is the same plan as its YAML', () => {
    const defined = plan({
      name: 'shop',
      pools: { coder: 2, db: 1 },
      agents: { claude: { model: 'opus', pool: 'coder' }, cheap: 'codex' },
      merge: MERGE,
      tasks: {
        types: { prompt: 'Define the types.', files: ['src/types/**'] },
        api: {
          needs: ['types'],
          escalate: ['cheap', 'claude'],
          steps: [
            { id: 'tests', prompt: 'Write tests.' },
            { id: 'seed', run: 'make seed', pools: ['db'], async: true },
            { id: 'verify', run: 'npm test', needs: 'seed' },
          ],
          repeat: { until: 'steps.verify.ok', max: 3, feedback: '{{ steps.verify.response }}' },
        },
        reviews: {
          needs: { any: ['types', 'api'] },
          tasks: {
            security: { prompt: 'Review it.', review: { agent: 'cheap' } },
            speed: { needs: ['security'], run: 'make' },
          },
        },
        ship: { needs: ['reviews.security', 'reviews.speed'], gate: 'Ship it?' },
      },
    });
    const written = `heddle: 1
name: shop
pools: { coder: 2, db: 1 }
agents: { claude: { model: opus, pool: coder }, cheap: codex }
merge: { check: make test }
tasks:
  types: { prompt: Define the types., files: [src/types/**] }
  api:
    needs: types
    escalate: [cheap, claude]
    steps:
      - { id: tests, prompt: Write tests. }
      - { id: seed, run: make seed, pools: [db], async: true }
      - { id: verify, run: npm test, needs: [seed] }
    repeat: { until: steps.verify.ok, max: 3, feedback: "{{ steps.verify.response }}" }
  reviews:
    needs: { any: [types, api] }
    tasks:
      security: { prompt: Review it., review: { agent: cheap } }
      speed: { needs: security, run: make }
  ship: { needs: [reviews.security, reviews.speed], gate: "Ship it?" }
`;
    expect(defined.diagnostics).toEqual([]);
    expect(defined.plan).toEqual(parsePlan(written, { file: 'plan.yaml' }).plan);
    expect(defined.plan === undefined ? '' : parsePlan(printPlan(defined.plan), { file: 'other' }).plan).toEqual(
      defined.plan,
    );
  });

  test('is the same for every plan that can be written', () => {
    fc.assert(
      fc.property(arbitraryPlanText(), (text) => {
        // A plan that was read is no literal whose names the compiler could check.
        const spec = load(text) as never;
        expect(plan(spec, { file: 'a.yaml' }).plan).toEqual(parsePlan(text, { file: 'a.yaml' }).plan);
      }),
      { numRuns: 100, seed: 5 },
    );
  });

  test('is the same for the example of the guide', () => {
    const text = readFileSync(new URL('../../../../examples/upgrade.yaml', import.meta.url), 'utf8');
    expect(plan(load(text) as never, { file: 'upgrade.yaml' }).plan).toEqual(
      parsePlan(text, { file: 'upgrade.yaml' }).plan,
    );
  });

  test('has the diagnostics of a file for what the compiler cannot know', () => {
    const { diagnostics, plan: made } = plan({
      agent: 'claude',
      merge: MERGE,
      tasks: { a: { prompt: '{{ inputs.b }}' } },
    });
    expect(made).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(['unknown-name']);
  });
});

test('the types have every key of the language, and no other', () => {
  expect(none<Difference<PlanSpec, DeclaredPlan>>()).toBe(0);
  expect(none<Difference<TaskSpec, Omit<DeclaredTask, 'kind'>>>()).toBe(0);
  expect(none<Difference<StepSpec, Omit<DeclaredStep, 'kind'>>>()).toBe(0);
  expect(none<Difference<AgentSpec, DeclaredAgent>>()).toBe(0);
  expect(none<Difference<GrowSpec, DeclaredGrow>>()).toBe(0);
});

/** Short names keep each mistake on the line after the comment that expects it. */
const m = MERGE;
const x = { run: 'x' } as const;
const p = { prompt: 'x' } as const;
const agents = { ai: 'claude' } as const;
const first = { id: 's', run: 'x' } as const;

test('the compiler refuses names that do not exist, and so does the parser', () => {
  const made = [
    // @ts-expect-error The need is misspelt.
    plan({ merge: m, tasks: { types: x, api: { ...x, needs: ['tpyes'] } } }),
    // @ts-expect-error The need inside a subplan is misspelt.
    plan({ merge: m, tasks: { a: { tasks: { b: x, c: { ...x, needs: { all: ['d'] } } } } } }),
    // @ts-expect-error The dotted path leads nowhere.
    plan({ merge: m, tasks: { a: { tasks: { b: x } }, c: { ...x, needs: 'a.d' } } }),
    // @ts-expect-error The agent is not declared.
    plan({ merge: m, agents, tasks: { a: { ...p, agent: 'codex' } } }),
    // @ts-expect-error The agent of a step is not declared.
    plan({ merge: m, agents, tasks: { a: { steps: [{ ...p, agent: ['ai', 'bo'] }] } } }),
    // @ts-expect-error The reviewer is not declared.
    plan({ merge: m, agents, tasks: { a: { ...p, review: { agent: 'bo' } } } }),
    // @ts-expect-error The agent of the next attempt is not declared.
    plan({ merge: m, agents, tasks: { a: { ...p, escalate: ['ai', 'bo'] } } }),
    // @ts-expect-error The pool is not declared.
    plan({ merge: m, pools: { db: 1 }, tasks: { a: { ...x, pools: { bd: 1 } } } }),
    // @ts-expect-error The pool that a task holds is not declared.
    plan({ merge: m, pools: { db: 1 }, tasks: { a: { ...x, hold: ['bd'] } } }),
    // @ts-expect-error The pool of an agent is not declared.
    plan({ merge: m, agents: { ai: { use: 'claude', pool: 'db' } }, tasks: { a: p } }),
    // @ts-expect-error The step that is needed does not exist.
    plan({ merge: m, tasks: { a: { steps: [first, { ...x, needs: ['q'] }] } } }),
    // @ts-expect-error The key is misspelt.
    plan({ merge: m, agents, tasks: { a: { promt: 'x' } } }),
    // @ts-expect-error The agents of growth are not declared.
    plan({ merge: m, agents, tasks: { a: { grow: { ...p, max_tasks: 2, agents: ['bo'] } } } }),
    // @ts-expect-error The task that is copied needs what is not there.
    plan({ merge: m, tasks: { a: { for_each: { in: [1], task: { ...x, needs: ['b'] } } } } }),
  ];
  expect(made.filter(({ diagnostics }) => diagnostics.every(({ severity }) => severity !== 'error'))).toEqual([]);
});
