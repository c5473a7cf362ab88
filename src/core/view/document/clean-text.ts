// What somebody else wrote or printed, made safe to show: in one line, or line for line.
import { cleanLine } from '../draw/label.ts';

const LINE_END = /\r\n|[\n\r\u0085\u2028\u2029]/u;
/** Colours, cursor movements, titles and links of terminals: the sequence goes, the text stays. */
const STEERING = new RegExp(
  [
    '\\u001B\\][^\\u0007\\u001B]*(?:\\u0007|\\u001B\\\\)',
    '(?:\\u001B\\[|\\u009B)[0-?]*[ -/]*[@-~]',
    '\\u001B[ -/]*[0-~]',
  ].join('|'),
  'gu',
);

/** One line of it. */
export const plainLine = (text: string): string => cleanLine(text.replace(STEERING, ''));

export const cleanText = (text: string): string =>
  text
    .replace(STEERING, '')
    .split(LINE_END)
    .map((line) => {
      const indent = /^[ \t]*/u.exec(line)?.[0].replaceAll('\t', '  ') ?? '';
      return `${indent}${cleanLine(line)}`.trimEnd();
    })
    .join('\n');
