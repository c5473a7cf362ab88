// The numbers of the runs of a project, kept up to date by the events that were appended since.
//
// metrics-of-runs/R1. A run is among them while its coordinator lives and for a while after, so that the last values are
//     read; old runs would only make the list long.
import { apply } from '../../core/engine/apply/apply.ts';
import { stateAfterStart, startOf } from '../../core/engine/apply/fold.ts';
import type { State } from '../../core/engine/state.ts';
import { followMetrics, gaugesOf, type MetricsFollower, type RunMetrics } from '../../core/view/trace/run-metrics.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { CLOCK } from '../local-parts.ts';
import { hasCoordinator, type OpenProject } from '../open-project.ts';

interface Known {
  readonly state: State;
  readonly follower: MetricsFollower;
  position: number;
}

/** How long a run is shown after its last event. */
const SHOWN_AFTER_MS = 15 * 60_000;
const RUNS_MAX = 100;
const PAGE_EVENTS = 4_096;

export type MetricsOfRuns = (open: OpenProject, project: string) => readonly RunMetrics[];

export function keepMetrics(): MetricsOfRuns {
  const known = new Map<string, Known>();
  return (open, project) => {
    const shown = open.store
      .runs()
      .map((record) => ({ record, isUp: hasCoordinator(open, record) }))
      .filter(({ record, isUp }) => isUp || isRecent(open, record))
      .slice(-RUNS_MAX);
    const names = new Set(shown.map(({ record }) => record.run));
    for (const run of known.keys()) if (!names.has(run)) known.delete(run);
    return shown.flatMap(({ record: { run, name: plan }, isUp }) => {
      const counted = upToDate(open, run, known.get(run));
      if (counted === undefined) return [];
      known.set(run, counted);
      const { claims, waits, durations } = counted.follower;
      return [{ project, run, plan, isUp, claims, waits, durations, ...gaugesOf(counted.state) }];
    });
  };
}

/** Its log is not folded to find out. */
function isRecent({ store }: OpenProject, { run, createdAt }: RunRecord): boolean {
  const end = store.endOf(run);
  const last = store.eventsFrom(run, Math.max(0, end - 1), 1).events[0]?.at ?? createdAt;
  return CLOCK.now() - last < SHOWN_AFTER_MS;
}

/** Undefined when not one event can be read. A log that is damaged further on shows what it has. */
function upToDate({ store }: OpenProject, run: string, before: Known | undefined): Known | undefined {
  let known = before !== undefined && before.position <= store.endOf(run) ? before : undefined;
  for (;;) {
    const { events, position } = store.eventsFrom(run, known?.position ?? 0, PAGE_EVENTS);
    if (events.length === 0) return known;
    const rest = known === undefined ? events.slice(1) : events;
    known ??= { state: stateAfterStart(startOf(events)), follower: followMetrics(), position: 0 };
    for (const event of rest) {
      apply(known.state, event);
      known.follower.add(event);
    }
    known.position = position;
  }
}
