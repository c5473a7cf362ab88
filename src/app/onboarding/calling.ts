// The command that calls Heddle again for this user, and quoting for a shell.
import { delimiter } from 'node:path';
import { findProgram } from '../git/git-here.ts';

export interface HeddleCall {
  readonly name: string;
  /** The command that makes the name known to the shell, where it is not known yet. */
  readonly alias: string | undefined;
}

/** `npx heddle` if started by npx, `heddle` where that is on the PATH, else an alias for the started file. */
export function callingOf(environment: NodeJS.ProcessEnv, [, program = '']: readonly string[]): HeddleCall {
  if (environment['npm_command'] === 'exec') return { name: 'npx heddle', alias: undefined };
  // npm puts these on the PATH of its scripts; the shell that comes back afterwards has none of them.
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const isKnown = findProgram('heddle', folders.join(delimiter)) !== undefined;
  return { name: 'heddle', alias: isKnown ? undefined : `alias heddle=${shellQuoted(`node ${shellQuoted(program)}`)}` };
}

/** One word as a shell takes it. */
export const shellQuoted = (word: string): string =>
  /^[\w./~+:@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
