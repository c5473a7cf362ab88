// The output of a task's claims by range of bytes, so that output of any size opens at once.
//
// output-parts/O1. Only claims that the log has are read, so that no request names a path.
import { claimKey, type ClaimRef } from '../../core/protocol/assignment.ts';
import type { OutputsReply } from '../../core/protocol/web.ts';
import type { PartRange } from '../../shell/ports/artifacts.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { foldRun, taskOf } from '../fold-run.ts';
import { artifactsIn, wantOutput } from '../local-parts.ts';
import type { OpenProject } from '../open-project.ts';
import type { KeptAttempts } from './keep-attempts.ts';

/** Every claim of a task, in the order in which they were made, with the parts of its output. */
export function listOutputs(open: OpenProject, record: RunRecord, { task, kept }: OutputOfTask): OutputsReply {
  const attempts = kept.of(open, record, task);
  // Only then the log has to be folded: the task has not begun, or there is none of that name.
  if (attempts.length === 0) taskOf(foldRun(open.store, record), task);
  const artifacts = artifactsIn(open.project);
  const claims = attempts.map(({ claim, at }) => ({
    ...claim,
    at,
    parts: artifacts.parts({ run: record.run, claim, name: 'output' }),
  }));
  return { claims };
}

export interface OutputOfTask {
  readonly task: string;
  readonly kept: KeptAttempts;
}

interface WantedRange {
  readonly claim: ClaimRef;
  readonly range: PartRange;
  readonly kept: KeptAttempts;
}

/** Undefined when the log has no such claim. */
export function readRange(
  open: OpenProject,
  record: RunRecord,
  { claim, range, kept }: WantedRange,
): Uint8Array | undefined {
  const isInLog = kept
    .of(open, record, claim.task)
    .some((attempt) => claimKey(attempt.claim) === claimKey(claim) && attempt.claim.work === claim.work);
  if (isInLog) wantOutput(open.project, record.run, claim);
  return isInLog ? artifactsIn(open.project).read({ run: record.run, claim, name: 'output' }, range) : undefined;
}
