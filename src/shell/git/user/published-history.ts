// The history of a run as people get it: linear, a commit for each task or step, by the user. The run branch itself
// keeps every merge, because later merges need the ancestry of the work; it stays in the integration repository.
//
// published-history/P1. Each published commit that ends a task has the very tree of that task's merge, which was checked
//     (P6).
// published-history/P2. The commits are a function of the run branch and the log, and a longer run branch only adds to
//     them, so publishing again and landing again find what is there.
import type { Author } from '../../../core/engine/event.ts';
import type { Merges } from '../merge/tree-merges.ts';
import type { Git } from '../run/git.ts';
import type { Objects } from '../store/objects.ts';
import { runCommits, type RunCommit } from '../store/run-commits.ts';
import { ownMessagesIn, withOwnMessages } from '../store/step-message.ts';

export interface HistoryRequest {
  /** The commit that the run starts from. */
  readonly base: string;
  /** The commit of the run branch. */
  readonly tip: string;
  readonly commits: 'task' | 'step';
  readonly author: Author | undefined;
}

/** The end of one merged task in the published history. */
export interface PublishedCommit {
  readonly commit: string;
  /** The merge on the run branch. */
  readonly merge: RunCommit;
}

interface World {
  readonly git: Git;
  readonly objects: Objects;
  readonly merges: Merges;
}

/** The oldest first; merges that changed nothing are left out. */
export async function publishedHistory(
  world: World,
  { base, tip, commits, author }: HistoryRequest,
): Promise<readonly PublishedCommit[]> {
  const { git, objects } = world;
  const published: PublishedCommit[] = [];
  let [onto, before] = [base, base];
  const stepsOf = await stepsOfTasks(git, { base, tip });
  for (const merge of await runCommits(git, { base, tip })) {
    const tree = await objects.treeOf(merge.commit);
    const steps = stepsOf(merge);
    if (tree !== (await objects.treeOf(onto))) {
      const at = merge.at;
      if (commits === 'step') onto = await commitSteps(world, { merge, before, onto, author });
      const own = (commits === 'step' ? steps.slice(-1) : steps).map(ownMessagesIn);
      const message = withOwnMessages(merge.message, own);
      onto = await objects.commitTree({ tree, parents: [onto], message, at, author });
      published.push({ commit: onto, merge });
    }
    before = merge.commit;
  }
  return published;
}

/**
 * The messages of the steps of each task, oldest first; to be asked for in the order of merges. A task starts from the tip of
 * one that it needs, which is merged before it, so its own steps end where those of earlier merges begin.
 */
async function stepsOfTasks(
  git: Git,
  range: { readonly base: string; readonly tip: string },
): Promise<(merge: RunCommit) => readonly string[]> {
  const commits = new Map((await runCommits(git, { ...range, isWhole: true })).map((each) => [each.commit, each]));
  return ({ commit: merged, tip }) => {
    const messages: string[] = [];
    commits.delete(merged);
    for (let at = tip; at !== undefined;) {
      const step: RunCommit | undefined = commits.get(at);
      if (step === undefined) break;
      commits.delete(at);
      if (step.tip === undefined) messages.unshift(step.message);
      at = step.parent;
    }
    return messages;
  };
}

interface StepsRequest {
  readonly merge: RunCommit;
  /** The run branch before the merge. */
  readonly before: string;
  readonly onto: string;
  readonly author: Author | undefined;
}

/**
 * A commit for each step of a task but the last: the change of the step on top of the published history. A step that
 * cannot be told apart, because its change conflicts by itself or makes no difference, goes with the next.
 */
async function commitSteps({ git, objects, merges }: World, request: StepsRequest): Promise<string> {
  const { merge, before, author } = request;
  let { onto } = request;
  if (merge.tip === undefined) return onto;
  const steps = await runCommits(git, { base: before, tip: merge.tip });
  for (const [at, step] of steps.slice(0, -1).entries()) {
    const from = steps[at - 1]?.commit ?? step.parent;
    if (from === undefined || step.tip !== undefined) continue;
    const merged = await merges.mergeTrees({ base: from, ours: onto, theirs: step.commit, usesResolutions: false });
    if (merged.type !== 'merged' || merged.tree === (await objects.treeOf(onto))) continue;
    onto = await objects.commitTree({ tree: merged.tree, parents: [onto], message: step.message, at: step.at, author });
  }
  return onto;
}
