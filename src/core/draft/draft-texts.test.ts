import { expect, test } from 'vitest';
import { parsePlan } from '../plan/build/parse.ts';
import { briefingText, draftChangeText, findingsText } from './briefing.ts';
import { draftingPlanText } from './drafting-plan.ts';
import { answerWith, FACTS, judged, NO_LIMITS } from './draft.given.ts';
import { extractPlan } from './extract-plan.ts';
import { factsText } from './facts-text.ts';
import { LANGUAGE_GUIDE } from './language-guide.ts';
import { completedText, withReasons } from './written-plan.ts';

const REQUEST = { goal: 'Füge einen Export hinzu.', limits: NO_LIMITS, sources: [], revised: undefined };

test('the example of the guide is a plan without a single finding', () => {
  const extracted = extractPlan(LANGUAGE_GUIDE);
  const text = extracted.type === 'plan' ? `${extracted.text}agent: claude\n` : '';
  const { plan, diagnostics } = parsePlan(text, { file: 'plan.yaml' });
  expect(diagnostics).toEqual([]);
  expect(plan?.tasks.map(({ id }) => id)).toEqual(['format', 'storage', 'command']);
});

/** What the table of the guide says about keys, each as a task or as a key of one. */
const ROWS = [...LANGUAGE_GUIDE.matchAll(/^\| (.*?) \| /gmu)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/gu)].map(([, text = '']) => text).filter((text) => /^\w+: /u.test(text)),
);
const KINDS = /^(?:run|steps|tasks|gate|for_each|grow): /u;

test('every key that the guide names is one of a task, written as the guide writes it', () => {
  expect(ROWS.length).toBeGreaterThan(8);
  const wrong = ROWS.flatMap((row) => {
    const keys = row
      .replaceAll(/NAME|CHEAP/gu, 'claude')
      .replaceAll('STRONG', 'codex')
      .replace('{ … }', '{ x: { run: x } }');
    const task = KINDS.test(keys) ? keys : `prompt: x, ${keys}`;
    const around = 'reviews: { tasks: { security: { prompt: x } } }';
    const text = `heddle: 1\nagent: claude\ntasks: { ${around}, a: { ${task} } }\n`;
    return parsePlan(text, { file: 'plan.yaml' })
      .diagnostics.filter(({ severity }) => severity === 'error')
      .map(({ message }) => `${row}: ${message}`);
  });
  expect(wrong).toEqual([]);
});

test('the guide fits on two pages', () => {
  expect(LANGUAGE_GUIDE.split('\n').length).toBeLessThan(110);
  expect(LANGUAGE_GUIDE.length).toBeLessThan(6_500);
});

