// Types of plans: what does not compile, and that no key is missing. `npm run check` compiles this file.
import { expect, test } from 'vitest';
import type { DeclaredGrow } from '../language/grow-shape.ts';
import type { DeclaredAgent, DeclaredPlan } from '../language/plan-shape.ts';
import type { DeclaredStep } from '../language/step-shape.ts';
import type { DeclaredTask } from '../language/task-shape.ts';
import { plan } from './define-plan.ts';
import type { AgentSpec, GrowSpec, PlanSpec, StepSpec, TaskSpec } from './plan-spec.ts';

/** A key of the plan file that the types do not have, or the other way round, is an error of the compiler here. */
type Difference<One, Other> = Exclude<keyof One, keyof Other> | Exclude<keyof Other, keyof One>;
type Same<One, Other> = [Difference<One, Other>] extends [never] ? true : Difference<One, Other>;

test('the types have every key of the language, and no other', () => {
  const same: readonly [
    Same<PlanSpec, DeclaredPlan>,
    Same<TaskSpec, Omit<DeclaredTask, 'kind'>>,
    Same<StepSpec, Omit<DeclaredStep, 'kind'>>,
    Same<AgentSpec, DeclaredAgent>,
    Same<GrowSpec, DeclaredGrow>,
  ] = [true, true, true, true, true];
  expect(same).toHaveLength(5);
});

/** Short names keep each mistake on the line after the comment that expects it. */
const m = { check: 'make test' };
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
    // @ts-expect-error The key of the copies is misspelt.
    plan({ merge: m, tasks: { a: { for_each: { in: [1], maxx: 2, task: x } } } }),
    // @ts-expect-error The key of the notifications is misspelt.
    plan({ merge: m, notify: { webhok: 'https://x' }, tasks: { a: x } }),
    // @ts-expect-error The key of the traces is misspelt.
    plan({ merge: m, telemetry: { endpont: 'https://x' }, tasks: { a: x } }),
    // @ts-expect-error The task that is copied needs what is not there.
    plan({ merge: m, tasks: { a: { for_each: { in: [1], task: { ...x, needs: ['b'] } } } } }),
  ];
  expect(made.filter(({ diagnostics }) => diagnostics.every(({ severity }) => severity !== 'error'))).toEqual([]);
});

test('parts that a program computes compile, and the parser judges them', () => {
  const names: readonly string[] = ['a', 'b'];
  const port = (name: string): TaskSpec => ({ run: `port ${name}`, needs: name === 'a' ? [] : ['a'] });
  const steps: readonly StepSpec[] = [{ id: 's', run: 'x' }];
  const filled: Record<string, TaskSpec> = { all: { ...x, needs: names } };
  for (const name of names) filled[name] = port(name);
  const spec: PlanSpec = { merge: m, pools: { db: 1 }, tasks: { a: { ...x, pools: 'db' } } };
  const pool: string = 'db';
  const nothing: readonly string[] = [];
  const made = [
    plan({ merge: m, tasks: filled }),
    plan({ merge: m, tasks: Object.fromEntries(names.map((name) => [name, { ...x, needs: nothing }])) }),
    plan({
      merge: m,
      tasks: { a: port('a'), b: port('b'), all: { ...x, needs: names }, any: { ...x, needs: { any: names } } },
    }),
    plan({ merge: m, pools: { db: 1 }, tasks: { a: { steps }, b: { tasks: filled }, c: { ...x, pool } } }),
    plan(spec),
  ];
  expect(made.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
});
