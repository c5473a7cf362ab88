// Ids of traces and spans, as hashes of names in the log: the names of run and claim give the span of the claim, so
// that a worker can hand it on before the span exists, and exporting a log twice gives the same spans.
//
// trace-context/C1. Ids are a function of the run and of names in its log. They hold no time of day and no chance.
// trace-context/C2. Above a number of tasks each task has a trace of its own: viewers cannot draw one of ten thousand.
import type { ClaimRef } from './assignment.ts';

/** A run, as no other run in the world is likely to be. */
export interface RunIdentity {
  readonly run: string;
  readonly startedAt: number;
  readonly seed: number;
  readonly base: string | undefined;
  /** The number of tasks of the plan that the run was started with. */
  readonly tasks: number;
}

/** The most tasks that share one trace. */
export const TASKS_PER_TRACE_MAX = 1_000;

export interface SpanId {
  readonly traceId: string;
  readonly spanId: string;
}

export interface TraceIds {
  readonly isSplit: boolean;
  /** `period` counts from 1: a run that has ended and goes on has another span. */
  readonly ofRun: (period: number) => SpanId;
  /** `opening` counts from 1: a task that is reset and opened again has another span. */
  readonly ofTask: (path: string, opening: number) => SpanId;
  readonly ofClaim: (claim: ClaimRef) => SpanId;
  /** The marker that says that a span has begun. */
  readonly ofStart: (of: SpanId) => SpanId;
}

export function traceIdsOf({ run, startedAt, seed, base, tasks }: RunIdentity): TraceIds {
  const ofRun = fed(SEEDS, [run, startedAt, seed, base ?? ''].join(SEPARATOR));
  const whole = hexOf(ended(ofRun));
  const isSplit = tasks > TASKS_PER_TRACE_MAX;
  const traces = new Map<string, string>();
  const traceOf = (path: string): string => {
    if (!isSplit) return whole;
    const known = traces.get(path) ?? hexOf(ended(fed(ofRun, `${SEPARATOR}trace${SEPARATOR}${path}`)));
    traces.set(path, known);
    return known;
  };
  const idOf = (traceId: string, name: string): SpanId => ({
    traceId,
    spanId: hexOf(ended(fed(ofRun, name)).slice(0, 2)),
  });
  return {
    isSplit,
    ofRun: (period) => idOf(whole, `${SEPARATOR}run${SEPARATOR}${period}`),
    ofTask: (path, opening) => idOf(traceOf(path), `${SEPARATOR}task${SEPARATOR}${path}${SEPARATOR}${opening}`),
    ofClaim: ({ work, task, step, attempt }) =>
      idOf(traceOf(task), [SEPARATOR, work, task, step ?? '', attempt].join(SEPARATOR)),
    ofStart: ({ traceId, spanId }) => idOf(traceId, `${SEPARATOR}start${SEPARATOR}${spanId}`),
  };
}

/** Stands in no name. */
const SEPARATOR = '\n';

/** The header of the W3C by which a program learns the span that it works for; the last part says that it is recorded. */
export const traceParentOf = ({ traceId, spanId }: SpanId): string => `00-${traceId}-${spanId}-01`;

type Lanes = readonly [number, number, number, number];

const hexOf = (lanes: readonly number[]): string =>
  lanes.map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');

/** Odd constants without a pattern; a lane each. */
const SEEDS: Lanes = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f];

/** Four lanes of 32 bits, each fed with every character. Not for secrets: ids only have to differ. */
function fed(lanes: Lanes, text: string): Lanes {
  let [one, two, three, four] = lanes;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = two ^ Math.imul(one ^ code, 0x238f13af);
    two = three ^ Math.imul(two ^ code, 0x45d9f3b5);
    three = four ^ Math.imul(three ^ code, 0x1b873593);
    four = one ^ Math.imul(four ^ code, 0xcc9e2d51);
  }
  return [one, two, three, four];
}

/** Mixes every lane with its neighbours. An id of zeros means none, so that none is zero. */
function ended(lanes: Lanes): Lanes {
  const [, , third] = lanes;
  const first = mixed(lanes[0] ^ third);
  const two = mixed(lanes[1] ^ first);
  const three = mixed(third ^ two);
  const four = mixed(lanes[3] ^ three);
  const one = mixed(first ^ four);
  return [one === 0 ? 1 : one, two, three, four];
}

/** Spreads every bit over the whole lane. */
function mixed(lane: number): number {
  let value = lane;
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
