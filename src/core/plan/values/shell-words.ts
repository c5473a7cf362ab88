// The words of a shell command, as far as they tell whether what follows them is code.

/** The words of the simple command that is being read; `current` grows until a blank ends it. */
export interface Words {
  done: string[];
  current: string;
}

const EVALUATING: ReadonlySet<string> = new Set(['eval', 'let', 'trap', 'ssh', 'watch', 'parallel']);
const INTERPRETER = /(?:^|\/)(?:sh|bash|dash|zsh|ksh|ash|fish|su|node|deno|bun|perl|ruby|php|python[\d.]*|osascript)$/;
const CODE_OPTION = /^(?:-[A-Za-z]*[ceEpr]|--eval|--print|--command)$/;
const SUBSCRIPT = /^[A-Za-z_]\w*\[[^\]]*$/;

/** Why a value after these words would be read as code; undefined when it would not. */
export function readAsCode(words: Words): string | undefined {
  const evaluating = words.done.find((word) => EVALUATING.has(word));
  if (evaluating !== undefined) return `after \`${evaluating}\`, which reads it as code`;
  if (words.done.includes('[[')) return 'inside `[[ … ]]`; write `[ … ]` instead';
  if (SUBSCRIPT.test(words.current)) return 'inside a subscript, where the shell would evaluate it';
  const option = words.done.at(-1);
  const program = words.done.find((word) => INTERPRETER.test(word));
  if (program === undefined || option === undefined) return undefined;
  if (option === '<<<') return `in the code that \`${program}\` reads`;
  if (!CODE_OPTION.test(option)) return undefined;
  return `in the code that \`${program} ${option}\` runs; pass it as an argument after the code`;
}

/** True for a program that reads code from what it is fed. */
export function isInterpreter(word: string): boolean {
  return INTERPRETER.test(word) || EVALUATING.has(word);
}
