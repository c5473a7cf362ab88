// What the verifier finds wrong with a net: a stable code, a sentence, and where behaviour is bad the way there.

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

export type FindingCode = (typeof FINDING_CODES)[number];

export interface TokensAt {
  readonly place: number;
  readonly tokens: number;
}

export interface Finding {
  readonly code: FindingCode;
  /** One sentence, with the names of the net. */
  readonly sentence: string;
  /** Transitions from the first marking, a shortest such way; undefined where no firing shows the fault. */
  readonly trace: readonly number[] | undefined;
  /** Whether the trace fires in the net itself, or in the smaller one that the proof left of it. */
  readonly traceOf: 'net' | 'reduced net' | undefined;
  /** Where the trace leads: every place that holds a token there. */
  readonly marking: readonly TokensAt[] | undefined;
  /** Of that marking, what should not be there at the end, or is short: what a person should look at. */
  readonly astray: readonly TokensAt[] | undefined;
  /** The transition or place that the finding is about, where it is about one. */
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
