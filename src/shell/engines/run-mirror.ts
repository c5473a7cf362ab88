// The copy of one run in the store of this machine: it follows the engine, so that every reader works as without one.
//
// run-mirror/R1. The copy is a prefix of the engine's log. Events are added only after the engine has them.
// run-mirror/R2. Commands that were posted here are posted to the engine once each, and their replies are copied back.
import type { StoreFailure } from '../../core/protocol/store-failure.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import type { RunRecord } from '../ports/log.ts';
import type { LocalOwned } from '../ports/ownership.ts';
import type { Store } from '../ports/store.ts';
import type { EngineStore } from './engine-store.ts';

export interface RunMirror {
  /** Takes over what the engine has and the copy has not; why it could not, when it could not. */
  readonly pull: () => Promise<StoreFailure | undefined>;
  /** Events that the engine has just acknowledged. What the copy lacks before them, a pull brings. */
  readonly add: (position: number, events: readonly RunEvent[]) => void;
  readonly forward: () => Promise<StoreFailure | undefined>;
  /** Other processes of this machine may write the copy again. */
  readonly release: () => void;
}

type Held = Extract<LocalOwned, { readonly type: 'owned' }>;

interface Mirroring {
  readonly engine: EngineStore;
  readonly store: Store;
  readonly record: RunRecord;
  /** Differs from that of other machines, whose commands have the same numbers. */
  readonly name: string;
}

export function mirrorRun(mirroring: Mirroring): RunMirror {
  const { engine, store, record } = mirroring;
  const { run } = record;
  let held: Held | undefined;
  /** Local ids to those of the engine. */
  const forwarded = new Map<number, number>();
  const hold = (): Held | StoreFailure => {
    if (held !== undefined) return held;
    const owned = store.own(run, { takesOver: false });
    if (owned.type === 'failed') return owned.failure;
    if (owned.type === 'refused') return { code: 'mirror-held', run, pid: owned.by.pid };
    held = owned;
    return owned;
  };
  /** The engine and this process may both bring an event. */
  const add = (position: number, events: readonly RunEvent[]): StoreFailure | undefined => {
    const holding = hold();
    if (!('log' in holding)) return holding;
    const end = store.endOf(run);
    if (end < position || end >= position + events.length) return undefined;
    const appended = holding.log.append(events.slice(end - position), []);
    if (appended.type === 'appended') return undefined;
    held = undefined;
    return appended.type === 'failed' ? appended.failure : { code: 'mirror-held', run, pid: appended.by?.pid };
  };
  return {
    pull: async () => {
      const position = store.endOf(run);
      const { events, failure } = await engine.eventsFrom(run, position);
      return add(position, events) ?? failure;
    },
    add: (position, events) => {
      // A copy that cannot be written is told by the next look at it.
      add(position, events);
    },
    forward: async () => {
      const holding = hold();
      if (!('log' in holding)) return holding;
      return await forwardAll(mirroring, holding, forwarded);
    },
    release: () => {
      held?.release();
      held = undefined;
    },
  };
}

async function forwardAll(
  { engine, record: { run, createdAt }, name }: Mirroring,
  { log }: Held,
  forwarded: Map<number, number>,
): Promise<StoreFailure | undefined> {
  for (const { id, command } of log.commands()) {
    if (!forwarded.has(id)) {
      const posted = await engine.postOnce(run, command, `${name} ${run} ${createdAt} ${id}`);
      if (posted.type === 'failed') return posted.failure;
      forwarded.set(id, posted.id);
    }
    const there = forwarded.get(id);
    const reply = there === undefined ? undefined : await engine.replyTo(there);
    if (reply === undefined) continue;
    const copied = log.append([], [{ id, reply }]);
    if (copied.type === 'failed') return copied.failure;
  }
  return undefined;
}
