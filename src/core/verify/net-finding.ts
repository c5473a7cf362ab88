// Findings of the verifier: a stable code, a sentence and, for bad behaviour, the trace that leads to it.

export const FINDING_CODES = [
  'no-way-from-the-start',
  'no-way-to-the-end',
  'demand-over-capacity',
  'pool-not-returned',
  'hold-and-wait',
  'deadlock',
  'left-over-tokens',
  'ends-twice',
  'cannot-finish',
  'unbounded',
  'dead-transition',
] as const;

export type NetFindingCode = (typeof FINDING_CODES)[number];

export interface TokensAt {
  readonly place: number;
  readonly tokens: number;
}

export interface NetFinding {
  readonly code: NetFindingCode;
  /** One sentence, with the names of the net. */
  readonly sentence: string;
  /** A sequence of transitions from the initial marking, a shortest where one was found; undefined when no firing shows the fault. */
  readonly trace: readonly number[] | undefined;
  /** Whether the trace fires in the original net or in the reduced net. */
  readonly traceOf: 'net' | 'reduced net' | undefined;
  /** The marking at the end of the trace: every place that holds a token. */
  readonly marking: readonly TokensAt[] | undefined;
  /** The part of that marking that shows the fault: tokens left over, or resources that are short. */
  readonly astray: readonly TokensAt[] | undefined;
  /** The transition or place of the finding, where there is one. */
  readonly transition: number | undefined;
  readonly place: number | undefined;
}

export function tokensIn(marking: Int32Array): readonly TokensAt[] {
  const held: TokensAt[] = [];
  marking.forEach((tokens, place) => {
    if (tokens > 0) held.push({ place, tokens });
  });
  return held;
}

/** The checks of a net, in the order in which they run. */
const CHECK_TITLES = {
  shape: 'one source, and a place to end',
  path: 'everything lies on a path from source to sink',
  capacity: 'demand is within capacity',
  pools: 'pools are returned',
  'hold-and-wait': 'nothing is held while waiting for more',
  'free-choice': 'choices are free once pools are stripped',
  bounded: 'tokens never pile up',
  sound: 'the end can always be reached, once and clean',
  'one-safe': 'no place ever holds two tokens',
  'deadlock-free': 'something can always happen',
  'quasi-live': 'every transition can fire',
  live: 'every transition can always fire again',
} as const;

export type CheckCode = keyof typeof CHECK_TITLES;

export interface NetCheck {
  readonly code: CheckCode;
  readonly title: string;
  readonly result: 'holds' | 'fails' | 'unknown';
  /** The observation, as one sentence. */
  readonly sentence: string;
}

export function netCheckOf(code: CheckCode, result: NetCheck['result'], sentence: string): NetCheck {
  return { code, title: CHECK_TITLES[code], result, sentence };
}
