// What is on a run branch, task by task: each merge is a commit on which all checks passed.
import { historyIn } from '../../../shell/merge/history.ts';
import type { Ground } from '../open-run.ts';

export interface Cut {
  readonly commit: string;
  readonly task: string;
}

/** The oldest first; the last is all that is there. */
export async function cutsOf(
  { repository }: Ground,
  { base, tip }: { readonly base: string; readonly tip: string },
): Promise<readonly Cut[]> {
  return (await historyIn(repository).at(tip, base)).map(({ commit, task }) => ({ commit, task }));
}
