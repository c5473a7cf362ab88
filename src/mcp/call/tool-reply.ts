// Replies of tools: one block of text each. A model reads text; what a program wants, the command line gives as JSON.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { refusalOf } from '../../app/refused.ts';
import { refusalText } from '../../core/view/text/refusal-text.ts';

/** About 10,000 tokens; clients warn of more. */
const CHARS_MAX = 40_000;

export const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text: within(text) }] });

export const failed = (text: string): CallToolResult => ({ ...said(text), isError: true });

function within(text: string): string {
  if (text.length <= CHARS_MAX) return text;
  return `${text.slice(0, CHARS_MAX)}\n… and ${text.length - CHARS_MAX} more characters.`;
}

/** The sentence for a caller that must change something first; undefined for a bug of ours. */
export function sentenceOf(cause: unknown): string | undefined {
  const refusal = refusalOf(cause);
  return refusal === undefined ? undefined : refusalText(refusal);
}

/** Text of others: each line is marked, so that nothing in it can end the mark. */
export const quotedLines = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map(
      (line) =>
        `| ${line.replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, '')}`,
    )
    .join('\n');
