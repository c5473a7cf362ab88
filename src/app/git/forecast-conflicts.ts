// Forecasts which tasks of a run would conflict if they were merged now; running tasks count by their last checkpoint.
import { factsOf } from '../../core/engine/facts.ts';
import type { RunInGit } from './open-run.ts';
import type { ForecastPair, Overlap } from '../../shell/git/merge/merge-forecast.ts';

export interface ConflictForecast {
  /** Tasks whose work was compared. */
  readonly tasks: readonly ForecastTask[];
  /** Tasks that have committed nothing yet, of which nothing can be known. */
  readonly unknown: readonly string[];
  readonly conflicts: readonly ForecastPair[];
  /** Pairs that touch the same files and fit. */
  readonly overlaps: readonly Overlap[];
  /** Pairs that touch the same files and were not tried, because there are too many. */
  readonly untried: readonly Overlap[];
}

export interface ForecastTask {
  readonly task: string;
  readonly isMerged: boolean;
  readonly tip: string;
}

export async function forecastConflicts({ folded, base, integration }: RunInGit): Promise<ConflictForecast> {
  const { state, compiled } = folded;
  const works = compiled.tasks
    .filter(({ task }) => task.type === 'work')
    .map(({ task, index }) => ({ task: task.path, facts: factsOf(state, index) }));
  // A task that ended without a merge is not merged later, unless a person retries it.
  const alive = works.filter(({ facts }) => facts.ended === undefined || facts.ended.ending === 'done');
  const tasks = alive.flatMap(({ task, facts }) =>
    facts.tip === undefined || facts.tip === base
      ? []
      : [{ task, isMerged: facts.ended !== undefined, tip: facts.tip }],
  );
  const branches = tasks.map(({ task, tip }) => ({ name: task, tip }));
  const forecast = await integration.repository.forecast(base, branches);
  const merged = new Set(tasks.filter(({ isMerged }) => isMerged).map(({ task }) => task));
  const isOpen = ({ one, other }: Overlap): boolean => !(merged.has(one) && merged.has(other));
  return {
    tasks,
    unknown: alive.filter(({ facts }) => facts.ended === undefined && facts.tip === undefined).map(({ task }) => task),
    conflicts: forecast.conflicts.filter(isOpen),
    overlaps: forecast.overlaps.filter(isOpen),
    untried: forecast.untried.filter(isOpen),
  };
}
