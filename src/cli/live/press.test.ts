import { describe, expect, test } from 'vitest';
import { given } from '../../core/engine/run.given.ts';
import { busyRun } from '../text/screen.given.ts';
import { askedBy, deskAt } from './view-model.given.ts';

describe('a key', () => {
  test('pauses the run, and lets a paused one go on', () => {
    const run = busyRun();
    const desk = deskAt(run);
    expect(desk.press('p').wish).toEqual({ type: 'command', command: { type: 'pause', tasks: [] } });
    run.pause();
    expect(desk.press('p').wish).toEqual({ type: 'command', command: { type: 'resume', tasks: [] } });
  });

  test('that ends something for good asks first, and only y means yes', () => {
    const desk = deskAt(busyRun());
    desk.press('home');
    expect(desk.press('c').wish).toBeUndefined();
    expect(desk.lines().join('\n')).toContain('Cancel api for good?');
    expect(desk.press('n')).toMatchObject({ says: 'Nothing was done.' });
    desk.press('c');
    expect(desk.press('y').wish).toEqual({ type: 'command', command: { type: 'cancel', tasks: ['api'] } });
    desk.press('s');
    expect(desk.press('y').wish).toEqual({ type: 'command', command: { type: 'stop', tasks: [] } });
  });

  test('retries, and opens the diff of, the chosen task; without one it says what to do', () => {
    const desk = deskAt(busyRun());
    for (const key of ['c', 'r', 'l', 'd']) expect(desk.press(key).says).toMatch(/^Choose a task first/);
    desk.press('end');
    expect(desk.press('r').wish).toEqual({ type: 'command', command: { type: 'retry', tasks: ['ask'] } });
    expect(desk.press('d').wish).toEqual({ type: 'diff', task: 'ask' });
  });

  test('answers the only question that is open, whatever is chosen', () => {
    const desk = deskAt(busyRun());
    const command = { task: 'ask', step: undefined };
    expect(desk.press('a').wish).toEqual({ type: 'command', command: { type: 'approve', ...command } });
    desk.press('x');
    expect(desk.press('y').wish).toEqual({ type: 'command', command: { type: 'reject', ...command } });
  });

  test('wants to know which question is meant when several are open', () => {
    const desk = deskAt(given('one: { gate: A? }\ntwo: { gate: B? }'));
    expect(desk.press('a').says).toBe('Several ask. Choose the one you mean.');
    desk.press('end');
    expect(desk.press('a').wish).toMatchObject({ command: { type: 'approve', task: 'two' } });
    expect(deskAt(given('one: { run: x }')).press('a').says).toBe('Nothing waits for an answer.');
  });

  test('offers a yes to a permission, which may be changed before it is sent, and a no', () => {
    const run = given('api: { prompt: x }', { plan: 'permissions: gate' });
    run.hears(askedBy('api', 'Permission to use Bash: make?', { tool: 'Bash', about: 'make', key: 'k' }));
    const desk = deskAt(run);
    desk.press('a');
    expect(desk.lines().join('\n')).toContain('Tell api: yes');
    const command = { type: 'answer', task: 'api', step: 'main', text: 'yes' };
    expect(desk.press('enter').wish).toEqual({ type: 'command', command });
    desk.press('a', 'backspace', 'backspace', 'backspace', 'always');
    expect(desk.press('enter').wish).toEqual({ type: 'command', command: { ...command, text: 'always' } });
    desk.press('x');
    expect(desk.press('y').wish).toMatchObject({ command: { type: 'reject', task: 'api' } });
  });

  test('lets the person write to an agent that asks', () => {
    const run = given('api: { prompt: x }');
    run.hears(askedBy('api', 'Which base?'));
    const desk = deskAt(run);
    desk.press('a', 'Postgres', 'x', 'backspace', '.');
    expect(desk.lines().join('\n')).toContain('Tell api: Postgres.');
    expect(desk.press('enter').wish).toEqual({
      type: 'command',
      command: { type: 'answer', task: 'api', step: 'main', text: 'Postgres.' },
    });
  });

  test('leaves at once where another carries the run out, and asks where it would stop it', () => {
    expect(deskAt(busyRun()).press('q').wish).toEqual({ type: 'leave' });
    expect(deskAt(busyRun()).press('ctrl-c').wish).toEqual({ type: 'interrupt' });
    const ours = deskAt(busyRun(), { coordinator: 'here', width: 200 });
    expect(ours.press('q').wish).toBeUndefined();
    expect(ours.lines().join('\n')).toContain('leaving stops the run');
    expect(ours.press('y').wish).toEqual({ type: 'interrupt' });
    expect(ours.press('ctrl-c').wish).toEqual({ type: 'interrupt' });
    expect(ours.press('ctrl-z').wish).toEqual({ type: 'suspend' });
  });

  test('that is pasted does nothing', () => {
    const desk = deskAt(busyRun());
    desk.press('home');
    for (const pasted of ['cy', 'sy', 'rm -rf', 'q\n']) expect(desk.press(pasted)).toEqual({ focus: desk.focus() });
    desk.press('j', 'j', 'j', 'k', 'k');
    expect(desk.focus().chosen).toBe('api.design');
  });

  test('shows help, and any other goes back', () => {
    const desk = deskAt(busyRun());
    desk.press('?');
    expect(desk.lines().join('\n')).toContain('fold or unfold what is chosen');
    desk.press('q');
    expect(desk.focus().mode).toEqual({ type: 'list' });
  });
});
