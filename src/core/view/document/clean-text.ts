// Text from plans, agents and programs, made safe to show: as one line, or line by line.
import { cleanLine } from '../draw/label.ts';

const LINE_END = /\r\n|[\n\r\u0085\u2028\u2029]/u;
/** Terminal control sequences: colours, cursor movements, titles, links. */
const STEERING = new RegExp(
  [
    '\\u001B\\][^\\u0007\\u001B]*(?:\\u0007|\\u001B\\\\)',
    '(?:\\u001B\\[|\\u009B)[0-?]*[ -/]*[@-~]',
    '\\u001B[ -/]*[0-~]',
  ].join('|'),
  'gu',
);

/** The text as a single line. */
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
