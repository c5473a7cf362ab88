// A shell script as lists of simple commands, as far as they can be told from its text.
//
// shell-list/L1. Undefined where a command depends on more than its words: substitutions, groups, here-documents, open
//   quotes. The keywords of compound commands are read as first words.

export interface SimpleCommand {
  /** Without quotes, redirections, and the assignments before them. */
  readonly words: readonly string[];
  /** Whether it reads or writes a file, other than the null device, that may be missing. */
  readonly hasFile: boolean;
}

/** Commands joined by `|`. */
export type Pipeline = readonly SimpleCommand[];

export interface AndOrList {
  /** Each with what joins it to those before it. */
  readonly pipelines: readonly { readonly joined: string | undefined; readonly commands: Pipeline }[];
  readonly isInBackground: boolean;
}

type Token = { readonly type: 'word' | 'file' | 'operator'; readonly text: string };

/** A word has no place for what begins a substitution or a group. */
const TOKEN = new RegExp(
  [
    String.raw`(?<blank>(?:[ \t]|\\\n)+|(?<![^\s;&|])#[^\n]*)`,
    String.raw`(?<nowhere>(?:\d|&)?>>?[ \t]*/dev/null(?![^\s;&|])|\d?>&\d)`,
    String.raw`(?<file>\d?(?:<(?!<)|>>?)(?!&)[ \t]*)`,
    String.raw`(?<operator>&&|\|\||\|&?|;|\n|&(?!>))`,
    String.raw`(?<word>(?:'[^']*'|"(?:[^"\\$\x60]|\\[^]|\$(?=\w))*"|\\[^\n]|\$(?=\w)|[^\s'"\\$\x60;&|<>()])+)`,
  ].join('|'),
  'uy',
);

export function commandLists(script: string): readonly AndOrList[] | undefined {
  const tokens = tokensOf(script);
  return (
    tokens &&
    splitAt(tokens, /^[;&\n]$/u)
      .filter(({ part }) => part.length > 0)
      .map(listOf)
  );
}

function tokensOf(script: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < script.length;) {
    const groups = TOKEN.exec(script)?.groups;
    if (groups === undefined) return undefined;
    for (const type of ['word', 'file', 'operator'] as const) {
      const text = groups[type];
      if (text !== undefined) tokens.push({ type, text: type === 'word' ? text.replaceAll(/['"\\]/gu, '') : text });
    }
  }
  return tokens;
}

interface Part {
  readonly part: readonly Token[];
  /** The operators before and after it. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

function splitAt(tokens: readonly Token[], operators: RegExp): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (let at = 0; at <= tokens.length; at += 1) {
    const token = tokens[at];
    if (token !== undefined && !(token.type === 'operator' && operators.test(token.text))) continue;
    parts.push({ part: tokens.slice(from, at), before: parts.at(-1)?.after, after: token?.text });
    from = at + 1;
  }
  return parts;
}

const listOf = ({ part, after }: Part): AndOrList => ({
  pipelines: splitAt(part, /^(?:&&|\|\|)$/u).map((each) => ({
    joined: each.before,
    commands: splitAt(each.part, /^\|&?$/u).map(commandOf),
  })),
  isInBackground: after === '&',
});

const ASSIGNMENT = /^[A-Za-z_]\w*=/u;

function commandOf({ part }: Part): SimpleCommand {
  const words = part.filter(({ type }, at) => type === 'word' && part[at - 1]?.type !== 'file').map(({ text }) => text);
  const first = words.findIndex((word) => !ASSIGNMENT.test(word));
  return { words: first < 0 ? [] : words.slice(first), hasFile: part.some(({ type }) => type === 'file') };
}
