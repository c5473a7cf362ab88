// The run loop: fold the log; then, again and again: wait for what comes, decide, append the events durably, and tell
// the hosts what is owed. Recovery is the first turn and not a second program.
//
// W1. Nothing is told to a host, or to the merge train, before the events that permit it are durable (P2).
// W2. The one `await` is for the next mail. All else, the append too, is synchronous.
// W3. When an append fails the state is ahead of the log, so the loop ends and another starts from the log.
// W4. A coordinator whose run another has taken over, as while it was stopped, tells hosts nothing: what it says rests on
//     an append of the same turn, were it one of nothing.
// W5. A coordinator whose plan was amended tells nobody anything either: the next, made for the new plan, does.
import { assign } from '../core/engine/owed/assign.ts';
import { dispatch, expire, leaseEnd, receive, startDispatcher, type Dispatcher } from '../core/protocol/dispatcher.ts';
import { owedClaims } from '../core/engine/owed/owed.ts';
import { turn } from '../core/engine/decide/turn.ts';
import { nextWake, type Moment } from '../core/engine/decide/next.ts';
import { nextWorkWake } from '../core/engine/decide/turns/switches.ts';
import type { RunEvent } from '../core/engine/event.ts';
import { handle } from '../core/engine/commands/handle.ts';
import { fold } from '../core/engine/fold.ts';
import { mergesOf, type MergeOrder } from '../core/engine/owed/merges.ts';
import { evaluating } from '../core/engine/judge/evaluate.ts';
import type { Judge } from '../core/engine/judge/judge.ts';
import type { Given } from '../core/engine/judge/scope.ts';
import type { Outcome } from '../core/engine/outcome.ts';
import type { State } from '../core/engine/state.ts';
import type { Compiled } from '../core/compile/compiled.ts';
import type { Clock } from './ports/clock.ts';
import type { Mail, Mailbox, MergeQueue } from './ports/host-link.ts';
import type { Answer } from './ports/inbox.ts';
import type { Log, Owner } from './ports/log.ts';
import { steadyClock } from './steady-clock.ts';

export interface Carrying {
  /** The plan of `run.started`, where it is at hand. */
  readonly compiled: Compiled | undefined;
  readonly given: Omit<Given, 'inputs'>;
  readonly log: Log;
  readonly mailbox: Mailbox;
  /** Undefined where nothing is merged. */
  readonly train?: MergeQueue;
  readonly clock: Clock;
  /** Called once with the state that the log gave, before the first turn: the moment to look for what is at work. */
  readonly onFolded: (state: State) => void;
  /** Called after each append with what was appended; it may read the state and must not keep it. */
  readonly onEvents: (events: readonly RunEvent[], state: State) => void;
  /** For how many milliseconds to stay when only a person can move the run on. */
  readonly staysMs: (why: WaitsFor) => number;
  /** A person asked the run to stop while another loop carried it out. */
  readonly wasStopping?: boolean;
}

/** What a run with nothing at work waits for when time alone will not move it on; `repair`, of a set-up that is broken. */
export type WaitsFor = 'answer' | 'resume' | 'repair';

export type RunOver =
  | { readonly type: 'ended'; readonly state: State }
  /** Nothing is at work, and only a person can move it on. */
  | { readonly type: 'waiting'; readonly for: WaitsFor; readonly state: State }
  /** A person asked it to stop; nothing is at work. */
  | { readonly type: 'stopped'; readonly state: State }
  | { readonly type: 'fenced'; readonly by: Owner | undefined }
  | { readonly type: 'failed'; readonly message: string };

/** The plan was amended, so all that was made for the one before is to be made anew, and the loop begun again. */
export interface Amended {
  readonly type: 'amended';
  /** A person asked the run to stop, and it is not yet. */
  readonly isStopping: boolean;
}

/** What one coordinator remembers between two turns; all of it can be lost. */
interface Coordinator extends Carrying {
  readonly given: Given;
  readonly state: State;
  readonly dispatcher: Dispatcher;
  readonly now: () => number;
  readonly judge: Judge;
  isStopping: boolean;
  /** Since when nothing has happened that could be waited for, by the clock that never goes back. */
  quietSince: number;
  /** What the train was last told to merge. */
  merging: string;
}

export async function carryOut(carrying: Carrying): Promise<RunOver | Amended> {
  const { compiled, log, mailbox, clock } = carrying;
  const state = fold(log.read(), compiled);
  carrying.onFolded(state);
  const now = steadyClock(clock, state.run.now);
  const given = { ...carrying.given, inputs: state.run.inputs };
  const judge = evaluating(given);
  const coordinator: Coordinator = {
    ...carrying,
    given,
    state,
    dispatcher: startDispatcher(),
    now,
    judge,
    isStopping: carrying.wasStopping ?? false,
    quietSince: clock.monotonic(),
    merging: '',
  };
  let mail: Mail = { syncs: [], mayHaveCommands: true };
  for (;;) {
    const trouble = takeTurn(coordinator, mail);
    if (trouble !== undefined) return trouble;
    const over = whetherOver(coordinator);
    if (over !== undefined) return over;
    mail = await mailbox.next(msToWait(coordinator));
  }
}

