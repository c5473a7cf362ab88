// Which git there is, whether sandboxes can use it, and where other programs are that a person would start by name.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { captureNow } from '../../shell/exec/capture-now.ts';
import { Refused } from '../refused.ts';

/** Merges in memory came with it. */
const LEAST = { major: 2, minor: 38 };

export const GIT_LEAST = `${LEAST.major}.${LEAST.minor}`;

export type GitHere =
  | { readonly type: 'missing' }
  /** `says` is the version that git prints. */
  | { readonly type: 'old' | 'good'; readonly says: string; readonly program: string };

export function gitHere(path: string | undefined): GitHere {
  const program = findProgram('git', path);
  if (program === undefined) return { type: 'missing' };
  const says = captureNow([program, 'version']).stdout.trim();
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(says) ?? [];
  const isOld = Number(major) < LEAST.major || (Number(major) === LEAST.major && Number(minor) < LEAST.minor);
  return { type: isOld ? 'old' : 'good', says, program };
}

export function mustHaveGit(): void {
  const found = gitHere(process.env['PATH']);
  if (found.type === 'missing') throw new Refused({ code: 'git-missing', least: GIT_LEAST });
  if (found.type === 'old') throw new Refused({ code: 'git-old', version: found.says, least: GIT_LEAST });
}

export function findProgram(name: string, path: string = process.env['PATH'] ?? ''): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
