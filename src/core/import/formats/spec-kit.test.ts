import { describe, expect, test } from 'vitest';
import { refusal, seen } from '../imported.given.ts';

const LIST = `---
description: "Task list"
---
# Tasks: Photo albums

<!-- - [ ] T000 A sample
- [ ] T900 that is no task -->
\`\`\`md
- [ ] T901 Neither is this
\`\`\`

## Phase 1: Setup

- [X] T001 Create the project
- [ ] T002 [P] Configure the linter in \`eslint.config.js\`

## Phase 2: Foundational

**Purpose**: Blocks all stories

- [ ] T003 Set up the schema in db/schema.sql
- [ ] T004 [P] Add a log in src/log/index.ts
- [ ] T005 [P] Add routes in src/routes/

## Phase 3: User Story 1 - Albums (Priority: P1)

### Tests
- [ ] T006 [P] [US1] Contract test in tests/contract/test_albums.py
- [ ] T007 [P] [US1] Journey test
### Implementation
- [ ] T008 [P] [US1] Model
  - with a detail
- [ ] T009 [US1] Service (depends on T008, T005)

## Phase 4: User Story 2 - Sharing

- [ ] T010 [US2] Share

## Phase 5: Polish

- [ ] T011 [P] Write docs

## Dependencies & Execution Order

- T010 depends on T009
- T006 blocks T011
`;

describe('a tasks.md of Spec Kit', () => {
  test('keeps phases, [P], stories and notes on single tasks', () => {
    expect(seen('spec-kit', LIST).needs).toEqual({
      'phase-1': [],
      'phase-1.T002': [],
      'phase-2': ['phase-1'],
      'phase-2.T003': [],
      'phase-2.T004': ['phase-2.T003'],
      'phase-2.T005': ['phase-2.T003'],
      'phase-3': ['phase-2'],
      'phase-3.T006': [],
      'phase-3.T007': [],
      'phase-3.T008': ['phase-3.T006', 'phase-3.T007'],
      'phase-3.T009': ['phase-3.T008', 'phase-2.T005'],
      'phase-4': ['phase-2'],
      'phase-4.T010': ['phase-3.T009'],
      'phase-5': ['phase-3', 'phase-4'],
      'phase-5.T011': ['phase-3.T006'],
    });
  });

  test('takes files from paths, details from indented lines, and names the place of the specification', () => {
    const { task, prompt, notes } = seen('spec-kit', [{ path: 'specs/001-albums/tasks.md', text: LIST }]);
    expect(task('phase-1.T002')).toMatchObject({ files: ['eslint.config.js'] });
    expect(task('phase-2.T005')).toMatchObject({ files: ['src/routes/**'] });
    expect(task('phase-2').description).toBe('Phase 2: Foundational. Purpose: Blocks all stories');
    expect(prompt('phase-3.T008')).toContain('Model\n\n- with a detail\n\nThis is T008 of specs/001-albums/tasks.md');
    expect(notes[0]).toBe('1 item done already, left out: T001.');
  });

  test('without stories has phases one after the other, and a done phase blocks nothing', () => {
    const list = `## Phase 3.1: Setup\n- [ ] T001 a\n## Phase 3.2: Tests\n- [x] T002 b\n## Phase 3.3: Core\n- [ ] T003 c\n- [x] T004 d\n- [ ] T005 e\n`;
    expect(seen('spec-kit', list).needs).toEqual({
      'phase-3-1': [],
      'phase-3-1.T001': [],
      'phase-3-3': ['phase-3-1'],
      'phase-3-3.T003': [],
      'phase-3-3.T005': ['phase-3-3.T003'],
    });
  });

  test('with CRLF, a byte order mark, twins and words that look like templates still becomes a plan', () => {
    const list =
      '\uFEFF# Tasks: x\r\n- [ ] T001 Say {{ name }} and {% if %}\r\n- [ ] T001 Again\r\n- [ ] no id at all\r\n';
    const { needs, prompt, notes } = seen('spec-kit', list);
    expect(needs).toEqual({ T001: [], 'T001-2': ['T001'] });
    expect(prompt('T001')).toContain('Say {{ "{{" }} name }} and {{ "{%" }} if %}');
    expect(notes).toEqual([
      '4: Left out: 1 check box without the id of a task, the first here.',
      '3: T001 is also in line 2; this one is called T001-2, and needs on T001 mean the first.',
    ]);
    expect(Object.keys(seen('spec-kit', '- [ ] Test it\n- [ ] no id\n').needs)).toEqual(['line-1', 'line-2']);
  });

  test('may say the order of tasks as a chain, and write ids with a dash', () => {
    const list = '## A\n- [ ] T-001 a\n- [ ] T-002 [P] b\n- [ ] T-003 [P] c\n## Dependencies\nT-001 → T-003 -> T-002\n';
    expect(seen('spec-kit', list).needs).toMatchObject({ 'a.T-002': ['a.T-001', 'a.T-003'], 'a.T-003': ['a.T-001'] });
  });

  test('without a task is refused in one sentence', () => {
    expect(refusal('spec-kit', '# Tasks: nothing\n')).toMatch(/^1:There is no task in it; .*T001/);
    expect(refusal('spec-kit', '- [x] T001 a\n')).toBe(
      'Everything in it is done (1 item), so there is nothing left to plan.',
    );
  });
});
