// Reports for tests, from a short description of a run.
import type { Run } from '../../engine/run.given.ts';
import type { KeptForReport } from './kept.ts';
import { reportOf, type Report } from './run-report.ts';

const NOTHING_KEPT: KeptForReport = {
  outputs: new Map(),
  turns: new Map(),
  git: undefined,
  gitSays: undefined,
  owners: undefined,
};

export const reported = (run: Run, kept: Partial<KeptForReport> = {}): Report =>
  reportOf({
    run: 'given-1',
    file: 'given.yaml',
    compiled: run.compiled,
    state: run.state(),
    events: run.log,
    given: { inputs: {}, env: {} },
    kept: { ...NOTHING_KEPT, ...kept },
  });
