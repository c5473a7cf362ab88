// One step of a run: input goes in, events and replies come out. The loop, `simulate`, the seeded world and the worlds
// of the laws all call it, and nothing else decides.
//
// step/S1. The state is ahead of the log by the returned events until they are appended. Nothing may be sent before
//     that (P2); if the append fails, the state is discarded and folded again from the log.
// step/S2. Each command is handled in the state after the one before it.
// step/S3. All input is settled before anything is claimed or sent, so that no claim is made while only a part of the
//     returned tokens is free.
import type { ClaimRef } from '../../protocol/assignment.ts';
import { answerHosts, type HostReply } from '../../protocol/answer-hosts.ts';
import { expire, isAnyHostWaiting, receive } from '../../protocol/dispatcher.ts';
import type { Placement, RefusedReport, Rooms } from '../../protocol/placement.ts';
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
import { settleOutcome } from './settle.ts';
import type { RunEvent } from '../event.ts';
import { claimNamed } from '../facts.ts';
import { tasksLost, type Rewound } from '../lost-tasks.ts';
import type { Outcome } from '../outcome.ts';
import { assign } from '../owed/assign.ts';
import { owed } from '../owed/owed.ts';
import { placeableOf } from '../owed/placeable.ts';
import type { State } from '../state.ts';

/** The input; empty input means that time has passed. */
export interface StepInput {
  readonly syncs?: readonly Sync[];
  /** Outcomes of simulated work, which no host reports. */
  readonly outcomes?: readonly Outcome[];
  readonly commands?: readonly PostedCommand[];
  readonly rooms?: Rooms | undefined;
  /** The sandbox backend that a starting coordinator found. */
  readonly sandboxes?: SandboxBackend | undefined;
  /** The run branch that a starting coordinator found, where it lacks merges. */
  readonly rewound?: Rewound | undefined;
}

export interface PostedCommand {
  readonly id: number;
  readonly command: Command;
}

export interface Stepped {
  /** To be appended before anything is sent. */
  readonly events: readonly RunEvent[];
  readonly toHosts: readonly HostReply[];
  readonly toCommands: readonly ReplyToCommand[];
  /** Reports of hosts on claims that they do not hold. */
  readonly refused: readonly RefusedReport[];
  /** The plan was amended, and nothing was decided after that: see `stopsWhenAmended`. */
  readonly isAmended: boolean;
}

export interface ReplyToCommand {
  readonly id: number;
  readonly reply: CommandReply;
}

export function step(coordinator: CoordinatorState, input: StepInput, { now, at }: Time): Stepped {
  const { state, dispatcher, evaluator, stopsWhenAmended } = coordinator;
  const context: DecisionContext = { evaluator, now, stopsWhenAmended };
  const { events, toCommands } = handleCommands(coordinator, input.commands ?? [], context);
  const isAmended = (): boolean => stopsWhenAmended && hasAmended(events);
  if (!isAmended())
    events.push(...noteSandboxes(state, input.sandboxes, now), ...noteRewound(state, input.rewound, now));
  // The remaining input is reported again to the coordinator that continues with the amended plan.
  const refused: RefusedReport[] = [];
  if (!isAmended()) {
    const received = receive(dispatcher, input.syncs ?? [], { at, placedOn: (claim) => whereIs(state, claim) });
    refused.push(...received.refused);
    const reported = [...received.outcomes, ...expire(dispatcher, at)];
    events.push(...decide(state, [...reported, ...(input.outcomes ?? [])], context));
  }
  const onRefused = (outcomes: readonly WorkOutcome[]): void => void events.push(...decide(state, outcomes, context));
  const { replies, placements } = dispatchOwed(coordinator, { rooms: input.rooms, onRefused, isAmended });
  events.push(...placements.map((placement) => notePlacement(state, placement, now)));
  if (events.length > 0 || toCommands.length > 0) coordinator.quietSince = at;
  return { events, toHosts: replies, toCommands, refused, isAmended: isAmended() };
}

const whereIs = (state: State, ref: ClaimRef): { readonly host: string | undefined } | 'over' =>
  claimNamed(state, ref) ?? 'over';

/** Where a claim runs is durable before its host is told (P2), so that a restarted coordinator offers it to no other. */
function notePlacement(state: State, placement: Placement, at: number): RunEvent {
  const { claim } = placement;
  const event: RunEvent =
    placement.type === 'waiting'
      ? { type: 'claim.waiting', at, ...claim, why: placement.why }
      : {
          type: 'claim.placed',
          at,
          ...claim,
          host: placement.host,
          why: placement.why,
          instance: placement.instance,
          conversation: placement.conversation,
          leaseMs: placement.leaseMs,
        };
  apply(state, event);
  return event;
}

/** Growth changes no part that was made for the plan, so the coordinator goes on after it. */
const hasAmended = (events: readonly RunEvent[]): boolean => events.some(({ type }) => type === 'plan.amended');

/** A starting coordinator logs its sandbox backend where it differs from the run's. */
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

/** A starting coordinator logs which tasks are not done after all. */
function noteRewound(state: State, rewound: Rewound | undefined, at: number): readonly RunEvent[] {
  const event = rewound === undefined ? undefined : tasksLost(state, rewound, at);
  if (event === undefined) return [];
  apply(state, event);
  return [event];
}

interface Handled {
  readonly events: RunEvent[];
  readonly toCommands: readonly ReplyToCommand[];
}

function handleCommands(
  coordinator: CoordinatorState,
  posted: readonly PostedCommand[],
  context: DecisionContext,
): Handled {
  const { state } = coordinator;
  const events: RunEvent[] = [];
  const toCommands: ReplyToCommand[] = [];
  for (const { id, command } of posted) {
    const { outcomes, reply } = handle(state, command);
    events.push(...decide(state, outcomes, context));
    toCommands.push({ id, reply });
    if (command.type === 'stop' && command.tasks.length === 0) coordinator.isStopping = true;
    if (command.type === 'resume' && command.tasks.length === 0) coordinator.isStopping = false;
    if (coordinator.stopsWhenAmended && hasAmended(events)) break;
  }
  return { events, toCommands };
}

/**
 * Decides simultaneous outcomes and all their consequences, applying each event before deciding the next. Reports of
 * workers are settled first (step/S3).
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
    // A person's command refers to the current run, so all earlier consequences are decided first.
    if (isByPerson(outcome)) while (happen(next(state, context)));
    for (const event of settleOutcome(state, outcome, context)) if (!happen(event)) break;
  }
  while (happen(next(state, context)));
  return events;
}

const isByPerson = (outcome: Outcome): boolean =>
  isCommand(outcome) || outcome.type === 'rollback' || outcome.type === 'amend';

interface Dispatching {
  readonly rooms: Rooms | undefined;
  readonly onRefused: (refused: readonly WorkOutcome[]) => void;
  readonly isAmended: () => boolean;
}

/** A claim that no host can get fails its step, which may cancel other work: so that is decided first. */
function dispatchOwed(
  { state, dispatcher, given }: CoordinatorState,
  { rooms, onRefused, isAmended }: Dispatching,
): { readonly replies: readonly HostReply[]; readonly placements: readonly Placement[] } {
  while (isAnyHostWaiting(dispatcher) && !isAmended()) {
    const dispatched = answerHosts(dispatcher, owed(state), {
      assign: (claim, host) => assign(state, claim, given, host),
      needsOf: (claim) => placeableOf(state, claim),
      rooms,
    });
    if (dispatched.type === 'dispatched') return dispatched;
    onRefused(dispatched.outcomes);
  }
  return { replies: [], placements: [] };
}
