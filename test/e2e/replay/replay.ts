// Replays the merges of a repository: each with two parents is merged in memory, and by `git merge` in a checkout. Both must
// come to the same tree, or to conflicts in the same paths.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRepository, type Repository } from '../../../src/shell/git/repository.ts';
import { cloneTo, gitIn, mergeInCheckout, type Verdict } from './merge-in-checkout.ts';

export interface ReplayOptions {
  /** It is read and not written to. */
  readonly repository: string;
  /** The latest so many merges. */
  readonly limit: number;
  /** No merge is begun after so long. */
  readonly limitMs: number;
}

export interface Replay {
  readonly found: number;
  readonly replayed: number;
  readonly clean: number;
  readonly conflicts: number;
  /** How many came out as people had committed them. */
  readonly asCommitted: number;
  /** How often `git merge` would not try, such as for a checkout that is never clean. */
  readonly refused: number;
  readonly differences: readonly Difference[];
}

export interface Difference {
  readonly merge: string;
  readonly ours: Verdict;
  readonly git: Verdict;
}

export async function replay({ repository: given, limit, limitMs }: ReplayOptions): Promise<Replay> {
  const root = mkdtempSync(join(tmpdir(), 'heddle-replay-'));
  try {
    const checkout = cloneTo(root, given);
    const opened = await openRepository({ home: join(root, 'home'), project: checkout, repairs: false });
    if (opened.type === 'refused') throw new Error(opened.failure.code);
    const merges = mergesIn(checkout, limit);
    return await replayAll(opened.repository, { checkout, merges, limitMs });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

interface Merge {
  readonly commit: string;
  readonly onto: string;
  readonly tip: string;
}

function mergesIn(folder: string, limit: number): readonly Merge[] {
  const which = ['--all', '--min-parents=2', '--max-parents=2', `--max-count=${limit}`];
  const listed = gitIn(folder, ['rev-list', ...which, '--parents']);
  return listed.split('\n').flatMap((line) => {
    const [commit, onto, tip] = line.split(' ');
    return commit === undefined || onto === undefined || tip === undefined ? [] : [{ commit, onto, tip }];
  });
}

interface Replaying {
  readonly checkout: string;
  readonly merges: readonly Merge[];
  readonly limitMs: number;
}

async function replayAll(repository: Repository, { checkout, merges, limitMs }: Replaying): Promise<Replay> {
  const counts = { found: merges.length, replayed: 0, clean: 0, conflicts: 0, asCommitted: 0, refused: 0 };
  const differences: Difference[] = [];
  const end = performance.now() + limitMs;
  for (const { commit, onto, tip } of merges) {
    if (performance.now() > end) break;
    const ours = await mergeInMemory(repository, onto, tip);
    const git = mergeInCheckout(checkout, onto, tip);
    counts.replayed += 1;
    if (git.type === 'refused') {
      counts.refused += 1;
      continue;
    }
    if (!isSame(ours, git)) differences.push({ merge: commit, ours, git });
    else if (git.type === 'merged') counts.clean += 1;
    else counts.conflicts += 1;
    if (ours.type === 'merged' && ours.tree === (await repository.treeOf(commit))) counts.asCommitted += 1;
  }
  return { ...counts, differences };
}

function isSame(ours: Verdict, git: Verdict): boolean {
  // A git that found conflicts and could not write them to the checkout names none.
  if (git.type === 'conflict' && git.paths.length === 0) return ours.type === 'conflict';
  return JSON.stringify(ours) === JSON.stringify(git);
}

async function mergeInMemory(repository: Repository, onto: string, tip: string): Promise<Verdict> {
  const outcome = await repository.mergeOnto({ onto, tip, message: 'Merge', at: 0, usesResolutions: false });
  switch (outcome.type) {
    case 'merged':
      return { type: 'merged', tree: outcome.tree };
    case 'unchanged':
      return { type: 'merged', tree: await repository.treeOf(onto) };
    case 'failed':
      return { type: 'refused', message: outcome.failure.code };
    case 'conflict': {
      // Git in a checkout calls its own side by another name, where it has to make names.
      const names = outcome.paths
        .filter(({ base, ours, theirs }) => [base, ours, theirs].some((blob) => blob !== undefined))
        .map(({ path }) => Buffer.from(path.replace(`~${onto}`, '~HEAD')));
      return { type: 'conflict', paths: names.sort(Buffer.compare).map(String) };
    }
  }
}
