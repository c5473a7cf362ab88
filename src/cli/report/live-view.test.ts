import { describe, expect, test } from 'vitest';
import { given } from '../../core/engine/run.given.ts';
import { columnsOf } from '../../core/view/draw/text/text-width.ts';
import { liveView } from './live-view.ts';
import { busyRun, SCREEN, statusAt } from './screen.given.ts';

const view = (status: ReturnType<typeof statusAt>, screen: Partial<typeof SCREEN> = {}): readonly string[] =>
  liveView(status, { run: 'given-1', screen: { ...SCREEN, ...screen } });

describe('the live view', () => {
  test('shows progress, what is at work, questions, failures and money', () => {
    expect(view(statusAt(busyRun())).join('\n')).toMatchInlineSnapshot(`
      "given-1  going for 6m 35s  $1.75 of $20.00 ($2.00 set aside), 2k tokens (100k tokens set aside)
      ██████████░░░░░░░░░░░░░░░░░░░░  1 of 6 tasks completed · 3 running · 1 pending · 1 failed
      pools ai  █░░ 1 of 3
        api.docs          6m 35s
        api.build/tests   1m 05s  ███░░░░░░░ of 4m 00s
      ? ask  Which licence?  heddle approve ask · heddle reject ask
      ✗ lint  lint: 2 problems  after 2 attempts  heddle logs lint"
    `);
  });

  test('keeps to the height and width of any screen', () => {
    const tasks = Array.from({ length: 60 }, (_, at) => `a-task-with-a-long-name-${at}: { run: x, estimate: 1m }`);
    const run = given(`${tasks.join('\n')}\nask: { gate: "Long? ${'ö漢'.repeat(80)}" }`, { plan: 'max_parallel: 32' });
    for (const height of [1, 2, 3, 4, 5, 6, 8, 12, 24, 80]) {
      for (const width of [1, 20, 60, 200]) {
        const lines = view(statusAt(run), { height, width });
        expect(lines.length).toBeLessThanOrEqual(Math.max(1, height - 1));
        for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(width);
      }
    }
  });

  test('counts what there is no room for', () => {
    const tasks = Array.from({ length: 30 }, (_, at) => `t${at}: { run: x }`).join('\n');
    expect(view(statusAt(given(tasks, { plan: 'max_parallel: 20' })), { height: 7 })).toMatchInlineSnapshot(`
      [
        "given-1  going for 0s",
        "░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  0 of 30 tasks completed · 20 running · 10 pending",
        "  t0        0s",
        "  t1        0s",
        "  t2        0s",
        "  … and 17 more",
      ]
    `);
  });

  test('keeps room for questions and failures however much is at work', () => {
    const tasks = Array.from({ length: 30 }, (_, at) => `t${at}: { run: x }`).join('\n');
    const run = given(`${tasks}\nask: { gate: Now? }`, { plan: 'max_parallel: 20\nattempts: 1' });
    run.says('t3', 'failed');
    const lines = view(statusAt(run), { height: 8 });
    expect(lines.at(-2)).toBe('? ask  Now?  heddle approve ask · heddle reject ask');
    expect(lines.at(-1)).toBe('✗ t3  exited with 1: said  heddle logs t3');
  });

  test('is coloured without becoming wider', () => {
    const plain = view(statusAt(busyRun()));
    const coloured = view(statusAt(busyRun()), { colour: true });
    expect(coloured.join('\n')).toContain('\u001B[');
    expect(coloured.map((line) => line.replaceAll(/\u001B\[\d+m/gu, '').trimEnd())).toEqual(plain);
  });
});
