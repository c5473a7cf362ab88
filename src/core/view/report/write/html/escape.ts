// HTML text and attributes from any string. Every string that the page did not make itself passes through here.
import { escapeXml } from '../../../draw/xml.ts';
import { cleanText, plainLine } from '../clean-text.ts';

/** One line: safe between tags and inside a quoted attribute. */
export const escapeHtml = (text: string): string => escapeXml(plainLine(text));

/** Several lines, for a place where they stay as they are. */
export const escapeLines = (text: string): string => cleanText(text).split('\n').map(keepIndent).join('\n');

const keepIndent = (line: string): string => {
  const indent = /^ */u.exec(line)?.[0] ?? '';
  return `${indent}${escapeXml(line)}`;
};
