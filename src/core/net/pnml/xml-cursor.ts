// The shared state of the parts of the XML reader. They mutate it and continue until `problem` is set; only the first
// syntax error is reported, because later ones would be guesswork.

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

export function refuse(reading: XmlCursor, offset: number, message: string): void {
  reading.problem ??= { message, offset };
}
