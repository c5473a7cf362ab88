// Templates without quotes. YAML reads `prompt: {{ x }}` as a map whose key is a map, and `prompt: {{ x }} more` is no
// YAML at all. Both get a diagnostic that asks for quotes.

import type { SourcePath } from '../diagnostic.ts';
import { reportFinding } from './source-reader.ts';
import type { SourceReader } from './source-reader.ts';

/** The largest number of lines between the beginning of a template and its YAML error. */
const LINES_ABOVE = 5;
/** The search for a line end stops after this many characters, so that one endless line costs no more than many. */
const LINE_LENGTH_MAX = 2000;
/** A `{{` where a value begins: after a key, a dash, a bracket or a comma, or first on its line. */
const VALUE_STARTS = /(?:^|[:,[\-?]) *(\{\{)/gm;

export function reportUnquotedTemplate(reading: SourceReader, offset: number, path: SourcePath): void {
  reportFinding(reading, {
    code: 'unquoted-template',
    offset,
    message: 'A value that begins with {{ must be in quotes, or YAML reads it as a map.',
    hint: 'Quote it: "{{ … }}", or write the value under a | on the lines below.',
    path,
  });
}

/** The offset just after the `}}` that ends the template on its line, or the end of the line. */
export function templateEnd(text: string, start: number): number {
  const lineEnd = endOfLine(text, start);
  const close = text.slice(start, lineEnd).indexOf('}}');
  return close === -1 ? lineEnd : start + close + 2;
}

export interface TemplateRepair {
  readonly offset: number;
  readonly text: string;
}

/** The text with the last unquoted template before the error replaced by a quoted text of the same length. */
export function quoteTemplateNear(text: string, trouble: number): TemplateRepair | undefined {
  const from = startOfLinesAbove(text, trouble, LINES_ABOVE);
  const region = text.slice(from, endOfLine(text, trouble));
  const starts = [...region.matchAll(VALUE_STARTS)].map((match) => from + match.index + match[0].length - 2);
  const start = starts.findLast((candidate) => candidate <= trouble) ?? starts[0];
  if (start === undefined) return undefined;
  const end = valueEnd(text, start);
  const quoted = `'${'x'.repeat(end - start - 2)}'`;
  return { offset: start, text: text.slice(0, start) + quoted + text.slice(end) };
}

/** In a flow collection the value ends at the next comma or bracket, elsewhere at the end of the line. */
function valueEnd(text: string, start: number): number {
  const lineEnd = endOfLine(text, start);
  const lineStart = startOfLinesAbove(text, start, 0);
  const before = text.slice(lineStart, start);
  const depth = (before.match(/[[{]/g)?.length ?? 0) - (before.match(/[\]}]/g)?.length ?? 0);
  if (depth <= 0) return lineEnd;
  const rest = text.slice(templateEnd(text, start), lineEnd);
  const stop = rest.search(/[,\]}]/);
  return stop === -1 ? lineEnd : templateEnd(text, start) + stop;
}

function endOfLine(text: string, offset: number): number {
  const near = text.slice(offset, offset + LINE_LENGTH_MAX);
  const found = near.search(/[\r\n]/);
  return offset + (found === -1 ? near.length : found);
}

function startOfLinesAbove(text: string, offset: number, lines: number): number {
  let start = offset;
  for (let line = 0; line <= lines; line += 1) {
    const before = text.lastIndexOf('\n', start - 1);
    if (before === -1 || start === 0) return 0;
    start = line === lines ? before + 1 : before;
  }
  return start;
}
