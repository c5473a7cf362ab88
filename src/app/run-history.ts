// The history of durations in earlier runs of a project, for estimates of a plan.
import { existsSync } from 'node:fs';
import type { Compiled } from '../core/compile/compiled.ts';
import { NO_HISTORY, type History } from '../core/simulate/estimate.ts';
import type { RunEvent, RunStarted } from '../core/engine/event.ts';
import { prioritiesIn, type Priorities } from '../core/engine/order.ts';
import { HISTORY_TASKS_MAX } from '../core/simulate/eta.ts';
import { historyOf } from '../core/simulate/history.ts';
import { trackRecord, type TrackRecord } from '../core/simulate/track-record.ts';
import { prepare } from '../core/simulate/prepare-run.ts';
import type { Store } from '../shell/ports/store.ts';
import type { Project } from './project.ts';

/** Only the latest runs count; the project has changed since older ones. */
const RUNS_MAX = 10;

/** The logs of the latest runs of a plan, the latest last; only runs before `run`, where one is given. */
export function earlierRuns(store: Store, plan: string, run?: string): readonly (readonly RunEvent[])[] {
  const named = store.runs().filter(({ name, purpose }) => name === plan && purpose === undefined);
  const end = run === undefined ? named.length : named.findIndex((each) => each.run === run);
  return named.slice(Math.max(0, end - RUNS_MAX), end).map((each) => store.eventsFrom(each.run, 0).events);
}

/** Of the runs before `run`, where one is given. */
export function historyFrom(store: Store, compiled: Compiled, run?: string): History {
  if (compiled.tasks.length > HISTORY_TASKS_MAX) return NO_HISTORY;
  return historyOf(compiled, earlierRuns(store, compiled.plan.name, run));
}

/** The priorities of a plan's steps, from the run's first event or an amendment. */
export function prioritiesFor(store: Store, compiled: Compiled, how: Pick<RunStarted, 'policy' | 'seed'>): Priorities {
  if (how.policy === 'serial') return { tasks: [], holds: [] };
  const { order } = prepare(compiled, { history: historyFrom(store, compiled), seed: how.seed });
  return prioritiesIn(compiled, order);
}

/** The history of earlier runs, and how often the forecast's range would have held for them. */
export interface ProjectHistory {
  readonly history: History;
  readonly record: TrackRecord;
}

const NO_PROJECT_HISTORY: ProjectHistory = { history: NO_HISTORY, record: { held: 0, of: 0 } };

/** For commands that need no store: a missing or unreadable store gives an empty history. */
export async function historyHere(compiled: Compiled, project: Project): Promise<ProjectHistory> {
  if (!existsSync(project.home) || compiled.tasks.length > HISTORY_TASKS_MAX) return NO_PROJECT_HISTORY;
  // Most plans are checked where nothing has run yet, and the shell takes time to load.
  const opened = (await import('./local-parts.ts')).openProjectStore(project, 'read');
  if (opened.type !== 'opened') return NO_PROJECT_HISTORY;
  const histories = earlierRuns(opened.store, compiled.plan.name);
  opened.store.close();
  return { history: historyOf(compiled, histories), record: trackRecord(histories) };
}
