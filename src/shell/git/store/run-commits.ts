// The commits of a run branch, for people; read in a few calls, however many commits there are.
import type { Git } from '../run/git.ts';

export interface RunCommit {
  readonly commit: string;
  /** The merged tip; undefined when the commit is no merge. */
  readonly tip: string | undefined;
  readonly message: string;
  readonly isLanded: boolean;
}

export interface RunSpan {
  readonly base: string;
  readonly tip: string;
  /** The commit of the target branch. */
  readonly target: string | undefined;
}

const FIELD = '\u0000';
const END = '\u0001';
/** Limit: commits further back than this are not listed. When runs get there, report how many there are. */
const COMMITS_MAX = 10_000;

/** The oldest first. */
export async function runCommits(git: Git, { base, tip, target }: RunSpan): Promise<readonly RunCommit[]> {
  const range = ['--first-parent', `--max-count=${COMMITS_MAX}`];
  const told = await git.must(['log', ...range, '--format=%H%x00%P%x00%B%x01', tip, `^${base}`, '--']);
  const missing = target === undefined ? undefined : await notIn(git, { tip, target, range });
  return told
    .toString('utf8')
    .split(END)
    .flatMap((entry) => {
      const [commit = '', parents = '', message = ''] = entry.trimStart().split(FIELD);
      if (commit === '') return [];
      const isLanded = missing !== undefined && !missing.has(commit);
      return [{ commit, tip: parents.split(' ')[1], message: message.trimEnd(), isLanded }];
    })
    .reverse();
}

interface Asked {
  readonly tip: string;
  readonly target: string;
  readonly range: readonly string[];
}

/** A target with the same tree contains everything, however it got there. */
async function notIn(git: Git, { tip, target, range }: Asked): Promise<ReadonlySet<string>> {
  const trees = await git.line(['rev-parse', `${tip}^{tree}`, `${target}^{tree}`]);
  const [ours, theirs] = trees.split('\n');
  if (ours === theirs) return new Set();
  const listed = await git.must(['rev-list', ...range, tip, `^${target}`, '--']);
  return new Set(listed.toString('utf8').trim().split('\n'));
}

/** The messages of some commits; missing commits are left out. */
export async function messagesOf(git: Git, commits: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (commits.length === 0) return new Map();
  const args = ['log', '--no-walk=unsorted', '--ignore-missing', '--format=%H%x00%B%x01', '--stdin'];
  const told = await git.must(args, { input: `${commits.join('\n')}\n` });
  return new Map(
    told
      .toString('utf8')
      .split(END)
      .flatMap((entry) => {
        const [commit = '', message = ''] = entry.trimStart().split(FIELD);
        return commit === '' ? [] : [[commit, message.trimEnd()] as const];
      }),
  );
}
