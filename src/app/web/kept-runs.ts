// The runs of a project that can go on, each folded once and brought up to date by the events that were appended since, for all
// that a server reads of them.
//
// kept-runs/K1. A log is read in pages, so however long it is, its events are never in memory together.
// kept-runs/K2. What is handed out is valid until the next call: `apply` consumes the state it is given.
import { apply } from '../../core/engine/apply/apply.ts';
import { stateAfterStart, startOf } from '../../core/engine/apply/fold.ts';
import type { State } from '../../core/engine/state.ts';
import type { StoreFailure } from '../../core/protocol/store-failure.ts';
import { followWork, type PastWork, type WorkFollower } from '../../core/simulate/past-work.ts';
import type { OpenProject } from '../open-project.ts';

export interface ReadRun {
  /** Undefined when not one event can be read. */
  readonly folded: { readonly state: State; readonly work: PastWork } | undefined;
  /** The position after the events that were read. */
  readonly position: number;
  /** Why the rest cannot be read. */
  readonly failure: StoreFailure | undefined;
}

export interface KeptRuns {
  /** The run as its log stands. */
  readonly read: (open: OpenProject, run: string) => ReadRun;
  /** Whether the run is folded already. */
  readonly has: (run: string) => boolean;
  /** Frees the memory of a run that nothing is appended to. */
  readonly drop: (run: string) => void;
}

interface Kept {
  readonly state: State;
  readonly follower: WorkFollower;
  readonly position: number;
}

export function keepRuns(): KeptRuns {
  const kept = new Map<string, Kept>();
  return {
    read: (open, run) => {
      const before = kept.get(run);
      // A log that was shortened, or is another one, is folded anew.
      const { known, position, failure } = foldOn(
        open,
        run,
        before !== undefined && before.position <= open.store.endOf(run) ? before : undefined,
      );
      if (known === undefined || failure !== undefined) kept.delete(run);
      else kept.set(run, known);
      const folded = known === undefined ? undefined : { state: known.state, work: known.follower.work };
      return { folded, position, failure };
    },
    has: (run) => kept.has(run),
    drop: (run) => void kept.delete(run),
  };
}

const PAGE_EVENTS = 512;

interface FoldedOn {
  readonly known: Kept | undefined;
  readonly position: number;
  readonly failure: StoreFailure | undefined;
}

function foldOn({ store }: OpenProject, run: string, before: Kept | undefined): FoldedOn {
  let known = before;
  for (;;) {
    const { events, position, failure } = store.eventsFrom(run, known?.position ?? 0, PAGE_EVENTS);
    if (events.length > 0) {
      const { state, follower } = known ?? { state: stateAfterStart(startOf(events)), follower: followWork() };
      for (const event of events) {
        if (event.type !== 'run.started') apply(state, event);
        follower.add(event);
      }
      known = { state, follower, position };
    }
    if (events.length < PAGE_EVENTS || failure !== undefined) return { known, position, failure };
  }
}
