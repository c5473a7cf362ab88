import { describe, expect, test } from 'vitest';
import { given } from '../../core/engine/run.given.ts';
import { keyboardAt } from './view-model.given.ts';

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
    const found = /^[ ▸]([?✓●◌✗–↷]) {1,9}([\w.-]+(?: [▸▾])?)/u.exec(line);
    return found === null ? [] : [`${found[1] ?? ''} ${found[2] ?? ''}`];
  });

const many = (count: number): string => Array.from({ length: count }, (_, at) => `t${at}: { run: x }`).join('\n');

describe('the list of tasks', () => {
  test('has first what needs a person, then what runs, failed, waits, and has ended', () => {
    const run = given(
      'ended: { run: x }\nwaits: { needs: [runs], run: x }\nfailed: { run: x }\nruns: { run: x }\nasks: { gate: A? }',
      { plan: 'attempts: 1' },
    );
    run.says('ended', 'done');
    run.says('failed', 'failed');
    const keyboard = keyboardAt(run);
    expect(names(keyboard.lines())).toEqual(['? asks', '● runs', '✗ failed', '◌ waits', '✓ 1', '✓ ended']);
  });

  test('shows the whole tree where it fits, and folds what the person folds', () => {
    const keyboard = keyboardAt(given(TREE));
    expect(names(keyboard.lines())).toEqual(['● one ▾', '● a', '◌ b', '◌ c', '◌ two', '◌ three', '◌ four', '◌ five']);
    keyboard.press('home', 'enter');
    expect(names(keyboard.lines())).toEqual(['● one ▸', '◌ two', '◌ three', '◌ four', '◌ five']);
    keyboard.press(' ');
    expect(names(keyboard.lines())).toHaveLength(8);
  });

  test('shows of a subplan only what asks, runs or failed where not all tasks fit, until the person unfolds it', () => {
    const keyboard = keyboardAt(given(TREE), { height: 11 });
    expect(names(keyboard.lines())).toEqual(['● one ▸', '● a', '◌ two', '◌ three', '◌ four', '◌ five']);
    keyboard.press('home', 'enter');
    expect(names(keyboard.lines()).slice(0, 4)).toEqual(['● one ▾', '● a', '◌ b', '◌ c']);
    keyboard.press('end');
    expect(names(keyboard.lines()).at(-1)).toBe('◌ five');
  });

  test('folds what has ended into one row where not all tasks fit, and shows the latest below it while there is room', () => {
    const run = given(many(40), { plan: 'max_parallel: 30' });
    for (const at of [24, ...Array.from({ length: 24 }, (_, index) => index)]) {
      run.waits(1_000);
      run.says(`t${at}`, 'done');
    }
    const keyboard = keyboardAt(run, { height: 30, width: 80 });
    const shown = keyboard.lines();
    expect(shown.find((line) => line.includes(' done ▸'))).toBe(' ✓ 25 done ▸');
    expect(names(shown).slice(-5)).toEqual([19, 20, 21, 22, 23].map((at) => `✓ t${at}`));
    expect(shown.filter((line) => line === '')).toHaveLength(1);
    keyboard.press('home', ...Array.from({ length: 15 }, () => 'down' as const), 'enter', 'end');
    expect(names(keyboard.lines()).at(-1)).toBe('✓ t24');
  });

  test('gives the place of a task that ended to the one that starts, so that no row moves', () => {
    const run = given(many(40), { plan: 'max_parallel: 8' });
    const keyboard = keyboardAt(run, { height: 24, width: 80 });
    expect(names(keyboard.lines()).slice(0, 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((at) => `● t${at}`));
    run.says('t2', 'done');
    expect(names(keyboard.lines()).slice(0, 8)).toEqual([0, 1, 8, 3, 4, 5, 6, 7].map((at) => `● t${at}`));
    run.says('t0', 'done');
    run.says('t1', 'done');
    expect(names(keyboard.lines()).slice(0, 8)).toEqual([9, 10, 8, 3, 4, 5, 6, 7].map((at) => `● t${at}`));
  });

  test('keeps the chosen task where it is, whatever becomes of it, until another is chosen', () => {
    const run = given(many(40), { plan: 'max_parallel: 30' });
    const keyboard = keyboardAt(run, { height: 20, width: 80 });
    keyboard.press('down', 'down', 'down');
    const lineOf = (): number => keyboard.lines().findIndex((line) => line.startsWith('▸'));
    const line = lineOf();
    expect(keyboard.focus().chosen).toBe('t2');
    for (let at = 0; at < 8; at += 1) run.says(`t${at}`, 'done');
    expect(lineOf()).toBe(line);
    expect(keyboard.lines()[line]).toMatch(/^▸✓ t2 +done/u);
    keyboard.press('down');
    expect(names(keyboard.lines())).not.toContain('✓ t2');
  });

  test('keeps the choice on its line while rows come and go above it', () => {
    const run = given(many(40), { plan: 'max_parallel: 30' });
    const keyboard = keyboardAt(run, { height: 20, width: 80 });
    keyboard.press('end', 'up', 'up');
    const lineOf = (): number => keyboard.lines().findIndex((line) => line.startsWith('▸'));
    const [line, chosen] = [lineOf(), keyboard.focus().chosen];
    for (let at = 0; at < 8; at += 1) run.says(`t${at}`, 'done');
    expect([lineOf(), keyboard.focus().chosen]).toEqual([line, chosen]);
  });

  test('does nothing to several tasks in one row, and says why', () => {
    const run = given(many(40), { plan: 'max_parallel: 30' });
    run.says('t0', 'done');
    const keyboard = keyboardAt(run, { height: 20 });
    keyboard.press('end');
    for (const key of ['x', 'r']) expect(keyboard.press(key).says).toMatch(/^These are several/);
  });

  test('has what runs in sight as long as nothing is chosen', () => {
    const run = given(many(40), { plan: 'max_parallel: 1\nattempts: 1' });
    const keyboard = keyboardAt(run, { height: 14 });
    for (let at = 0; at < 40; at += 1) {
      expect(names(keyboard.lines())).toContain(`● t${at}`);
      run.says(`t${at}`, 'failed');
    }
  });

  test('shows what a filter finds by path or by state, under whole paths', () => {
    const keyboard = keyboardAt(given(TREE));
    keyboard.press('/', 'one.');
    expect(names(keyboard.lines())).toEqual(['● one.a', '◌ one.b', '◌ one.c']);
    keyboard.press('backspace', 'backspace', 'backspace', 'backspace', 'r', 'unning', 'enter');
    expect(names(keyboard.lines())).toEqual(['● one ▸', '● one.a']);
    keyboard.press('/', 'zzz');
    expect(keyboard.lines().join('\n')).toContain('No task is like that.');
    keyboard.press('escape');
    expect(names(keyboard.lines())).toHaveLength(8);
  });

  test('keeps the choice on the folded subplan that the chosen task is in', () => {
    const keyboard = keyboardAt(given(TREE));
    keyboard.press('home', 'down', 'down', 'down');
    expect(keyboard.focus().chosen).toBe('one.c');
    keyboard.press('home', 'enter', 'down');
    expect(keyboard.focus().chosen).toBe('two');
  });
});
