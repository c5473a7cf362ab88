// Tags of XML: names, attributes, namespaces, and that each one opened is closed in order.

import { expandText } from './expand-text.ts';
import { refuse } from './reading.ts';
import type { OpenElement, Reading } from './reading.ts';

/** Elements inside elements; real nets use about ten. */
const DEPTH_MAX = 256;
const NAME = /[A-Za-z_:\u0080-\uffff][-A-Za-z0-9_:.\u0080-\uffff]*/y;
const ATTRIBUTE = /\s+([A-Za-z_:\u0080-\uffff][-A-Za-z0-9_:.\u0080-\uffff]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const END_OF_TAG = /\s*(\/?)>/y;
const SPACE = /\s*/y;
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const NO_NAMESPACES: ReadonlyMap<string, string> = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]);

export function readOpeningTag(reading: Reading): void {
  const { source, open, at } = reading;
  const name = matchAt(NAME, source, at + 1)?.[0];
  if (name === undefined) return refuse(reading, at, 'A "<" must begin a tag; write &lt; for the sign itself.');
  if (open.length === 0 && reading.hasRoot)
    return refuse(reading, at, `<${name}> stands after the end of the document.`);
  if (open.length >= DEPTH_MAX) return refuse(reading, at, `Elements are nested more than ${DEPTH_MAX} deep.`);
  reading.hasRoot = true;
  reading.at = at + 1 + name.length;
  const attributes = readAttributes(reading);
  if (reading.problem !== undefined) return;
  const end = matchAt(END_OF_TAG, source, reading.at);
  if (end === null) return refuse(reading, skipSpace(reading), `The tag <${name}> is not written as XML asks here.`);
  reading.at += end[0].length;
  openElement(reading, { name, attributes, offset: at });
  if (end[1] === '/') closeElement(reading);
}

export function readClosingTag(reading: Reading): void {
  const { source, open, at } = reading;
  const name = matchAt(NAME, source, at + 2)?.[0] ?? '';
  const end = matchAt(END_OF_TAG, source, at + 2 + name.length);
  if (name === '' || end === null || end[1] === '/') return refuse(reading, at, 'This closing tag is not complete.');
  const innermost = open.at(-1);
  if (innermost === undefined) return refuse(reading, at, `</${name}> closes an element that was never opened.`);
  if (innermost.name !== name) return refuse(reading, at, `</${name}> stands where </${innermost.name}> must.`);
  reading.at = at + 2 + name.length + end[0].length;
  closeElement(reading);
}

function readAttributes(reading: Reading): ReadonlyMap<string, string> {
  const { source } = reading;
  let attributes: Map<string, string> | undefined;
  for (
    let match = matchAt(ATTRIBUTE, source, reading.at);
    match !== null;
    match = matchAt(ATTRIBUTE, source, reading.at)
  ) {
    const [all, name = '', double, single] = match;
    const end = reading.at + all.length - 1;
    const value = expandText(reading, end - (double ?? single ?? '').length, end);
    attributes ??= new Map();
    if (attributes.has(name)) refuse(reading, reading.at, `The attribute ${name} is given twice.`);
    attributes.set(name, value);
    reading.at += all.length;
  }
  return attributes ?? NO_ATTRIBUTES;
}

interface Tag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly offset: number;
}

function openElement(reading: Reading, { name, attributes, offset }: Tag): void {
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

function closeElement(reading: Reading): void {
  reading.open.pop();
  reading.visitor.close();
}

/** The namespaces that hold inside an element, and its attributes without those that declare them. */
function withDeclared(
  outer: ReadonlyMap<string, string>,
  attributes: ReadonlyMap<string, string>,
): { readonly namespaces: ReadonlyMap<string, string>; readonly rest: ReadonlyMap<string, string> } {
  let namespaces: Map<string, string> | undefined;
  for (const [name, value] of attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    namespaces ??= new Map(outer);
    namespaces.set(name.slice('xmlns:'.length), value);
  }
  if (namespaces === undefined) return { namespaces: outer, rest: attributes };
  const rest = new Map([...attributes].filter(([name]) => name !== 'xmlns' && !name.startsWith('xmlns:')));
  return { namespaces, rest };
}

function skipSpace(reading: Reading): number {
  return reading.at + (matchAt(SPACE, reading.source, reading.at)?.[0].length ?? 0);
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}
