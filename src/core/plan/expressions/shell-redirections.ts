// Redirections in a shell command, here-documents among them.

const OPERATOR = /&>>?|>[>|&]?|<[>&]?/y;

/** The operator of a redirection that begins here, without those of here-documents; undefined when none does. */
export function redirectionAt(text: string, at: number): string | undefined {
  OPERATOR.lastIndex = at;
  return OPERATOR.exec(text)?.[0];
}

/** A word directly before the operator that belongs to it: a number, or a variable for one. */
export const DESCRIPTOR = /^(?:\d+|\{\w+\})$/;

export interface Heredoc {
  readonly delimiter: string;
  readonly quoted: boolean;
  readonly indented: boolean;
}

const HEREDOC_START = /<<(-?)[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|(\\?)([^\s;&|<>()'"\\]+))/y;

/** The here-document that begins here, and the length of its operator; undefined when none does. */
export function heredocAt(text: string, at: number): (Heredoc & { readonly length: number }) | undefined {
  HEREDOC_START.lastIndex = at;
  const match = HEREDOC_START.exec(text);
  if (match === null) return undefined;
  const [whole, dash, single, double, slash, plain] = match;
  const quoted = single !== undefined || double !== undefined || slash === '\\';
  return { delimiter: single ?? double ?? plain ?? '', quoted, indented: dash === '-', length: whole.length };
}

/** The offset of the line after the delimiter. */
export function endOfHeredoc(text: string, from: number, heredoc: Heredoc): number {
  for (let start = from; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end);
    start = newline === -1 ? text.length : newline + 1;
    if ((heredoc.indented ? line.replace(/^\t+/, '') : line) === heredoc.delimiter) return start;
  }
  return text.length;
}
