// Settled and reserved money over time, stacked under the ceiling, with the forecast as a band at the right.
import { useEffect, useState, type ReactNode, type RefObject } from 'react';
import type { Range } from '../../src/core/simulate/range.ts';
import { formatMoment, formatMoney } from '../../src/core/view/chart/format.ts';
import { ticksOf } from '../../src/core/view/chart/chart.ts';
import { remPx } from '../parts/rem-px.ts';
import type { MoneyPoint } from '../model/money-series.ts';

interface MoneyChartProps {
  readonly points: readonly MoneyPoint[];
  readonly nowMs: number;
  readonly ceiling: number | undefined;
  /** What the whole run was expected to cost. */
  readonly forecast: Range | undefined;
  readonly picture: RefObject<SVGSVGElement | null>;
}

const HEIGHT = 260;
const LEFT = 56;
const BOTTOM = 24;
const TOP = 12;
const BAND = 96;

export function MoneyChart({ points, nowMs, ceiling, forecast, picture }: MoneyChartProps): ReactNode {
  // In the size of the page's text, which grows with very large screens.
  const enlarged = remPx() / 16;
  const width = useWidth(picture) / enlarged;
  const last = points.at(-1);
  const spent = (last?.settled ?? 0) + (last?.reserved ?? 0);
  const most = Math.max(0.01, spent, ceiling ?? 0, forecast?.high ?? 0) * 1.06;
  const right = width - (forecast === undefined ? 12 : BAND);
  const x = (ms: number): number => LEFT + (ms / Math.max(1, nowMs)) * (right - LEFT);
  const y = (usd: number): number => HEIGHT - BOTTOM - (usd / most) * (HEIGHT - BOTTOM - TOP);
  const stairs = (value: (point: MoneyPoint) => number): string =>
    points
      .map((point, at) => `${at === 0 ? 'M' : 'H'}${x(point.atMs)}${at === 0 ? ' ' : 'V'}${y(value(point))}`)
      .join('');
  const area = (value: (point: MoneyPoint) => number): string =>
    `${stairs(value)}H${x(nowMs)}V${y(0)}H${x(points[0]?.atMs ?? 0)}Z`;
  return (
    <svg
      ref={picture}
      className="money-chart"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width * enlarged}
      height={HEIGHT * enlarged}
      role="img"
      aria-label={`${formatMoney(last?.settled ?? 0)} settled, ${formatMoney(last?.reserved ?? 0)} reserved`}
    >
      {levelsOf(most).map((usd) => (
        <g key={usd}>
          <line className="money-grid" x1={LEFT} x2={width - 8} y1={y(usd)} y2={y(usd)} />
          <text className="money-text end" x={LEFT - 8} y={y(usd) + 4}>
            {formatMoney(usd)}
          </text>
        </g>
      ))}
      {ticksOf(nowMs, Math.floor((right - LEFT) / 90)).map((ms) => (
        <text key={ms} className="money-text" x={x(ms)} y={HEIGHT - 6}>
          {formatMoment(ms)}
        </text>
      ))}
      <path className="money-reserved" d={area(({ settled, reserved }) => settled + reserved)} />
      <path className="money-settled" d={area(({ settled }) => settled)} />
      {forecast !== undefined && (
        <g>
          <path
            className="money-forecast"
            d={`M${right} ${y(spent)}L${width - 12} ${y(Math.max(spent, forecast.high))}V${y(Math.max(spent, forecast.low))}Z`}
          />
          <path
            className="money-likely"
            d={`M${right} ${y(spent)}L${width - 12} ${y(Math.max(spent, forecast.likely))}`}
          />
          <text className="money-text end" x={width - 8} y={HEIGHT - 6}>
            forecast
          </text>
        </g>
      )}
      {ceiling !== undefined && (
        <g>
          <line className="money-ceiling" x1={LEFT} x2={width - 8} y1={y(ceiling)} y2={y(ceiling)} />
          <text className="money-text" x={LEFT + 6} y={y(ceiling) + 14}>
            ceiling {formatMoney(ceiling)}
          </text>
        </g>
      )}
    </svg>
  );
}

function levelsOf(most: number): readonly number[] {
  const step = 10 ** Math.floor(Math.log10(most));
  const every = [0.2, 0.5, 1, 2].map((part) => part * step).find((each) => most / each <= 6) ?? step;
  return Array.from({ length: Math.floor(most / every) + 1 }, (_, at) => at * every);
}

function useWidth(picture: RefObject<SVGSVGElement | null>): number {
  const [width, setWidth] = useState(800);
  useEffect(() => {
    const around = picture.current?.parentElement;
    if (around === null || around === undefined) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.max(280, around.clientWidth)));
    observer.observe(around);
    return () => observer.disconnect();
  }, [picture]);
  return width;
}
