// The history of durations in earlier runs of a project, for estimates of a plan.
import { existsSync } from 'node:fs';
import type { Compiled } from '../core/compile/compiled.ts';
import { NOTHING_LEARNT, type Learnt } from '../core/simulate/estimate.ts';
import type { RunStarted } from '../core/engine/event.ts';
import { prioritiesIn, type Priorities } from '../core/engine/order.ts';
import { learn } from '../core/simulate/learn.ts';
import { prepare } from '../core/simulate/prepare.ts';
import type { Store } from '../shell/ports/store.ts';
import type { Project } from './project.ts';

/** The latest runs count; what was long ago was another program. */
const RUNS_MAX = 5;
/** Beyond this, reading what was would take longer than it could save. */
const TASKS_MAX = 2_000;

export function historyFrom(store: Store, compiled: Compiled): Learnt {
  if (compiled.tasks.length > TASKS_MAX) return NOTHING_LEARNT;
  const earlier = store.runs().filter(({ name }) => name === compiled.plan.name);
  return learn(
    compiled,
    earlier.slice(-RUNS_MAX).map(({ run }) => store.eventsFrom(run, 0).events),
  );
}

/** In which order the steps of a plan are claimed, as the run's first event or an amendment says it. */
export function prioritiesFor(store: Store, compiled: Compiled, how: Pick<RunStarted, 'policy' | 'seed'>): Priorities {
  if (how.policy === 'serial') return { tasks: [], holds: [] };
  const { order } = prepare(compiled, { learnt: historyFrom(store, compiled), seed: how.seed });
  return prioritiesIn(compiled, order);
}

/** For commands that need no store: where there is none, or it cannot be read, nothing is learnt. */
export async function historyHere(compiled: Compiled, project: Project): Promise<Learnt> {
  if (!existsSync(project.home)) return NOTHING_LEARNT;
  // Most plans are checked where nothing has run yet, and the shell takes time to load.
  const opened = (await import('./local-parts.ts')).openProjectStore(project, 'read');
  if (opened.type !== 'opened') return NOTHING_LEARNT;
  const learnt = historyFrom(opened.store, compiled);
  opened.store.close();
  return learnt;
}
