// Merging many branches in memory beside `git merge` in a worktree, foreseeing the conflicts of all pairs, and whether
// real merges of a repository come out as `git merge` makes them. Runs alone:
//   node bench/git/merge.ts [--repository PATH] [--files N] [--branches N] [--repeats N] [--replay N]
import { parseArgs } from 'node:util';
import { openRepository } from '../../src/shell/git/repository.ts';
import type { Repository } from '../../src/shell/git/repository.ts';
import { printFigures, times, under } from './print-figures.ts';
import { benchRepository } from './merge-repository.ts';
import type { BenchRepository } from './merge-repository.ts';
import { replayMerges } from './merge-replay.ts';
import type { Replay } from './merge-replay.ts';

export interface MergeBenchOptions {
  readonly repository: string | undefined;
  readonly files: number;
  readonly branches: number;
  /** Each figure is the median of so many. */
  readonly repeats: number;
  /** Real merges to replay, the latest first; only of a repository that is given. */
  readonly replay: number;
}

export interface MergeBenchReport {
  readonly name: string;
  readonly files: number;
  readonly branches: number;
  readonly merged: number;
  readonly chainSeconds: number;
  readonly gitMergeSeconds: number;
  readonly isSameTree: boolean;
  readonly forecastSeconds: number;
  readonly pairs: number;
  readonly candidates: number;
  readonly conflicts: number;
  readonly replay: Replay | undefined;
}

const CHANGES_OF_BRANCH = 8;
const MERGE_DEFAULTS = { files: 25_000, branches: 32, repeats: 5, replay: 200 } as const;

export const MERGE_FLAGS = {
  repository: { type: 'string' },
  files: { type: 'string' },
  branches: { type: 'string' },
  repeats: { type: 'string' },
  replay: { type: 'string' },
} as const;

type Flags = Readonly<Partial<Record<keyof typeof MERGE_FLAGS, string | undefined>>>;

export const mergeOptions = (flags: Flags): MergeBenchOptions => ({
  repository: flags.repository,
  files: Number(flags.files ?? MERGE_DEFAULTS.files),
  branches: Number(flags.branches ?? MERGE_DEFAULTS.branches),
  repeats: Number(flags.repeats ?? MERGE_DEFAULTS.repeats),
  replay: Number(flags.replay ?? MERGE_DEFAULTS.replay),
});

export async function benchMerge(options: MergeBenchOptions): Promise<MergeBenchReport> {
  const { repository: given, files, branches, repeats, replay } = options;
  const bench = benchRepository({ repository: given, files, branches, changesOfBranch: CHANGES_OF_BRANCH });
  try {
    const repository = await open(bench);
    const tips = await compatible(repository, bench);
    bench.git('worktree', 'add', '--quiet', '--detach', '../worktree', bench.base);
    const chain = await median(repeats, bench, async (fresh) => chainOf(fresh, bench, tips));
    const reference = await median(1, bench, async () => Promise.resolve(gitMerge(bench, tips)));
    const named = bench.tips.map((tip, index) => ({ name: String(index), tip }));
    const foreseen = await median(repeats, bench, async (fresh) => fresh.forecast(bench.base, named));
    return {
      name: bench.name,
      files: bench.files,
      branches: bench.tips.length,
      merged: tips.length,
      chainSeconds: chain.seconds,
      gitMergeSeconds: reference.seconds,
      isSameTree: (await repository.treeOf(chain.value)) === reference.value,
      forecastSeconds: foreseen.seconds,
      pairs: (bench.tips.length * (bench.tips.length - 1)) / 2,
      candidates: foreseen.value.conflicts.length + foreseen.value.overlaps.length,
      conflicts: foreseen.value.conflicts.length,
      replay: given === undefined ? undefined : await replayMerges(repository, bench, replay),
    };
  } finally {
    bench.remove();
  }
}

async function open({ home, folder }: BenchRepository): Promise<Repository> {
  const opened = await openRepository({ home, project: folder, repairs: false });
  if (opened.type === 'refused') throw new Error(opened.failure.code);
  return opened.repository;
}

/** The branches that merge one after the other; conflicting ones are left out on both sides. */
async function compatible(repository: Repository, { base, tips }: BenchRepository): Promise<readonly string[]> {
  const kept: string[] = [];
  let onto = base;
  for (const tip of tips) {
    const outcome = await repository.mergeOnto({ onto, tip, message: 'Merge', at: 0, usesResolutions: false });
    if (outcome.type !== 'merged') continue;
    onto = outcome.commit;
    kept.push(tip);
  }
  return kept;
}

async function chainOf(repository: Repository, { base }: BenchRepository, tips: readonly string[]): Promise<string> {
  // The date differs from measure to measure, so that no commit is there already.
  const at = Math.floor(performance.timeOrigin + performance.now());
  const links = tips.map((tip, index) => ({ tip, message: `Merge ${index}` }));
  const outcome = await repository.mergeAll({ base, links, at, usesResolutions: false });
  return outcome.type === 'failed' ? outcome.failure.code : outcome.commit;
}

/** The worktree is there already: making it is not part of the time. */
function gitMerge({ git }: BenchRepository, tips: readonly string[]): string {
  for (const tip of tips) git('-C', '../worktree', 'merge', '--quiet', '--no-ff', '--no-edit', tip);
  return git('-C', '../worktree', 'rev-parse', 'HEAD^{tree}');
}

interface Measured<Value> {
  readonly seconds: number;
  readonly value: Value;
}

/** Opened again for every measurement, so that no cache carries over. */
async function median<Value>(
  repeats: number,
  bench: BenchRepository,
  action: (fresh: Repository) => Promise<Value>,
): Promise<Measured<Value>> {
  const measures: Measured<Value>[] = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const fresh = await open(bench);
    const begin = performance.now();
    const value = await action(fresh);
    measures.push({ seconds: (performance.now() - begin) / 1000, value });
  }
  const [middle] = measures.sort((one, other) => one.seconds - other.seconds).slice(Math.floor(repeats / 2));
  if (middle === undefined) throw new Error('A figure is measured at least once.');
  return middle;
}

/** The merges of 32 branches, and the conflicts of all pairs of them. */
const BOUNDS = { chain: times(10), forecast: under(150) } as const;

export function printMerge(report: MergeBenchReport): void {
  const { name, files, branches, merged, chainSeconds, gitMergeSeconds, forecastSeconds, pairs } = report;
  printFigures(`Merging ${merged} of ${branches} branches of ${name} (${files} files); the others conflict`, [
    {
      what: `${merged} branches merged one after the other${report.isSameTree ? ', the same tree' : ', ANOTHER TREE'}`,
      oursMs: chainSeconds * 1000,
      referenceMs: gitMergeSeconds * 1000,
      bound: BOUNDS.chain,
    },
    {
      what: `conflicts of ${pairs} pairs foreseen, ${report.candidates} merged to see, ${report.conflicts} found`,
      oursMs: forecastSeconds * 1000,
      referenceMs: undefined,
      bound: BOUNDS.forecast,
    },
  ]);
  if (report.replay !== undefined) console.table([report.replay]);
}

if (import.meta.main) printMerge(await benchMerge(mergeOptions(parseArgs({ options: MERGE_FLAGS }).values)));
