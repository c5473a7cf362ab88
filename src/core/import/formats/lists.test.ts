// Formats in which items name each other: Task Master, beads, issues of GitHub.
import { describe, expect, test } from 'vitest';
import { refusal, seen } from '../imported.given.ts';

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

describe('a tasks.json of Task Master', () => {
  const TASKS = [
    { id: 1, title: 'Start', status: 'done', dependencies: [], priority: 'high' },
    {
      id: 2,
      title: 'Core',
      description: 'The heart of src/core.ts',
      details: 'In three parts.',
      testStrategy: 'Unit tests.',
      status: 'pending',
      dependencies: [1],
      subtasks: [
        { id: 1, title: 'Types', status: 'done', dependencies: [] },
        { id: 2, title: 'Store', status: 'pending', dependencies: [1] },
        { id: 3, title: 'Service', status: 'pending', dependencies: [2, '2.1'] },
      ],
    },
    { id: '3', title: 'Screen', status: 'in-progress', dependencies: ['2', '2.3', 9] },
    { id: 4, title: 'Some day', status: 'deferred', dependencies: [] },
    { id: 5, title: 'After that day', status: 'pending', dependencies: [4] },
    { id: 6, title: 'Never', status: 'cancelled', dependencies: [] },
    { id: 7, title: 'Odd', status: 'thinking', dependencies: [6], subtasks: [{ id: 1, title: 'x', status: 'done' }] },
  ];

  test('keeps tasks, parts, dependencies, and texts', () => {
    const { needs, prompt, notes, task } = seen('task-master', json({ tasks: TASKS }));
    expect(needs).toEqual({
      'task-2': [],
      'task-2.sub-2': [],
      'task-2.sub-3': ['task-2.sub-2'],
      'task-3': ['task-2', 'task-2.sub-3'],
      'task-7': [],
    });
    expect(prompt('task-2.sub-2')).toContain('Store\n\nIt is one part of this');
    expect(prompt('task-2.sub-2')).toContain('In three parts.\n\nHow it is verified: Unit tests.');
    expect(task('task-7')).toMatchObject({ type: 'work' });
    expect(notes).toEqual([
      '4 items done already, left out: 1, 2.1, 6, 7.1.',
      '1 item put off on purpose, left out: 4.',
      '1 priority left out: what has the longest way to the end goes first.',
      '46: 3 is in-progress; as a task it begins anew.',
      '76: 7 has the status thinking; it was taken as pending.',
      '62: 5 waits for 4, which is put off, and was left out with it.',
      '46: 3 waits for 9, which is not in the file; it does not wait for it.',
    ]);
  });

  test('has one tag imported, and says which others there are', () => {
    const tagged = json({ master: { tasks: TASKS, metadata: {} }, next: { tasks: [{ id: 1, title: 'Other' }] } });
    expect(seen('task-master', tagged).notes).toContain(
      'Only the tag master was imported; --tag takes another one: next.',
    );
    expect(seen('task-master', tagged, { tag: 'next' }).needs).toEqual({ 'task-1': [] });
    expect(refusal('task-master', tagged, { tag: 'nxt' })).toBe('There is no tag nxt in it; there are: master, next.');
  });

  test('that is broken is refused with its place', () => {
    expect(refusal('task-master', '{\n  "tasks": [1 2]\n}')).toBe('2:15:It is not JSON: a comma or ] is missing.');
    expect(refusal('task-master', '{"a": "b\n"}')).toMatch(/^1:9:It is not JSON: a text has a line break/);
    expect(refusal('task-master', '{"a" 1}')).toMatch(/^1:6:It is not JSON: a colon is missing/);
    expect(refusal('task-master', '{} x')).toMatch(/^1:4:It is not JSON: there is more text/);
    expect(refusal('task-master', '{1: 2}')).toMatch(/^1:2:It is not JSON: a key in quotes/);
    expect(refusal('task-master', '["\\x"]')).toMatch(/an escape in a text is wrong/);
    expect(refusal('task-master', '["a')).toMatch(/a text is not closed/);
    expect(refusal('task-master', '[')).toMatch(/it ends too early/);
    expect(refusal('task-master', '['.repeat(100))).toMatch(/nests deeper than 64 levels/);
    expect(refusal('task-master', '{"x": 1}')).toMatch(/^1:There is no list of tasks in it/);
    expect(refusal('task-master', '{"tasks": []}')).toBe('There is no task in it.');
    expect(refusal('task-master', '{"tasks": []}', { tag: 'a' })).toBe('It has no tags, so there is no tag a in it.');
  });
});

