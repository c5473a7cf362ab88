// The words of a shell command, as far as they determine whether the next word is code.

/** The words of the simple command that is being read; `current` grows until a blank ends it. */
export interface Words {
  done: string[];
  current: string;
}

const EVALUATING: ReadonlySet<string> = new Set(['eval', 'let', 'trap', 'ssh', 'watch', 'parallel']);
/** Programs that take code as the operand of an option, with those options. */
const INTERPRETERS: readonly (readonly [program: RegExp, code: RegExp])[] = [
  [/(?:^|\/)(?:sh|bash|dash|zsh|ksh|ash|fish|su)$/, /^(?:-[A-Za-z]*c[A-Za-z]*|--command)$/],
  [/(?:^|\/)python[\d.]*$/, /^-[A-Za-z]*c$/],
  [/(?:^|\/)(?:node|deno|bun|perl|ruby|php|osascript)$/, /^(?:-[A-Za-z]*[eEpr]|--eval|--print)$/],
];
/** Options with an operand that is no script. */
const TAKES_WORD = /^(?:[-+][oO]|-[XW]|-)$/;
const SUBSCRIPT = /^[A-Za-z_]\w*\[[^\]]*$/;

/** Why a value after these words would be read as code; undefined when it would not. */
export function readAsCode(words: Words): string | undefined {
  const evaluating = words.done.find((word) => EVALUATING.has(word));
  if (evaluating !== undefined) return `after \`${evaluating}\`, which reads it as code`;
  if (words.done.includes('[[')) return 'inside `[[ … ]]`; write `[ … ]` instead';
  if (SUBSCRIPT.test(words.current)) return 'inside a subscript, where the shell would evaluate it';
  return codeOperand(words.done);
}

/** A script or another operand ends the options of a program; later words are arguments of the script. */
function codeOperand(words: readonly string[]): string | undefined {
  const option = words.at(-1);
  for (const [program, code] of INTERPRETERS) {
    const place = words.findLastIndex((word) => program.test(word));
    if (place < 0 || option === undefined) continue;
    if (option === '<<<') return `in the code that \`${words[place]}\` reads`;
    const between = words.slice(place + 1, -1);
    const isOption = between.every((word, nth) => /^[-+]/.test(word) || TAKES_WORD.test(between[nth - 1] ?? ''));
    if (!code.test(option) || !(isOption || words[place] === 'su')) continue;
    return `in the code that \`${words[place]} ${option}\` runs; pass it as an argument after the code`;
  }
  return undefined;
}

/** True for a program that reads code from its standard input. */
export function isInterpreter(word: string): boolean {
  return EVALUATING.has(word) || INTERPRETERS.some(([program]) => program.test(word));
}
