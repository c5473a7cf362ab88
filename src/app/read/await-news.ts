// Waits until a run has something worth telling: a question, a failure, a ceiling, a pause, its end, or no coordinator.
import { setTimeout } from 'node:timers/promises';
import { apply } from '../../core/engine/apply/apply.ts';
import { fold } from '../../core/engine/apply/fold.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import type { State } from '../../core/engine/state.ts';
import { followNotifications, type RunNotification } from '../../core/view/run/notification.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { eventsFrom } from '../fold-run.ts';
import type { OpenProject } from '../open-project.ts';
import { expectCoordinator } from '../run/expect-coordinator.ts';

export interface NewsRequest {
  readonly record: RunRecord;
  /** The position of the log up to which the caller knows the run; undefined is nothing of it. */
  readonly since: number | undefined;
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** Called now and then while nothing happens. */
  readonly onWaiting: (elapsedMs: number, state: State) => void;
}

export interface News {
  /** For the next call. */
  readonly position: number;
  readonly notifications: readonly RunNotification[];
  /** Paths of tasks that ended since, in order. */
  readonly done: readonly string[];
  readonly failed: readonly string[];
  readonly why: 'news' | 'ended' | 'no-coordinator' | 'nothing';
}

const LOOK_EVERY_MS = 200;
const TELL_EVERY_MS = 2_000;

export async function awaitNews(open: OpenProject, request: NewsRequest): Promise<News> {
  const { record, withinMs, signal, onWaiting } = request;
  const reader = readerOf(open, record);
  reader.skipTo(request.since ?? 0);
  const isCoordinated = expectCoordinator(open, record);
  const begunAt = performance.now();
  for (let toldAt = begunAt; ;) {
    // Before the log is read, so that the last events of a coordinator that ends are not missed.
    const isUp = isCoordinated();
    const found = reader.readOn();
    const why = whyNow(reader.state, found, isUp);
    const now = performance.now();
    if (why !== 'nothing' || now - begunAt >= withinMs || signal.aborted) return { ...found, why };
    if (now - toldAt >= TELL_EVERY_MS) {
      onWaiting(now - begunAt, reader.state);
      toldAt = now;
    }
    // An abort ends the sleep, and the loop after it.
    await setTimeout(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

type Found = Omit<News, 'why'>;

function whyNow({ run }: State, { notifications, failed }: Found, isUp: boolean): News['why'] {
  if (run.stage === 'ended') return 'ended';
  if (notifications.length > 0 || failed.length > 0) return 'news';
  return isUp ? 'nothing' : 'no-coordinator';
}

interface Reader {
  readonly state: State;
  /** Reads up to a position without reporting anything. */
  readonly skipTo: (position: number) => void;
  /** Everything since the position that was skipped to. */
  readonly readOn: () => Found;
}

function readerOf({ store }: OpenProject, { run, name }: RunRecord): Reader {
  const start = eventsFrom(store, run, 0, 1);
  const state = fold(start.events);
  const follow = followNotifications({ run, name, given: { inputs: state.run.inputs, env: {} } });
  follow(start.events, state);
  let { position } = start;
  const take = (
    max: number | undefined,
  ): { readonly events: readonly RunEvent[]; readonly found: readonly RunNotification[] } => {
    const read = eventsFrom(store, run, position, max);
    ({ position } = read);
    for (const event of read.events) apply(state, event);
    return { events: read.events, found: follow(read.events, state) };
  };
  const notifications: RunNotification[] = [];
  const done: string[] = [];
  const failed: string[] = [];
  return {
    state,
    skipTo: (known) => {
      if (known > position) take(known - position);
    },
    readOn: () => {
      const { events, found } = take(undefined);
      notifications.push(...found);
      done.push(...endedIn(state, events, 'done'));
      failed.push(...endedIn(state, events, 'failed'));
      return { position, notifications, done, failed };
    },
  };
}

/** A subplan ends with its tasks, which say enough. */
const endedIn = ({ compiled }: State, events: readonly RunEvent[], ending: 'done' | 'failed'): readonly string[] =>
  events.flatMap((event) => {
    if (event.type !== 'task.ended' || event.ending !== ending) return [];
    const index = compiled.indexOf.get(event.task);
    return index === undefined || compiled.tasks[index]?.task.type === 'subplan' ? [] : [event.task];
  });
