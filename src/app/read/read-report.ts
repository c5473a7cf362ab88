// The report of a run, from its log and its workers' files, without the secrets of this environment.
import type { Compiled } from '../../core/compile/compiled.ts';
import { redacted } from '../../core/view/report/redacted.ts';
import { reportOf, type Report } from '../../core/view/report/report.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { foldRun } from '../fold-run.ts';
import { stepEnvironment } from '../local-parts.ts';
import type { OpenProject } from '../open-project.ts';
import { secretsIn } from '../report-parts.ts';
import { keptOf } from './kept-of.ts';

export interface ReadReport {
  readonly report: Report;
  /** The current plan. */
  readonly compiled: Compiled;
}

export async function readReport(open: OpenProject, record: RunRecord): Promise<ReadReport> {
  const folded = foldRun(open.store, record);
  const { compiled, state, events } = folded;
  const { run, file } = record;
  const given = { inputs: state.run.inputs, env: {} };
  const kept = await keptOf(open, folded);
  const report = reportOf({ run, file, compiled, state, events, given, kept });
  return { compiled, report: redacted(report, secretsIn(stepEnvironment())) };
}
