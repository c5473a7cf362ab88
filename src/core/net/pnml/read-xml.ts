// A small, strict XML reader that reports to a visitor and builds no tree, so memory does not grow with the text. It
// does not validate, follows no external reference and expands no entity that a document declares.

import {
  attributeOf,
  expandText,
  isXmlCharacter,
  refuseXml,
  type OpenElement,
  type XmlCursor,
  type XmlProblem,
  type XmlVisitor,
} from './xml-cursor.ts';

/** The longest text that is read, in UTF-16 units; about what a string can hold. */
const LENGTH_MAX = 500_000_000;

/** Reads a whole document; returns the first syntax error, if any. */
export function readXml(source: string, visitor: XmlVisitor): XmlProblem | undefined {
  if (source.length > LENGTH_MAX) return { message: `The text is longer than ${LENGTH_MAX} characters.`, offset: 0 };
  const at = source.startsWith('\ufeff') ? 1 : 0;
  const reading: XmlCursor = { source, visitor, open: [], at, hasRoot: false, problem: undefined };
  while (reading.at < source.length && reading.problem === undefined) readPart(reading);
  const innermost = reading.open.at(-1);
  if (innermost !== undefined) refuseXml(reading, source.length, `The text ends before </${innermost.name}>.`);
  if (!reading.hasRoot) refuseXml(reading, 0, 'This is not an XML document: it has no element.');
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
  if (odd >= 0) return refuseXml(reading, odd, 'There is a character here that XML does not allow.');
  reading.at = end;
  if (open.length > 0) {
    if (source.slice(at, end).includes(']]>')) refuseXml(reading, at, 'The signs "]]>" may not stand in text.');
    const text = expandText(reading, at, end);
    reading.visitor.text(text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text);
    return;
  }
  const word = source.slice(at, end).search(/\S/);
  if (word >= 0) refuseXml(reading, at + word, "There is text outside the document's root element.");
}

function readComment(reading: XmlCursor): void {
  const dashes = reading.source.indexOf('--', reading.at + 4);
  if (dashes >= 0 && reading.source[dashes + 2] !== '>') {
    return refuseXml(reading, dashes, 'The signs "--" may not stand inside a comment.');
  }
  skipTo(reading, '-->', 'comment');
}

function readCdata(reading: XmlCursor): void {
  const { source, at, open } = reading;
  if (open.length === 0) return refuseXml(reading, at, 'A CDATA section stands outside the root element.');
  skipTo(reading, ']]>', 'CDATA section');
  if (reading.problem !== undefined) return;
  const odd = oddCharacter(source, at, reading.at);
  if (odd >= 0) return refuseXml(reading, odd, 'There is a character here that XML does not allow.');
  reading.visitor.text(source.slice(at + '<![CDATA['.length, reading.at - ']]>'.length));
}

/** A document type is skipped; one that declares entities is refused, because entities are never expanded. */
function readDoctype(reading: XmlCursor): void {
  const { source, at } = reading;
  if (reading.hasRoot) return refuseXml(reading, at, 'A DOCTYPE must stand before the root element.');
  const part = /"[^"]*"|'[^']*'|<!--[\s\S]*?-->|<!ENTITY|[[\]>]/g;
  part.lastIndex = at;
  let isInside = false;
  for (let match = part.exec(source); match !== null; match = part.exec(source)) {
    if (match[0] === '<!ENTITY') return refuseXml(reading, match.index, 'Declared entities are not read, for safety.');
    if (match[0] === '[') isInside = true;
    if (match[0] === ']') isInside = false;
    if (match[0] !== '>' || isInside) continue;
    reading.at = part.lastIndex;
    return;
  }
  refuseXml(reading, at, 'The text ends inside a DOCTYPE.');
}

function skipTo(reading: XmlCursor, mark: string, what: string): void {
  const found = reading.source.indexOf(mark, reading.at + 2);
  if (found < 0) return refuseXml(reading, reading.at, `The text ends inside a ${what}.`);
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

/** Elements inside elements; real nets use about ten. */
const DEPTH_MAX = 256;
const ATTRIBUTES_MAX = 256;
const NAME = /[A-Za-z_:\u0080-\uffff][-A-Za-z0-9_:.\u0080-\uffff]*/y;
const SPACE = /\s*/y;
const EQUALS = /\s*=\s*/y;
const NO_ATTRIBUTES: readonly string[] = [];
const NO_NAMESPACES: ReadonlyMap<string, string> = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]);

