// Replays the real merges of a repository: each is merged in memory and by `git merge` in a worktree, and both must say
// the same.
import type { Repository } from '../../src/shell/git/repository.ts';
import type { BenchRepository } from './merge-repository.ts';

export interface Replay {
  readonly merges: number;
  readonly 'clean in both': number;
  readonly 'conflict in both': number;
  readonly 'other tree': number;
  readonly 'other verdict': number;
  /** How many came out as people committed them. */
  readonly 'as committed': number;
}

export async function replayMerges(repository: Repository, bench: BenchRepository, limit: number): Promise<Replay> {
  const listed = bench.git('rev-list', '--merges', '--max-parents=2', '--parents', `--max-count=${limit}`, bench.base);
  const replay = { merges: 0, clean: 0, conflict: 0, otherTree: 0, otherVerdict: 0, asCommitted: 0 };
  for (const line of listed.split('\n').filter((one) => one !== '')) {
    const [commit = '', onto = '', tip = ''] = line.split(' ');
    const outcome = await repository.mergeOnto({ onto, tip, message: 'Merge', at: 0, usesResolutions: false });
    const ours = outcome.type === 'merged' ? outcome.tree : undefined;
    const reference = mergeInWorktree(bench, onto, tip);
    replay.merges += 1;
    if (ours === undefined && reference === undefined) replay.conflict += 1;
    else if (ours === reference) replay.clean += 1;
    else if (ours === undefined || reference === undefined) replay.otherVerdict += 1;
    else replay.otherTree += 1;
    if (ours === (await repository.treeOf(commit))) replay.asCommitted += 1;
  }
  return {
    merges: replay.merges,
    'clean in both': replay.clean,
    'conflict in both': replay.conflict,
    'other tree': replay.otherTree,
    'other verdict': replay.otherVerdict,
    'as committed': replay.asCommitted,
  };
}

/** The tree, or undefined when it conflicts. */
function mergeInWorktree({ git }: BenchRepository, onto: string, tip: string): string | undefined {
  git('-C', '../worktree', 'reset', '--quiet', '--hard', onto);
  git('-C', '../worktree', 'clean', '--quiet', '-fdx');
  try {
    git('-C', '../worktree', 'merge', '--quiet', '--no-ff', '--no-edit', tip);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    return undefined;
  }
  return git('-C', '../worktree', 'rev-parse', 'HEAD^{tree}');
}
