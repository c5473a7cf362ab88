import { describe, expect, test } from 'vitest';
import { given } from '../../core/engine/run.given.ts';
import { busyRun } from '../../core/view/text/busy-run.given.ts';
import { keyboardAt, printed } from './view-model.given.ts';

const numbered = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `line ${at}`);

const shown = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => /(?:^|│ )(line \d+)/u.exec(line)?.[1] ?? []);

describe('the pane', () => {
  for (const width of [80, 120])
    test(`follows the end of an output, and stays where one scrolled to while more is printed, at ${width} columns`, () => {
      let output = printed(...numbered(100));
      const keyboard = keyboardAt(given('a: { run: x }'), { outputOf: () => output, height: 20, width });
      keyboard.press('down', 'enter');
      expect(shown(keyboard.lines()).at(-1)).toBe('line 99');
      output = printed(...numbered(110));
      expect(shown(keyboard.lines()).at(-1)).toBe('line 109');
      keyboard.press('up', 'up', 'up');
      const [first] = shown(keyboard.lines());
      output = printed(...numbered(200));
      expect(shown(keyboard.lines())[0]).toBe(first);
      keyboard.press('home');
      expect(shown(keyboard.lines())[0]).toBe('line 0');
      keyboard.press('pagedown', 'pageup');
      expect(shown(keyboard.lines())[0]).toBe('line 0');
      keyboard.press('end');
      output = printed(...numbered(300));
      expect(shown(keyboard.lines()).at(-1)).toBe('line 299');
      keyboard.press('escape');
      expect(keyboard.focus().mode.type).toBe('list');
    });

  test('finds words in what was printed, whatever their case, and goes from one place to the next', () => {
    const lines = numbered(100).map((line, at) => (at % 40 === 5 ? `${line} FAIL here` : line));
    const keyboard = keyboardAt(given('a: { run: x }'), { outputOf: () => printed(...lines), height: 20, width: 120 });
    keyboard.press('enter', '/', 'fail', 'enter');
    expect(keyboard.lines().join('\n')).toContain('/fail: 3 found');
    expect(shown(keyboard.lines())).toContain('line 85');
    keyboard.press('N');
    expect(shown(keyboard.lines())[0]).toBe('line 45');
    keyboard.press('N');
    expect(shown(keyboard.lines())[0]).toBe('line 5');
    keyboard.press('N');
    expect(shown(keyboard.lines())).toContain('line 85');
    keyboard.press('n');
    expect(shown(keyboard.lines())[0]).toBe('line 5');
  });

  test('wraps long lines between words, and finds words across the wrap', () => {
    const long = `${'word '.repeat(30)}end`;
    const outputOf = (): ReturnType<typeof printed> => printed(long);
    const keyboard = keyboardAt(given('a: { run: x }'), { outputOf, width: 120 });
    const rows = keyboard.lines().flatMap((line) => /│ (word.*)$/u.exec(line)?.[1] ?? []);
    expect(rows.join(' ')).toBe(long);
    expect(rows.length).toBeGreaterThan(2);
  });

  test('shows earlier attempts, and goes back to the latest', () => {
    const outputOf = (_: string, attemptsBack: number): ReturnType<typeof printed> => {
      const back = Math.min(2, attemptsBack);
      return { ...printed(`of ${back} back`), attempt: 3 - back, earlier: 2 - back, later: back };
    };
    const keyboard = keyboardAt(given('a: { run: x }'), { outputOf, width: 120 });
    keyboard.press('enter', 'left', 'left', 'left', 'left');
    expect(keyboard.lines().join('\n')).toMatch(/a, attempt 1 ←→[^]*of 2 back/u);
    keyboard.press('right', 'right');
    expect(keyboard.lines().join('\n')).toMatch(/a, attempt 3 ←→[^]*of 0 back/u);
  });

  test('explains why a task waits, with who holds what it waits for', () => {
    const run = given('a: { run: x, pools: [db] }\nb: { run: x, pools: [db] }', { plan: 'pools: { db: 1 }' });
    const keyboard = keyboardAt(run, { width: 120 });
    keyboard.press('end', 'e');
    const text = keyboard.lines().join('\n');
    expect(text).toContain('│ b › why');
    expect(text).toContain('waits for 1 of the pool db; held by');
    expect(text).toMatch(/│ {5,7}a, running for/u);
  });

  test('shows what agents were told and said, and output again by the same key', () => {
    const turn = { step: 'main', attempt: 1, agent: 'ai', verdict: 'done', prompt: 'Make it so.', response: 'Made.' };
    const rest = { run: 'r', task: 'a', type: 'prompt', model: null, launched_at: 0, completed_at: 2000 } as const;
    const none = { group: null, usage: null, usd: 0.5, conversation: null, from: null };
    const keyboard = keyboardAt(given('a: { run: x }'), {
      width: 120,
      outputOf: () => printed('printed'),
      turnsOf: () => [{ ...turn, ...rest, ...none }],
    });
    keyboard.press('t');
    const text = keyboard.lines().join('\n');
    expect(text).toContain('main #1 by ai: done after 2s for $0.50');
    expect(text).toMatch(/> Make it so\.[^]* {2}Made\./u);
    keyboard.press('t');
    expect(keyboard.lines().join('\n')).toContain('│ printed');
  });

  test('has what a failed merge check printed over the output of the task, and leaves out what the output has', () => {
    const run = given('a: { prompt: x, check: y, attempts: 2 }', { tree: 'auto', base: 'f'.repeat(40) });
    const textOf = (...lines: readonly string[]): string =>
      keyboardAt(run, { width: 120, outputOf: () => printed(...lines) })
        .lines()
        .join('\n');
    run.says('a', 'done', 'passed', 'failed');
    expect(textOf('printed')).toMatch(/│ ! Its check failed, and it is tried again\.[^]*│ {3}tail\s[^]*│ printed/u);
    run.says('a', 'done', 'passed', 'failed');
    expect(textOf('printed')).toMatch(/│ ✗ its check failed: tail\s[^]*│ {3}tail\s[^]*│ printed/u);
    expect(textOf('tail')).not.toMatch(/│ {3}tail/u);
  });

  test('has the question of a task over its output, in full', () => {
    const keyboard = keyboardAt(busyRun(), { width: 120, outputOf: () => printed('printed') });
    keyboard.press('home');
    expect(keyboard.lines().join('\n')).toMatch(/│ \? Which licence\?[^]*│ printed/u);
  });
});
