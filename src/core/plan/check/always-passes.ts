// Whether a command of a check can never fail, so that it checks nothing.
//
// always-passes/A1. True only where it is certain from the text: quotes, pipes, substitutions and anything that leaves a
//   script early make it uncertain.

export function alwaysPasses(command: string): boolean {
  const parts = command
    .split(/\|\||;|\n/u)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('#'));
  const last = parts.pop() ?? '';
  return PASSES.test(last) && parts.every((part) => !LEAVES.test(part));
}

/** The exit code of a script is that of its last command. */
const PASSES = /^(?:(?:\/usr)?(?:\/bin\/)?true|:|exit 0|echo(?: [\w .,!-]*)?)$/u;

/** What may leave before the last command, or makes it part of something else. */
const LEAVES = /["'`$()<|&{}\\]|\b(?:exit|exec|set|return|kill|trap|if|then|else|while|until|for|do|case)\b/u;
