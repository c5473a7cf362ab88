// The same work in lanes instead of tasks: a lane for each slot of each pool, and as many for the rest as ran at once.
import type { Compiled } from '../../src/core/compile/compiled.ts';
import type { WorkSpan } from '../../src/core/simulate/work-spans.ts';
import { chartBySlot, type Bar, type ChartRow } from '../../src/core/view/chart/chart.ts';
import type { ClaimSpan } from '../../src/core/view/report/claim-spans.ts';
import { demandsOf } from '../../src/core/view/report/uses.ts';
import { timelineBar, forecastBar, type TimelineRow } from './timeline-rows.ts';

interface Laned {
  readonly compiled: Compiled;
  readonly spans: readonly ClaimSpan[];
  readonly forecast: readonly WorkSpan[];
  readonly nowMs: number;
  readonly wholeMs: number;
}

/** Idle slots of a pool are shown too, up to so many. */
const IDLE_SHOWN_MAX = 32;

const OTHERS = { step: 'no pool', resolve: 'no pool', check: 'checks', merge: 'merges' } as const;

/** In the order of the pools in the plan; then work without a pool, checks and merges. */
export function rowsByPool({ compiled, spans, forecast, nowMs, wholeMs }: Laned): readonly TimelineRow[] {
  const work = lanes(spans.flatMap((span) => placed(compiled, span, timelineBar(span, nowMs))));
  const expected = lanes(
    forecast.flatMap((span) => placed(compiled, { ...span, agent: undefined }, forecastBar(span))),
  );
  const sizes = new Map(compiled.plan.pools.map(({ name, size }) => [name, Math.min(size, IDLE_SHOWN_MAX)]));
  return [...sizes.keys(), ...new Set(Object.values(OTHERS))].flatMap((lane): readonly TimelineRow[] => {
    const bars = slotsOf(work.get(lane), wholeMs);
    const pale = slotsOf(expected.get(lane), wholeMs);
    const count = Math.max(bars.length, pale.length, sizes.get(lane) ?? 0);
    return Array.from({ length: count }, (_, at) => ({
      label: `${lane} ${at + 1}`,
      bars: bars[at] ?? [],
      forecast: pale[at] ?? [],
    }));
  });
}

interface Placed {
  readonly lane: string;
  readonly row: ChartRow;
}

/** A step that takes two tokens of a pool takes two of its slots. */
function placed(
  compiled: Compiled,
  span: Pick<ClaimSpan, 'type' | 'task' | 'step' | 'agent'>,
  bar: Bar,
): readonly Placed[] {
  const row = { label: span.task, bars: [bar] };
  const demands = demandsOf(compiled, span);
  if (demands.length === 0) return [{ lane: OTHERS[span.type], row }];
  return demands.flatMap(({ pool, tokens }) => Array.from({ length: tokens }, () => ({ lane: pool, row })));
}

const lanes = (all: readonly Placed[]): ReadonlyMap<string, readonly ChartRow[]> =>
  new Map([...Map.groupBy(all, ({ lane }) => lane)].map(([lane, some]) => [lane, some.map(({ row }) => row)]));

const slotsOf = (rows: readonly ChartRow[] | undefined, endMs: number): readonly (readonly Bar[])[] =>
  rows === undefined ? [] : chartBySlot({ title: '', rows, endMs }).rows.map(({ bars }) => bars);
