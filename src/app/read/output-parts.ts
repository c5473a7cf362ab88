// The output of a task's claims by range of bytes, so that output of any size opens at once.
//
// output-parts/O1. Only claims that the log has are read, so that no request names a path.
import { claimKey, type ClaimRef } from '../../core/protocol/assignment.ts';
import type { OutputsReply } from '../../core/protocol/web.ts';
import type { PartRange } from '../../shell/ports/artifacts.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { eventsFrom, foldRun, taskOf } from '../fold-run.ts';
import { artifactsIn } from '../local-parts.ts';
import type { OpenProject } from '../open-project.ts';
import { attemptsOf } from './read-output.ts';

/** Every claim of a task, in the order in which they were made, with the parts of its output. */
export function listOutputs(open: OpenProject, record: RunRecord, task: string): OutputsReply {
  const folded = foldRun(open.store, record);
  taskOf(folded, task);
  const artifacts = artifactsIn(open.project);
  const claims = attemptsOf(folded.events, task).map(({ claim, at }) => ({
    ...claim,
    at,
    parts: artifacts.parts({ run: record.run, claim, name: 'output' }),
  }));
  return { claims };
}

/** More claims than this are looked up in the log again. */
const KNOWN_MAX = 10_000;

export type OutputRanges = (
  open: OpenProject,
  record: RunRecord,
  wanted: { readonly claim: ClaimRef; readonly range: PartRange },
) => Uint8Array | undefined;

/** Reads ranges of claims' output, and remembers which claims the log has: a tab asks again and again for the same. */
export function keepOutputRanges(): OutputRanges {
  const known = new Set<string>();
  return (open, { run }, { claim, range }) => {
    const key = `${open.project.home} ${run} ${claim.work} ${claimKey(claim)}`;
    if (!known.has(key) && !isInLog(open, run, claim)) return undefined;
    if (known.size >= KNOWN_MAX) known.clear();
    known.add(key);
    return artifactsIn(open.project).read({ run, claim, name: 'output' }, range);
  };
}

const isInLog = ({ store }: OpenProject, run: string, claim: ClaimRef): boolean =>
  attemptsOf(eventsFrom(store, run, 0).events, claim.task).some(
    (attempt) => claimKey(attempt.claim) === claimKey(claim) && attempt.claim.work === claim.work,
  );
