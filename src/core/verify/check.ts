// What the verifier looked at, in the order of the design, and what each look said.

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

export interface Check {
  readonly code: CheckCode;
  readonly title: string;
  readonly result: 'holds' | 'fails' | 'unknown';
  /** What was seen, one sentence. */
  readonly sentence: string;
}

export function check(code: CheckCode, result: Check['result'], sentence: string): Check {
  return { code, title: CHECK_TITLES[code], result, sentence };
}
