import { describe, expect, test } from 'vitest';
import { given } from '../../core/engine/run.given.ts';
import { busyRun } from '../../core/view/text/busy-run.given.ts';
import { askedBy, keyboardAt } from './view-model.given.ts';

describe('a key', () => {
  test('pauses the run, and lets a paused one go on', () => {
    const run = busyRun();
    const keyboard = keyboardAt(run);
    expect(keyboard.press('p').wish).toEqual({ type: 'command', command: { type: 'pause', tasks: [] } });
    run.pause();
    expect(keyboard.press('p').wish).toEqual({ type: 'command', command: { type: 'resume', tasks: [] } });
  });

  test('that ends something for good asks first, and only y means yes', () => {
    const keyboard = keyboardAt(busyRun());
    keyboard.press('/', 'api', 'enter', 'home');
    expect(keyboard.press('x').wish).toBeUndefined();
    expect(keyboard.lines().join('\n')).toContain('Cancel api for good?');
    expect(keyboard.press('n')).toMatchObject({ says: 'Nothing was done.' });
    keyboard.press('x');
    expect(keyboard.press('y').wish).toEqual({ type: 'command', command: { type: 'cancel', tasks: ['api'] } });
    keyboard.press('s');
    expect(keyboard.press('y').wish).toEqual({ type: 'command', command: { type: 'stop', tasks: [] } });
  });

  test('retries, and opens the diff of, the chosen task; without one it says what to do', () => {
    const keyboard = keyboardAt(busyRun());
    for (const key of ['x', 'r']) expect(keyboard.press(key).says).toMatch(/^Choose a task first/);
    // The pane can be read without a chosen row.
    expect(keyboard.press('d').wish).toEqual({ type: 'diff', task: 'ask' });
    keyboard.press('home');
    expect(keyboard.press('r').wish).toEqual({ type: 'command', command: { type: 'retry', tasks: ['ask'] } });
    expect(keyboard.press('d').wish).toEqual({ type: 'diff', task: 'ask' });
  });

  test('answers the only question that is open, whatever is chosen', () => {
    const keyboard = keyboardAt(busyRun());
    const command = { task: 'ask', step: undefined };
    keyboard.press('a');
    expect(keyboard.lines().join('\n')).toMatch(/ask asks you[^]*Which licence\?[^]*y approve {2}n reject/u);
    expect(keyboard.press('y').wish).toEqual({ type: 'command', command: { type: 'approve', ...command } });
    keyboard.press('a', 'n');
    expect(keyboard.lines().join('\n')).toContain('Reject ask?');
    expect(keyboard.press('y').wish).toEqual({ type: 'command', command: { type: 'reject', ...command } });
  });

  test('answers a question only when its end was in sight', () => {
    for (const width of [40, 120]) {
      const question = Array.from({ length: 300 }, (_, at) => `word${at}`).join(' ');
      const keyboard = keyboardAt(given(`one: { gate: "${question}" }`), { width, height: 16 });
      keyboard.press('a');
      expect(keyboard.press('y')).toMatchObject({ says: 'Read on first: this is not its end.' });
      expect(keyboard.press('y').wish).toBeUndefined();
      keyboard.press('home', 'pagedown', 'pageup', 'end');
      expect(keyboard.lines().join('\n')).toContain('word299');
      keyboard.press('home');
      expect(keyboard.press('y').wish).toMatchObject({ command: { type: 'approve', task: 'one' } });
    }
  });

  test('shows the question on the lowest of screens before it answers it', () => {
    for (const height of [4, 5, 6, 7, 8, 9, 10]) {
      const keyboard = keyboardAt(given('one: { gate: "Ship it?" }'), { width: 40, height });
      keyboard.press('a');
      expect(keyboard.lines().join('\n')).toContain('Ship it?');
      expect(keyboard.press('y').wish).toMatchObject({ command: { type: 'approve', task: 'one' } });
    }
  });

  test('wants to know which question is meant when several are open', () => {
    const keyboard = keyboardAt(given('one: { gate: A? }\ntwo: { gate: B? }'));
    expect(keyboard.press('a').says).toBe('Several ask. Choose the one you mean.');
    keyboard.press('end', 'a');
    expect(keyboard.press('y').wish).toMatchObject({ command: { type: 'approve', task: 'two' } });
    expect(keyboardAt(given('one: { run: x }')).press('a').says).toBe('Nothing waits for an answer.');
  });

  test('decides on a permission with yes, no or always, or in words that are changed before they are sent', () => {
    const run = given('api: { prompt: x }', { plan: 'permissions: gate' });
    run.hears(askedBy('api', 'Permission to use Bash: make?', { tool: 'Bash', about: 'make', key: 'k' }));
    const keyboard = keyboardAt(run);
    const command = { type: 'answer', task: 'api', step: 'main' };
    for (const [key, text] of [
      ['y', 'yes'],
      ['n', 'no'],
      ['v', 'always'],
    ] as const) {
      keyboard.press('a');
      expect(keyboard.press(key).wish).toEqual({ type: 'command', command: { ...command, text } });
    }
    keyboard.press('a', 'enter');
    expect(keyboard.lines().join('\n')).toContain('› yes▏');
    keyboard.press(',', ' ', 'once');
    expect(keyboard.press('enter').wish).toEqual({ type: 'command', command: { ...command, text: 'yes, once' } });
  });

  test('lets the person write to an agent that asks, under its question', () => {
    const run = given('api: { prompt: x }');
    run.hears(askedBy('api', 'Which base?'));
    const keyboard = keyboardAt(run);
    keyboard.press('a', 'enter', 'Postgres', 'x', 'backspace', '.');
    expect(keyboard.lines().join('\n')).toMatch(/Which base\?[^]*› Postgres\.▏/u);
    expect(keyboard.press('enter').wish).toEqual({
      type: 'command',
      command: { type: 'answer', task: 'api', step: 'main', text: 'Postgres.' },
    });
  });

  test('shows a question that somebody else has answered no longer', () => {
    const run = busyRun();
    const keyboard = keyboardAt(run);
    keyboard.press('a');
    run.says('ask', 'approve');
    expect(keyboard.press('y').wish).toBeUndefined();
    expect(keyboard.focus().mode.type).toBe('list');
  });

  test('leaves a run of another process at once, and asks where leaving would stop the run', () => {
    expect(keyboardAt(busyRun()).press('q').wish).toEqual({ type: 'leave' });
    expect(keyboardAt(busyRun()).press('ctrl-c').wish).toEqual({ type: 'interrupt' });
    const ours = keyboardAt(busyRun(), { coordinator: 'here', width: 200 });
    expect(ours.press('q').wish).toBeUndefined();
    expect(ours.lines().join('\n')).toContain('so leaving stops it');
    expect(ours.press('y').wish).toEqual({ type: 'interrupt' });
    expect(ours.press('ctrl-c').wish).toEqual({ type: 'interrupt' });
    expect(ours.press('ctrl-z').wish).toEqual({ type: 'suspend' });
  });

  test('that is pasted does nothing', () => {
    const keyboard = keyboardAt(busyRun());
    keyboard.press('home');
    for (const pasted of ['xy', 'sy', 'rm -rf', 'q\n'])
      expect(keyboard.press(pasted)).toEqual({ focus: keyboard.focus() });
    keyboard.press('a');
    expect(keyboard.press('yy').wish).toBeUndefined();
    keyboard.press('escape', 'j', 'j', 'j', 'k', 'k');
    expect(keyboard.focus().chosen).toBe('api');
  });

  test('shows the keys, which arrows scroll and any other key leaves', () => {
    const keyboard = keyboardAt(busyRun(), { height: 14 });
    keyboard.press('?');
    expect(keyboard.lines().join('\n')).toContain('choose a task');
    keyboard.press('end');
    expect(keyboard.lines().join('\n')).toContain('is the critical path');
    keyboard.press('q');
    expect(keyboard.focus().mode).toEqual({ type: 'list' });
  });
});
