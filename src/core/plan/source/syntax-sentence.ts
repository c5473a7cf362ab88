// Syntax errors of the YAML parser as messages that say what to change.

interface Sentence {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

const SENTENCES: readonly (readonly [pattern: RegExp, sentence: Sentence])[] = [
  [
    /nesting exceeded/,
    {
      code: 'too-deep',
      message: 'The text nests lists and maps deeper than a plan may.',
      hint: 'Move inner tasks up, or split the plan.',
    },
  ],
  [
    /tab characters/,
    {
      code: 'tab-indentation',
      message: 'A tab is used for indentation, and YAML allows only spaces.',
      hint: 'Replace the tab by spaces; most editors can do it for the whole file.',
    },
  ],
  [
    /within a (single|double) quoted scalar/,
    {
      code: 'yaml-syntax',
      message: 'A quoted text is opened and never closed.',
      hint: 'Add the closing quote; inside single quotes write a quote twice, inside double quotes write \\".',
    },
  ],
  [
    /within a flow collection/,
    {
      code: 'yaml-syntax',
      message: 'A list [ or a map { is opened and never closed.',
      hint: 'Add the closing ] or }, or quote a text that begins with a bracket.',
    },
  ],
  [
    /missed comma|found ','/,
    {
      code: 'yaml-syntax',
      message: 'A comma is missing or stands alone in a list [ ] or a map { }.',
      hint: 'Write exactly one comma between two values, and quote a text that contains brackets, commas or colons.',
    },
  ],
  [
    /unknown escape sequence|hexadecimal character/,
    {
      code: 'yaml-syntax',
      message: 'A backslash in double quotes begins an escape that does not exist.',
      hint: 'Write two backslashes for one, or use single quotes, where a backslash is only a backslash.',
    },
  ],
  [
    /bad indentation of a sequence/,
    {
      code: 'yaml-syntax',
      message: 'This list item is not indented like the ones above it.',
      hint: 'Put every - of one list in the same column.',
    },
  ],
  [
    /deficient indentation/,
    {
      code: 'yaml-syntax',
      message: 'This line is not indented far enough to belong to the value above it.',
      hint: 'Indent it further than the key that it belongs to, or close the quote that is open above it.',
    },
  ],
  [
    /multiline key|expected ':'/,
    {
      code: 'yaml-syntax',
      message: 'This line is neither a key with a colon nor part of the value above.',
      hint: 'Write `key: value`, or indent the line below a | to make it part of a longer text.',
    },
  ],
  [
    /anchor|alias/,
    {
      code: 'yaml-syntax',
      message: 'A text that begins with & or * is read as an anchor or an alias, and this one is not complete.',
      hint: 'Put the text in quotes.',
    },
  ],
  [
    /tag/,
    {
      code: 'yaml-syntax',
      message: 'A text that begins with ! is read as a tag, and this one is not complete.',
      hint: 'Put the text in quotes.',
    },
  ],
  [
    /directive|YAML version/,
    {
      code: 'yaml-syntax',
      message: 'A line that begins with % is read as a YAML directive, and this is not one.',
      hint: 'Delete the line or put the text in quotes.',
    },
  ],
  [
    /block scalar|line break is expected|chomping|indentation width/,
    {
      code: 'yaml-syntax',
      message: 'After | or > the text must begin on the next line.',
      hint: 'Break the line after | or >, or put a text that begins with it in quotes.',
    },
  ],
];

export function syntaxSentence(reason: string, text: string, offset: number): Sentence {
  const known = SENTENCES.find(([pattern]) => pattern.test(reason));
  if (known !== undefined) return known[1];
  if (hasSecondColon(text, offset)) {
    return {
      code: 'yaml-syntax',
      message: 'A value without quotes contains ": ", which begins a second key on the line.',
      hint: 'Put the value in quotes, or write it under a | on the lines below.',
    };
  }
  if (/bad indentation of a mapping/.test(reason)) {
    return {
      code: 'yaml-syntax',
      message: 'This does not fit the lines around it: it is indented otherwise, or a value before it needs quotes.',
      hint: 'Put all keys of one map in the same column, and quote texts that hold : # { } [ ] or quotes.',
    };
  }
  return {
    code: 'yaml-syntax',
    message: `The text stops being YAML here: ${reason}.`,
    hint: 'Look at the indentation of this line and the one above, and quote texts that hold : # { } [ ] or quotes.',
  };
}

/** `a: b: c`: YAML fails at the second colon. */
function hasSecondColon(text: string, offset: number): boolean {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), 0);
  const line =
    text
      .slice(start, start + 2000)
      .trimStart()
      .split(/[\r\n]/, 1)[0] ?? '';
  return /^(?:- )*[^'"{[#]+?: [^'"{[|>]*: /.test(line);
}
