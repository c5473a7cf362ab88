// What a report asks of the shell: which values are secrets, and what git has of a run.
import type { GitKept } from '../core/view/report/kept.ts';
import { REFS } from '../shell/git/store/ref-names.ts';
import { openRepository } from '../shell/git/repository.ts';
import { gitAt } from '../shell/git/run/git.ts';
import { errorAsValue } from '../shell/git/run/git-error.ts';
import { messagesOf, runCommits, type RunCommit } from '../shell/git/store/run-commits.ts';
import { taskIn } from '../shell/merge/merge-history.ts';

export { secretsIn } from '../shell/host/worker/redact.ts';

export { MERGE_MARK } from '../shell/merge/check-orphans.ts';

/** Whose work each of some merges brought, as far as they are still there. */
export async function tasksOf(
  { home, project }: Pick<GitOrder, 'home' | 'project'>,
  commits: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const opened = await openRepository({ home, project, mends: false });
  if (opened.type === 'refused') return new Map();
  const told = await errorAsValue(async () => {
    const messages = await messagesOf(gitAt(opened.repository.gitDir), commits);
    return { type: 'told', messages } as const;
  });
  if (told.type === 'failed') return new Map();
  return new Map(
    [...told.messages].flatMap(([commit, message]) => {
      const task = taskIn(message);
      return task === undefined ? [] : [[commit, task] as const];
    }),
  );
}

export interface GitOrder {
  readonly home: string;
  readonly project: string;
  readonly run: string;
  readonly base: string;
  /** The plan's; the branch that is checked out when it names none. */
  readonly target: string | undefined;
}

export type GitSummary =
  | { readonly type: 'told'; readonly git: GitKept }
  | { readonly type: 'unknown'; readonly says: string };

export async function gitOf(order: GitOrder): Promise<GitSummary> {
  const { home, project, run, base } = order;
  const opened = await openRepository({ home, project, mends: false });
  if (opened.type === 'refused') return { type: 'unknown', says: opened.message };
  const { repository } = opened;
  const target = order.target ?? repository.user.branch;
  const told = await errorAsValue(async () => {
    const tip = await repository.read(REFS.runBranch(run));
    const at = target === undefined ? undefined : await repository.baseOf(`refs/heads/${target}`);
    const commits = tip === undefined ? [] : await runCommits(gitAt(repository.gitDir), { base, tip, target: at });
    return { type: 'told', git: { branch: `heddle/${run}`, tip, target, commits: commits.flatMap(commitOf) } } as const;
  });
  return told.type === 'failed' ? { type: 'unknown', says: told.message } : told;
}

function commitOf({ commit, tip, message, isLanded }: RunCommit): GitKept['commits'] {
  const task = taskIn(message);
  if (task === undefined || tip === undefined) return [];
  // The heading says whose it is, and the signature too; what is between them is what was wanted.
  const [heading = '', ...paragraphs] = message.split('\n\n');
  const subject = paragraphs.slice(0, -1).join('\n').trim().split('\n')[0] ?? '';
  return [{ task, commit, tip, subject: subject === '' ? heading : subject, isLanded }];
}
