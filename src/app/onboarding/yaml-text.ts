// Values and comments as they are written into a YAML file that people read.

/** Words that YAML takes for themselves; all else goes into quotes. */
const PLAIN = /^[A-Za-z./][\w./=@+-]*(?: (?:[\w./=@+&|-]|:(?! ))+)*$/;
const TAKEN = /^(?:true|false|null|yes|no|on|off|~)$/i;

export const scalar = (text: string): string =>
  PLAIN.test(text) && !TAKEN.test(text) ? text : `'${text.replaceAll("'", "''")}'`;

export const list = (items: readonly string[]): string => `[${items.map(scalar).join(', ')}]`;

/** So that it fits a terminal of 80 columns when it is shown. */
const WIDTH = 76;

/** Lines of a comment, folded, each behind so many spaces. */
export function comment(text: string, indent = ''): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${indent}# ${word}`);
  }
  return lines;
}
