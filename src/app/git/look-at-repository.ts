// The repository in Heddle's folder, in which runs keep what their tasks make.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { captureNow } from '../../shell/exec/capture-now.ts';
import type { Project } from '../project.ts';
import type { Remark } from './remark.ts';

const WITHIN_MS = 10_000;

/** Nothing where it is well, or not there yet. */
export function lookAtRepository({ home }: Project): readonly Remark[] {
  const folder = join(home, 'repo.git');
  if (!existsSync(folder)) return [];
  // Only a repository that git can open lists its refs.
  const words = ['git', '--git-dir', folder, 'for-each-ref', '--count=1'];
  const { code, stderr, error } = captureNow(words, { timeoutMs: WITHIN_MS });
  if (error !== undefined || code === 0) return [];
  return [
    {
      about: 'store',
      is: 'bad',
      says: `What runs keep their work in cannot be opened: ${stderr.trim().split('\n')[0] ?? ''}`,
      remedy: `Put a good copy of ${folder} in its place. Or move it away: branches heddle/… stay, and heddle run makes it anew.`,
    },
  ];
}
