// The history of durations in earlier runs of a project, for estimates of a plan.
import { existsSync } from 'node:fs';
import type { Compiled } from '../core/compile/compiled.ts';
import { NO_HISTORY, type History } from '../core/simulate/estimate.ts';
import type { RunEvent, RunStarted } from '../core/engine/event.ts';
import { prioritiesIn, type Priorities } from '../core/engine/order.ts';
import { HISTORY_TASKS_MAX } from '../core/simulate/eta.ts';
import { historyOf } from '../core/simulate/history.ts';
import { followWork, pastWorkOf, type PastWork } from '../core/simulate/past-work.ts';
import { trackRecord, type TrackRecord } from '../core/simulate/track-record.ts';
import { prepare } from '../core/simulate/prepare-run.ts';
import type { RunRecord } from '../shell/ports/log.ts';
import type { Store } from '../shell/ports/store.ts';
import type { Project } from './project.ts';

/** Only the latest runs count; the project has changed since older ones. */
const RUNS_MAX = 10;

/** The latest runs of a plan, the latest last; only runs before `run`, where one is given. */
function earlierRuns(store: Store, plan: string, run?: string): readonly RunRecord[] {
  const named = store.runs().filter(({ name, purpose }) => name === plan && purpose === undefined);
  const end = run === undefined ? named.length : named.findIndex((each) => each.run === run);
  return named.slice(Math.max(0, end - RUNS_MAX), end);
}

/** The work of these runs. */
export const earlierWork = (store: Store, plan: string, run?: string): readonly PastWork[] =>
  earlierRuns(store, plan, run).map((each) => workOf(store, each));

/** Events that are held at once, however long the log. */
const PAGE_EVENTS = 512;

function workOf(store: Store, { run }: RunRecord): PastWork {
  const { add, work } = followWork();
  for (let from = 0; ;) {
    const { events, position } = store.eventsFrom(run, from, PAGE_EVENTS);
    for (const event of events) add(event);
    if (events.length < PAGE_EVENTS) return work;
    from = position;
  }
}

/** Of the runs before `run`, where one is given. */
export function historyFrom(store: Store, compiled: Compiled, run?: string): History {
  if (compiled.tasks.length > HISTORY_TASKS_MAX) return NO_HISTORY;
  return historyOf(compiled, earlierWork(store, compiled.plan.name, run));
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
  const { store } = opened;
  const logs = earlierRuns(store, compiled.plan.name).map(
    ({ run }): readonly RunEvent[] => store.eventsFrom(run, 0).events,
  );
  store.close();
  return { history: historyOf(compiled, logs.map(pastWorkOf)), record: trackRecord(logs) };
}
