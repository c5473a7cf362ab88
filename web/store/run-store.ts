// One run as the page shows it: its log, the position that is looked at, and what the server says besides.
//
// run-store/V1. A view is a value: it stays as it is until the next one replaces it. Views are made at most once a frame,
//     however many events arrive.
// run-store/V2. At the end of the log the view follows the run; at any other position it shows the run as it stood there.
import { eventIn } from '../../src/core/engine/events/event-format.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import type { State } from '../../src/core/engine/state.ts';
import type { ClaimRef } from '../../src/core/protocol/assignment.ts';
import type { Spend } from '../../src/core/protocol/result.ts';
import type { DamageCode, LiveSpend, StreamLine } from '../../src/core/protocol/web.ts';
import { statusOf, type Status } from '../../src/core/view/run/run-status.ts';
import { webErrorText } from '../../src/core/view/text/web-error-text.ts';
import { openRunLog, type RunLog } from '../model/run-log.ts';

export interface RunRef {
  readonly project: string;
  readonly run: string;
}

export interface RunView extends RunRef {
  /** The whole log as far as it is known; it grows in place. */
  readonly events: readonly RunEvent[];
  /** How many events there are. */
  readonly length: number;
  /** How many of them the state is made of. */
  readonly position: number;
  readonly isLive: boolean;
  /** A position past the end, which is waited for. */
  readonly awaited: number | undefined;
  /** Now, or the time of the event that is looked at. */
  readonly now: number;
  /** Valid until the next view: read from it, keep nothing of it. */
  readonly state: State;
  readonly status: Status;
  readonly isUp: boolean;
  readonly damage: LogDamage | undefined;
  /** The state at another position, valid until the next glance. */
  readonly glanceAt: (position: number) => State | undefined;
}

/** Charts end here: without a coordinator nothing goes on, however long ago that was. */
export const chartedUntil = ({ isLive, isUp, now, state }: RunView): number => (isLive && !isUp ? state.run.now : now);

export interface LogDamage {
  readonly position: number;
  readonly code: DamageCode | 'unreadable';
  readonly message: string | undefined;
}

/** How far the page is. */
export type RunLoad =
  | { readonly type: 'loading'; readonly events: number }
  | { readonly type: 'ready'; readonly view: RunView }
  /** Not one event can be read. */
  | { readonly type: 'unreadable'; readonly damage: LogDamage };

export interface RunStore {
  readonly take: (line: StreamLine) => void;
  /** The position after the last event that was seen. */
  readonly end: () => number;
  readonly current: () => RunLoad;
  /** Undefined follows the run. */
  readonly seek: (position: number | undefined) => void;
  /** Time has passed. */
  readonly tick: () => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** When something is shown next: the next frame, in a browser. */
export type ShowNext = (work: () => void) => void;

/** What the store holds; only this file changes it. */
interface Held {
  readonly log: RunLog;
  /** The position after the last event that was seen. */
  seen: number;
  isCaughtUp: boolean;
  isUp: boolean;
  damage: LogDamage | undefined;
  spent: readonly LiveSpend[];
  /** The position that is looked at; undefined follows the run. */
  sought: number | undefined;
}

export function openRunStore(of: RunRef, schedule: ShowNext): RunStore {
  const listeners = new Set<() => void>();
  const held: Held = {
    log: openRunLog(),
    seen: 0,
    isCaughtUp: false,
    isUp: false,
    damage: undefined,
    spent: [],
    sought: undefined,
  };
  let load: RunLoad = { type: 'loading', events: 0 };
  let isScheduled = false;
  const changed = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    schedule(() => {
      isScheduled = false;
      load = loadOf(of, held);
      for (const listener of listeners) listener();
    });
  };
  return {
    take: (line) => {
      takeLine(held, line);
      changed();
    },
    end: () => held.seen,
    current: () => load,
    seek: (position) => {
      if (held.sought === position) return;
      held.sought = position;
      changed();
    },
    tick: () => {
      if (held.sought === undefined && load.type === 'ready' && load.view.status.stage !== 'ended') changed();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function loadOf(of: RunRef, { log, isCaughtUp, isUp, damage, spent, sought }: Held): RunLoad {
  const { events } = log;
  const position = Math.max(1, Math.min(sought ?? events.length, events.length));
  const isLive = sought === undefined;
  const state = isCaughtUp || damage !== undefined ? log.stateAt(position) : undefined;
  if (state === undefined && damage !== undefined) return { type: 'unreadable', damage };
  if (state === undefined) return { type: 'loading', events: events.length };
  const isOver = state.run.stage === 'ended' || !isLive;
  const now = isOver ? state.run.now : Math.max(Date.now(), state.run.now);
  const status = statusOf(state, {
    now,
    given: { inputs: state.run.inputs, env: {} },
    spentBy: isLive ? spentIn(spent) : () => undefined,
    log: events,
  });
  const awaited = sought !== undefined && sought > events.length ? sought : undefined;
  const view = {
    ...of,
    events,
    length: events.length,
    position,
    isLive,
    awaited,
    now,
    state,
    status,
    isUp,
    damage,
    glanceAt: log.glanceAt,
  };
  return { type: 'ready', view };
}

function takeLine(held: Held, line: StreamLine): void {
  switch (line.type) {
    case 'event':
      return takeEvent(held, line);
    case 'caught-up':
      held.isCaughtUp = true;
      return;
    case 'coordinator':
      held.isUp = line.isUp;
      return;
    case 'spent':
      held.spent = line.claims;
      return;
    case 'damaged':
      held.damage = { position: line.position, code: line.code, message: line.failure && webErrorText(line.failure) };
      return;
    case 'inbox':
    case 'runs':
    case 'beat':
  }
}

function takeEvent(held: Held, { position, event }: Extract<StreamLine, { type: 'event' }>): void {
  // A stream that is taken up again may repeat what was under way.
  if (position <= held.seen || held.damage !== undefined) return;
  const read = eventIn(event);
  if (read.type === 'failed') {
    held.damage = { position: held.log.events.length, code: 'unreadable', message: read.message };
    return;
  }
  held.log.append(read.event);
  held.seen = position;
}

const keyOf = ({ work, task, step, attempt }: ClaimRef): string => JSON.stringify([work, task, step ?? null, attempt]);

/** The live cost of a claim, out of the last line about costs. */
function spentIn(spent: readonly LiveSpend[]): (claim: ClaimRef) => Spend | undefined {
  const byClaim = new Map(spent.map((each) => [keyOf(each), each.spend]));
  return (claim) => byClaim.get(keyOf(claim));
}
