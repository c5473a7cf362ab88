// Which prefixes of the merge queue are under check. It is asked for again and again, so no log is folded for it.
import type { MergePrefixesReply } from '../../core/protocol/web.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { prefixesOf } from '../git-parts.ts';
import type { OpenProject } from '../open-project.ts';
import { runningChecks } from './merge-outputs.ts';

export async function readMergePrefixes(
  { project: { home, root } }: OpenProject,
  { run }: Pick<RunRecord, 'run'>,
): Promise<MergePrefixesReply> {
  const checks = runningChecks({ home }, run);
  if (checks.length === 0) return { prefixes: [] };
  const commits = checks.map(({ commit }) => commit);
  const tasksOf = await prefixesOf({ home, project: root, run }, commits);
  const prefixes = checks.flatMap(({ commit, startedAt }) => {
    const tasks = tasksOf.get(commit) ?? [];
    return tasks.length === 0 ? [] : [{ tasks, startedAt }];
  });
  return { prefixes: prefixes.toSorted((one, other) => one.tasks.length - other.tasks.length) };
}
