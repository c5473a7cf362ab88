// Decides which prefixes of the chain are checked next. Pure: the standing of every prefix goes in, one move comes out.
//
// prefixes/K1. Nothing lands that has not passed as a whole; of the passed prefixes, the longest lands.
// prefixes/K2. Without a failure the whole chain is being checked, and the other checks divide the rest evenly.
// prefixes/K3. Behind a failed prefix nothing is checked: the culprit is its last entry or an earlier one. The first
//     entry of a chain has nothing before it, so when it fails it is the culprit.

/** The result for one prefix of the chain: all entries up to and including one of them. */
export type PrefixStanding = 'passed' | 'failed' | 'checking' | 'unknown';

export interface Prefixes {
  readonly standings: readonly PrefixStanding[];
  /** How many more checks may be started. */
  readonly free: number;
  /** Whether to check from the front, entry by entry, because many fail. */
  readonly isOneByOne: boolean;
}

export type QueueMove =
  /** The first `count` entries. */
  | { readonly type: 'land'; readonly count: number }
  | { readonly type: 'culprit' }
  /** Positions in the chain. */
  | { readonly type: 'check'; readonly start: readonly number[]; readonly stop: readonly number[] };

export function nextMove({ standings, free, isOneByOne }: Prefixes): QueueMove {
  const passed = standings.lastIndexOf('passed');
  if (passed !== -1) return { type: 'land', count: passed + 1 };
  const failed = standings.indexOf('failed');
  if (failed === 0) return { type: 'culprit' };
  const end = failed === -1 ? standings.length : failed;
  const start = isOneByOne ? fromFront(standings.slice(0, end), free) : divide(standings, end, free);
  const stop = [...standings.keys()].filter((at) => failed !== -1 && at > failed && standings[at] === 'checking');
  return { type: 'check', start, stop };
}

const fromFront = (standings: readonly PrefixStanding[], free: number): readonly number[] =>
  [...standings.keys()].filter((at) => standings[at] === 'unknown').slice(0, Math.max(0, free));

/**
 * Divides the prefixes before `end` evenly. A failed prefix is its own end; without one, the whole chain is checked
 * first.
 */
function divide(standings: readonly PrefixStanding[], end: number, free: number): readonly number[] {
  const last = standings.length - 1;
  const marks = [...standings.keys()].filter((at) => at < end && standings[at] === 'checking');
  const start: number[] = [];
  if (end <= last) marks.push(end);
  for (let left = free; left > 0; left -= 1) {
    const at = end > last && !marks.includes(last) ? last : widestGap(marks);
    if (at === undefined) break;
    start.push(at);
    marks.push(at);
  }
  return start;
}

/** The middle of the widest gap between marks; undefined when there is no gap. */
function widestGap(marks: readonly number[]): number | undefined {
  const sorted = [-1, ...marks].sort((one, other) => one - other);
  let widest = 1;
  let middle: number | undefined;
  for (const [index, from] of sorted.entries()) {
    const width = (sorted[index + 1] ?? from) - from;
    if (width <= widest) continue;
    widest = width;
    middle = from + Math.floor(width / 2);
  }
  return middle;
}

/** The share of failures among this many recent checks decides how the next are chosen. */
const RECENT_MAX = 10;
const RECENT_MIN = 5;
const FAILING_SHARE = 0.3;

/** Recent results of checks. */
export interface Recent {
  readonly note: (ok: boolean) => void;
  readonly isOneByOne: () => boolean;
}

export function openRecent(): Recent {
  const recent: boolean[] = [];
  return {
    note: (ok) => {
      recent.push(ok);
      if (recent.length > RECENT_MAX) recent.shift();
    },
    isOneByOne: () => recent.length >= RECENT_MIN && recent.filter((ok) => !ok).length >= FAILING_SHARE * recent.length,
  };
}
