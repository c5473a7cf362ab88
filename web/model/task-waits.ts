// The waits of a task: each begins when the task could go on and does not, and ends with its next claim.
import type { RunEvent } from '../../src/core/engine/event.ts';
import type { Waiting } from '../../src/core/engine/events/event-fields.ts';
import { waitingAfter } from '../../src/core/engine/events/event-table.ts';
import { reasonOf } from '../../src/core/view/run/reason-text.ts';

export interface TaskWaits {
  readonly over: readonly PastWait[];
  /** The wait that goes on; undefined while the task does not wait. */
  readonly open: OpenWait | undefined;
}

interface OpenWait {
  readonly startMs: number;
  readonly why: string;
}

interface PastWait extends OpenWait {
  readonly endMs: number;
}

/** From the first event of the log and those of one task. */
export function waitsOf(events: readonly RunEvent[]): TaskWaits {
  const startedAt = events[0]?.at ?? 0;
  const over: PastWait[] = [];
  let open: OpenWait | undefined;
  for (const event of events) {
    const why = 'task' in event ? waitAfter(event) : undefined;
    if (why === undefined) continue;
    const ms = Math.max(0, event.at - startedAt);
    if (open !== undefined && ms > open.startMs) over.push({ ...open, endMs: ms });
    open = why === '' ? undefined : { startMs: ms, why };
  }
  return { over, open };
}

const WAITING: Readonly<Record<Exclude<Waiting, 'backoff' | 'nothing'>, string>> = {
  start: 'waits for a slot, a pool or an answer',
  slot: 'waits for a slot or a pool',
  check: 'waits for a slot, a pool or its check',
  person: 'waits for a person',
  queue: 'waits for the merge queue',
  paused: 'paused by a person',
};

/** Why a task waits after an event; empty when it does not, and undefined when the event says nothing about it. */
function waitAfter(event: Extract<RunEvent, { readonly task: string }>): string | undefined {
  const waiting = waitingAfter(event);
  if (waiting === undefined) return undefined;
  if (waiting === 'nothing') return '';
  return waiting === 'backoff'
    ? `backs off: ${reasonOf('reason' in event ? event.reason : undefined, undefined)}`
    : WAITING[waiting];
}
