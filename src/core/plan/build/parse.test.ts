import { describe, expect, test } from 'vitest';
import { NOBODY } from '../language/notify-shape.ts';
import { parsePlan } from './parse.ts';
import type { Plan } from '../plan.ts';

/** `code line:column message` for each diagnostic that is an error. */
function errors(text: string): readonly string[] {
  return parsePlan(text, { file: 'plan.yaml' })
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ code, position, message }) => `${code} ${position.line}:${position.column} ${message}`);
}

function given(text: string): Plan {
  const { plan, diagnostics } = parsePlan(`heddle: 1\nmerge: { check: make }\n${text}`, {
    file: 'some/where/plan.yaml',
  });
  if (plan === undefined) throw new Error(JSON.stringify(diagnostics));
  return plan;
}

const codesOf = (text: string): readonly string[] => errors(text).map((line) => line.split(' ', 1)[0] ?? '');

describe('a plan with mistakes', () => {
  test('gets all of them at once, in the order of the text', () => {
    expect(
      errors(`heddle: 1
max_parallel: 64
agents: { claude: { use: claud } }
tasks:
  api: { prompt: x, timeout: 45, attempst: 3 }
  docs:
    steps:
      - { id: "a b", run: x, on_error: wait_for_all }
      - { prompt: 5, run: y }
  con: { gate: "", files: [a] }
  ship: { needs: [apii], join: 7 }
`),
    ).toMatchInlineSnapshot(`
      [
        "out-of-range 2:15 max_parallel must be between 1 and 32, got 64.",
        "unknown-adapter 3:26 There is no adapter "claud".",
        "wrong-type 5:30 timeout must be a duration such as 45m, 1h30m or 90s, got the number 45.",
        "unknown-key 5:34 A task has no key "attempst".",
        "unsafe-id 8:15 The id "a b" cannot be a branch and folder name: it contains a space.",
        "invalid-value 8:40 on_error of a step that is not a join must be one of abort, continue, retry, gate.",
        "several-kinds 9:9 A step can do only one thing, and this one says prompt and run.",
        "wrong-type 9:19 prompt must be text, got the number 5.",
        "unsafe-id 10:3 The id "con" cannot be a branch and folder name: Windows keeps this name for a device.",
        "wrong-type 10:16 gate must be text that says something, got the text "".",
        "misplaced-key 10:20 The key files has no meaning on a gate.",
        "unknown-need 11:19 \`ship\` needs \`apii\`, and there is no such task.",
        "wrong-type 11:32 join must be a map, got the number 7.",
      ]
    `);
  });

  test('gets no diagnostics that follow only from another mistake', () => {
    expect(
      codesOf(`heddle: 1
agent: claude
inputz: { who: me }
tasks:
  a: { promt: x, output: { type: object } }
  b: { need: [a], prompt: "{{ tasks.a.response }} {{ inputs.who }}" }
  c: { needs: [a, b], prompt: "{{ tasks.b.response }}" }
`),
    ).toEqual(['unknown-key', 'unknown-key', 'unknown-key']);
  });

  test('gets no diagnostic about a missing value when only a misspelt need causes it', () => {
    const tasks =
      '  a: { prompt: x }\n  b: { need: [a], prompt: y }\n  c: { needs: [b], prompt: "{{ tasks.a.response }}" }\n';
    expect(codesOf(`heddle: 1\nagent: claude\ntasks:\n${tasks}`)).toEqual(['unknown-key']);
    expect(codesOf(`heddle: 1\nagent: claude\ntasks:\n${tasks.replace('need: [a], ', '')}`)).toEqual([
      'reference-without-path',
    ]);
  });

  test('gets a cycle, an order and a name that no other mistake could explain', () => {
    expect(
      codesOf(`heddle: 1
agent: claude
max_paralel: 4
tasks:
  a: { prompt: x, needs: [b], attempts: 0 }
  b: { prompt: y, needs: [a], agent: clade }
  c: { prompt: "{{ tasks.d.response }} {{ nobody }}", timeout: 4 }
  d: { prompt: z }
`),
    ).toEqual([
      'unknown-key',
      'cycle',
      'out-of-range',
      'unknown-agent',
      'reference-without-path',
      'unknown-name',
      'wrong-type',
    ]);
  });

  test('gets names that no entry declares, though an entry has a mistake in it', () => {
    expect(
      errors(`heddle: 1
pools: { alpha: 0 }
agents: { claude: { modle: opus } }
inputs: { who: { typ: string } }
tasks:
  a: { run: x, pool: zeta }
  b: { run: x, pool: alpha }
  c: { prompt: "{{ inputs.level }} {{ inputs.who }}", agent: nobody }
  d: { prompt: x, agent: claude }
`).map((line) => line.split(' ', 2).join(' ')),
    ).toEqual([
      'out-of-range 2:17',
      'unknown-key 3:21',
      'unknown-key 4:18',
      'unknown-pool 6:22',
      'unknown-name 8:16',
      'unknown-agent 8:62',
    ]);
  });

  test('gets an order and async steps beside unrelated mistakes', () => {
    expect(
      codesOf(`heddle: 1
tasks:
  a: { run: x, gate: Go on? }
  b: { description: Nothing yet, needs: [a] }
  c: { run: "echo {{ tasks.a.response }}" }
  d: { needs: [b], run: "echo {{ tasks.a.ok }}" }
  e: { timeout: 5, steps: [{ id: one, run: x, async: true, attempts: 0 }] }
`),
    ).toEqual([
      'several-kinds',
      'nothing-to-do',
      'reference-without-path',
      'wrong-type',
      'uncollected-async',
      'out-of-range',
    ]);
  });

  test('gets a step that has the name of a task with a mistake', () => {
    const plan = 'heddle: 1\ntasks:\n  a: { run: x, wat: 1 }\n  b: { steps: [{ id: a, run: x, async: true }] }\n';
    expect(codesOf(plan)).toEqual(['unknown-key', 'uncollected-async']);
  });

  test('gets a missing check unless an unreadable part may contain one', () => {
    const warned = (line: string): boolean =>
      parsePlan(`heddle: 1\nagent: claude\n${line}\ntasks: { a: { prompt: x } }\n`, {
        file: 'plan.yaml',
      }).diagnostics.some(({ code }) => code === 'no-check');
    expect(warned('attempts: 99')).toBe(true);
    expect(warned('merge: npm test')).toBe(false);
    expect(warned('check: npm test')).toBe(false);
  });

  test('gets an id without its accents', () => {
    const { diagnostics } = parsePlan('heddle: 1\ntasks: { été: { run: x } }\n', { file: 'plan.yaml' });
    expect(diagnostics.map(({ hint }) => hint)).toEqual(['Call it ete.']);
  });

  test('gets a pool once, where it is written', () => {
    expect(
      errors(`heddle: 1
pools: { alpha: 1 }
tasks:
  a:
    pool: zeta
    steps:
      - { id: one, run: x }
      - { id: two, run: y, pools: [alpha, gamma] }
  b: { run: x, pools: { alpha: 2 } }
  c: { for_each: { in: [1], task: { run: x, pool: alhpa } } }
`),
    ).toEqual([
      'unknown-pool 5:11 There is no pool `zeta`.',
      'unknown-pool 8:43 There is no pool `gamma`.',
      'pool-demand 9:32 Step `main` takes 2 of `alpha`, which has 1.',
      'unknown-pool 10:51 There is no pool `alhpa`.',
    ]);
  });

  test('still gets mistakes elsewhere', () => {
    expect(codesOf('heddle: 1\ntasks:\n  a: { run: x, bad: 1 }\n  b: { run: y, needs: [nowhere] }\n')).toEqual([
      'unknown-key',
      'unknown-need',
    ]);
  });

  test('whose root is not a map gets an explanation of a plan', () => {
    expect(errors('- a\n')[0]).toContain('wrong-type 1:1 The file must be a plan, which is a map, got a list.');
  });

  test('that passes a limit on depth or number is not built', () => {
    const deep = `${'{ tasks: { a: '.repeat(17)}{ run: x }${' } }'.repeat(17)}`;
    expect(codesOf(`heddle: 1\ntasks: { a: ${deep} }\n`)).toEqual(['too-deep']);
  });

  test.each([
    ['..', 'it contains two dots in a row'],
    ['a/b', 'it contains a slash'],
    ['-a', 'it begins with a dash'],
    ['.a', 'it begins with a dot'],
    ['a.lock', 'it ends in .lock'],
    ['a.b', 'it contains a dot'],
    ['a b', 'it contains a space'],
    ['NUL', 'Windows keeps this name'],
    ['ä', 'something other than letters'],
    ['', 'it is empty'],
    ['x'.repeat(65), 'it has 65 characters'],
  ])('the id %j is refused because %s', (id, why) => {
    const found = errors(`heddle: 1\ntasks:\n  ${JSON.stringify(id)}: { run: x }\n`);
    expect(found).toEqual([expect.stringContaining(why)]);
    expect(found[0]).toMatch(/^unsafe-id 3:3/);
  });

  test.each([
    ['tasks: { a: { run: x, needs: { any: [b], of: [c] } }, b: { run: y }, c: { run: z } }', 'invalid-value'],
    ['tasks: { a: { run: x, needs: 5.5.5 } }', 'unknown-need'],
    ['tasks: { a: { run: x, needs: } }', 'wrong-type'],
    ['tasks: { a: { run: x, when: [1] } }', 'wrong-type'],
    ['tasks: { a: { run: x, output: text } }', 'wrong-type'],
    ['tasks: { a: { run: "   " } }', 'wrong-type'],
    ['tasks: { a: [run] }', 'wrong-type'],
    ['tasks: { a: { steps: [] } }', 'out-of-range'],
    ['tasks: { a: { for_each: { in: "[1]", max: 1, as: steps, task: { run: x } } } }', 'invalid-name'],
    ['tasks: { a: { for_each: { in: [1, 2], max: 1, task: { run: x } } } }', 'out-of-range'],
    ['tasks: { a: { for_each: { in: "[1]", task: { run: x } } } }', 'missing-key'],
    ['tasks: { a: { for_each: { in: "[1]", max: 1, as: 1x, task: { run: x } } } }', 'invalid-name'],
    ['tasks: { a: { steps: [{ run: x, agent: y }] } }', 'misplaced-key'],
    ['tasks: { a: { steps: [{ id: a, run: x }, { id: A, run: y }] } }', 'case-twins'],
    ['tasks: { a: { steps: [{ id: step-2, run: x }, { run: y }] } }', 'duplicate-id'],
    ['tasks: { a: { steps: [{ async: yes, run: x }] } }', 'wrong-type'],
    ['tasks: { a: { run: x, on_error: wait_for_all } }', 'invalid-value'],
    ['tasks: { a: { run: x, resume: true } }', 'misplaced-key'],
    ['agent: claude\ntasks: { a: { prompt: x, resume: frok } }', 'invalid-value'],
    ['tasks: { a: { run: x, attempts: 1.5 } }', 'wrong-type'],
    ['agents: { mine: {} }\ntasks: { a: { run: x } }', 'unknown-adapter'],
    ['agents: { command: {} }\ntasks: { a: { run: x } }', 'missing-key'],
    ['agents: { mine: [] }\ntasks: { a: { run: x } }', 'wrong-type'],
    ['agents: { claude: { env: MY_KEY } }\ntasks: { a: { run: x } }', 'wrong-type'],
    ['agents: { claude: { env: [HEDDLE_RUN] } }\ntasks: { a: { run: x } }', 'invalid-name'],
    ['agents: { claude: { env: { A-B: x } } }\ntasks: { a: { run: x } }', 'invalid-name'],
    ['agents: { "-x": claude }\ntasks: { a: { run: x } }', 'invalid-name'],
    ['inputs: { a-b: 1 }\ntasks: { a: { run: x } }', 'invalid-name'],
    ['inputs: { a: { type: string, default: 5 } }\ntasks: { a: { run: x } }', 'wrong-type'],
    ['inputs: { a: { default: 5, required: true } }\ntasks: { a: { run: x } }', 'invalid-value'],
    ['inputs: { a: 123456789012345678901 }\ntasks: { a: { run: x } }', 'out-of-range'],
    ['inputs: { a: [{ b: 1, b: 2 }] }\ntasks: { a: { run: x } }', 'duplicate-key'],
    ['inputs: { a: .inf }\ntasks: { a: { run: x } }', 'out-of-range'],
    ['base: --upload-pack=x\ntasks: { a: { run: x } }', 'invalid-value'],
    ['target: a..b\ntasks: { a: { run: x } }', 'invalid-value'],
    ['pools: { a: 1, a: 2 }\ntasks: { a: { run: x } }', 'duplicate-key'],
    ['merge: 5\ntasks: { a: { run: x } }', 'wrong-type'],
    ['pools: 5\ntasks: { a: { run: x } }', 'wrong-type'],
    ['tasks: { a: { needs: { any: [] }, run: x } }', 'out-of-range'],
    ['tasks: { a: { needs: { race: [] }, run: x } }', 'out-of-range'],
    ['failure_mode: 5\ntasks: { a: { run: x } }', 'wrong-type'],
    ['tasks: {}', 'wrong-type'],
    ['tasks: { a: { run: x, files: y } }', 'wrong-type'],
    ['tasks: { a: { steps: [x, { id: b, run: y, needs: [c] }, { id: c, run: z }] } }', 'wrong-type'],
    ['tasks: { a: { when: {{ x }} > 3, run: y } }', 'unquoted-template'],
  ])('%s gives %s', (text, code) => {
    expect(codesOf(`heddle: 1\n${text}\n`)).toEqual([code]);
  });

  test('a for_each list may not have more items than the limit', () => {
    const items = Array.from({ length: 1001 }, () => '1').join(',');
    expect(codesOf(`heddle: 1\ntasks: { a: { for_each: { in: [${items}], task: { run: x } } } }`)).toEqual([
      'out-of-range',
    ]);
  });
});

