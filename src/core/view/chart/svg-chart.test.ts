import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultInXml, HOSTILE_LABELS } from '../draw/xml.given.ts';
import { anyChart, givenChart } from './chart.given.ts';
import { drawSvgChart } from './svg-chart.ts';

describe('drawSvgChart', () => {
  test('draws rows, labelled bars, a legend of the used kinds, and marks', () => {
    const chart = {
      ...givenChart({ api: ['work 0-7!', 'check 7-8'], ui: ['failed 1-2'] }, 10),
      marks: [{ atMs: 300_000, label: 'paused' }],
    };
    const svg = drawSvgChart(chart, { width: 600 });
    expect(svg).toContain('<title>api · work · 0s to 7m 00s · 7m 00s · critical path</title>');
    expect(svg).toContain('<title>paused · 5m 00s</title>');
    expect(svg).toContain('class="work critical"');
    expect([...svg.matchAll(/<text class="small" [^>]*>([^<]*)</gu)].map(([, words]) => words)).toEqual([
      'work',
      'check',
      'failed',
      'critical path',
    ]);
    expect(svg).toContain('prefers-color-scheme:dark');
    expect(svg).toMatch(/role="img" aria-label="given"/u);
    expect(faultInXml(svg)).toBeUndefined();
  });

  test('draws slots instead of too many rows, with a note', () => {
    const rows = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`t${index}`, [`work ${index}-${index + 2}`]]),
    );
    const svg = drawSvgChart(givenChart(rows, 302));
    expect(svg).toContain('300 tasks by slot');
    expect(svg).toContain('>slot 2</text>');
    expect(svg).not.toContain('>slot 3</text>');
  });

  test('slots beyond the limit are counted', () => {
    const rows = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`t${index}`, ['work 0-2']]));
    expect(drawSvgChart(givenChart(rows, 2), { rowsMax: 4 })).toContain('… 6 more slots');
    expect(drawSvgChart({ ...givenChart(rows, 2), lanes: 'slot' }, { rowsMax: 8 })).toContain('… 2 more slots');
  });

  test('ten thousand bars are no burden', () => {
    const bars = Array.from({ length: 100 }, (_, index) => `work ${index}-${index + 1}`);
    const rows = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`t${index}`, bars]));
    expect([...drawSvgChart(givenChart(rows, 100)).matchAll(/<rect class="work"/gu)]).toHaveLength(10_001);
  });

  test('is well formed and inside its frame, whatever the chart', () => {
    fc.assert(
      fc.property(anyChart, (chart) => {
        const svg = drawSvgChart(chart, { width: 400 });
        expect(faultInXml(svg)).toBeUndefined();
        expect(svg).not.toMatch(/NaN|Infinity|undefined/u);
        for (const [, x = '', width = ''] of svg.matchAll(
          /<rect class="[a-z ]+" x="([\d.-]+)" y="[\d.-]+" width="([\d.-]+)"/gu,
        )) {
          expect(Number(x)).toBeGreaterThanOrEqual(0);
          expect(Number(x) + Number(width)).toBeLessThanOrEqual(400);
        }
      }),
    );
  });

  test('hostile labels stay labels', () => {
    const rows = HOSTILE_LABELS.map((label) => ({
      label,
      bars: [{ startMs: 0, endMs: 1, kind: 'work' as const, label }],
    }));
    const svg = drawSvgChart({ title: '<script>', rows, endMs: 1 });
    expect(faultInXml(svg)).toBeUndefined();
    expect(svg).not.toContain('<script');
  });
});
