import { describe, expect, test } from 'vitest';
import { given } from '../../core/engine/run.given.ts';
import { deskAt } from './view-model.given.ts';

const TREE = `
one:
  tasks:
    a: { run: x }
    b: { needs: [a], run: x }
    c: { needs: [b], run: x }
two: { needs: [one], run: x }
three: { needs: [two], run: x }
four: { needs: [three], run: x }
five: { needs: [four], run: x }
`.trim();

/** The names in the list, with their signs. */
const names = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => {
    const found = /^[ ▸]([✓●·✗–↷…]) {1,9}(\S+(?: …)?)/u.exec(line);
    return found === null ? [] : [`${found[1] ?? ''} ${found[2] ?? ''}`];
  });

describe('the list of tasks', () => {
  test('shows the whole tree where it fits, and folds what the person folds', () => {
    const desk = deskAt(given(TREE));
    expect(names(desk.lines())).toEqual(['● one', '● a', '· b', '· c', '· two', '· three', '· four', '· five']);
    desk.press('home', 'enter');
    expect(names(desk.lines())).toEqual(['● one …', '· two', '· three', '· four', '· five']);
    desk.press('enter');
    expect(names(desk.lines())).toHaveLength(8);
  });

  test('is condensed where it does not fit, until the person unfolds it', () => {
    const desk = deskAt(given(TREE), { height: 11 });
    expect(desk.lines().slice(3, 6)).toMatchInlineSnapshot(`
      [
        " ● one …    running        0s  1 running · 2 pending",
        " ●   a      working        0s",
        " … 4 pending",
      ]
    `);
    desk.press('home', 'enter');
    expect(names(desk.lines()).slice(0, 4)).toEqual(['● one', '● a', '· b', '· c']);
    desk.press('end', 'enter');
    desk.press('end');
    expect(names(desk.lines()).at(-1)).toBe('· five');
  });

  test('keeps the chosen task on its line while others come and go above it', () => {
    const tasks = Array.from({ length: 40 }, (_, at) => `t${at}: { run: x }`).join('\n');
    const run = given(tasks, { plan: 'max_parallel: 30' });
    const desk = deskAt(run, { height: 20 });
    desk.press('end', 'up', 'up');
    const lineOf = (): number => desk.lines().findIndex((line) => line.startsWith('▸'));
    const chosen = (): string | undefined => desk.lines()[lineOf()]?.trim().split(/\s+/)[1];
    const [line, name] = [lineOf(), chosen()];
    for (let at = 0; at < 8; at += 1) run.says(`t${at}`, 'done');
    expect([lineOf(), chosen()]).toEqual([line, name]);
  });

  test('keeps a row for the chosen task when it has ended and the list is condensed', () => {
    const run = given(TREE);
    const desk = deskAt(run, { height: 11 });
    desk.press('down');
    expect(desk.focus().chosen).toBe('one.a');
    run.says('one.a', 'done');
    expect(desk.lines().find((line) => line.startsWith('▸'))).toMatch(/^▸✓ +a +done/);
  });

  test('does nothing to neighbours that share a row, and says why', () => {
    const desk = deskAt(given(TREE), { height: 11 });
    desk.press('end');
    for (const key of ['c', 'r', 'd', 'l']) expect(desk.press(key).says).toMatch(/^These are several/);
  });

  test('follows what is at work as long as nothing is chosen', () => {
    const tasks = Array.from({ length: 40 }, (_, at) => `t${at}: { run: x }`).join('\n');
    const run = given(tasks, { plan: 'max_parallel: 1\nattempts: 1' });
    const desk = deskAt(run, { height: 14 });
    // What failed keeps its row, so the list grows beyond the screen.
    for (let at = 0; at < 40; at += 1) {
      expect(names(desk.lines())).toContain(`● t${at}`);
      run.says(`t${at}`, 'failed');
    }
  });

  test('shows what a filter finds by path or by state, under whole paths', () => {
    const desk = deskAt(given(TREE));
    desk.press('/', 'one.');
    expect(names(desk.lines())).toEqual(['● one.a', '· one.b', '· one.c']);
    desk.press('backspace', 'backspace', 'backspace', 'backspace', 'r', 'unning', 'enter');
    expect(names(desk.lines())).toEqual(['● one …', '● one.a']);
    desk.press('/', 'zzz');
    expect(desk.lines().join('\n')).toContain('No task is like that.');
    desk.press('escape');
    expect(names(desk.lines())).toHaveLength(8);
  });

  test('keeps the choice on the folded subplan that the chosen task is in', () => {
    const desk = deskAt(given(TREE));
    desk.press('home', 'down', 'down', 'down');
    expect(desk.focus().chosen).toBe('one.c');
    desk.press('home', 'enter', 'down');
    expect(desk.focus().chosen).toBe('two');
  });
});
