// The commits that a landing brings: the whole run, or one task with its needs, on top of earlier landings.
//
// what-to-land/W1. A landing starts with all earlier landings of the run, so that parts of a run land one after the
//     other and no commit lands twice.
// what-to-land/W2. `isChecked` only when exactly this tree was checked on the run branch (P6).
import type { CompiledTask } from '../../core/compile/compiled.ts';
import { factsOf, taskAt } from '../../core/engine/facts.ts';
import type { State } from '../../core/engine/state.ts';
import { taskIn } from '../../shell/merge/merge-history.ts';
import { taskOf } from '../fold-run.ts';
import { publishedOf } from '../git-parts.ts';
import { Refused } from '../refused.ts';
import type { RunInGit } from './open-run.ts';
import { REFS } from '../../shell/git/store/ref-names.ts';

export interface LandedPart {
  /** The commits to land, one at the end of each task's work; the target must contain the last one. */
  readonly commits: readonly { readonly task: string; readonly commit: string }[];
  readonly isChecked: boolean;
}

type Merge = Awaited<ReturnType<RunInGit['integration']['repository']['history']>>[number]['merge'] & {
  readonly task: string;
  readonly merged: string;
};

export async function whatToLand(inGit: RunInGit, target: string, path: string | undefined): Promise<LandedPart> {
  const { folded, integration } = inGit;
  const { repository } = integration;
  const tip = await repository.read(REFS.runBranch(folded.record.run));
  const merges = tip === undefined ? [] : await mergesTo(inGit, tip);
  const wanted = path === undefined ? merges : await builtOn(inGit, merges, path);
  const at = await repository.baseOf(`refs/heads/${target}`);
  const landed = at === undefined ? [] : await landedBefore(inGit, { merges, at });
  const after = landed.at(-1);
  if (after !== undefined && at !== undefined) {
    const part = await arrange(inGit, [...landed, ...wanted.filter((merge) => !landed.includes(merge))]);
    const last = part.commits.find(({ task }) => task === after.task);
    if (last !== undefined && (await repository.isAncestor(last.commit, at))) return part;
  }
  return wanted.length === 0 ? { commits: [], isChecked: true } : arrange(inGit, wanted);
}

async function mergesTo({ base, integration }: RunInGit, tip: string): Promise<readonly Merge[]> {
  const history = await integration.repository.history({ base, tip, commits: 'task', author: undefined });
  return history.map(({ merge }) => ({
    ...merge,
    task: taskIn(merge.message) ?? '',
    merged: merge.tip ?? merge.commit,
  }));
}

/** A merge belongs to a task when the task's own commits contain it. */
async function builtOn(
  { folded, integration }: RunInGit,
  merges: readonly Merge[],
  path: string,
): Promise<readonly Merge[]> {
  const { state, record } = folded;
  const works = worksIn(state, taskOf(folded, path));
  const undone = works.find(({ index }) => factsOf(state, index).ended?.ending !== 'done');
  if (undone !== undefined) throw new Refused({ code: 'task-undone', run: record.run, task: undone.task.path });
  const tips = works.flatMap(({ index }) => factsOf(state, index).tip ?? []);
  const found = new Set<Merge>();
  for (const tip of tips)
    for (const merge of merges)
      if (!found.has(merge) && (await integration.repository.isAncestor(merge.merged, tip))) found.add(merge);
  return merges.filter((merge) => found.has(merge));
}

/** The tasks with commits: the task itself, or the tasks of a subplan. */
function worksIn(state: State, task: CompiledTask): readonly CompiledTask[] {
  if (task.task.type === 'work') return [task];
  if (task.children.length > 0) return task.children.flatMap((index) => worksIn(state, taskAt(state, index)));
  throw new Refused({ code: 'makes-no-commits', task: task.task.path, type: task.task.type });
}

interface Landed {
  readonly merges: readonly Merge[];
  /** The commit on the target. */
  readonly at: string;
}

/** Found by the last line of the commit messages on the target, oldest first. */
async function landedBefore({ base, integration }: RunInGit, { merges, at }: Landed): Promise<readonly Merge[]> {
  const names = (await integration.repository.commitsAfter(base, at)).flatMap(({ message }) => taskIn(message) ?? []);
  return [...new Set(names)].flatMap((name) => merges.find(({ task }) => task === name) ?? []);
}

/** The published history of some merges in this order; a prefix of the run branch is taken unchanged. */
async function arrange(inGit: RunInGit, merges: readonly Merge[]): Promise<LandedPart> {
  const { folded, base, integration } = inGit;
  const { repository } = integration;
  const { take } = folded.compiled.plan.settings.merge;
  let tip = base;
  for (const { merged, message, at, task } of merges) {
    const outcome = await repository.mergeOnto({ onto: tip, tip: merged, message, at, usesResolutions: true, take });
    if (outcome.type === 'failed') throw new Refused({ code: 'git', failure: outcome.failure });
    if (outcome.type === 'conflict')
      throw new Refused({ code: 'part-conflicts', task, paths: outcome.paths.map(({ path }) => path) });
    if (outcome.type === 'merged') tip = outcome.commit;
  }
  const trees = await Promise.all(merges.map(({ commit }) => repository.treeOf(commit)));
  return {
    commits: await publishedOf(integration, folded.state, { base, tip }),
    isChecked: trees.includes(await repository.treeOf(tip)),
  };
}

export interface WhatLands {
  /** Tasks that are done: checked, and on the run branch. So are their needs, because needs end first. */
  readonly done: readonly string[];
  /** Tasks whose expected work is missing. */
  readonly undone: readonly string[];
  /** The run has ended, and no work is missing. */
  readonly isWhole: boolean;
}

export function whatLands({ compiled, tasks, run }: State): WhatLands {
  const working = compiled.tasks.filter(({ task }) => task.type === 'work');
  const endings = working.map(({ task, index }) => ({ path: task.path, ended: tasks[index]?.ended }));
  const done = endings.filter(({ ended }) => ended?.ending === 'done').map(({ path }) => path);
  // Skipped tasks and losers of a race owe no work.
  const undone = endings
    .filter(({ ended }) => !(ended?.ending === 'done' || ended?.ending === 'skipped' || ended?.reason === 'race'))
    .map(({ path }) => path);
  return { done, undone, isWhole: run.stage === 'ended' && undone.length === 0 };
}

/** Refuses an incomplete run. */
export function mustBeWhole({ folded }: RunInGit): void {
  const { done, undone, isWhole } = whatLands(folded.state);
  if (isWhole) return;
  const { run } = folded.record;
  const hasEnded = folded.state.run.stage === 'ended';
  throw new Refused({ code: 'not-whole', run, hasEnded, done: done.length, total: done.length + undone.length });
}
