// A claimed figure: the measurement, its reference in the same run, and its bound.
import { loadavg } from 'node:os';

export interface Figure {
  readonly what: string;
  readonly oursMs: number;
  /** The time of raw git for the same work; undefined where the bound is a time. */
  readonly referenceMs: number | undefined;
  readonly bound: Bound;
}

export type Bound =
  /** At least so many times as fast as the reference. */
  | { readonly type: 'times'; readonly least: number }
  | { readonly type: 'under'; readonly ms: number }
  /** Measured because it is good to know. */
  | { readonly type: 'none' };

const isMet = ({ oursMs, referenceMs, bound }: Figure): boolean | undefined => {
  if (bound.type === 'times') return referenceMs !== undefined && referenceMs / oursMs >= bound.least;
  return bound.type === 'under' ? oursMs < bound.ms : undefined;
};

export const times = (least: number): Bound => ({ type: 'times', least });
export const under = (ms: number): Bound => ({ type: 'under', ms });

export function printFigures(title: string, figures: readonly Figure[]): void {
  console.log(`\n## ${title}\n`);
  console.log('| what | ours | raw git | ratio | bound | met |');
  console.log('|---|---|---|---|---|---|');
  for (const figure of figures) console.log(`| ${cellsOf(figure).join(' | ')} |`);
  console.log(
    `\nLoad of the machine: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}.`,
  );
}

function cellsOf(figure: Figure): readonly string[] {
  const { what, oursMs, referenceMs, bound } = figure;
  const bounded = bound.type === 'times' ? `≥ ${bound.least}×` : bound.type === 'under' ? `< ${bound.ms} ms` : '';
  const met = isMet(figure);
  return [
    what,
    inWords(oursMs),
    referenceMs === undefined ? '' : inWords(referenceMs),
    referenceMs === undefined ? '' : `${(referenceMs / oursMs).toPrecision(3)}×`,
    bounded,
    met === undefined ? '' : met ? 'yes' : 'NO',
  ];
}

const inWords = (ms: number): string => (ms < 10_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`);

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

export async function timed<Value>(
  action: () => Promise<Value>,
): Promise<{ readonly ms: number; readonly value: Value }> {
  const begin = performance.now();
  const value = await action();
  return { ms: performance.now() - begin, value };
}
