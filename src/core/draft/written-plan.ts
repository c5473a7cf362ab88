// The text of an accepted plan: the draft, what Heddle adds to it, and a comment with goal, reasons and assumptions.
//
// written-plan/W1. The draft is kept word for word; the comment comes before it and added keys after it.
import { keysAt, readDraft } from './draft-finding.ts';

/** Keys that Heddle adds where the draft leaves them out, as lines of YAML. */
export interface AddedKeys {
  readonly agent: readonly string[];
  readonly sandbox: readonly string[];
}

/** The draft with the keys that it leaves out, at its end, so that the lines of findings stay those of the draft. */
export function completedText(text: string, added: AddedKeys): string {
  const keys = new Set(keysAt(readDraft(text), []));
  const lines = [...(keys.has('agent') ? [] : added.agent), ...(keys.has('sandbox') ? [] : added.sandbox)];
  // Nothing may come after the mark of the end of a document.
  const body = text.replace(/\n(?:\.\.\.|---)\s*$/u, '\n').trimEnd();
  return lines.length === 0 ? `${body}\n` : `${body}\n\n${lines.join('\n').trimEnd()}\n`;
}

export interface Reasons {
  readonly goal: string;
  /** The program that drafted it, and the run that has its turns. */
  readonly by: string;
  readonly reasons: readonly string[];
  readonly assumptions: readonly string[];
}

const WIDTH = 100;

export function withReasons(text: string, { goal, by, reasons, assumptions }: Reasons): string {
  const parts = [
    ...comment(`Goal: ${goal}`),
    ...comment(by),
    ...(reasons.length === 0 ? [] : ['#', ...reasons.flatMap((reason) => comment(`Why: ${reason}`))]),
    ...(assumptions.length === 0 ? [] : ['#', ...assumptions.flatMap((each) => comment(`Assumes: ${each}`))]),
  ];
  return `${parts.join('\n')}\n\n${withoutReasons(text).trimStart()}`;
}

const BEGINS = /^# Goal: /u;

/** A revision gets a new comment instead of a second one. */
function withoutReasons(text: string): string {
  const lines = text.split('\n');
  if (!BEGINS.test(lines[0] ?? '')) return text;
  const end = lines.findIndex((line) => !line.startsWith('#'));
  return lines.slice(Math.max(0, end)).join('\n');
}

/** Lines of a comment, folded. Control characters would end it, or steer a terminal. */
function comment(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .split(/\s+/u)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(lines.length === 0 ? `# ${word}` : `#   ${word}`);
  }
  return lines;
}