function readOpeningTag(reading: XmlCursor): void {
  const { source, open, at } = reading;
  const name = nameAt(source, at + 1);
  if (name === '') return refuseXml(reading, at, 'A "<" must begin a tag; write &lt; for the sign itself.');
  if (open.length === 0 && reading.hasRoot) {
    return refuseXml(reading, at, `<${name}> stands after the end of the document.`);
  }
  if (open.length >= DEPTH_MAX) return refuseXml(reading, at, `Elements are nested more than ${DEPTH_MAX} deep.`);
  reading.hasRoot = true;
  reading.at = at + 1 + name.length;
  const attributes = readAttributes(reading);
  if (reading.problem !== undefined) return;
  const isEmpty = source[reading.at] === '/';
  const end = reading.at + (isEmpty ? 1 : 0);
  if (source[end] !== '>') return refuseXml(reading, reading.at, `The tag <${name}> is not written as XML asks here.`);
  reading.at = end + 1;
  openElement(reading, { name, attributes, offset: at });
  if (isEmpty && reading.problem === undefined) closeElement(reading);
}

function readClosingTag(reading: XmlCursor): void {
  const { source, open, at } = reading;
  const name = nameAt(source, at + 2);
  const end = endOfMatch(SPACE, source, at + 2 + name.length);
  if (name === '' || source[end] !== '>') return refuseXml(reading, at, 'This closing tag is not complete.');
  const innermost = open.at(-1);
  if (innermost === undefined) return refuseXml(reading, at, `</${name}> closes an element that was never opened.`);
  if (innermost.name !== name) return refuseXml(reading, at, `</${name}> stands where </${innermost.name}> must.`);
  reading.at = end + 1;
  closeElement(reading);
}

/** Reads attributes up to the end of the tag, or up to the first text that is no attribute. */
function readAttributes(reading: XmlCursor): readonly string[] {
  const { source } = reading;
  let attributes: string[] | undefined;
  for (;;) {
    const start = endOfMatch(SPACE, source, reading.at);
    const name = start === reading.at ? '' : nameAt(source, start);
    const quote = endOfMatch(EQUALS, source, start + name.length);
    const mark = source[quote];
    const end = mark === '"' || mark === "'" ? source.indexOf(mark, quote + 1) : -1;
    const isAttribute = name !== '' && quote > start + name.length && end >= 0;
    if (!isAttribute || source.slice(quote, end).includes('<')) {
      reading.at = start;
      return attributes ?? NO_ATTRIBUTES;
    }
    attributes ??= [];
    if (attributeOf({ attributes }, name) !== undefined)
      refuseXml(reading, start, `The attribute ${name} is given twice.`);
    if (attributes.length >= 2 * ATTRIBUTES_MAX)
      refuseXml(reading, start, `A tag has more than ${ATTRIBUTES_MAX} attributes.`);
    if (reading.problem !== undefined) return attributes;
    attributes.push(name, expandText(reading, quote + 1, end));
    reading.at = end + 1;
  }
}

interface Tag {
  readonly name: string;
  readonly attributes: readonly string[];
  readonly offset: number;
}

function openElement(reading: XmlCursor, { name, attributes, offset }: Tag): void {
  const outer = reading.open.at(-1)?.namespaces ?? NO_NAMESPACES;
  const { namespaces, rest } = withDeclared(outer, attributes);
  const colon = name.indexOf(':');
  const prefix = colon < 0 ? '' : name.slice(0, colon);
  const namespace = namespaces.get(prefix);
  if (namespace === undefined && prefix !== '') {
    return refuseXml(reading, offset, `The prefix ${prefix} of <${name}> is not declared.`);
  }
  const element: OpenElement = { name, namespaces };
  reading.open.push(element);
  reading.visitor.open({ name: name.slice(colon + 1), namespace: namespace ?? '', attributes: rest, offset });
}

function closeElement(reading: XmlCursor): void {
  reading.open.pop();
  reading.visitor.close();
}

/** The namespaces in force inside an element, and its attributes without namespace declarations. */
function withDeclared(
  outer: ReadonlyMap<string, string>,
  attributes: readonly string[],
): { readonly namespaces: ReadonlyMap<string, string>; readonly rest: readonly string[] } {
  if (!attributes.some(isDeclaration)) return { namespaces: outer, rest: attributes };
  const namespaces = new Map(outer);
  const rest: string[] = [];
  for (let index = 0; index < attributes.length; index += 2) {
    const [name = '', value = ''] = attributes.slice(index, index + 2);
    if (isDeclaration(name)) namespaces.set(name.slice('xmlns:'.length), value);
    else rest.push(name, value);
  }
  return { namespaces, rest };
}

function isDeclaration(name: string): boolean {
  return name.startsWith('xmlns') && (name.length === 'xmlns'.length || name[5] === ':');
}

function nameAt(source: string, at: number): string {
  return source.slice(at, endOfMatch(NAME, source, at));
}

/** Where a match that begins here ends; here, when there is none. */
function endOfMatch(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : at;
}
