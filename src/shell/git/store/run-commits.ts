// Commits of a branch, mostly along its first parents, read in one call, however many there are.
import type { Git } from '../run/git.ts';

export interface RunCommit {
  readonly commit: string;
  readonly parent: string | undefined;
  /** The merged tip; undefined when the commit is no merge. */
  readonly tip: string | undefined;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const FIELD = '\u0000';
const END = '\u0001';
/** Limit: commits further back than this are not listed. When runs get there, report how many there are. */
const COMMITS_MAX = 10_000;

export interface CommitRange {
  readonly base: string;
  readonly tip: string;
  /** With the commits of merged branches. */
  readonly isWhole?: boolean;
}

/** The oldest first, after `base`. */
export async function runCommits(git: Git, { base, tip, isWhole = false }: CommitRange): Promise<readonly RunCommit[]> {
  const range = [...(isWhole ? [] : ['--first-parent']), `--max-count=${COMMITS_MAX}`, tip, `^${base}`, '--'];
  const listed = await git.must(['log', '--format=%H%x00%P%x00%ct%x00%B%x01', ...range]);
  return listed
    .toString('utf8')
    .split(END)
    .flatMap((entry) => {
      const [commit = '', parents = '', seconds = '', message = ''] = entry.trimStart().split(FIELD);
      if (commit === '') return [];
      const [parent, merged] = parents.split(' ');
      return [{ commit, parent, tip: merged, message: message.trimEnd(), at: Number(seconds) * 1000 }];
    })
    .reverse();
}

/** The commits of one branch that a target contains; a target with the tip's tree contains all. */
export async function landedIn(git: Git, commits: readonly string[], target: string): Promise<ReadonlySet<string>> {
  const tip = commits.at(-1);
  if (tip === undefined) return new Set();
  const trees = await git.line(['rev-parse', `${tip}^{tree}`, `${target}^{tree}`]);
  const [ours, theirs] = trees.split('\n');
  if (ours === theirs) return new Set(commits);
  const listed = await git.must(['rev-list', '--first-parent', `--max-count=${COMMITS_MAX}`, tip, `^${target}`, '--']);
  const missing = new Set(listed.toString('utf8').trim().split('\n'));
  return new Set(commits.filter((commit) => !missing.has(commit)));
}

/** The messages of some commits; missing commits are left out. */
export async function messagesOf(git: Git, commits: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (commits.length === 0) return new Map();
  const args = ['log', '--no-walk=unsorted', '--ignore-missing', '--format=%H%x00%B%x01', '--stdin'];
  const listed = await git.must(args, { input: `${commits.join('\n')}\n` });
  return new Map(
    listed
      .toString('utf8')
      .split(END)
      .flatMap((entry) => {
        const [commit = '', message = ''] = entry.trimStart().split(FIELD);
        return commit === '' ? [] : [[commit, message.trimEnd()] as const];
      }),
  );
}
