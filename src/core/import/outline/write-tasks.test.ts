import { describe, expect, test } from 'vitest';
import { refusal, seen } from '../imported.given.ts';

const LIST = `# The shop

1. [ ] Create directory src/models
2. [ ] Add order.ts
3. [ ] Add the routes

## Back end
- [ ] Tables
- [ ] Queue
`;

const tasksOf = (only: readonly string[]): readonly string[] =>
  Object.keys(seen('markdown', LIST, { selection: { only, isOpenOnly: false } }).needs);

describe('selected items', () => {
  test('are found by heading, id, line or path, with all that is below them', () => {
    expect(tasksOf(['Back end'])).toEqual(['back-end', 'back-end.tables', 'back-end.queue']);
    expect(tasksOf(['back-end.queue', '5'])).toEqual(['add-the-routes', 'back-end', 'back-end.queue']);
    expect(tasksOf(['line 5,queue'])).toEqual(['add-the-routes', 'back-end', 'back-end.queue']);
  });

  test('keep their order and start without omitted items, and a note counts those', () => {
    const { needs, notes } = seen('markdown', LIST, { selection: { only: ['add-the-routes'], isOpenOnly: false } });
    expect(needs).toEqual({ 'add-the-routes': [] });
    expect(notes).toContain('3 items not selected, left out.');
  });

  test('must be there', () => {
    expect(refusal('markdown', LIST, { selection: { only: ['nowhere'], isOpenOnly: false } })).toBe(
      'Nothing in it is called nowhere.',
    );
  });

  test('that are open leave out items that have begun', () => {
    const issues = JSON.stringify([
      { number: 1, title: 'Free', state: 'OPEN', assignees: [] },
      { number: 2, title: 'Taken', state: 'OPEN', assignees: [{ login: 'ann' }] },
    ]);
    const { needs } = seen('github', issues, { selection: { only: undefined, isOpenOnly: true } });
    expect(Object.keys(needs)).toEqual(['issue-1']);
    expect(Object.keys(seen('github', issues, { selection: { only: ['2'], isOpenOnly: false } }).needs)).toEqual([
      'issue-2',
    ]);
  });
});

describe('items that only make folders', () => {
  test('are done by the task after them, which whatever waits for them waits for', () => {
    const { needs, prompt, notes } = seen('markdown', LIST);
    expect(needs['add-order-ts']).toEqual([]);
    expect(needs['add-the-routes']).toEqual(['add-order-ts']);
    expect(prompt('add-order-ts')).toMatch(/^First: Create directory src\/models\n\nAdd order\.ts\n/);
    expect(notes).toContain('3: line 3 only makes folders, so the task of line 4 does it.');
  });

  test.each([
    'Create the config folder with a default file',
    'Create a directory service',
    'Make folders.ts faster',
    'Add directory listing tests',
  ])('are distinguished from others: %s', (title) => {
    const { notes } = seen('markdown', `- [ ] ${title}\n- [ ] Next\n`);
    expect(notes.filter((note) => note.includes('only makes folders'))).toEqual([]);
  });

  test.each([
    'mkdir -p src',
    'Create folders src and test',
    'Create project structure per implementation plan',
    'Create the directory structure',
    'Set up directories: src/models, src/services',
  ])('are known: %s', (title) => {
    const { notes } = seen('markdown', `- [ ] ${title}\n- [ ] Next\n`);
    expect(notes).toContain('1: line 1 only makes folders, so the task of line 2 does it.');
  });

  test('are done by the first task of a heading or an item with tasks in it', () => {
    const { needs, prompt } = seen(
      'markdown',
      '- [ ] mkdir -p src\n- [ ] Orders\n  - [ ] Types\n  - [ ] Routes\n- [ ] Ship\n',
    );
    expect(Object.keys(needs)).not.toContain('mkdir-p-src');
    expect(prompt('orders.types')).toMatch(/^First: mkdir -p src\n\nTypes\n/);
    expect(prompt('orders.routes')).not.toContain('mkdir');
  });

  test('stay tasks where nothing comes after them', () => {
    expect(Object.keys(seen('markdown', '- [ ] mkdir -p src/models\n').needs)).toHaveLength(1);
  });
});
