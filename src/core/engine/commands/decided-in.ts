// Parses a person's answer to a permission request.
import type { Decided } from '../outcome.ts';

export interface DecidedWords {
  readonly decision: Decided;
  /** The person's additional text for the agent. */
  readonly text: string;
}

const MEANT: Readonly<Record<string, Decided>> = {
  yes: 'yes',
  y: 'yes',
  allow: 'yes',
  always: 'always',
  no: 'no',
  n: 'no',
  deny: 'no',
};

/** They grant only at the end of a sentence: `always ask me` and `allow nothing` do not mean yes. */
const ENDING: ReadonlySet<string> = new Set(['allow', 'always']);

/** Undefined when the words are neither a yes nor a no: a permission is never guessed. */
export function decidedIn(words: string): DecidedWords | undefined {
  const [, word = '', sign = '', rest = ''] = /^\s*([a-z]+)([,.;:!]*)(?:\s+([\s\S]*))?$/iu.exec(words) ?? [];
  const known = word.toLowerCase();
  const decision = Object.hasOwn(MEANT, known) ? MEANT[known] : undefined;
  const text = rest.trim();
  if (decision === undefined || (ENDING.has(known) && sign === '' && text !== '')) return undefined;
  return { decision, text };
}
