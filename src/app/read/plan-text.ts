// The plan that a run follows, as text that can be changed and given to `amend`.
import { printPlan } from '../../core/plan/print/print.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { foldRun } from '../fold-run.ts';
import type { OpenProject } from '../open-project.ts';

/** As it was written while the run was never amended; a plan that was amended is in the log without its text. */
export function readPlanText({ store }: OpenProject, record: RunRecord): string {
  const { compiled, started } = foldRun(store, record);
  return compiled === started ? record.source : printPlan(compiled.plan);
}