describe('an agent that is misspelt', () => {
  test.each([
    ['agent: cluade', 'Did you mean claude?'],
    [
      'agent: zebra',
      'Name one of claude, codex, opencode, gemini, pi, acp, command, module, scripted, or declare agents.',
    ],
  ])('%s gets the nearest adapter where no agents are declared', (line, hint) => {
    const { diagnostics } = parsePlan(`heddle: 1\n${line}\ntasks: { a: { prompt: x } }\n`, { file: 'plan.yaml' });
    expect(diagnostics.find(({ code }) => code === 'unknown-agent')?.hint).toBe(hint);
  });
});

test.each(['join: true, needs: [b]', 'gate: Go?'])('an agent on a task that asks none (%s) is misplaced', (kind) => {
  const text = `heddle: 1\nagents: { c: claude }\nmerge: { check: x }\ntasks: { b: { prompt: x }, a: { ${kind}, agent: c } }`;
  const { diagnostics } = parsePlan(text, { file: 'plan.yaml' });
  expect(diagnostics.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual(['misplaced-key tasks.a.agent']);
});

describe('names of other tools', () => {
  test.each([
    ['jobs: {}', 'Write tasks.'],
    ['tasks: { a: { run: x, depends_on: [b] } }', 'Write needs.'],
    ['tasks: { a: { script: x } }', 'Write run.'],
    ['tasks: { a: { run: x, condition: y } }', 'Write when, with a CEL expression.'],
    ['tasks: { a: { run: x, max_concurrency: 2 } }', 'Write max_parallel.'],
    ['max_concurrency: 2\ntasks: { a: { run: x } }', 'Write max_parallel.'],
    ['tasks: { a: { steps: [{ run: x, if: y }] } }', 'Write when, with a CEL expression.'],
    ['tasks: { a: { steps: [{ command: x }] } }', 'Write run.'],
    ['tasks: { a: { run: x, needs_approval: true } }', 'Write gate with the question.'],
    [
      'tasks: { a: { run: x, env: { A: b } } }',
      'Commands see the environment of the run; set others in the command, as in X=1 make.',
    ],
    ['tasks: { a: { run: x, image: y } }', 'Tasks run in sandboxes; see sandbox.'],
  ])('%s gets its name in Heddle', (text, hint) => {
    const { diagnostics } = parsePlan(`heddle: 1\n${text}\n`, { file: 'plan.yaml' });
    expect(diagnostics.find(({ code }) => code === 'unknown-key')?.hint).toBe(hint);
  });
});

/** A task that says nothing but `run: make`. */
const defaultTask = (settings: unknown) => ({
  type: 'work',
  form: 'run',
  id: 'a',
  path: 'a',
  needs: { type: 'all', of: [] },
  when: undefined,
  settings,
  cap: undefined,
  budget: undefined,
  estimateMs: undefined,
  output: undefined,
  description: undefined,
  item: undefined,
  repeat: undefined,
  files: [],
  check: undefined,
  hold: [],
  steps: [
    {
      type: 'run',
      run: 'make',
      id: 'main',
      async: false,
      needs: [],
      when: undefined,
      pools: [],
      attemptsMax: 2,
      timeoutMs: 2_700_000,
      idleTimeoutMs: 600_000,
      estimateMs: undefined,
      reserve: { usd: 0, tokens: 0 },
      output: undefined,
      onResult: [],
      onError: 'abort',
    },
  ],
});

describe('a plan', () => {
  test('has defaults for all that it does not say', () => {
    const { tasks, settings, agents, sandbox, ...rest } = given('tasks: { a: { run: make } }');
    const merge = {
      order: 'completion',
      strategy: 'per_run',
      auto: 'confirm',
      check: 'make',
      onConflict: 'agent',
      conflictAttemptsMax: 2,
      commits: 'task',
      take: [],
    };
    const expected = {
      failureMode: 'continue_on_error',
      attemptsMax: 2,
      timeoutMs: 2_700_000,
      idleTimeoutMs: 600_000,
      agent: undefined,
      fallbacks: [],
      merge,
    };
    expect(settings).toEqual(expected);
    expect(rest).toEqual({
      name: 'plan',
      base: 'HEAD',
      target: undefined,
      schedule: 'fastest',
      cap: 4,
      budget: undefined,
      pools: [],
      inputs: [],
      env: [],
      notify: NOBODY,
      questions: { policy: 'gate', timeoutMs: 86_400_000, allow: [] },
      permissions: { policy: 'allow', timeoutMs: 86_400_000, allow: [] },
    });
    expect(sandbox).toEqual({
      include: [],
      setup: undefined,
      link: [],
      ports: 0,
      tree: 'auto',
      isolation: 'auto',
      network: undefined,
      limits: { disk: 20_000_000_000, memory: undefined, processes: 4_000 },
    });
    expect(agents).toEqual([]);
    expect(tasks).toEqual([defaultTask(expected)]);
  });

  test('takes the network policy of sandboxes as all, none or hosts, and their limits as numbers', () => {
    const sandboxOf = (text: string) => given(`sandbox: { ${text} }\ntasks: { a: { run: x } }`).sandbox;
    expect(sandboxOf('network: all').network).toBe('all');
    expect(sandboxOf('network: none').network).toBe('none');
    expect(sandboxOf('network: ["*.example.com", localhost:5432]').network).toEqual([
      '*.example.com',
      'localhost:5432',
    ]);
    expect(sandboxOf('limits: { disk: 5G, memory: 500M, processes: 64 }').limits).toEqual({
      disk: 5_000_000_000,
      memory: 500_000_000,
      processes: 64,
    });
  });

  test('takes the first agent where none is named, and an adapter as an agent where none is declared', () => {
    expect(given('agents: { one: claude, two: codex }\ntasks: { a: { prompt: x } }').settings.agent).toBe('one');
    const implicit = given('tasks: { a: { prompt: x, agent: codex }, b: { prompt: y } }');
    expect(implicit.agents.map(({ name, use }) => `${name}:${use}`)).toEqual(['codex:codex']);
    expect(implicit.tasks[1]).toMatchObject({ steps: [{ agent: 'codex' }] });
    const inner = given('tasks: { a: { for_each: { in: [1], task: { steps: [{ prompt: x, agent: pi }] } } } }');
    expect(inner.agents.map(({ name }) => name)).toEqual(['pi']);
  });

  test('finds needs nearest first: a sibling, a sibling of the subplan, a path from the root', () => {
    const plan = given(`tasks:
  a: { run: x }
  b:
    tasks:
      a: { run: y }
      c: { needs: [a, d, b.a], run: z }
      e: { tasks: { f: { needs: { at_least: 1, of: [a, c, d] }, run: w } } }
  d: { needs: 1, run: v }
  1: { run: u }
`);
    const [, b, d] = plan.tasks;
    expect(b).toMatchObject({
      tasks: [
        {},
        { needs: { of: ['b.a', 'd', 'b.a'] } },
        { tasks: [{ needs: { count: 1, of: ['b.a', 'b.c', 'd'] } }] },
      ],
    });
    expect(d?.needs).toEqual({ type: 'all', of: ['1'] });
  });

  test('gives a step the pools of its agent, its task and itself, the larger demand of each', () => {
    const plan = given(`pools: { coder: 4, db: 3, gpu: 2 }
agents: { claude: { pool: coder } }
tasks:
  a:
    pool: db
    steps:
      - { id: p, prompt: x, pools: { db: 3 } }
      - { id: r, run: y, pools: [gpu] }
      - { id: s, async: true, run: z }
      - { id: j, action: join, needs: s }
  b: { prompt: x, pools: coder, when: true }
`);
    const pools = plan.tasks.map((task) =>
      task.type === 'work'
        ? task.steps.map((step) => step.pools.map(({ pool, tokens }) => `${pool}:${tokens}`).join(' '))
        : [],
    );
    expect(pools).toEqual([['coder:1 db:3', 'db:1 gpu:1', 'db:1', ''], ['coder:1']]);
  });

  test('reserves the nearest amount, part by part', () => {
    const plan = given(`agents: { claude: { reserve: { usd: 2 } } }
tasks:
  a:
    reserve: { tokens: 7k }
    steps: [{ prompt: x }, { prompt: y, reserve: { usd: 9 } }, { run: z }, { run: w, reserve: { usd: 1 } }]
`);
    expect(plan.tasks[0]).toMatchObject({
      steps: [
        { reserve: { usd: 2, tokens: 7000 } },
        { reserve: { usd: 9, tokens: 7000 } },
        { reserve: { usd: 0, tokens: 0 } },
        { reserve: { usd: 1, tokens: 0 } },
      ],
    });
  });

  test('continues, forks or begins conversations as the language says', () => {
    const plan = given(`agents: { a: claude, b: codex }
tasks:
  t:
    steps:
      - { prompt: one }
      - { prompt: two }
      - { id: side, async: true, prompt: three }
      - { prompt: four }
      - { prompt: five, agent: b }
      - { prompt: six, agent: b, resume: false }
      - { prompt: seven, agent: b, resume: fork, needs: [side] }
      - { prompt: eight, agent: b, resume: true }
`);
    const resumes = plan.tasks.flatMap((task) =>
      task.type === 'work' ? task.steps.map((step) => (step.type === 'prompt' ? step.resume : '')) : [],
    );
    expect(resumes).toEqual(['fresh', 'continue', 'fork', 'continue', 'fresh', 'fresh', 'fork', 'continue']);
  });

  test('gives a task the result of its last step', () => {
    const plan = given(`tasks:
  a: { steps: [{ run: x }, { run: y, output: { type: object } }] }
  b: { steps: [{ run: x }], output: { type: string } }
  c: { run: z, output: { type: number }, estimate: 5m, on_error: retry, on_result: [{ if: exit_code == 3, do: gate }] }
`);
    expect(plan.tasks).toMatchObject([
      { output: { type: 'object' } },
      { output: { type: 'string' }, steps: [{ output: { type: 'string' } }] },
      {
        output: { type: 'number' },
        estimateMs: 300_000,
        steps: [
          {
            id: 'main',
            output: { type: 'number' },
            onError: 'retry',
            estimateMs: 300_000,
            onResult: [{ when: 'exit_code == 3', rule: 'gate' }],
          },
        ],
      },
    ]);
  });

  test('understands every form of inputs', () => {
    const plan = given(`inputs:
  asked:
  name: me
  list: [1, { __proto__: 2 }]
  flag: { type: boolean, description: Whether. }
  free: { required: false }
  nothing: { type: string, default: null }
  many: { default: { a: 1 } }
tasks: { a: { run: x } }
`);
    expect(plan.inputs.map(({ name, type, value }) => [name, type, JSON.stringify(value)])).toEqual([
      ['asked', 'any', undefined],
      ['name', 'string', '"me"'],
      ['list', 'list', '[1,{"__proto__":2}]'],
      ['flag', 'boolean', undefined],
      ['free', 'any', 'null'],
      ['nothing', 'string', 'null'],
      ['many', 'object', '{"a":1}'],
    ]);
  });

  test('is named after its file when it has no name', () => {
    expect(given('tasks: { a: { run: x } }').name).toBe('plan');
    expect(parsePlan('heddle: 1\ntasks: { a: { run: x } }', { file: '.yaml' }).plan?.name).toBe('plan');
  });
});
