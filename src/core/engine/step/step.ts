// One step of a run: what has come goes in, events and replies come out. The loop, `simulate`, the seeded world and the
// worlds of the laws all call it, and nothing else decides.
//
// step/S1. The state is ahead of the log by the events returned until they are appended. Nothing may be sent before that
//     (P2); should the append fail, the state is thrown away and folded anew from the log.
// step/S2. Each command is handled in the state that the one before it left.
// step/S3. All that has come is settled before anything is claimed or sent, so that nothing is claimed from half of what
//     has come free.
import type { HostReply } from '../../protocol/dispatcher.ts';
import { dispatch, expire, isAnyHostWaiting, receive } from '../../protocol/dispatcher.ts';
import type { SandboxBackend } from '../../protocol/sandbox-backend.ts';
import type { Sync } from '../../protocol/sync.ts';
import type { WorkOutcome } from '../../protocol/work-outcome.ts';
import { apply } from '../apply/apply.ts';
import type { Command } from '../command.ts';
import { handle } from '../commands/handle.ts';
import type { CommandReply } from '../commands/reply.ts';
import type { CoordinatorState, Time } from './coordinator-state.ts';
import { isCommand } from '../commands/control-run.ts';
import { next, type DecisionContext } from '../decide/next.ts';
import { settleOutcome } from '../settle/settle.ts';
import type { RunEvent } from '../event.ts';
import type { Outcome } from '../outcome.ts';
import { assign } from '../owed/assign.ts';
import { owed } from '../owed/owed.ts';
import type { State } from '../state.ts';

/** What has come; nothing at all means that time has passed. */
export interface Input {
  readonly syncs?: readonly Sync[];
  /** Outcomes that no host reports: of simulated work. */
  readonly outcomes?: readonly Outcome[];
  readonly commands?: readonly PostedCommand[];
  /** What a coordinator that begins found for its sandboxes. */
  readonly sandboxes?: SandboxBackend | undefined;
}

export interface PostedCommand {
  readonly id: number;
  readonly command: Command;
}

export interface Stepped {
  /** To be appended before anything is sent. */
  readonly events: readonly RunEvent[];
  readonly toHosts: readonly HostReply[];
  readonly toCommands: readonly Answer[];
  /** The plan was amended, and nothing was decided after that: see `stopsWhenAmended`. */
  readonly isAmended: boolean;
}

export interface Answer {
  readonly id: number;
  readonly reply: CommandReply;
}

export function step(coordinator: CoordinatorState, input: Input, { now, at }: Time): Stepped {
  const { state, dispatcher, evaluator, stopsWhenAmended } = coordinator;
  const context: DecisionContext = { evaluator, now, stopsWhenAmended };
  const planned = state.compiled;
  const isAmended = (): boolean => stopsWhenAmended && state.compiled !== planned;
  const { events, toCommands } = handleCommands(coordinator, input.commands ?? [], context);
  if (!isAmended()) events.push(...noteSandboxes(state, input.sandboxes, now));
  // What else has come is reported again to the coordinator that goes on with the amended plan.
  if (!isAmended()) {
    const reported = [...receive(dispatcher, input.syncs ?? [], at), ...expire(dispatcher, at)];
    events.push(...decide(state, [...reported, ...(input.outcomes ?? [])], context));
  }
  const onRefused = (refused: readonly WorkOutcome[]): void => void events.push(...decide(state, refused, context));
  const toHosts = dispatchOwed(coordinator, onRefused, isAmended);
  if (events.length > 0 || toCommands.length > 0) coordinator.quietSince = at;
  return { events, toHosts, toCommands, isAmended: isAmended() };
}

/** What a coordinator found when it began is told where it is not what the run had before. */
function noteSandboxes(state: State, sandboxes: SandboxBackend | undefined, at: number): readonly RunEvent[] {
  const { stage, sandboxes: before } = state.run;
  const isOver = stage === 'new' || stage === 'ended';
  if (isOver || sandboxes === undefined) return [];
  if (before?.tree === sandboxes.tree && before.isolation === sandboxes.isolation && before.why === sandboxes.why)
    return [];
  const event: RunEvent = { type: 'run.sandboxed', at, sandboxes };
  apply(state, event);
  return [event];
}

interface Handled {
  readonly events: RunEvent[];
  readonly toCommands: readonly Answer[];
}

function handleCommands(
  coordinator: CoordinatorState,
  posted: readonly PostedCommand[],
  context: DecisionContext,
): Handled {
  const { state } = coordinator;
  const planned = state.compiled;
  const events: RunEvent[] = [];
  const toCommands: Answer[] = [];
  for (const { id, command } of posted) {
    const { outcomes, reply } = handle(state, command);
    events.push(...decide(state, outcomes, context));
    toCommands.push({ id, reply });
    if (command.type === 'stop' && command.tasks.length === 0) coordinator.isStopping = true;
    if (command.type === 'resume' && command.tasks.length === 0) coordinator.isStopping = false;
    if (coordinator.stopsWhenAmended && state.compiled !== planned) break;
  }
  return { events, toCommands };
}

/**
 * Decides on outcomes that came together and on all that follows from them, applying each event before deciding the
 * next. What workers report is settled first, so that nothing is claimed from half of what has come free.
 */
function decide(state: State, outcomes: readonly Outcome[], context: DecisionContext): readonly RunEvent[] {
  const events: RunEvent[] = [];
  let isStopped = false;
  const happen = (event: RunEvent | undefined): boolean => {
    if (event === undefined || isStopped) return false;
    apply(state, event);
    events.push(event);
    isStopped = event.type === 'plan.amended' && context.stopsWhenAmended === true;
    return !isStopped;
  };
  for (const outcome of outcomes) {
    // What a person asks for is about the run as it stands, so what came before is thought through first.
    if (isByPerson(outcome)) while (happen(next(state, context)));
    for (const event of settleOutcome(state, outcome, context)) if (!happen(event)) break;
  }
  while (happen(next(state, context)));
  return events;
}

const isByPerson = (outcome: Outcome): boolean =>
  isCommand(outcome) || outcome.type === 'rollback' || outcome.type === 'amend';

/** A claim that cannot be given to any host fails its step, which may cancel others: so that is decided first. */
function dispatchOwed(
  { state, dispatcher, given }: CoordinatorState,
  onRefused: (refused: readonly WorkOutcome[]) => void,
  isAmended: () => boolean,
): readonly HostReply[] {
  while (isAnyHostWaiting(dispatcher) && !isAmended()) {
    const dispatched = dispatch(dispatcher, owed(state), (claim) => assign(state, claim, given));
    if (dispatched.type === 'dispatched') return dispatched.replies;
    onRefused(dispatched.outcomes);
  }
  return [];
}
