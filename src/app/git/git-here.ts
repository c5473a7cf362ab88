// Which git there is, and whether sandboxes can do with it.
import { captureNow } from '../../shell/exec/capture-now.ts';
import { findProgram } from './find-program.ts';

/** Merges in memory came with it. */
const LEAST = { major: 2, minor: 38 };

export const GIT_LEAST = `${LEAST.major}.${LEAST.minor}`;

export type GitHere =
  | { readonly type: 'missing' }
  /** `says` is how it names itself. */
  | { readonly type: 'old' | 'good'; readonly says: string; readonly program: string };

export function gitHere(path: string | undefined): GitHere {
  const program = findProgram('git', path);
  if (program === undefined) return { type: 'missing' };
  const says = captureNow([program, 'version']).stdout.trim();
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(says) ?? [];
  const isOld = Number(major) < LEAST.major || (Number(major) === LEAST.major && Number(minor) < LEAST.minor);
  return { type: isOld ? 'old' : 'good', says, program };
}
