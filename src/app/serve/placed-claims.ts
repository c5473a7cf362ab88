// The claims that the log of each run has placed on hosts on other machines, also those that are over.
//
// placed-claims/D1. From the log alone: what a host says of itself gives it no claim.
import { readEvent } from '../../core/engine/events/event-format.ts';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { Store } from '../../shell/ports/store.ts';
import { Refused } from '../refused.ts';

/** What names an attempt: turns on a conflict are attempts of their step. */
export type AttemptName = Pick<ClaimRef, 'task' | 'step' | 'attempt'>;

export interface PlacedClaims {
  /** The claim of that name, where the log has placed it on the host. */
  readonly find: (run: string, host: string, name: AttemptName) => ClaimRef | undefined;
}

interface Known {
  position: number;
  readonly claims: Map<string, { readonly claim: ClaimRef; readonly host: string }>;
}

/** Events that are held at once, however long the log. */
const PAGE_EVENTS = 2_048;
/** Runs that were looked at longest ago are forgotten. */
const RUNS_MAX = 64;

export function openPlacedClaims(store: Pick<Store, 'endOf' | 'textsFrom'>): PlacedClaims {
  const runs = new Map<string, Known>();
  return {
    find: (run, host, name) => {
      const known = runs.get(run) ?? { position: 0, claims: new Map() };
      runs.delete(run);
      runs.set(run, known);
      for (const oldest of [...runs.keys()].slice(0, -RUNS_MAX)) runs.delete(oldest);
      readOn(store, run, known);
      const found = known.claims.get(keyOf(name));
      return found?.host === host ? found.claim : undefined;
    },
  };
}

const keyOf = ({ task, step, attempt }: AttemptName): string => JSON.stringify([task, step, attempt]);

/** Few events place a claim, so few are parsed. */
function readOn(store: Pick<Store, 'endOf' | 'textsFrom'>, run: string, known: Known): void {
  const end = store.endOf(run);
  while (known.position < end) {
    const { texts, failure } = store.textsFrom(run, known.position, PAGE_EVENTS);
    if (failure !== undefined) throw new Refused({ code: 'store', failure });
    for (const { type, json } of texts) {
      known.position += 1;
      const read = type === 'claim.placed' ? readEvent(json) : undefined;
      if (read?.type !== 'event' || read.event.type !== 'claim.placed') continue;
      const { work, task, step, attempt, host } = read.event;
      if (host !== undefined) known.claims.set(keyOf(read.event), { claim: { work, task, step, attempt }, host });
    }
  }
}
