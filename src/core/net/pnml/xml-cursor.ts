// The shared state of the parts of the XML reader. They mutate it and continue until `problem` is set; only the first
// syntax error is reported, because later ones would be guesswork.
//
// References in text: only the five names that XML itself knows and numbers are expanded, each to one character,
// so no text can grow: there is nothing to bomb with and nothing to fetch.
export interface XmlElement {
  /** Without its prefix. */
  readonly name: string;
  readonly namespace: string;
  /**
   * Names as written and values by turns, without declarations of namespaces; `attributeOf` looks one up. Elements have
   * few, and a map for each of millions would cost more than all else.
   */
  readonly attributes: readonly string[];
  readonly offset: number;
}

export interface XmlVisitor {
  open(element: XmlElement): void;
  text(text: string): void;
  close(): void;
}

export interface XmlProblem {
  readonly message: string;
  readonly offset: number;
}

export interface OpenElement {
  /** As written, prefix included. */
  readonly name: string;
  /** Namespaces by prefix that hold inside it; the default one has the empty prefix. */
  readonly namespaces: ReadonlyMap<string, string>;
}

export interface XmlCursor {
  readonly source: string;
  readonly visitor: XmlVisitor;
  readonly open: OpenElement[];
  at: number;
  hasRoot: boolean;
  problem: XmlProblem | undefined;
}

export function attributeOf({ attributes }: Pick<XmlElement, 'attributes'>, name: string): string | undefined {
  for (let index = 0; index < attributes.length; index += 2)
    if (attributes[index] === name) return attributes[index + 1];
  return undefined;
}

export function refuseXml(reading: XmlCursor, offset: number, message: string): void {
  reading.problem ??= { message, offset };
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['apos', "'"],
  ['quot', '"'],
]);
const REFERENCE = /&(?:#x([0-9a-fA-F]{1,8})|#([0-9]{1,10})|([^\s;&<#][^\s;&<]{0,200}));/y;

/** The text between two offsets with its references expanded. */
export function expandText(reading: XmlCursor, start: number, end: number): string {
  const raw = reading.source.slice(start, end);
  if (!raw.includes('&')) return raw;
  const parts: string[] = [];
  let from = 0;
  for (let found = raw.indexOf('&'); found >= 0; found = raw.indexOf('&', from)) {
    parts.push(raw.slice(from, found));
    REFERENCE.lastIndex = found;
    const match = REFERENCE.exec(raw);
    const character = match === null ? undefined : characterOf(match);
    if (match === null || character === undefined) {
      refuseXml(reading, start + found, sentenceFor(match));
      return '';
    }
    parts.push(character);
    from = found + match[0].length;
  }
  parts.push(raw.slice(from));
  return parts.join('');
}

/** Whether XML allows the character. */
export function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code < 0xd800 || (code > 0xdfff && code < 0xfffe) || (code > 0xffff && code <= 0x10ffff);
}

function characterOf([, hexadecimal, decimal, name]: RegExpExecArray): string | undefined {
  if (name !== undefined) return NAMED.get(name);
  const code = hexadecimal === undefined ? Number.parseInt(decimal ?? '', 10) : Number.parseInt(hexadecimal, 16);
  return isXmlCharacter(code) ? String.fromCodePoint(code) : undefined;
}

function sentenceFor(match: RegExpExecArray | null): string {
  if (match === null) return 'An "&" must begin a reference; write &amp; for the sign itself.';
  if (match[3] === undefined) return `${match[0]} is not a character that XML allows.`;
  return `The entity ${match[0]} is not known; only &lt; &gt; &amp; &apos; &quot; and numbers are read.`;
}