describe('an export of beads', () => {
  const part = (id: string, of: string) => ({ issue_id: id, depends_on_id: of, type: 'parent-child' });
  const blocks = (id: string, by: string) => ({ issue_id: id, depends_on_id: by, type: 'blocks' });
  const lines = (...issues: readonly object[]): string => issues.map((issue) => JSON.stringify(issue)).join('\n');

  test('keeps parts, blocks, gates and estimates, and leaves out items that are no work', () => {
    const { needs, task, notes, prompt } = seen(
      'beads',
      lines(
        { id: 'bd-1', title: 'All of it', description: 'The whole.', issue_type: 'epic', status: 'open', priority: 1 },
        { id: 'bd-1.1', title: 'First', status: 'open', estimated_minutes: 90, dependencies: [part('bd-1.1', 'bd-1')] },
        {
          id: 'bd-1.2',
          title: 'Second',
          status: 'in_progress',
          design: 'Plain.',
          acceptance_criteria: 'It works.',
          comments: [{ text: 'x' }],
          dependencies: [
            part('bd-1.2', 'bd-1'),
            blocks('bd-1.2', 'bd-1.1'),
            { depends_on_id: 'bd-2', type: 'related' },
          ],
        },
        { id: 'bd-2', title: 'Gone', status: 'closed' },
        { id: 'bd-3', title: 'Good enough?', issue_type: 'gate', dependencies: [blocks('bd-3', 'bd-1')] },
        { id: 'bd-4', title: 'Hello', issue_type: 'message' },
        { id: 'bd-5', title: 'Mold', is_template: true },
        { id: 'bd-6', title: 'Own word', status: 'triage', dependencies: [blocks('bd-6', 'bd-2'), { type: 'blocks' }] },
        { id: 'bd-7', title: 'On ice', status: 'deferred' },
      ),
    );
    expect(needs).toEqual({
      'bd-1': [],
      'bd-1.bd-1-1': [],
      'bd-1.bd-1-2': ['bd-1.bd-1-1'],
      'bd-3': ['bd-1'],
      'bd-6': [],
    });
    expect(task('bd-3').type).toBe('gate');
    expect(task('bd-1.bd-1-1').estimateMs).toBe(90 * 60_000);
    expect(prompt('bd-1.bd-1-2')).toBe(
      'Second\n\nDesign: Plain.\n\nAccepted when: It works.\n\nIt is one part of this, and other parts are done by others: All of it\n\nThe whole.',
    );
    expect(notes).toEqual([
      '1 item done already, left out: bd-2.',
      '1 item put off on purpose, left out: bd-7.',
      'Left out: 1 link of the kind related.',
      'Left out: 1 issue with comments, which were not read.',
      'Left out: 1 message that is no work.',
      'Left out: 1 task that is no work.',
      'Left out: 1 link that says too little.',
      '3: bd-1.2 is in_progress; as a task it begins anew.',
      '8: bd-6 has the status triage; it was taken as open.',
    ]);
  });

  test('with cycles of needs and of parts loses no issue', () => {
    const { needs, notes } = seen(
      'beads',
      lines(
        { id: 'a', title: 'A', dependencies: [blocks('a', 'b')] },
        { id: 'b', title: 'B', dependencies: [blocks('b', 'c')] },
        { id: 'c', title: 'C', dependencies: [blocks('c', 'a')] },
        { id: 'd', title: 'D', dependencies: [part('d', 'e'), blocks('d', 'a')] },
        { id: 'e', title: 'E', dependencies: [part('e', 'd'), blocks('e', 'e')] },
        { id: 'f', title: 'F', dependencies: [part('f', 'nobody')] },
      ),
    );
    expect(needs).toEqual({ a: [], b: ['c'], c: ['a'], e: [], 'e.d': ['a'], f: [] });
    expect(notes).toContain(
      '1: a waits for b, and they wait for each other in a cycle (a, b, c); this need was left out.',
    );
    expect(notes).toContain('6: f is a part of nobody, which is not in the file; it stands alone.');
    expect(notes.join('\n')).toMatch(/e is a part of d, which is a part of it; it stands alone/);
  });

  test('has no part lost whose whole is closed', () => {
    const { needs } = seen(
      'beads',
      lines(
        { id: 'all', title: 'All', status: 'closed' },
        { id: 'part', title: 'Part', status: 'open', dependencies: [part('part', 'all')] },
        { id: 'next', title: 'Next', status: 'open', dependencies: [blocks('next', 'all')] },
      ),
    );
    expect(needs).toEqual({ part: [], next: [] });
  });

  test('keeps a cycle that leads through a subplan from closing', () => {
    const { needs } = seen(
      'beads',
      lines(
        { id: 'all', title: 'All', dependencies: [blocks('all', 'x')] },
        { id: 'one', title: 'One', dependencies: [part('one', 'all')] },
        { id: 'x', title: 'X', dependencies: [blocks('x', 'one')] },
      ),
    );
    expect(needs).toEqual({ all: [], 'all.one': [], x: ['all.one'] });
  });

  test('nested a thousand deep is moved up to where a plan can nest', () => {
    const issues = Array.from({ length: 1000 }, (_, at) => ({
      id: `n${at}`,
      title: `N${at}`,
      dependencies: at === 0 ? [] : [part(`n${at}`, `n${at - 1}`)],
    }));
    const { needs, notes } = seen('beads', lines(...issues));
    expect(Object.keys(needs)).toHaveLength(1000);
    expect(notes[0]).toMatch(/lies deeper than a plan can nest; it was moved up/);
  });

  test('that is broken is refused with its line', () => {
    expect(refusal('beads', '{"id":"a"}\n\n{"id":')).toBe('3:7:It is not JSON: it ends too early.');
    expect(refusal('beads', '[]')).toMatch(/^1:It is not an issue/);
    expect(refusal('beads', '\n')).toBe('There is no issue in it that is work.');
  });
});

