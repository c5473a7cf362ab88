// Whether there is a git that sandboxes can do with.
import { execFileSync } from 'node:child_process';
import { findProgram } from '../../git/find-program.ts';

/** Merges in memory came with it. */
const LEAST = [2, 38] as const;

/** Two sentences when there is none, or an old one. */
export function gitTrouble(path: string | undefined): string | undefined {
  const program = findProgram('git', path);
  const install = `Install git ${LEAST.join('.')} or later from your system's packages or from git-scm.com, and try again.`;
  if (program === undefined) return `There is no git on the PATH, and sandboxes need it. ${install}`;
  const said = execFileSync(program, ['version'], { encoding: 'utf8' }).trim();
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(said) ?? [];
  const [least, leastMinor] = LEAST;
  const isOld = Number(major) < least || (Number(major) === least && Number(minor) < leastMinor);
  return isOld ? `This is ${said}, and sandboxes need ${LEAST.join('.')} or later. ${install}` : undefined;
}
