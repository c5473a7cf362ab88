// Removes the refs of a run that is over from a host.
//
// forget-run/F1. A ref stays while it reaches a commit that the other side was never seen to have (P4).
import { gitAt, type Git } from '../run/git.ts';
import type { Repository } from '../repository.ts';
import { REFS } from '../store/ref-names.ts';
import { DURABLE, listRefs, type Ref } from '../store/refs.ts';

export async function forgetRun({ gitDir, user }: Repository, run: string): Promise<void> {
  const project = gitAt(user.gitDir);
  const ours = gitAt(gitDir);
  const there = await listRefs(project, [REFS.broughts(run)]);
  const below = [`refs/heddle/${run}`, REFS.runBranch(run)];
  await removeKnown(ours, await listRefs(ours, below), there);
  await removeKnown(project, await listRefs(project, below), there);
}

async function removeKnown(git: Git, refs: readonly Ref[], there: readonly Ref[]): Promise<void> {
  const [known, asked] = [there, refs].map((each) => [...new Set(each.map(({ commit }) => commit))]);
  if (asked === undefined || asked.length === 0) return;
  const input = [...asked, ...(known ?? []).map((commit) => `^${commit}`), ''].join('\n');
  // Of commits alone: a commit is on the other side with all that it reaches.
  const listed = await git.line(['rev-list', '--ignore-missing', '--stdin'], { input });
  const unknown = new Set(listed.split('\n'));
  const gone = refs.filter(({ commit }) => !unknown.has(commit));
  const lines = gone.map(({ ref, commit }) => `delete ${ref} ${commit}\n`);
  if (lines.length > 0) await git.must(['update-ref', '--stdin'], { input: lines.join(''), settings: DURABLE });
}