/** Decides on what has come until nothing is left that could be decided without more mail. */
function takeTurn(coordinator: Coordinator, mail: Mail): RunOver | Amended | undefined {
  const { state, dispatcher, clock, log, mailbox, given } = coordinator;
  const at = clock.monotonic();
  const planned = state.compiled;
  const { events, answers } = heedCommands(coordinator, mail.mayHaveCommands ? log.commands() : []);
  // What else has come is said again to the loop that follows.
  if (state.compiled !== planned) return endAmended(coordinator, append(coordinator, events, answers));
  let outcomes: readonly Outcome[] = [
    ...receive(dispatcher, mail.syncs, at),
    ...expire(dispatcher, at),
    ...(mail.merges ?? []),
  ];
  for (let isFirst = true; isFirst || outcomes.length > 0; isFirst = false) {
    const decided = turn(state, outcomes, momentOf(coordinator));
    const appended = append(coordinator, isFirst ? [...events, ...decided] : decided, isFirst ? answers : []);
    if (typeof appended === 'object') return appended;
    if (state.compiled !== planned) return endAmended(coordinator, appended);
    const { replies, refused } = dispatch(dispatcher, owedClaims(state), (claim) => assign(state, claim, given));
    const orders = changedOrders(coordinator);
    const isSilent = replies.length === 0 && orders === undefined;
    const stale = appended === 'appended' || isSilent ? undefined : confirm(log);
    if (stale !== undefined) return stale;
    for (const { host, reply } of replies) mailbox.reply(host, reply);
    if (orders !== undefined) coordinator.train?.give(orders);
    outcomes = refused;
  }
  return undefined;
}

const endAmended = ({ isStopping }: Coordinator, appended: ReturnType<typeof append>): RunOver | Amended =>
  typeof appended === 'object' ? appended : { type: 'amended', isStopping };

/** What the train is to merge, when that is not what it was told last. */
function changedOrders(coordinator: Coordinator): readonly MergeOrder[] | undefined {
  const { state, given, train } = coordinator;
  const claims = [...state.claims.values()].filter(({ work }) => work === 'merge');
  const merging = claims
    .map(({ task, attempt, cancelling }) => `${task}#${attempt} ${cancelling !== undefined}`)
    .join();
  if (train === undefined || merging === coordinator.merging) return undefined;
  coordinator.merging = merging;
  return mergesOf(state, given);
}

interface Heeded {
  readonly events: readonly RunEvent[];
  readonly answers: readonly Answer[];
}

/** Each command is heeded in the state that the one before it left; an amended plan is for the next loop to go on with. */
function heedCommands(coordinator: Coordinator, posted: ReturnType<Log['commands']>): Heeded {
  const { state } = coordinator;
  const planned = state.compiled;
  const events: RunEvent[] = [];
  const answers: Answer[] = [];
  for (const { id, command } of posted) {
    const { outcomes, reply } = handle(state, command);
    events.push(...turn(state, outcomes, momentOf(coordinator)));
    answers.push({ id, reply });
    if (command.type === 'stop' && command.tasks.length === 0) coordinator.isStopping = true;
    if (command.type === 'resume' && command.tasks.length === 0) coordinator.isStopping = false;
    if (state.compiled !== planned) break;
  }
  return { events, answers };
}

const momentOf = ({ now, judge }: Coordinator): Moment => ({ judge, now: now(), stopsWhenAmended: true });

function append(
  coordinator: Coordinator,
  events: readonly RunEvent[],
  answers: readonly Answer[],
): RunOver | 'appended' | 'nothing to append' {
  const { log, onEvents, state, clock } = coordinator;
  if (events.length === 0 && answers.length === 0) return 'nothing to append';
  const appended = log.append(events, answers);
  if (appended.type !== 'appended') return appended;
  coordinator.quietSince = clock.monotonic();
  onEvents(events, state);
  return 'appended';
}

/** Whether the run is still ours. */
function confirm(log: Log): RunOver | undefined {
  const appended = log.append([], []);
  return appended.type === 'appended' ? undefined : appended;
}

function whetherOver(coordinator: Coordinator): RunOver | undefined {
  const { state, isStopping } = coordinator;
  if (state.run.stage === 'ended') return { type: 'ended', state };
  if (isStopping && state.claims.size === 0) return { type: 'stopped', state };
  const why = waitsFor(state);
  return why === undefined || leftToStayMs(coordinator, why) > 0 ? undefined : { type: 'waiting', for: why, state };
}

const leftToStayMs = ({ staysMs, clock, quietSince }: Coordinator, why: WaitsFor): number =>
  staysMs(why) - (clock.monotonic() - quietSince);

/** What of a person the run waits for, when nothing is at work and time alone will not move it on. */
export function waitsFor(state: State): WaitsFor | undefined {
  if (state.claims.size > 0) return undefined;
  if (state.run.stage === 'paused') return state.run.pausedFor === undefined ? 'resume' : 'repair';
  if (nextWorkWake(state) !== undefined) return undefined;
  return state.questions.size > 0 ? 'answer' : 'resume';
}

/** How long the loop may sleep: until something rests no more, a lease runs out, or nobody has answered for too long. */
function msToWait(coordinator: Coordinator): number | undefined {
  const { state, dispatcher, now, clock } = coordinator;
  const wake = nextWake(state);
  const lease = leaseEnd(dispatcher);
  const why = waitsFor(state);
  const waits = [
    wake === undefined ? Infinity : wake - now(),
    lease === undefined ? Infinity : lease - clock.monotonic(),
    why === undefined ? Infinity : leftToStayMs(coordinator, why),
  ];
  const shortest = Math.min(...waits);
  return shortest === Infinity ? undefined : Math.max(0, shortest);
}
