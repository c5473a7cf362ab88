// Tags of XML: names, attributes, namespaces, and that each one opened is closed in order.

import { expandText } from './expand-text.ts';
import { attributeOf, refuse } from './xml-cursor.ts';
import type { OpenElement, XmlCursor } from './xml-cursor.ts';

/** Elements inside elements; real nets use about ten. */
const DEPTH_MAX = 256;
const ATTRIBUTES_MAX = 256;
const NAME = /[A-Za-z_:\u0080-\uffff][-A-Za-z0-9_:.\u0080-\uffff]*/y;
const SPACE = /\s*/y;
const EQUALS = /\s*=\s*/y;
const NO_ATTRIBUTES: readonly string[] = [];
const NO_NAMESPACES: ReadonlyMap<string, string> = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]);

export function readOpeningTag(reading: XmlCursor): void {
  const { source, open, at } = reading;
  const name = nameAt(source, at + 1);
  if (name === '') return refuse(reading, at, 'A "<" must begin a tag; write &lt; for the sign itself.');
  if (open.length === 0 && reading.hasRoot) {
    return refuse(reading, at, `<${name}> stands after the end of the document.`);
  }
  if (open.length >= DEPTH_MAX) return refuse(reading, at, `Elements are nested more than ${DEPTH_MAX} deep.`);
  reading.hasRoot = true;
  reading.at = at + 1 + name.length;
  const attributes = readAttributes(reading);
  if (reading.problem !== undefined) return;
  const isEmpty = source[reading.at] === '/';
  const end = reading.at + (isEmpty ? 1 : 0);
  if (source[end] !== '>') return refuse(reading, reading.at, `The tag <${name}> is not written as XML asks here.`);
  reading.at = end + 1;
  openElement(reading, { name, attributes, offset: at });
  if (isEmpty && reading.problem === undefined) closeElement(reading);
}

export function readClosingTag(reading: XmlCursor): void {
  const { source, open, at } = reading;
  const name = nameAt(source, at + 2);
  const end = endOfMatch(SPACE, source, at + 2 + name.length);
  if (name === '' || source[end] !== '>') return refuse(reading, at, 'This closing tag is not complete.');
  const innermost = open.at(-1);
  if (innermost === undefined) return refuse(reading, at, `</${name}> closes an element that was never opened.`);
  if (innermost.name !== name) return refuse(reading, at, `</${name}> stands where </${innermost.name}> must.`);
  reading.at = end + 1;
  closeElement(reading);
}

/** Reads attributes up to the end of the tag, or up to what is no attribute. */
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
      refuse(reading, start, `The attribute ${name} is given twice.`);
    if (attributes.length >= 2 * ATTRIBUTES_MAX)
      refuse(reading, start, `A tag has more than ${ATTRIBUTES_MAX} attributes.`);
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
    return refuse(reading, offset, `The prefix ${prefix} of <${name}> is not declared.`);
  }
  const element: OpenElement = { name, namespaces };
  reading.open.push(element);
  reading.visitor.open({ name: name.slice(colon + 1), namespace: namespace ?? '', attributes: rest, offset });
}

function closeElement(reading: XmlCursor): void {
  reading.open.pop();
  reading.visitor.close();
}

/** The namespaces that hold inside an element, and its attributes without those that declare them. */
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
