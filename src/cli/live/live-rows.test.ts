import { describe, expect, test } from 'vitest';
import { given, type Run } from '../../core/engine/run.given.ts';
import { columnsOf } from '../../core/view/draw/text-width.ts';
import { HOSTILE_LABELS } from '../../core/view/draw/xml.given.ts';
import { rowOf } from '../text/pieces.ts';
import { busyRun } from '../text/screen.given.ts';
import { FOCUS } from './focus.ts';
import { liveRows } from './live-rows.ts';
import { askedBy, deskAt, lookAt, written } from './view-model.given.ts';

/** Twenty-five subplans of twenty tasks. */
function largeRun(): Run {
  const packs = Array.from({ length: 25 }, (_, pack) => {
    const tasks = Array.from({ length: 20 }, (__, at) => {
      const needs = at === 0 ? '' : `needs: [t${at - 1}], `;
      return `    t${at}: { ${needs}run: x }`;
    });
    return [`pack${pack}:`, '  tasks:', ...tasks].join('\n');
  });
  return given(packs.join('\n'), { plan: 'max_parallel: 4\nattempts: 1' });
}

describe('the live view', () => {
  test('shows the run, how far it is, pools, money, and each task with what it does, waits for or died of', () => {
    const look = lookAt(busyRun(), {
      doing: ({ task }) => (task === 'api.docs' ? '> Edit: docs/api.md' : 'ok 3 of 12'),
      eta: {
        endAt: { low: 800_000, likely: 1_000_000, high: 1_500_000 },
        tasks: new Map(),
        chain: ['api.build', 'ship'],
      },
    });
    expect(written(look).join('\n')).toMatchInlineSnapshot(`
      "given-1  going for 6m 35s, about 10m left (6m 50s – 18m)
      ████████░░░░░░░░░░░░░░░░░  1 of 6 tasks completed · 3 running · 1 pending · 1 failed
      running 2 of 4   ai  █░░ 1 of 3
      spent $1.75 of $20.00 ($2.00 reserved), 2k tokens (100k tokens reserved)  ██░░░░░░░░
      critical path api.build › ship

       ● api      running    6m 35s
       ✓   design done       5m 00s  $1.25
       ●   build  working    1m 35s  $0.50  tests  ok 3 of 12
       ●   docs   working    6m 35s  > Edit: docs/api.md
       ✗ lint     failed     1m 05s  attempt 2  lint: 2 problems
       · ship     waiting            needs api
       ● ask      asking     6m 35s  ? Which licence?









      ↑↓ choose  a approve  x reject  p pause  s stop  / filter  q leave  ? help"
    `);
  });

  test('tells more of the task that is chosen', () => {
    const desk = deskAt(busyRun());
    desk.press('end', 'up');
    expect(desk.lines().slice(-5)).toMatchInlineSnapshot(`
      [
        "ship  waiting",
        "  ship needs",
        "    api, open",
        "",
        "↑↓ choose  a approve  x reject  l log  d diff  c cancel  r retry  p pause  s stop  q leave  ? help",
      ]
    `);
  });

  test('keeps to the height and width of any screen', () => {
    const tasks = Array.from({ length: 60 }, (_, at) => `a-task-with-a-long-name-${at}: { run: x, estimate: 1m }`);
    const run = given(`${tasks.join('\n')}\nask: { gate: "Long? ${'ö漢'.repeat(80)}" }`, { plan: 'max_parallel: 32' });
    for (const height of [1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 80]) {
      for (const width of [1, 20, 40, 60, 110, 250]) {
        for (const chosen of [undefined, 'ask']) {
          const focus = { ...FOCUS, chosen };
          const lines = written(lookAt(run, { height, width, focus, message: 'x'.repeat(300) }));
          expect(lines.length).toBeLessThanOrEqual(Math.max(1, height - 1));
          for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(width);
        }
      }
    }
  });

  test('brings what is at work and what failed of 500 tasks into sight, and counts the rest', () => {
    const run = largeRun();
    run.says('pack2.t0', 'failed');
    const lines = written(lookAt(run, { height: 30 }));
    expect(lines.slice(3, 16)).toMatchInlineSnapshot(`
      [
        "",
        " ● pack0 …  running        0s  1 running · 19 pending",
        " ●   t0     working        0s",
        " ● pack1 …  running        0s  1 running · 19 pending",
        " ●   t0     working        0s",
        " ✗ pack2 …  failed         0s  19 cancelled · 1 failed  pack2.t0 failed",
        " ✗   t0     failed         0s  exited with 1: said",
        " ● pack3 …  running        0s  1 running · 19 pending",
        " ●   t0     working        0s",
        " ● pack4 …  running        0s  1 running · 19 pending",
        " ●   t0     working        0s",
        " … 400 pending",
        "",
      ]
    `);
  });

  test('makes only the rows that are in sight', () => {
    const asked: string[] = [];
    const tasks = Array.from({ length: 32 }, (_, at) => `t${at}: { run: x }`).join('\n');
    const doing = ({ task }: { readonly task: string }): undefined => void asked.push(task);
    liveRows(lookAt(given(tasks, { plan: 'max_parallel: 32' }), { doing }));
    expect(asked.length).toBeLessThan(24);
  });

  test('never lets what a plan, an agent or a program wrote steer the terminal', () => {
    for (const hostile of HOSTILE_LABELS) {
      const run = given('a: { prompt: x }\nb: { run: x }');
      run.hears(askedBy('a', hostile));
      const hostileLook = { doing: () => hostile, outputOf: () => [hostile], message: hostile };
      for (const mode of [
        { type: 'list' },
        { type: 'log', task: 'a', back: 0 },
        { type: 'answer', task: hostile, step: undefined, text: hostile },
        { type: 'filter' },
      ] as const) {
        const focus = { ...FOCUS, mode, filter: mode.type === 'filter' ? hostile : '' };
        const rows = liveRows(lookAt(run, { ...hostileLook, focus })).rows;
        for (const row of rows) expect(rowOf({ width: 100, colour: false }, row)).not.toMatch(/[\p{Cc}\u202A-\u202E]/u);
      }
    }
  });

  test('is coloured without becoming wider, and without colour the choice is still seen', () => {
    const desk = deskAt(busyRun());
    desk.press('down');
    const rows = liveRows(lookAt(busyRun(), { focus: desk.focus() })).rows;
    const coloured = rows.map((row) => rowOf({ width: 100, colour: true }, row)).join('\n');
    expect(coloured).toContain('\u001B[7m');
    expect(desk.lines().filter((line) => line.startsWith('▸'))).toHaveLength(1);
  });

  test('says who is gone and how to go on when nobody carries the run out', () => {
    expect(written(lookAt(busyRun(), { coordinator: 'gone' }))[2]).toBe(
      'Not running: no coordinator. heddle resume given-1 goes on.',
    );
  });

  test('says what merges and what is queued for it', () => {
    const run = given('a: { run: x }\nb: { run: x }\nc: { run: x }', { tree: 'auto', base: 'f'.repeat(40) });
    for (const task of ['a', 'b', 'c']) run.says(task, 'done');
    expect(written(lookAt(run)).find((line) => line.startsWith('merging'))).toMatchInlineSnapshot(`"merging a, b, c"`);
  });

  test('shows the end of what a task prints, and what came before it', () => {
    const lines = Array.from({ length: 100 }, (_, at) => `  line ${at}`);
    const desk = deskAt(busyRun(), { outputOf: () => lines, height: 14 });
    desk.press('down', 'l');
    const last = (): string | undefined => desk.lines().findLast((line) => line.startsWith('  line'));
    expect(last()).toBe('  line 99');
    desk.press('up', 'up');
    expect(last()).toBe('  line 97');
    desk.press('home');
    expect(desk.lines().find((line) => line.startsWith('  line'))).toBe('  line 0');
    desk.press('up', 'down');
    expect(desk.lines().find((line) => line.startsWith('  line'))).toBe('  line 1');
    desk.press('end');
    expect(last()).toBe('  line 99');
  });
});
