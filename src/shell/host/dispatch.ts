// Passes assignments to workers.
//
// host/B1. A claim that is held or being reported is not begun again, however often it is offered (sync/H1, sync/H2).
import { claimKey, type Assignment } from '../../core/protocol/assignment.ts';
import { bringObjects } from './bring-objects.ts';
import { tagsOf } from './claim-tags.ts';
import { holdClaim, keepClaim, settleHeld, type HeldBy, type HeldClaim, type HostState } from './host-state.ts';
import { NO_SPEND, outcomeOf } from './missing-outcome.ts';
import { codeOf, messageOf } from './read-json.ts';
import type { Assign } from './worker-messages.ts';
import type { PoolWorker } from './worker-pool.ts';

/** Errors that may be temporary. */
const PASSING = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT']);
const CHECK_EVERY_MS = 5_000;
/** The variable by which programs hand a span on. */
const TRACE_PARENT = 'TRACEPARENT';

/** Returns whether this host now holds the claim. */
export function acceptClaim(state: HostState, assignment: Assignment): boolean {
  const { claim } = assignment;
  const key = claimKey(claim);
  if (state.outbox.has(key)) return false;
  if (claim.work === 'merge') return acceptMerge(state, assignment);
  if (state.isStopping || state.held.has(key)) return false;
  if (state.held.size >= state.claimsMax || !state.hasRoom()) return false;
  const isHere = state.transfer === undefined;
  const by: HeldBy = { type: isHere ? 'waiting' : 'bringing', assignment };
  const since = state.clock.monotonic();
  const held = holdClaim(claim, { ...state, by, since, timeoutMs: assignment.limits.timeoutMs });
  keepClaim(state, held);
  if (!isHere) void bringObjects(state, held, assignment);
  return true;
}

/** A merge is not preempted with the run, so a host that is stopping has to say that it will not make it. */
function acceptMerge({ merges, isStopping }: HostState, assignment: Assignment): boolean {
  const isNews = merges.accept(assignment);
  if (isStopping) merges.stop(assignment.claim);
  return isNews;
}

/** Gives each waiting claim an idle worker, or starts one more. */
export function dispatch(state: HostState): void {
  if (state.isClosed) return;
  for (const held of state.held.values()) {
    if (held.by.type !== 'waiting') continue;
    const found = state.pool.find();
    if (found.type === 'wait') {
      if (found.ms !== undefined) state.timers.within('dispatch', found.ms);
      return;
    }
    give(state, held, { assignment: held.by.assignment, worker: found.worker });
  }
}

interface Giving {
  readonly assignment: Assignment;
  readonly worker: PoolWorker<HeldClaim>;
}

function give(state: HostState, held: HeldClaim, { assignment, worker }: Giving): void {
  held.by = { type: 'worker', worker, assignment };
  held.since = state.clock.monotonic();
  worker.job = held;
  const { cwd, run, home, graceMs, leases } = state;
  const { leaseMs } = assignment;
  const trace = state.traceOf?.(held.claim);
  const tags = tagsOf(state, held.claim);
  const parent = trace?.parent ?? assignment.traceParent;
  const environment = parent === undefined ? tags : { ...tags, [TRACE_PARENT]: parent };
  const { telemetry } = trace ?? {};
  const assign: Assign = {
    type: 'assign',
    assignment,
    folder: held.folder,
    cwd,
    run,
    home,
    environment,
    telemetry,
    isForOthers: state.artifacts !== undefined,
    graceMs,
    lease: leases === undefined || leaseMs === undefined ? undefined : { ...leases, leaseMs },
  };
  worker.send(assign);
  state.timers.within('check', CHECK_EVERY_MS);
}

/** No worker could be started for a claim. While there are other workers, the claim waits for one of them. */
export function returnClaim(state: HostState, held: HeldClaim, error: unknown): void {
  if (held.by.type !== 'worker') return;
  if (isPassing(error) && state.pool.size > 0) {
    held.by = { type: 'waiting', assignment: held.by.assignment };
    dispatch(state);
    return;
  }
  const message = `No worker could be started: ${messageOf(error)}. ${adviceFor(error)}`;
  const isFinal = !isPassing(error);
  settleHeld(state, held, outcomeOf(held.claim, NO_SPEND, { type: 'refused', message, isFinal }));
}

const isPassing = (error: unknown): boolean => PASSING.has(codeOf(error) ?? '');

function adviceFor(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'Free some space on the disk.';
    case 'EAGAIN':
    case 'ENOMEM':
      return 'The machine has no room for one more process: lower max_parallel, or end other programs.';
    case 'EMFILE':
    case 'ENFILE':
      return 'Too many files are open: lower max_parallel, or raise the limit with ulimit -n.';
    default:
      return 'Check that the path exists and may be used.';
  }
}
