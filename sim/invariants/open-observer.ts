// Watches one world for its invariants. It folds durable events by itself and trusts no other part.
import { claimKey, type ClaimRef } from '../../src/core/protocol/assignment.ts';
import { apply } from '../../src/core/engine/apply/apply.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { fold } from '../../src/core/engine/apply/fold.ts';
import type { State } from '../../src/core/engine/state.ts';
import type { RefusedReport } from '../../src/core/protocol/placement.ts';
import type { Reply, Sync } from '../../src/core/protocol/sync.ts';
import type { WorkOutcome } from '../../src/core/protocol/work-outcome.ts';
import type { LoopAmended } from '../../src/shell/loop/loop.ts';
import type { RunOver } from '../../src/shell/ports/log.ts';
import type { AnswerTo } from '../world/disk.ts';
import type { Worker } from '../world/worker.ts';
import { claimsOf, mergesOf, type Hooks, type Invariant, type Sight, type Talk } from './invariant.ts';

export interface Violation {
  readonly invariant: string;
  readonly message: string;
}

export interface Observer {
  /** The fold of what is durable. */
  readonly state: State;
  readonly events: () => readonly RunEvent[];
  readonly violation: () => Violation | undefined;
  readonly violate: (invariant: string, message: string) => never;
  readonly coordinatorStarts: () => void;
  /** The latest message of a host that the coordinator has taken. */
  readonly latest: (host: string) => Sync | undefined;
  readonly heard: (syncs: readonly Sync[], mayHaveCommands: boolean) => void;
  readonly appended: (events: readonly RunEvent[], answers: readonly AnswerTo[]) => void;
  readonly decided: (state: State) => void;
  readonly replied: (reply: Reply, host: string) => void;
  readonly waits: (commandsLeft: number) => void;
  readonly starts: (claim: ClaimRef, isLate: boolean) => void;
  readonly started: (worker: Worker) => void;
  /** A worker whose machine stood still. */
  readonly goesOn: (worker: Worker) => void;
  readonly acknowledged: (outcomes: readonly WorkOutcome[], host: string) => void;
  readonly refused: (refused: readonly RefusedReport[]) => void;
  readonly left: (over: RunOver | LoopAmended | 'crashed' | 'asleep') => void;
  readonly over: () => void;
}

interface Opening extends Omit<Sight, 'state' | 'events' | 'talk' | 'started'> {
  readonly started: RunEvent;
  readonly invariants: readonly Invariant[];
  readonly say: (line: string) => void;
}

export function openObserver({ started, say, invariants, ...seen }: Opening): Observer {
  const state = fold([started], seen.compiled);
  const events: RunEvent[] = [started];
  const talk: Talk = { hosts: new Map(), startedAt: seen.now(), mayHaveCommands: false };
  const sight: Sight = {
    ...seen,
    get compiled() {
      return state.compiled;
    },
    started: seen.compiled,
    talk,
    state: () => state,
    events: () => events,
  };
  let found: Violation | undefined;
  const violate = (invariant: string, message: string): never => {
    found ??= { invariant, message };
    throw new Error(`${invariant}: ${message}`);
  };
  const hooks: readonly Hooks[] = invariants.map(({ name, watch }) =>
    watch(sight, (message) => violate(name, message)),
  );
  return {
    state,
    events: () => events,
    violation: () => found,
    violate,
    latest: (host) => talk.hosts.get(host)?.latest,
    coordinatorStarts: () => {
      talk.hosts.clear();
      talk.startedAt = seen.now();
      talk.mayHaveCommands = true;
    },
    heard: (syncs, mayHaveCommands) => {
      talk.mayHaveCommands = mayHaveCommands;
      for (const { heard } of hooks) heard?.(syncs, mayHaveCommands);
      for (const sync of syncs) listen(talk, withoutLies(sight, sync), seen.now());
    },
    appended: (appended, answers) => {
      for (const { reply } of answers) say(`the coordinator replies: ${reply.notes.map(({ code }) => code).join()}`);
      for (const { handled } of hooks) handled?.(answers);
      for (const event of appended) {
        say(lineOf(event));
        for (const name of countedAs(event)) seen.counts.add(`event ${name}`);
        for (const { before } of hooks) before?.(event);
        apply(state, event);
        events.push(event);
        for (const { after } of hooks) after?.(event);
      }
      for (const hook of hooks) hook.appended?.(appended, answers);
    },
    decided: (own) => hooks.forEach(({ decided }) => decided?.(own)),
    replied: (reply, host) => {
      for (const { replied } of hooks) replied?.(reply, host);
      const heard = talk.hosts.get(host);
      if (heard !== undefined)
        talk.hosts.set(host, { ...heard, isAnswered: true, given: reply.start.map(({ claim }) => claim) });
    },
    waits: (commandsLeft) => hooks.forEach(({ waits }) => waits?.(commandsLeft)),
    starts: (claim, isLate) => hooks.forEach(({ starts }) => starts?.(claim, isLate)),
    started: (worker) => hooks.forEach(({ started: listener }) => listener?.(worker)),
    goesOn: (worker) => hooks.forEach(({ goesOn }) => goesOn?.(worker)),
    ...hearing(hooks),
    left: (over) => hooks.forEach(({ left }) => left?.(over)),
    over: () => hooks.forEach(({ over }) => over?.()),
  };
}

