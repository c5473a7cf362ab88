// A small, strict XML reader that reports to a visitor and builds no tree, so memory does not grow with the text. It
// does not validate, follows no external reference and expands no entity that a document declares.

import { expandText, isXmlCharacter } from './expand-text.ts';
import { readClosingTag, readOpeningTag } from './read-tag.ts';
import { refuse } from './xml-cursor.ts';
import type { XmlCursor, XmlProblem, XmlVisitor } from './xml-cursor.ts';

/** The longest text that is read, in UTF-16 units; about what a string can hold. */
const LENGTH_MAX = 500_000_000;

/** Reads a whole document; returns the first syntax error, if any. */
export function readXml(source: string, visitor: XmlVisitor): XmlProblem | undefined {
  if (source.length > LENGTH_MAX) return { message: `The text is longer than ${LENGTH_MAX} characters.`, offset: 0 };
  const at = source.startsWith('\ufeff') ? 1 : 0;
  const reading: XmlCursor = { source, visitor, open: [], at, hasRoot: false, problem: undefined };
  while (reading.at < source.length && reading.problem === undefined) readPart(reading);
  const innermost = reading.open.at(-1);
  if (innermost !== undefined) refuse(reading, source.length, `The text ends before </${innermost.name}>.`);
  if (!reading.hasRoot) refuse(reading, 0, 'This is not an XML document: it has no element.');
  return reading.problem;
}

function readPart(reading: XmlCursor): void {
  const { source, at } = reading;
  if (source.charCodeAt(at) !== 0x3c) return readText(reading);
  if (source.startsWith('<!--', at)) return readComment(reading);
  if (source.startsWith('<![CDATA[', at)) return readCdata(reading);
  if (source.startsWith('<!DOCTYPE', at)) return readDoctype(reading);
  if (source.startsWith('<?', at)) return skipTo(reading, '?>', 'processing instruction');
  return source.startsWith('</', at) ? readClosingTag(reading) : readOpeningTag(reading);
}

function readText(reading: XmlCursor): void {
  const { source, at, open } = reading;
  const tag = source.indexOf('<', at);
  const end = tag < 0 ? source.length : tag;
  const odd = oddCharacter(source, at, end);
  if (odd >= 0) return refuse(reading, odd, 'There is a character here that XML does not allow.');
  reading.at = end;
  if (open.length > 0) {
    if (source.slice(at, end).includes(']]>')) refuse(reading, at, 'The signs "]]>" may not stand in text.');
    const text = expandText(reading, at, end);
    reading.visitor.text(text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text);
    return;
  }
  const word = source.slice(at, end).search(/\S/);
  if (word >= 0) refuse(reading, at + word, "There is text outside the document's root element.");
}

function readComment(reading: XmlCursor): void {
  const dashes = reading.source.indexOf('--', reading.at + 4);
  if (dashes >= 0 && reading.source[dashes + 2] !== '>') {
    return refuse(reading, dashes, 'The signs "--" may not stand inside a comment.');
  }
  skipTo(reading, '-->', 'comment');
}

function readCdata(reading: XmlCursor): void {
  const { source, at, open } = reading;
  if (open.length === 0) return refuse(reading, at, 'A CDATA section stands outside the root element.');
  skipTo(reading, ']]>', 'CDATA section');
  if (reading.problem !== undefined) return;
  const odd = oddCharacter(source, at, reading.at);
  if (odd >= 0) return refuse(reading, odd, 'There is a character here that XML does not allow.');
  reading.visitor.text(source.slice(at + '<![CDATA['.length, reading.at - ']]>'.length));
}

/** A document type is skipped; one that declares entities is refused, because entities are never expanded. */
function readDoctype(reading: XmlCursor): void {
  const { source, at } = reading;
  if (reading.hasRoot) return refuse(reading, at, 'A DOCTYPE must stand before the root element.');
  const part = /"[^"]*"|'[^']*'|<!--[\s\S]*?-->|<!ENTITY|[[\]>]/g;
  part.lastIndex = at;
  let isInside = false;
  for (let match = part.exec(source); match !== null; match = part.exec(source)) {
    if (match[0] === '<!ENTITY') return refuse(reading, match.index, 'Declared entities are not read, for safety.');
    if (match[0] === '[') isInside = true;
    if (match[0] === ']') isInside = false;
    if (match[0] !== '>' || isInside) continue;
    reading.at = part.lastIndex;
    return;
  }
  refuse(reading, at, 'The text ends inside a DOCTYPE.');
}

function skipTo(reading: XmlCursor, mark: string, what: string): void {
  const found = reading.source.indexOf(mark, reading.at + 2);
  if (found < 0) return refuse(reading, reading.at, `The text ends inside a ${what}.`);
  reading.at = found + mark.length;
}

/** Surrogates are accepted one by one: strings have them in pairs, and a lone one is harmless. */
function oddCharacter(source: string, start: number, end: number): number {
  for (let index = start; index < end; index += 1) {
    const code = source.charCodeAt(index);
    if (code < 0x20 || code > 0xfffd) {
      if (!isXmlCharacter(code)) return index;
    }
  }
  return -1;
}
