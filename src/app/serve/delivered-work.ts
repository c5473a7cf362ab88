// The commits of outcomes that hosts report, looked for before an outcome counts (P2).
//
// delivered-work/W1. What a host says of a commit is not believed: an outcome whose commit is not at the checkpoint of its
//     claim is one whose work could not be saved.
import type { HostRun } from '../../core/protocol/host-message.ts';
import type { Result } from '../../core/protocol/result.ts';
import { transferFailureText } from '../../core/protocol/transfer-failure.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import type { Repository } from '../../shell/git/repository.ts';
import { REFS } from '../../shell/git/store/ref-names.ts';

export type DeliveredWork = (runs: readonly HostRun[]) => Promise<readonly HostRun[]>;

/** The repository is opened with the first commit. */
export const deliveredWork =
  (repository: () => Promise<Pick<Repository, 'read'>>): DeliveredWork =>
  async (runs) =>
    await Promise.all(
      runs.map(async (each) => ({
        ...each,
        done: await Promise.all(each.done.map((outcome) => checked(repository, each.run, outcome))),
      })),
    );

async function checked(
  repository: () => Promise<Pick<Repository, 'read'>>,
  run: string,
  outcome: WorkOutcome,
): Promise<WorkOutcome> {
  const commit = 'result' in outcome ? outcome.result?.commit : undefined;
  if (commit === undefined) return outcome;
  const { task, step = '', attempt } = outcome;
  const at = await (await repository()).read(REFS.checkpoint(run, { task, step, attempt }));
  return at === commit ? outcome : unsaved(outcome, commit);
}

function unsaved(outcome: WorkOutcome, commit: string): WorkOutcome {
  const { work, task, step, attempt, spend, isPartial, conversation } = outcome;
  const response = transferFailureText({ code: 'not-delivered', commit });
  const result: Result = { ok: false, response, output: undefined, exitCode: undefined, commit: undefined };
  const ofClaim = { work, task, step, attempt, spend, isPartial, conversation };
  return { type: 'failed', ...ofClaim, reason: 'unsaved', isFinal: false, result };
}
