import { describe, expect, test } from 'vitest';
import { given, type Run } from '../../core/engine/run.given.ts';
import { columnsOf } from '../../core/view/draw/text-width.ts';
import { HOSTILE_LABELS } from '../../core/view/draw/xml.given.ts';
import { rowOf } from '../text/rows.ts';
import { busyRun, statusAt } from '../../core/view/text/busy-run.given.ts';
import { FOCUS, PANE, type FocusMode } from './focus.ts';
import { liveRows } from './live-rows.ts';
import { askedBy, keyboardAt, printed, viewAt, written } from './view-model.given.ts';

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

const BUSY = {
  doing: ({ task }: { readonly task: string }) => (task === 'api.docs' ? '> Edit: docs/api.md' : 'ok 3 of 12'),
  outputOf: () => printed('> Edit: docs/api.md', 'ok 3 of 12'),
  eta: {
    at: 0,
    endAt: { low: 800_000, likely: 1_000_000, high: 1_500_000 },
    tasks: new Map(),
    chain: ['api.build', 'ship'],
  },
};

describe('the live view', () => {
  test('shows what asks, runs, failed, waits and has ended, in that order, with the output of a task beside it', () => {
    expect(written(viewAt(busyRun(), { ...BUSY, width: 120, height: 22 })).join('\n')).toMatchInlineSnapshot(`
      " given-1  running for 6m 35s, about 10m left (6m 50s – 18m)                                                  1 asks you
       █████▒▒▒▒▒▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░  1 done · 2 running · 1 asks you · 1 failed · 1 waiting         $1.75 + $2.00 of $20.00
       slots 2 of 4   ai  █░░ 1 of 3
      ──────────────────────────────────────────────────┬─────────────────────────────────────────────────────────────────────
         task       state                    time   cost│ ask, attempt 1                                           ▸ following
       ? ask        asks you               6m 35s       │ ? Which licence?
       ● api ▾      1 of 3                 6m 35s   1.75│
       ✓   design   done                   5m 00s   1.25│ > Edit: docs/api.md
       ●   build  ★ tests ███░░░░░░░ 27%   1m 35s   0.50│ ok 3 of 12
       ●   docs     working                6m 35s       │
       ✗ lint       failed                 1m 05s       │
          lint: 2 problems                              │
       ◌ ship     ★ gate, after api                     │
                                                        │
                                                        │
                                                        │
                                                        │
                                                        │
      ──────────────────────────────────────────────────┴─────────────────────────────────────────────────────────────────────
       ask asks: Which licence?                                                                                      a answer
       ↑↓ task  ⏎ output  a answer  d diff  t turns  e why  r retry  x cancel  p pause  / filter  g plan  q leave  ? keys"
    `);
  });

  test('has a column for what tasks do in place of the output on a screen of 80 columns', () => {
    expect(written(viewAt(busyRun(), { ...BUSY, width: 80 })).join('\n')).toMatchInlineSnapshot(`
      " given-1  running for 6m 35s, about 10m left (6m 50s – 18m)          1 asks you
       ███▒▒▒▓▓▓▓▓▓▓▓▓▓░░░░  1 done · 2 running · 1 asks you · 1 failed · 1 waiting
       $1.75 + $2.00 of $20.00   slots 2 of 4   ai  █░░ 1 of 3
      ────────────────────────────────────────────────────────────────────────────────
         task       state                     time   cost  doing, asking or waiting f…
       ? ask        asks you                6m 35s         Which licence?
       ● api ▾      1 of 3                  6m 35s   1.75
       ✓   design   done                    5m 00s   1.25
       ●   build  ★ tests ███░░░░░░░ 27%    1m 35s   0.50  ok 3 of 12
       ●   docs     working                 6m 35s         > Edit: docs/api.md
       ✗ lint       failed                  1m 05s
          lint: 2 problems
       ◌ ship     ★ gate, after api







      ────────────────────────────────────────────────────────────────────────────────
       ask asks: Which licence?                                              a answer
       ↑↓ task  ⏎ output  a answer  d diff  t turns  e why  r retry  q leave  ? keys"
    `);
  });

  test('leaves out what matters least on a small screen', () => {
    expect(written(viewAt(busyRun(), { ...BUSY, width: 40, height: 10 })).join('\n')).toMatchInlineSnapshot(`
      " given-1  running for 6m 35s, about 10m…
       ██▒▒▓▓▓▓▓░  1 done · 2 running · 1 ask…
       ? ask       asks you             6m 35s
       ● api ▸     1 of 3               6m 35s
       ●   build ★ tests ██░░░░░░░ 27%  1m 35s
       ●   docs    working              6m 35s
       ✗ lint      failed               1m 05s
       ask asks: Which licence?      a answer
       ↑↓ task  ⏎ output  q leave  ? keys"
    `);
  });

  test('keeps to the height and width of any screen', () => {
    const tasks = Array.from({ length: 60 }, (_, at) => `a-task-with-a-long-name-${at}: { run: x, estimate: 1m }`);
    const run = given(`${tasks.join('\n')}\nask: { gate: "Long? ${'ö漢⏺'.repeat(80)}" }`, { plan: 'max_parallel: 32' });
    const asked = { task: 'ask', step: undefined };
    const modes: readonly FocusMode[] = [
      { type: 'list' },
      { type: 'pane' },
      { type: 'help', top: 0 },
      { type: 'plan', top: 0 },
      { type: 'question', top: 0, isRead: false, ...asked },
      { type: 'answer', text: 'x'.repeat(300), ...asked },
    ];
    for (const height of [1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 80]) {
      for (const width of [1, 20, 40, 60, 100, 250]) {
        for (const mode of modes) {
          const focus = { ...FOCUS, mode, chosen: mode.type === 'pane' ? 'ask' : undefined };
          const lines = written(viewAt(run, { height, width, focus, message: 'x'.repeat(300) }));
          expect(lines.length).toBeLessThanOrEqual(Math.max(1, height - 1));
          for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(width);
        }
      }
    }
  });

  test('has a row for each of 60 tasks on a screen of 60 rows', () => {
    const tasks = Array.from({ length: 60 }, (_, at) => `t${at}: { run: x }`).join('\n');
    const lines = written(viewAt(given(tasks, { plan: 'max_parallel: 8' }), { width: 200, height: 70 }));
    expect(lines.filter((line) => /^ [●◌] t\d+ /u.test(line))).toHaveLength(60);
  });

  test('brings what runs and what failed of 500 tasks into sight, and counts the rest', () => {
    const run = largeRun();
    run.says('pack2.t0', 'failed');
    const lines = written(viewAt(run, { height: 22, width: 60 }));
    expect(lines.slice(3, 17)).toMatchInlineSnapshot(`
      [
        "────────────────────────────────────────────────────────────",
        "   task       state                              time   cost",
        " ● pack0 ▸    0 of 20                              0s",
        " ●   t0       working                              0s",
        " ● pack1 ▸    0 of 20                              0s",
        " ●   t0       working                              0s",
        " ● pack3 ▸    0 of 20                              0s",
        " ●   t0       working                              0s",
        " ● pack4 ▸    0 of 20                              0s",
        " ●   t0       working                              0s",
        " ✗ pack2 ▸    0 of 20, 1 failed                    0s",
        " ✗   t0       failed                               0s",
        "      exited with 1: said",
        " ◌ pack5 ▸    0 of 20",
      ]
    `);
  });

  test('makes only the rows that are in sight', () => {
    const asked: string[] = [];
    const tasks = Array.from({ length: 32 }, (_, at) => `t${at}: { run: x }`).join('\n');
    const doing = ({ task }: { readonly task: string }): undefined => void asked.push(task);
    liveRows(viewAt(given(tasks, { plan: 'max_parallel: 32' }), { doing, width: 90 }));
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThan(24);
  });

  test('names only keys that do something where it is', () => {
    const lastRows = (mode: FocusMode): string =>
      written(viewAt(busyRun(), { focus: { ...FOCUS, mode } }))
        .slice(-2)
        .join('\n');
    const page = ' ↑↓ scroll  esc back';
    expect(lastRows({ type: 'plan', top: 0 })).toBe(`\n${page}`);
    expect(lastRows({ type: 'help', top: 0 })).toBe(`\n${page}`);
    expect(lastRows({ type: 'question', task: 'ask', step: 'main', top: 0, isRead: true })).toBe(`\n${page}`);
    expect(lastRows({ type: 'filter' })).toBe(' /▏  enter keeps it, esc drops it\n');
  });

  test('says under a failed task what its check said', () => {
    const run = given('a: { run: x, check: y, attempts: 1 }', { tree: 'auto', base: 'f'.repeat(40) });
    run.says('a', 'done', 'failed');
    const lines = written(viewAt(run));
    const at = lines.findIndex((line) => /^ ✗ a +check failed/u.test(line));
    expect(lines[at + 1]).toMatch(/^ {4}tail/u);
  });

  test('never lets what a plan, an agent or a program wrote steer the terminal', () => {
    for (const hostile of HOSTILE_LABELS) {
      const run = given('a: { prompt: x }\nb: { run: x }');
      run.hears(askedBy('a', hostile));
      const hostileView = { doing: () => hostile, outputOf: () => printed(hostile), message: hostile };
      const asked = { task: 'a', step: 'main' };
      for (const mode of [
        { type: 'list' },
        { type: 'pane' },
        { type: 'plan', top: 0 },
        { type: 'question', top: 0, isRead: false, ...asked },
        { type: 'answer', text: hostile, ...asked },
        { type: 'filter' },
        { type: 'search' },
      ] as const) {
        const pane = { ...PANE, search: hostile };
        const focus = { ...FOCUS, mode, pane, filter: mode.type === 'filter' ? hostile : '' };
        for (const width of [80, 120])
          for (const row of liveRows(viewAt(run, { ...hostileView, focus, width })).rows)
            expect(rowOf({ width, colour: false }, row)).not.toMatch(/[\p{Cc}\u202A-\u202E]/u);
      }
    }
  });

  test('is coloured without becoming wider, and without colour the choice is still seen', () => {
    const keyboard = keyboardAt(busyRun());
    keyboard.press('down');
    const rows = liveRows(viewAt(busyRun(), { focus: keyboard.focus() })).rows;
    const coloured = rows.map((row) => rowOf({ width: 100, colour: true }, row)).join('\n');
    expect(coloured).toContain('\u001B[7m');
    expect(keyboard.lines().filter((line) => line.startsWith('▸'))).toHaveLength(1);
  });

  test('is drawn in ASCII of the same width where the locale has no Unicode', () => {
    const { rows } = liveRows(viewAt(busyRun(), { ...BUSY, width: 120 }));
    for (const row of rows) {
      const drawn = rowOf({ width: 120, colour: false, unicode: false }, row);
      expect(drawn).toMatch(/^[ -~]*$/u);
      expect(drawn.length).toBe(columnsOf(rowOf({ width: 120, colour: false }, row)));
    }
  });

  test('says which sandboxes the run has, in the first row where there is room', () => {
    const status = { ...statusAt(busyRun()), sandboxes: { tree: 'overlay', isolation: 'os', why: 'works' } } as const;
    const wide = written(viewAt(busyRun(), { status, width: 120 }));
    expect(wide[0]).toMatch(/running for .* {3}1 asks you$/u);
    const text = /running for \S+ \S+ +(\S.*\S) {3}1 asks/u.exec(wide[0] ?? '')?.[1];
    expect(text).toBe('isolated · overlay');
    const narrow = written(viewAt(busyRun(), { status, width: 50 }));
    expect([narrow[0]?.includes('isolated'), narrow[2]]).toEqual([false, ` ${text}`]);
  });

  test('says that the run has no coordinator, and how to go on', () => {
    expect(written(viewAt(busyRun(), { coordinator: 'gone' }))[2]).toBe(
      ' Not running: no coordinator. heddle resume given-1 goes on.',
    );
  });

  test('says what merges and what is queued for it', () => {
    const run = given('a: { run: x }\nb: { run: x }\nc: { run: x }', { tree: 'auto', base: 'f'.repeat(40) });
    for (const task of ['a', 'b', 'c']) run.says(task, 'done');
    expect(written(viewAt(run)).find((line) => line.startsWith(' merging'))).toBe(' merging a, b, c');
  });

  test('draws the plan with its states, each task under the need that it waits for longest', () => {
    const keyboard = keyboardAt(busyRun(), BUSY);
    keyboard.press('g');
    expect(keyboard.lines().slice(2, 9)).toMatchInlineSnapshot(`
      [
        " ● api  open",
        " ┊ ✓ design  done",
        " ┊ └─ ● build ★  working",
        " ┊ ● docs  working",
        " └─ ◌ ship ★  waiting, also after lint",
        " ✗ lint  failed",
        " ? ask  asking",
      ]
    `);
  });
});
