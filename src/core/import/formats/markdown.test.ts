import { describe, expect, test } from 'vitest';
import { refusal, seen } from '../imported.given.ts';

describe('a check list in Markdown', () => {
  test('has subplans where it has headings and nesting, and an order where it is numbered', () => {
    const { needs, prompt, task, text } = seen(
      'markdown',
      `# The shop

1. [ ] First
2. [x] Second
3. [ ] Third, in src/third.ts
   with more words

## Back end
* [ ] Routes
\t* [ ] Añadir río
\t* [x] Model
+ [ ] **Docs**
  - a plain point

## Nothing here
Words.
`,
    );
    expect(needs).toEqual({
      first: [],
      'third-in-src-third-ts': ['first'],
      'back-end': [],
      'back-end.routes': [],
      'back-end.routes.anadir-rio': [],
      'back-end.docs': [],
    });
    expect(text).toContain('name: the-shop');
    expect(task('third-in-src-third-ts')).toMatchObject({ files: ['src/third.ts'] });
    expect(prompt('third-in-src-third-ts')).toBe(
      'Third, in src/third.ts\n\nwith more words\n\nThis is line 5 of list.',
    );
    expect(prompt('back-end.docs')).toBe('**Docs**\n\n- a plain point\n\nThis is line 12 of list, under "Back end".');
    expect(prompt('back-end.routes.anadir-rio')).toContain('other parts are done by others: Routes');
  });

  test('becomes a plan whatever its items are called', () => {
    const list = ['日本語', '日本語', 'con', 'CON', '---', 'x'.repeat(300), '', 'Ünïcode', 'unicode'];
    const { needs } = seen('markdown', list.map((words) => `- [ ] ${words}\r\n`).join(''));
    expect(Object.keys(needs)).toHaveLength(list.length);
    expect(Object.keys(needs)).toEqual([
      'item-1',
      'item-2',
      'con-task',
      'con-task-2',
      'item-5',
      'x'.repeat(48),
      'item-7',
      'unicode',
      'unicode-2',
    ]);
  });

  test('nested deeper than a plan can be is a plan all the same', () => {
    const list = Array.from({ length: 40 }, (_, depth) => `${'  '.repeat(depth)}- [ ] Level ${depth}`).join('\n');
    expect(Object.keys(seen('markdown', list).needs)).toHaveLength(40);
  });

  test('with a very long item is cut, and says so', () => {
    const { notes, prompt } = seen('markdown', `- [ ] ${'word '.repeat(40_000)}`);
    expect(notes).toEqual(['1: line 1: its words were cut after 100000 characters.']);
    expect(prompt('word-word-word-word-word-word').length).toBeLessThan(100_001);
  });

  test('without a check box is refused in one sentence', () => {
    expect(refusal('markdown', '# Words\n\n- a\n- b\n')).toMatch(/^1:There is no check box in it/);
  });
});
