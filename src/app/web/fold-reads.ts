// What a server reads from whole logs. To fold the log of a large run takes a second of a processor and much memory for a
// moment, so none of it is done in the thread that serves tabs.
import type { Eta } from '../../core/simulate/eta.ts';
import type { Forecast } from '../../core/simulate/forecast.ts';
import { writeHtml } from '../../core/view/document/write-html.ts';
import type { RunMetrics } from '../../core/view/trace/run-metrics.ts';
import { chooseRun, hasCoordinator, type OpenProject, type RunRecord } from '../open-project.ts';
import { readReport } from '../read/read-report.ts';
import {
  etaNow,
  explain,
  isTooLarge,
  readForecast,
  readStatus,
  type ExplainedTask,
  type RunStatus,
} from '../read/read-status.ts';
import { readStatusAt } from '../read/status-at.ts';
import { readTurns, type TurnLine } from '../read/turns-of.ts';
import { Refused } from '../refused.ts';
import { keepRuns, type KeptRuns } from './kept-runs.ts';
import { keepMetrics } from './metrics-of-runs.ts';
import { keepSummaries, type RunSummary } from './run-summaries.ts';

interface OfRun {
  readonly run: string;
}
interface OfTask extends OfRun {
  readonly task: string;
}

/** What each reading is told. */
export interface FoldArgs {
  /** Summaries that are known already, so that nothing is folded twice. */
  readonly summaries: { readonly known: readonly RunSummary[] };
  /** The name of the project. */
  readonly metrics: { readonly name: string };
  readonly eta: OfRun;
  readonly forecast: OfRun;
  /** At a position, else as it is. */
  readonly status: OfRun & { readonly at: number | undefined };
  readonly explain: OfTask;
  readonly turns: OfTask;
  readonly report: OfRun;
}

/** What each reading returns. */
export interface FoldAnswers {
  readonly summaries: readonly RunSummary[];
  readonly metrics: readonly RunMetrics[];
  readonly eta: Eta | undefined;
  readonly forecast: Forecast;
  readonly status: RunStatus;
  readonly explain: ExplainedTask;
  readonly turns: readonly TurnLine[];
  /** A page of HTML. */
  readonly report: string;
}

export type FoldName = keyof FoldArgs;

/** Throws `Refused`. */
export type AskFolds = <Name extends FoldName>(name: Name, args: FoldArgs[Name]) => Promise<FoldAnswers[Name]>;

export type FoldReads = {
  readonly [Name in FoldName]: (
    open: OpenProject,
    args: FoldArgs[Name],
  ) => FoldAnswers[Name] | Promise<FoldAnswers[Name]>;
};

/** The readings of one project. What they keep of its runs is kept between calls. */
export function openFoldReads(): FoldReads {
  const runs = keepRuns();
  const summarize = keepSummaries(runs);
  const measure = keepMetrics();
  return {
    summaries: (open, { known }) => summarize(open, known),
    metrics: (open, { name }) => measure(open, name),
    eta: (open, { run }) => readEta(open, chooseRun(open.store, run), runs),
    forecast: (open, { run }) => readForecast(open, chooseRun(open.store, run)),
    status: (open, { run, at }) => {
      const record = chooseRun(open.store, run);
      return at === undefined ? readStatus(open, record) : readStatusAt(open, record, at);
    },
    explain: (open, { run, task }) => explain(open, chooseRun(open.store, run), task),
    turns: (open, { run, task }) => readTurns(open, chooseRun(open.store, run), task),
    report: async (open, { run }) => {
      const { report, compiled } = await readReport(open, chooseRun(open.store, run));
      return writeHtml(compiled, report);
    },
  };
}

/** Undefined of a run that has ended, or is too large to simulate. */
function readEta(open: OpenProject, record: RunRecord, runs: KeptRuns): Eta | undefined {
  if (!runs.has(record.run) && isTooLarge(open, record)) return undefined;
  const { folded, failure } = runs.read(open, record.run);
  if (!hasCoordinator(open, record)) runs.drop(record.run);
  if (failure !== undefined) throw new Refused({ code: 'store', failure });
  return folded && etaNow(open, record, folded);
}
