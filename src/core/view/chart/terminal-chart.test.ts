import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnsOf } from '../draw/text-width.ts';
import { anyChart, givenChart } from './chart.given.ts';
import { drawTerminalChart } from './terminal-chart.ts';

const flow = {
  ...givenChart(
    {
      types: ['work 0-7.3!', 'check 7.3-8.6!', 'merge 8.6-9.1!'],
      '文書を書く長いラベルです、とても長い': ['failed 0-3.2', 'work 3.2-9'],
      api: ['work 9.1-26!', 'check 26-27.5!', 'merge 27.5-28!'],
      ui: ['waiting 9.1-12', 'work 12-20.4', 'cancelled 20.4-22'],
      ship: ['waiting 36-42!'],
    },
    42,
  ),
  marks: [{ atMs: 30 * 60_000, label: 'half the budget' }],
};

describe('drawTerminalChart', () => {
  test('reads without colour', () => {
    expect(`\n${drawTerminalChart(flow, { width: 72, colour: false })}`).toMatchInlineSnapshot(`
      "
      given · 42m 00s
      ▸ types                 │██████▋▓▒                  ┆          │  9m 06s
        文書を書く長いラベル… │╳╳╳█████▎                  ┆          │  9m 00s
      ▸ api                   │        ███████████████▋▓▒ ┆          │ 18m 54s
        ui                    │        ···███████░░       ┆          │ 10m 00s
      ▸ ship                  │                           ┆    ······│      0s
                              └┴────────────┴─────────────┴──────────┘
                               0s           15m           30m
      ┆ 30m 00s half the budget
      █ work  ▓ check  ▒ merge  ╳ failed  ░ cancelled  · waiting
      ▸ critical path
      "
    `);
  });

  test('reads in plain ASCII', () => {
    const text = drawTerminalChart(flow, { width: 72, colour: false, ascii: true });
    expect(text).toMatch(/^[\n -~]*$/u);
    expect(`\n${text}`).toMatchInlineSnapshot(`
      "
      given - 42m 00s
      > types              |#######==                    :           |  9m 06s
        ?????????????????? |xxx######                    :           |  9m 00s
      > api                |        #################==+ :           | 18m 54s
        ui                 |        ....########--       :           | 10m 00s
      > ship               |                             :     ......|      0s
                           ++-------------+--------------+-----------+
                            0s            15m            30m
      : 30m 00s half the budget
      # work  = check  + merge  x failed  - cancelled  . waiting
      > critical path
      "
    `);
  });

  test('colours bars by kind, brightens the critical path, and always ends a colour', () => {
    const text = drawTerminalChart(flow, { width: 80, colour: true });
    expect(text).toContain('\u001B[1m\u001B[34m█');
    expect(text).toContain('\u001B[31m╳');
    for (const line of text.split('\n')) {
      const codes = [...line.matchAll(/\u{1B}\[(\d+)m/gu)].map(([, code]) => code);
      expect(codes.at(-1) ?? '0').toBe('0');
    }
  });

  test('counts the rows that it leaves out', () => {
    expect(drawTerminalChart(flow, { width: 80, colour: false, rowsMax: 3 })).toContain('\n… 3 more tasks\n');
    expect(drawTerminalChart({ ...flow, lanes: 'slot' }, { width: 80, colour: false, rowsMax: 5 })).not.toContain(
      'more',
    );
    expect(drawTerminalChart({ ...flow, lanes: 'slot' }, { width: 80, colour: false, rowsMax: 4 })).toContain(
      '… 2 more slots',
    );
    const three = { ...flow, rows: flow.rows.slice(0, 3) };
    expect(drawTerminalChart(three, { width: 80, colour: false, rowsMax: 2 })).toContain('… 2 more tasks');
  });

  test('an empty chart is a title and an axis', () => {
    expect(
      drawTerminalChart({ title: 'nothing', rows: [], endMs: 0 }, { width: 10, colour: false }).split('\n'),
    ).toHaveLength(4);
  });

  test('every line keeps to the width, at any width, whatever the chart', () => {
    fc.assert(
      fc.property(anyChart, fc.integer({ min: 60, max: 200 }), fc.boolean(), (chart, width, ascii) => {
        const text = drawTerminalChart(chart, { width, colour: false, ascii });
        expect(text).not.toMatch(/NaN|undefined/u);
        for (const line of text.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(width);
      }),
      { numRuns: 150 },
    );
  });
});
