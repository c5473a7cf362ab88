// A source file as the rules see it: its path, its text, its tokens, and which bracket closes which.
import { tokensOf } from './tokens.ts';
import type { Token } from './tokens.ts';

export interface Source {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly comments: readonly Token[];
  /** All tokens but the comments. */
  readonly code: readonly Token[];
  /** For each bracket in `code`, the index of its partner, both ways. */
  readonly partner: ReadonlyMap<number, number>;
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

const partnersOf = (code: readonly Token[]): ReadonlyMap<number, number> => {
  const partner = new Map<number, number>();
  const open: number[] = [];
  for (const [index, token] of code.entries()) {
    if (token.type !== 'punctuation') continue;
    if (CLOSING[token.text] !== undefined) open.push(index);
    if (![')', ']', '}'].includes(token.text)) continue;
    const opening = open.pop();
    if (opening === undefined) continue;
    partner.set(opening, index);
    partner.set(index, opening);
  }
  return partner;
};

/** Reads a text as a source file. Broken text gives fewer partners and never throws. */
export function readSource(path: string, text: string): Source {
  const tokens = tokensOf(text);
  const code = tokens.filter((token) => token.type !== 'comment');
  return {
    path,
    text,
    comments: tokens.filter((token) => token.type === 'comment'),
    code,
    partner: partnersOf(code),
  };
}

export const isTest = (path: string): boolean => path.endsWith('.test.ts') || path.endsWith('.given.ts');

/** The text of the token at an index, or nothing when it is a string or when there is none. */
export const signAt = (source: Source, index: number): string => {
  const token = source.code[index];
  return token !== undefined && (token.type === 'word' || token.type === 'punctuation') ? token.text : '';
};

export const isWordAt = (source: Source, index: number): boolean => source.code[index]?.type === 'word';

export const lineAt = (source: Source, index: number): number => source.code[index]?.line ?? 1;

/** What stands between the quotes of a plain string. */
export const unquote = (text: string): string => text.slice(1, -1);