/** That a report was heard which was refused is no promise. */
function hearing(hooks: readonly Hooks[]): Pick<Observer, 'acknowledged' | 'refused'> {
  const lies = new Set<string>();
  return {
    acknowledged: (outcomes, host) => {
      const heard = outcomes.filter((outcome) => !lies.has(nameOfReport(host, outcome, outcome.type)));
      for (const { acknowledged } of hooks) acknowledged?.(heard);
    },
    refused: (reports) => {
      for (const { host, claim, reported } of reports) lies.add(nameOfReport(host, claim, reported));
      for (const { refused } of hooks) refused?.(reports);
    },
  };
}

const nameOfReport = (host: string, claim: ClaimRef, reported: string): string =>
  `${host} ${reported} ${claimKey(claim)}`;

/** What a host on another machine holds, as far as the log places it there or does not know it any more. */
function withoutLies(sight: Sight, sync: Sync): Sync {
  if (sync.isRemote !== true) return sync;
  const claims = new Map([...claimsOf(sight), ...mergesOf(sight)]);
  const held = sync.held.filter(({ claim }) => {
    const known = claims.get(claimKey(claim));
    return known === undefined || known.host === sync.host;
  });
  return { ...sync, held };
}

function listen(talk: Talk, sync: Sync, now: number): void {
  const known = talk.hosts.get(sync.host);
  const isOfSameProgram = known !== undefined && known.latest.instance === sync.instance;
  if (isOfSameProgram && known.latest.number >= sync.number) return;
  talk.hosts.set(sync.host, { latest: sync, heardAt: now, isAnswered: false, given: [] });
}

function lineOf(event: RunEvent): string {
  const { type, at: _, ...rest } = event;
  const { task, step, result: __, ...more } = { task: '', step: '', result: undefined, ...rest };
  const said = Object.entries(more).flatMap(([name, value]) =>
    value === undefined || name === 'plan' || name === 'priorities'
      ? []
      : [`${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`],
  );
  return `log: ${type} ${task}${step === '' ? '' : `/${step}`} ${said.join(' ')}`;
}

/** A claim counts by its work too, and by what its end means for its task. */
function countedAs(event: RunEvent): readonly string[] {
  if (!('work' in event)) return [event.type];
  const name = `${event.type} ${event.work}`;
  if (event.type !== 'claim.ended') return [name];
  if (event.redo !== undefined) return [name, `a ${event.work} sent its task back`];
  return event.conflict === undefined ? [name] : [name, 'a conflict went to its agent'];
}
