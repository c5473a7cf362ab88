// Files as the tools write them, and files as people leave them. Each becomes a plan that checks.
import type { ImportFormat } from '../../../src/core/import/formats.ts';

export interface GivenImport {
  readonly name: string;
  readonly format: ImportFormat;
  /** Files below a folder, and the one to name. */
  readonly files: Readonly<Record<string, string>>;
  readonly path: string;
}

const one = (name: string, format: ImportFormat, given: readonly [path: string, text: string]): GivenImport => ({
  name,
  format,
  files: { [given[0]]: given[1] },
  path: given[0],
});

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
const lines = (...values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n');

export const TASKS_MD = `# Tasks: Photo albums

**Input**: Design documents from \`specs/001-albums/\`

## Phase 1: Setup (Shared Infrastructure)

- [x] T001 Create the project structure
- [ ] T002 [P] Configure the linter in eslint.config.js

---

## Phase 2: User Story 1 - See albums (Priority: P1)

**Goal**: Albums are listed

### Tests for User Story 1

- [ ] T003 [P] [US1] Contract test in tests/contract/albums.test.ts
- [ ] T004 [P] [US1] Journey test in tests/journey/albums.test.ts

### Implementation for User Story 1

- [ ] T005 [US1] Album model in src/models/album.ts (depends on T003)

## Phase 3: Polish

- [ ] T006 Docs in docs/
`;

const TASKS_JSON = json({
  master: {
    tasks: [
      { id: 1, title: 'Start', description: 'Set up.', status: 'done', dependencies: [], priority: 'high' },
      {
        id: 2,
        title: 'Core',
        description: 'The heart.',
        details: 'Use {{ braces }}.',
        testStrategy: 'Unit tests.',
        status: 'pending',
        dependencies: [1],
        subtasks: [
          { id: 1, title: 'Types', status: 'pending', dependencies: [] },
          { id: 2, title: 'Store', status: 'pending', dependencies: [1] },
        ],
      },
      { id: 3, title: 'Screen', status: 'pending', dependencies: [2, '2.2'] },
    ],
    metadata: { created: '2026-01-01T00:00:00Z', description: 'Tasks for master' },
  },
});

const ROADMAP = `# M001: The web

## Slices

- [x] **S01: Host** \`risk:high\` \`depends:[]\`
  > After this: it opens.
- [ ] **S02: Wizard** \`risk:medium\` \`depends:[S01]\`
  > After this: it asks.
- [ ] **S03: Proof** \`risk:low\` \`depends:[S01,S02]\`
  > After this: it works.
`;

const SLICE = `# S02: Wizard

**Goal:** It asks.

## Tasks

- [ ] **T01: Store** \`est:30m\`
  - Files: \`src/store.ts\`
  - Verify: \`true\`
- [ ] **T02: Panel** \`est:1h\`
  - Do: Build it.
`;

const BRUNCH = `epics:
  - { id: core, summary: "The domain", depends_on: [], verification: [] }
  - id: cli
    summary: "The commands"
    depends_on: [core]
    verification:
      - { kind: integration-test, target: "tests/cli.integration.test.ts" }
slices:
  - id: types
    epic_id: core
    definition: "Add src/types.ts: the types."
    depends_on: []
    writes: ["src/types.ts"]
    verification:
      - { kind: unit-test, target: "tests/types.test.ts" }
  - { id: add, epic_id: cli, definition: "Add the command.", depends_on: [types] }
`;

const PIPELINE = `version: "0.1"
defaults: { max_concurrency: 4 }
pipeline:
  - { id: plan, prompt: "Outline a plan for {{ step.invocation.prompt }}." }
  - { id: lint, async: true, prompt: "Lint it." }
  - { id: test, async: true, resume: false, prompt: "Test it." }
  - { id: notes, prompt: "Draft the notes." }
  - id: checks_done
    depends_on: [lint, test]
    action: join
    on_result:
      - { contains: "FAIL", action: abort_pipeline }
      - { always: , action: continue }
  - { id: ship, prompt: "Ship it: {{ step.checks_done.response }}" }
`;

const USUAL: readonly GivenImport[] = [
  one('a tasks.md of Spec Kit', 'spec-kit', ['tasks.md', TASKS_MD]),
  one('a tasks.json of Task Master', 'task-master', ['tasks.json', TASKS_JSON]),
  one('an export of beads', 'beads', [
    'issues.jsonl',
    lines(
      { id: 'bd-a1', title: 'All', issue_type: 'epic', status: 'open', priority: 1 },
      {
        id: 'bd-a1.1',
        title: 'One',
        dependencies: [{ issue_id: 'bd-a1.1', depends_on_id: 'bd-a1', type: 'parent-child' }],
      },
      { id: 'bd-b2', title: 'Next', dependencies: [{ issue_id: 'bd-b2', depends_on_id: 'bd-a1', type: 'blocks' }] },
    ),
  ]),
  {
    name: 'a folder of GSD',
    format: 'gsd',
    path: 'project',
    files: {
      'project/.gsd/milestones/M001/M001-ROADMAP.md': ROADMAP,
      'project/.gsd/milestones/M001/slices/S02/S02-PLAN.md': SLICE,
      'project/.gsd/milestones/M001/slices/S02/tasks/T01-PLAN.md': '# T01: Store\n\n## Steps\n\n1. Look.\n',
    },
  },
  {
    name: 'a roadmap of GSD with what lies below it',
    format: 'gsd',
    path: './M001-ROADMAP.md',
    files: { 'M001-ROADMAP.md': ROADMAP, 'slices/S02/S02-PLAN.md': SLICE },
  },
  one('a plan of brunch', 'brunch', ['plan.yaml', BRUNCH]),
  one('a pipeline of ail', 'ail', ['.ail.yaml', PIPELINE]),
  one('a check list', 'markdown', [
    'TODO.md',
    '# To do\n\n1. [ ] One\n2. [ ] Two\n\n## More\n- [ ] Three\n  - [ ] Four\n',
  ]),
  one('issues of GitHub', 'github', [
    'issues.json',
    json([
      {
        number: 1,
        title: 'One',
        body: 'Blocked by #2',
        state: 'OPEN',
        labels: [],
        url: 'https://github.com/a/b/issues/1',
      },
      { number: 2, title: 'Two', body: '', state: 'OPEN', labels: [{ name: 'bug' }] },
    ]),
  ]),
];

const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
const ODD_WORDS = 'Say {{ hello }} {% if x %} "so", \'so\': #1 & *all* | 日本語 🎉 \u0007';

/** What people and their editors do to files. */
const ODD: readonly GivenImport[] = [
  one('CRLF and a byte order mark in Markdown', 'spec-kit', ['tasks.md', `\uFEFF${crlf(TASKS_MD)}`]),
  one('CRLF and a byte order mark in JSON', 'task-master', ['tasks.json', `\uFEFF${crlf(TASKS_JSON)}`]),
  one('CRLF and a byte order mark in YAML', 'brunch', ['plan.yaml', `\uFEFF${crlf(BRUNCH)}`]),
  one('tabs, and items deeper than their parents', 'markdown', [
    'list.md',
    '-\t[ ]\tA\n\t-\t[ ] B\n\t\t\t* [ ] C\n - [ ] D\n',
  ]),
  one('words of every kind', 'markdown', ['list.md', `- [ ] ${ODD_WORDS}\n- [ ] ${ODD_WORDS}\n- [ ]\n`]),
  one('words of every kind in JSON', 'github', ['i.json', json([{ number: 1, title: ODD_WORDS, body: ODD_WORDS }])]),
  one('circles, twins and names of nobody', 'task-master', [
    'tasks.json',
    json({
      tasks: [
        { id: 1, title: 'a', dependencies: [2] },
        { id: 2, title: 'b', dependencies: [3] },
        { id: 3, title: 'c', dependencies: [1, 77] },
        { id: 3, title: 'again', dependencies: [3] },
        { id: 4, title: 'parent', dependencies: ['4.1'], subtasks: [{ id: 1, title: 'part', dependencies: ['4', 1] }] },
      ],
    }),
  ]),
  one('parts of themselves', 'beads', [
    'i.jsonl',
    lines(
      { id: 'a', title: 'A', dependencies: [{ depends_on_id: 'b', type: 'parent-child' }] },
      { id: 'b', title: 'B', dependencies: [{ depends_on_id: 'a', type: 'parent-child' }] },
    ),
  ]),
  one('steps that a plan would refuse', 'ail', [
    'p.yaml',
    'pipeline:\n  - { id: a, async: true, prompt: x }\n  - { id: b, action: join }\n  - { id: c, prompt: "{{ step.a.response }}" }\n',
  ]),
];

const LARGE_COUNT = 300;
const numbers = Array.from({ length: LARGE_COUNT }, (_, at) => at + 1);

const LARGE: readonly GivenImport[] = [
  one('three hundred tasks of Spec Kit', 'spec-kit', [
    'tasks.md',
    numbers
      .map(
        (at) =>
          `${at % 30 === 1 ? `\n## Phase ${Math.ceil(at / 30)}: Part\n\n` : ''}- [ ] T${String(at).padStart(3, '0')} ${at % 3 === 0 ? '' : '[P] '}Do src/part-${at}.ts\n`,
      )
      .join(''),
  ]),
  one('three hundred tasks of Task Master', 'task-master', [
    'tasks.json',
    json({
      tasks: numbers.map((id) => ({
        id,
        title: `Task ${id}`,
        status: 'pending',
        dependencies: id > 5 ? [id - 5] : [],
      })),
    }),
  ]),
];

export const GIVEN_IMPORTS: readonly GivenImport[] = [...USUAL, ...ODD, ...LARGE];