describe('issues of GitHub', () => {
  test('keep blocking issues, parts, labels and texts, whichever side states them', () => {
    const { needs, prompt, notes, text } = seen(
      'github',
      json([
        {
          number: 12,
          title: 'Crash',
          body: 'It crashes.\r\n\r\nBlocked by #13 and #99',
          state: 'OPEN',
          labels: [{ name: 'bug' }, { name: 'api' }],
          url: 'https://github.com/acme/shop/issues/12',
          comments: [{ body: 'x' }],
          milestone: { title: 'one' },
          assignees: [{ login: 'me' }],
        },
        {
          number: 13,
          title: 'Update',
          state: 'OPEN',
          subIssues: [{ number: 14 }],
          blocking: { nodes: [{ number: 16 }] },
        },
        { number: 14, title: 'Part', state: 'OPEN' },
        { number: 15, title: 'Old', state: 'CLOSED' },
        { number: 16, title: 'Next', state: 'OPEN', body: '- [ ] #12\n- [x] #15', blockedBy: [{ number: 15 }] },
        { number: 17, title: 'Part too', state: 'open', body: 'Part of #13.\n' },
        { number: 18, title: 'Change', pull_request: {} },
      ]),
    );
    expect(needs).toEqual({
      'issue-12': ['issue-13'],
      'issue-13': [],
      'issue-13.issue-14': [],
      'issue-13.issue-17': [],
      'issue-16': ['issue-12', 'issue-13'],
    });
    expect(text).toContain('name: shop');
    expect(prompt('issue-12')).toBe('Crash\n\nIt crashes.\n\nBlocked by #13 and #99\n\nLabels: bug, api');
    expect(notes).toEqual([
      '1 item done already, left out: #15.',
      'Left out: 1 pull request.',
      'Comments on 1 issue were not read.',
      'Who 1 issue is assigned to was not carried over.',
      'The milestone of 1 issue was not carried over.',
      '2: #12 waits for #99, which is not in the file; it does not wait for it.',
    ]);
  });

  test('may come as a list, in an object, or alone', () => {
    expect(seen('github', '{"items":[{"number":1,"title":"a"}]}').needs).toEqual({ 'issue-1': [] });
    expect(seen('github', '{"number":1,"title":"a"}').needs).toEqual({ 'issue-1': [] });
    expect(refusal('github', '[{"title":"a"}]')).toMatch(/^1:There is no issue in it; gh issue list/);
    expect(refusal('github', 'nope')).toBe('1:1:It is not JSON: a value is missing.');
  });
});