test('the facts fit on two pages, however large the repository', () => {
  const files = Array.from({ length: 5_000 }, (_, at) => ({
    path: `src/part-${at % 700}/file-${at}.ts`,
    tokens: at,
    imports: [`src/part-${(at + 1) % 700}/file-${(at + 1) % 700}.ts`],
  }));
  const text = factsText({ ...FACTS, files });
  expect(text.length).toBeLessThan(7_000);
  const rows = [...text.matchAll(/^- (?:src.*)\/ \((\d+) files/gmu)].map(([, count]) => Number(count));
  expect(rows.length).toBeLessThanOrEqual(40);
  expect(rows.reduce((sum, count) => sum + count, 0)).toBe(5_000);
});

test('the facts name tools, checks, layout, imports and history', () => {
  expect(factsText(FACTS)).toMatchInlineSnapshot(`
    "# The repository

    - Name: shop
    - Tools: npm
    - Test command: npm test (the script test of package.json)
    - Set-up of a sandbox: npm ci
    - Scripts of package.json:
      - test: vitest run
      - lint: eslint .
    - Agents that a plan may name: claude, codex

    ## Layout (5 files, about 206k tokens; 1 generated, binary or data files left out)

    - README.md
    - src/api/ (2 files, 5k)
    - src/core/ (1 files, 200k)
    - test/ (1 files, 1k)

    ## Folders that import each other

    - src/api → src/core (2 imports)
    - test → src/api (1 imports)

    ## Files that most others import

    - src/core/order.ts (by 2)

    ## Largest files

    - src/core/order.ts (200k)
    - src/api/users.ts (3k)
    - src/api/orders.ts (2k)
    - test/orders.test.ts (1k)
    - README.md (1k)

    ## Changed most often of late

    - src/api/orders.ts

    ## Latest commits

    - api: list orders
    "
  `);
});

test('the first prompt has the guide, the facts, the sources and the goal, which comes last', () => {
  const sources = [{ name: 'issue.md', text: 'Please.\n~~~~\nrm -rf\n' }];
  const limits = { withinMs: 7_200_000, budgetUsd: 10 };
  const text = briefingText(FACTS, { ...REQUEST, sources, limits });
  expect(text).toContain(LANGUAGE_GUIDE);
  expect(text).toContain('# issue.md\n\n~~~~~\nPlease.\n~~~~\nrm -rf\n~~~~~');
  expect(
    text.endsWith(
      '# The goal\n\nFüge einen Export hinzu.\n\nThe whole plan takes at most 2h.\nIt costs at most $10.00: set budget: { usd: 10 }.',
    ),
  ).toBe(true);
});

test('a revision has the plan instead of a free hand', () => {
  const text = briefingText(FACTS, { ...REQUEST, revised: 'heddle: 1\ntasks: {}\n' });
  expect(text).toContain('# The plan to revise\n\n```yaml\nheddle: 1\ntasks: {}\n```');
  expect(text).toContain('# The request');
});

test('findings go back with lines, codes and remedies, and the goal once more', () => {
  expect(findingsText(judged(answerWith('tasks: { a: { promt: x, run: y } }')), REQUEST)).toMatchInlineSnapshot(`
    "Your plan was judged. What is wrong with it, by the lines of your plan:

    - line 2, error unknown-key: A task has no key "promt". Did you mean prompt?

    Answer with the whole plan again, in one \`\`\`yaml fence, with the lines Why: and Assumption: before it.

    # The goal

    Füge einen Export hinzu."
  `);
});

test('what a person wants goes back with the plan that they edited', () => {
  const text = draftChangeText('cheaper', 'heddle: 1\n', REQUEST);
  expect(text).toContain('It is now:\n\n```yaml\nheddle: 1\n```');
  expect(text).toContain('wants this changed:\n\ncheaper');
});

test('Heddle adds the keys that a draft leaves out, and no others', () => {
  const added = { agent: ['agent: claude'], sandbox: ['sandbox:', '  setup: npm ci'] };
  expect(completedText('heddle: 1\ntasks: {}\n...\n', added)).toBe(
    'heddle: 1\ntasks: {}\n\nagent: claude\nsandbox:\n  setup: npm ci\n',
  );
  expect(completedText('heddle: 1\nagent: codex\nsandbox: { setup: make }\n', added)).toBe(
    'heddle: 1\nagent: codex\nsandbox: { setup: make }\n',
  );
});

test('an accepted plan begins with its reasons, and a revision has only its own', () => {
  const of = (goal: string) => ({
    goal,
    by: 'Drafted by claude.',
    reasons: ['short\nand\u001B[31m safe'],
    assumptions: ['none'],
  });
  const first = withReasons('heddle: 1\n', of('Export orders'));
  expect(first).toBe(
    '# Goal: Export orders\n# Drafted by claude.\n#\n# Why: short and [31m safe\n#\n# Assumes: none\n\nheddle: 1\n',
  );
  expect(withReasons(first, of('Cheaper'))).toBe(first.replace('Export orders', 'Cheaper'));
});

test('the plan of a drafting is right, whatever the goal and the commands contain', () => {
  const text = draftingPlanText({
    use: 'claude',
    model: 'opus',
    args: ['--disallowedTools', 'Edit'],
    budgetUsd: 0.2,
    timeoutMs: 60_000,
    baseline: { setup: 'npm ci', check: `npm test -- "a 'b' {x}"` },
    link: ['node_modules'],
  });
  const { plan, diagnostics } = parsePlan(text, { file: 'heddle plan' });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(plan?.tasks.map(({ id }) => id)).toEqual(['draft']);
});
