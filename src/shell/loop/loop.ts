// The run loop: fold the log; then, again and again, take what has come, ask `step`, append its events durably, and send
// its replies. Recovery is the first step and not a second program.
//
// loop/W1. Nothing is sent to a host, or to the merge queue, before the events that permit it are durable (P2).
// loop/W2. Two awaits: for what comes next, and for the append.
// loop/W3. When an append fails the state is ahead of the log, so the loop ends and another starts from the log.
// loop/W4. A coordinator whose run another has taken over, as while it was stopped, sends nothing: what it sends follows
//     an append, were it one of nothing.
// loop/W5. A coordinator whose plan was amended sends nothing either: the next, made for the new plan, does.
import type { Compiled } from '../../core/compile/compiled.ts';
import { endOf, msToWait, startCoordinator, type StaysMs } from '../../core/engine/step/coordinator-state.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import { fold } from '../../core/engine/apply/fold.ts';
import { evaluatorOf } from '../../core/engine/expressions/evaluator.ts';
import type { Given } from '../../core/engine/expressions/scope.ts';
import type { State } from '../../core/engine/state.ts';
import { step } from '../../core/engine/step/step.ts';
import type { Clock } from '../ports/clock.ts';
import type { Mail, Mailbox, MergeQueue } from '../ports/host-link.ts';
import type { Log, RunOver } from '../ports/log.ts';
import { steadyClock } from './steady-clock.ts';

export interface Looping {
  /** The plan of `run.started`, where it is at hand. */
  readonly compiled: Compiled | undefined;
  readonly given: Omit<Given, 'inputs'>;
  readonly log: Log;
  readonly mailbox: Mailbox;
  /** Undefined where nothing is merged. */
  readonly train?: MergeQueue;
  readonly clock: Clock;
  /** Called once with the state that the log gave, before the first step: the moment to look for what is running. */
  readonly onFolded: (state: State) => void;
  /** Called after each append with what was appended; it may read the state and must not keep it. */
  readonly onEvents: (events: readonly RunEvent[], state: State) => void;
  readonly staysMs: StaysMs;
  /** A person asked the run to stop while another loop had it. */
  readonly wasStopping?: boolean;
}

/** The plan was amended, so all that was made for the one before is to be made anew, and the loop begun again. */
export interface Amended {
  readonly type: 'amended';
  /** A person asked the run to stop, and it has not yet. */
  readonly isStopping: boolean;
}

export async function runLoop(looping: Looping): Promise<RunOver | Amended> {
  const { log, mailbox, train, clock, staysMs } = looping;
  const state = fold(log.read(), looping.compiled);
  const given = { ...looping.given, inputs: state.run.inputs };
  looping.onFolded(state);
  const now = steadyClock(clock, state.run.now);
  const coordinator = startCoordinator(state, {
    evaluator: evaluatorOf(given),
    given,
    stopsWhenAmended: true,
    hasMergeQueue: train !== undefined,
    isStopping: looping.wasStopping ?? false,
    at: clock.monotonic(),
  });
  let mail: Mail = { syncs: [], mayHaveCommands: true };
  for (;;) {
    const commands = mail.mayHaveCommands ? log.commands() : [];
    const input = { syncs: mail.syncs, outcomes: mail.merges ?? [], commands };
    const stepped = step(coordinator, input, { now: now(), at: clock.monotonic() });
    const { events, toHosts, toCommands, toMerge } = stepped;
    if (events.length + toHosts.length + toCommands.length > 0 || toMerge !== undefined) {
      const appended = await log.append(events, toCommands);
      if (appended.type !== 'appended') return appended;
      if (events.length + toCommands.length > 0) looping.onEvents(events, state);
    }
    if (stepped.isAmended) return { type: 'amended', isStopping: coordinator.isStopping };
    for (const { host, reply } of toHosts) mailbox.reply(host, reply);
    if (toMerge !== undefined) train?.give(toMerge);
    const over = endOf(coordinator, clock.monotonic(), staysMs);
    if (over !== undefined) return over;
    mail = await mailbox.next(msToWait(coordinator, { now: now(), at: clock.monotonic() }, staysMs));
  }
}
