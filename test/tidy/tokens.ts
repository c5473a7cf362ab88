// Cuts TypeScript text into tokens, so that rules look at code and never at the inside of a string or a comment.
//
// T1. Every character that is not white space lies in exactly one token, in the order of the text.
// T2. A template is cut into its literal parts ("`a${", "}b`") with the tokens of its expressions between them, so
//     the braces of `${…}` never count as brackets.
// T3. `>` is always a token of its own, so nested type arguments close one at a time.
//
// Limit: a slash after `)` or `}` is read as a division. When a regular expression must follow one, give it a name.

export type TokenType = 'word' | 'number' | 'string' | 'template' | 'regex' | 'punctuation' | 'comment';

export interface Token {
  readonly type: TokenType;
  readonly text: string;
  /** Where it begins and ends in the text. */
  readonly start: number;
  readonly end: number;
  /** Lines are counted from 1. */
  readonly line: number;
  readonly endLine: number;
}

const WORDS_BEFORE_A_VALUE = new Set(
  'return typeof case in of do else void delete throw new instanceof await yield extends default'.split(' '),
);

/** Longest first. `>` stands alone except before `=`. */
const PUNCTUATION =
  '... === !== **= <<= &&= ||= ??= => == != <= >= && || ?? ?. ** ++ -- << += -= *= /= %= &= |= ^='.split(' ');

const SPACE = /\s*/y;
const WORD = /[#@]?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?|\.\d[\d_]*(?:[eE][+-]?\d+)?)n?/y;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|#![^\n]*/y;
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const TEMPLATE_PART = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/y;

const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
};

const endsAValue = (token: Token | undefined): boolean => {
  if (token === undefined) return false;
  if (token.type === 'word') return !WORDS_BEFORE_A_VALUE.has(token.text);
  if (token.type === 'punctuation') return [')', ']', '}', '++', '--'].includes(token.text);
  return token.type !== 'template' || token.text.endsWith('`');
};

const punctuationAt = (text: string, at: number): string =>
  PUNCTUATION.find((sign) => text.startsWith(sign, at)) ?? text.slice(at, at + 1);

/** Whether the `}` at hand ends the expression of a template, by the braces open inside that expression. */
const closesTemplate = (text: string, at: number, bracesOpen: readonly number[]): boolean =>
  text[at] === '}' && bracesOpen.at(-1) === 0;

const plainTokenAt = (text: string, at: number, before: Token | undefined): { type: TokenType; text: string } => {
  const comment = text[at] === '#' && at > 0 ? undefined : matchAt(COMMENT, text, at);
  if (comment !== undefined) return { type: 'comment', text: comment };
  const string = matchAt(STRING, text, at);
  if (string !== undefined) return { type: 'string', text: string };
  const number = matchAt(NUMBER, text, at);
  if (number !== undefined) return { type: 'number', text: number };
  const word = matchAt(WORD, text, at);
  if (word !== undefined) return { type: 'word', text: word };
  const regex = endsAValue(before) ? undefined : matchAt(REGEX, text, at);
  if (regex !== undefined) return { type: 'regex', text: regex };
  return { type: 'punctuation', text: punctuationAt(text, at) };
};

const templateTokenAt = (text: string, at: number): { type: TokenType; text: string } => ({
  type: 'template',
  text: `${text.slice(at, at + 1)}${matchAt(TEMPLATE_PART, text, at + 1) ?? ''}`,
});

const countLines = (text: string): number => text.split('\n').length - 1;

/** All tokens of a text, comments included. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const bracesOpen: number[] = [];
  let line = 1;
  let before: Token | undefined;
  for (let at = 0; at < text.length;) {
    const space = matchAt(SPACE, text, at) ?? '';
    at += space.length;
    line += countLines(space);
    if (at >= text.length) break;
    const leavesTemplate = closesTemplate(text, at, bracesOpen);
    const isTemplate = leavesTemplate || text[at] === '`';
    const found = isTemplate ? templateTokenAt(text, at) : plainTokenAt(text, at, before);
    keepBraces(found, leavesTemplate, bracesOpen);
    const endLine = line + countLines(found.text);
    const token = { ...found, start: at, end: at + found.text.length, line, endLine };
    tokens.push(token);
    at = token.end;
    line = endLine;
    if (token.type !== 'comment') before = token;
  }
  return tokens;
}

/** Counts, for each template whose expression is being read, the braces open inside that expression; in place. */
function keepBraces(
  found: { readonly type: TokenType; readonly text: string },
  leavesTemplate: boolean,
  bracesOpen: number[],
): void {
  if (leavesTemplate) bracesOpen.pop();
  if (found.type === 'template' && found.text.endsWith('${')) bracesOpen.push(0);
  if (found.type !== 'punctuation' || bracesOpen.length === 0) return;
  const change = found.text === '{' ? 1 : found.text === '}' ? -1 : 0;
  bracesOpen[bracesOpen.length - 1] = (bracesOpen.at(-1) ?? 0) + change;
}
