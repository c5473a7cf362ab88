// The merges on the run branch and their tasks, read from the commits themselves.
//
// merge-history/H1. The last line of a merge's message names its task, and its second parent is the merged work, so a
//     queue that was killed after moving the branch finds its own merges again.
import type { MergeRequest } from '../ports/merge-request.ts';
import { coAuthor } from '../git/store/step-message.ts';
import type { Repository } from '../git/repository.ts';
import { errorAsValue, GitError } from '../git/run/git-error.ts';

/** The part of the repository that the merge queue uses. */
export type MergeQueueRepository = Pick<
  Repository,
  | 'read'
  | 'swap'
  | 'mergeOnto'
  | 'treeOf'
  | 'commitTree'
  | 'parentsOf'
  | 'messageOf'
  | 'isAncestor'
  | 'changedPaths'
  | 'learn'
>;

/** One task's work on the branch, or about to be. */
export interface Merge {
  readonly task: string;
  readonly tip: string;
  readonly commit: string;
  /** The commit that it was merged onto. */
  readonly onto: string;
}

const SIGNATURE = 'Heddle-Task: ';
/** Limit: merges further back than this are not found. When runs get there, keep the list in a note of the run. */
const WALK_MAX = 10_000;

/** The message of a task's commit: what it was to do, what its agent answered, and who worked on it. */
export function messageFor({ task, intent, answer, agents }: Contribution): string {
  const [title = ''] = intent.trim().split('\n');
  const trailers = [...agents.map(coAuthor), `${SIGNATURE}${task}`];
  return [subjectOf(task, title), answer, trailers.join('\n')].filter((part) => part !== '').join('\n\n');
}

type Contribution = Pick<MergeRequest, 'task' | 'intent' | 'answer' | 'agents'>;

/** Longer subjects are cut by what shows them. */
const SUBJECT_MAX = 72;

function subjectOf(task: string, title: string): string {
  const subject = title === '' ? task : `${task}: ${title}`;
  return subject.length <= SUBJECT_MAX ? subject : `${subject.slice(0, SUBJECT_MAX - 1).trimEnd()}…`;
}

/** The task of a merge, from its message. */
export const taskIn = (message: string): string | undefined => {
  const last = message.trimEnd().split('\n').at(-1) ?? '';
  return last.startsWith(SIGNATURE) ? last.slice(SIGNATURE.length) : undefined;
};

export interface MergeHistory {
  /** The merges on the branch after the run's base, when the branch is at `commit`. */
  readonly at: (commit: string, base: string) => Promise<readonly Merge[]>;
  /** The branch has been moved to the last of these, which extend it. */
  readonly grow: (merges: readonly Merge[]) => void;
  /** Of some merges, the tasks that changed any of these paths, or a path in or around them. */
  readonly touching: (merges: readonly Merge[], paths: readonly string[]) => Promise<readonly string[]>;
}

export function historyIn(repository: MergeQueueRepository): MergeHistory {
  let known: { head: string; merges: Merge[] } | undefined;
  const changed = new Map<string, readonly string[]>();
  const pathsOf = async ({ onto, commit }: Merge): Promise<readonly string[]> => {
    const paths = changed.get(commit) ?? (await repository.changedPaths(onto, commit)).map(({ path }) => path);
    changed.set(commit, paths);
    return paths;
  };
  return {
    at: async (commit, base) => {
      if (known?.head !== commit) known = { head: commit, merges: await walk(repository, commit, base) };
      return known.merges;
    },
    grow: (merges) => {
      // A branch that was rewound does not continue what is known.
      if (known?.head !== merges[0]?.onto) known = undefined;
      if (known === undefined) return;
      known.merges.push(...merges);
      known.head = merges.at(-1)?.commit ?? known.head;
    },
    touching: async (merges, paths) => {
      const tasks = new Set<string>();
      for (const merge of merges) {
        const theirs = await pathsOf(merge);
        if (theirs.some((their) => paths.some((path) => meets(their, path)))) tasks.add(merge.task);
      }
      return [...tasks];
    },
  };
}

const meets = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

/** Oldest first. */
async function walk(repository: MergeQueueRepository, from: string, base: string): Promise<Merge[]> {
  const merges: Merge[] = [];
  let commit: string | undefined = from;
  for (let steps = 0; commit !== undefined && commit !== base && steps < WALK_MAX; steps += 1) {
    const [onto, tip]: readonly (string | undefined)[] = await repository.parentsOf(commit);
    const task = tip === undefined ? undefined : taskIn(await repository.messageOf(commit));
    if (onto !== undefined && tip !== undefined && task !== undefined) merges.unshift({ task, tip, commit, onto });
    commit = onto;
  }
  return merges;
}

/** Whether the run branch still contains a merge of the log. */
export async function holdsMerge(
  repository: Pick<MergeQueueRepository, 'isAncestor'>,
  branch: string,
  merge: string,
): Promise<boolean> {
  const holds = await errorAsValue(() => repository.isAncestor(merge, branch).then(heldIf));
  // Git runs and fails when the commit itself is gone; any other error says nothing about the merge.
  if (holds.type === 'failed' && holds.failure.code !== 'git-failed') throw new GitError(holds.failure);
  return holds.type === 'held';
}

const heldIf = (isHeld: boolean): { readonly type: 'held' | 'gone' } => ({ type: isHeld ? 'held' : 'gone' });
