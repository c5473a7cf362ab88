// The run loop. It folds the log; then it repeatedly waits for mail, calls `step`, appends the events durably, and
// sends the replies. Recovery is the first step of the loop, not a second program.
//
// loop/W1. Nothing is sent to a host before the events that permit it are durable (P2).
// loop/W2. Two awaits: for mail, and for the append.
// loop/W3. When an append fails the state is ahead of the log, so the loop ends and another starts from the log.
// loop/W4. A coordinator that has lost its run to another, for example while it was suspended, sends nothing: every
//     message follows an append, if need be an empty one.
// loop/W5. A coordinator whose plan was amended sends nothing either; the next loop, made for the new plan, does.
import type { Compiled } from '../../core/compile/compiled.ts';
import { runEndOf, msToWait, startCoordinator, type StaysMs } from '../../core/engine/step/coordinator-state.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import { fold } from '../../core/engine/apply/fold.ts';
import { evaluatorOf } from '../../core/engine/evaluator.ts';
import type { Rewound } from '../../core/engine/lost-tasks.ts';
import type { RefusedReport } from '../../core/protocol/placement.ts';
import type { RunInputs } from '../../core/engine/scope.ts';
import type { State } from '../../core/engine/state.ts';
import { step } from '../../core/engine/step/step.ts';
import type { SandboxBackend } from '../../core/protocol/sandbox-backend.ts';
import type { Clock } from '../ports/clock.ts';
import type { Mail, Mailbox } from '../ports/host-link.ts';
import type { Log, RunOver } from '../ports/log.ts';
import { steadyClock } from './steady-clock.ts';

export interface Looping {
  /** The compiled plan of `run.started`, when the caller has it already. */
  readonly compiled: Compiled | undefined;
  readonly given: Omit<RunInputs, 'inputs'>;
  /** What was found for sandboxes; undefined where the run works in place. */
  readonly sandboxes?: SandboxBackend | undefined;
  /** The run branch that was found, where it lacks merges. */
  readonly rewound?: Rewound | undefined;
  readonly log: Log;
  readonly mailbox: Mailbox;
  readonly clock: Clock;
  /** Called once with the folded state, before the first step: the moment to look for running claims. */
  readonly onFolded: (state: State) => void;
  /** Called after each append with the appended events; it may read the state and must not keep it. */
  readonly onEvents: (events: readonly RunEvent[], state: State) => void;
  readonly staysMs: StaysMs;
  /** A person asked the run to stop during an earlier loop. */
  readonly wasStopping?: boolean;
  /** For how long a host may be silent; undefined for the usual time. */
  readonly leaseMs?: number | undefined;
  /** Reports of hosts on claims that they do not hold. */
  readonly onRefused?: ((refused: readonly RefusedReport[]) => void) | undefined;
  /** Whether the loop is to end as it is; it is asked whenever it wakes. */
  readonly isLeaving?: (() => boolean) | undefined;
}

/** The process lets go of the run, which goes on wherever it is running. */
export interface LoopLeft {
  readonly type: 'left';
  readonly state: State;
}

/** The plan was amended: every part that was made for the old plan has to be made again, and the loop restarted. */
export interface LoopAmended {
  readonly type: 'amended';
  /** A person asked the run to stop, and it has not stopped yet. */
  readonly isStopping: boolean;
}

export async function runLoop(looping: Looping): Promise<RunOver | LoopAmended | LoopLeft> {
  const { log, mailbox, clock, staysMs } = looping;
  const state = fold(log.read(), looping.compiled);
  const given = { ...looping.given, inputs: state.run.inputs };
  looping.onFolded(state);
  const now = steadyClock(clock, state.run.now);
  const coordinator = startCoordinator(state, {
    evaluator: evaluatorOf(given),
    given,
    stopsWhenAmended: true,
    isStopping: looping.wasStopping ?? false,
    leaseMs: looping.leaseMs,
    at: clock.monotonic(),
  });
  let mail: Mail = { syncs: [], mayHaveCommands: true };
  let { sandboxes, rewound } = looping;
  for (;;) {
    const commands = mail.mayHaveCommands ? log.commands() : [];
    const stepped = step(
      coordinator,
      { syncs: mail.syncs, commands, sandboxes, rewound, rooms: mailbox.shared?.rooms() },
      { now: now(), at: clock.monotonic() },
    );
    const { events, toHosts, toCommands, refused } = stepped;
    if (refused.length > 0) looping.onRefused?.(refused);
    mailbox.shared?.reserve(toHosts);
    sandboxes = undefined;
    rewound = undefined;
    if (events.length + toHosts.length + toCommands.length > 0) {
      const appended = await log.append(events, toCommands);
      if (appended.type !== 'appended') return appended;
      if (events.length + toCommands.length > 0) looping.onEvents(events, state);
    }
    if (stepped.isAmended) return { type: 'amended', isStopping: coordinator.isStopping };
    for (const { host, reply } of toHosts) mailbox.reply(host, reply);
    const over = runEndOf(coordinator, clock.monotonic(), staysMs);
    if (over !== undefined) return over;
    mail = await mailbox.next(msToWait(coordinator, { now: now(), at: clock.monotonic() }, staysMs));
    if (looping.isLeaving?.() === true) return { type: 'left', state };
  }
}
