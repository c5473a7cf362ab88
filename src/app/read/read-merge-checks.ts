// What the latest check of each merge printed, by task.
import type { MergeChecksReply } from '../../core/protocol/web.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { foldRun, taskOf } from '../fold-run.ts';
import type { OpenProject } from '../open-project.ts';
import { mergeOutputs } from './merge-outputs.ts';

/** Of one task, or of all. */
export async function readMergeChecks(
  open: OpenProject,
  record: RunRecord,
  task: string | undefined,
): Promise<MergeChecksReply> {
  const folded = foldRun(open.store, record);
  const paths = task === undefined ? [...folded.compiled.indexOf.keys()] : [taskOf(folded, task).task.path];
  const outputs = await mergeOutputs(open.project, record.run, paths);
  return { checks: [...outputs].map(([path, output]) => ({ task: path, output })) };
}
