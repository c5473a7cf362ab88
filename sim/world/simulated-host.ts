// A host as the protocol asks it to be (H1–H4), with workers that are made of draws. It keeps to its part exactly: what
// goes wrong is the network, its workers and the coordinator.
import type { Assignment, ClaimRef } from '../../src/core/protocol/assignment.ts';
import { claimKey, WORKER_TYPES } from '../../src/core/protocol/assignment.ts';
import type { Reply, Sync } from '../../src/core/protocol/sync.ts';
import type { WorkOutcome } from '../../src/core/protocol/work-outcome.ts';
import { endInTime } from './end-in-time.ts';
import { openHeldMerges, type HeldMerges } from '../../src/shell/host/held-merges.ts';
import type { OpenMergeQueue } from '../../src/shell/ports/merge-request.ts';
import { crashed, killWorker, lost, NOTHING_SPENT, startWorker, stopped, stopWorker, UNKNOWN } from './start-worker.ts';
import type { Worker } from './worker.ts';
import type { HostWorld } from './world.ts';

/** The longest that a host stays silent. */
const SYNC_EVERY_MS = 10_000;

/** The machine: what is left of an attempt when its host is gone. */
export interface Machine {
  /** Every worker that was ever started here, by claim. */
  readonly workers: Map<string, Worker>;
  /** Claims that were cancelled before they began: their folders are taken, so no worker begins them afterwards. */
  readonly refused: Set<string>;
  /** Claims whose outcome was heard. */
  readonly acknowledged: Set<string>;
  /** Since it started, by its own clock. */
  readonly clock: () => number;
  /** It stood still, and goes on with what had come before. */
  readonly isJustAwake: () => boolean;
  /** By that clock, when the message was sent that was answered last. */
  heardAt: number;
  /** The host that looks after them, if any. */
  host: Host | undefined;
}

export const emptyMachine = (clock: () => number, isJustAwake = (): boolean => false): Machine => ({
  workers: new Map(),
  refused: new Set(),
  acknowledged: new Set(),
  clock,
  isJustAwake,
  heardAt: 0,
  host: undefined,
});

export interface Host {
  readonly receive: (reply: Reply) => void;
  /** Looks for what an earlier host has left. */
  readonly recover: (claims: readonly ClaimRef[]) => void;
  readonly notice: (worker: Worker) => void;
  readonly sendSoon: () => void;
  /** By the clock of its machine, when it sent its latest message. */
  readonly sentAt: () => number;
  /** A message that was sent then was heard. */
  readonly answered: (sentAt: number) => void;
  /** It is gone; its workers are not. */
  readonly die: () => void;
  readonly isGone: () => boolean;
  /** It holds nothing, and everything that it reported was heard. */
  readonly isIdle: () => boolean;
}

/** The host that runs steps; a second one may hold merges. */
export const HERE = 'here';

interface Hosting {
  readonly world: HostWorld;
  readonly machine: Machine;
  readonly name: string;
  /** How many claims it takes at once, merges aside. */
  readonly width: number;
  /** Undefined for a host that cannot merge. */
  readonly openMergeQueue: OpenMergeQueue | undefined;
  readonly send: (sync: Sync, host: Host) => void;
  /** Only on another machine: the message as it is sent, with what the server adds to it. */
  readonly says?: (sync: Sync) => Sync;
  /** Only on another machine: brings what a worker left to the server; the outcome may be reported then. */
  readonly deliver?: (outcome: WorkOutcome, then: (outcome: WorkOutcome) => void) => void;
}

interface Memory {
  number: number;
  /** Of the latest message. */
  sentAt: number;
  readonly held: Map<string, Worker>;
  readonly merges: HeldMerges;
  readonly done: Map<string, WorkOutcome>;
  /** What the latest message reported as done. */
  carried: ReadonlyMap<string, WorkOutcome>;
  isGone: boolean;
  isSending: boolean;
}

export function startHost(hosting: Hosting): Host {
  const { world, machine, openMergeQueue, send } = hosting;
  const memory: Memory = {
    number: 0,
    sentAt: 0,
    held: new Map(),
    // The host that is shipped holds its merges in the same way.
    merges: openHeldMerges(openMergeQueue, (outcomes) => {
      for (const outcome of outcomes) memory.done.set(claimKey(outcome), outcome);
      sendSoon();
    }),
    done: new Map(),
    carried: new Map(),
    isGone: false,
    isSending: false,
  };
  const tell = (): void => {
    if (memory.isGone) return;
    memory.isSending = false;
    memory.sentAt = machine.clock();
    const sync = nextSync(hosting, memory);
    send(hosting.says?.(sync) ?? sync, host);
  };
  const sendSoon = (): void => {
    if (memory.isSending) return;
    memory.isSending = true;
    world.timeline.schedule(1 + world.dice.named(`tell ${memory.number}`).below(20), tell);
  };
  const tick = (): void => {
    if (memory.isGone) return;
    tell();
    world.timeline.schedule(SYNC_EVERY_MS, tick);
  };
  const host: Host = {
    receive: (reply) => receive({ ...hosting, memory, sendSoon }, reply),
    recover: (claims) => recover({ ...hosting, memory, sendSoon }, claims),
    notice: (worker) => {
      if (!memory.isGone && memory.held.has(worker.key)) conclude({ ...hosting, memory, sendSoon }, worker, crashed);
    },
    sendSoon,
    sentAt: () => memory.sentAt,
    answered: (sentAt) => {
      if (!memory.isGone) machine.heardAt = Math.max(machine.heardAt, sentAt);
    },
    die: () => {
      memory.isGone = true;
      void memory.merges.close();
    },
    isGone: () => memory.isGone,
    isIdle: () => memory.held.size === 0 && memory.done.size === 0,
  };
  machine.host = host;
  world.timeline.schedule(1, tick);
  return host;
}

/** What came of it is reported when its commit is on the server, and held until then. */
function conclude(
  { world, memory, deliver, sendSoon }: HostAtWork,
  worker: Worker,
  otherwise: (worker: Worker) => WorkOutcome,
): void {
  const report = (outcome: WorkOutcome): void => {
    if (memory.isGone) return;
    memory.held.delete(worker.key);
    memory.done.set(worker.key, outcome);
    sendSoon();
  };
  const outcome = worker.outcome ?? otherwise(worker);
  const commit = commitOf(outcome);
  if (commit !== undefined && deliver !== undefined) {
    memory.held.set(worker.key, worker);
    deliver(outcome, (delivered) => {
      worker.outcome = delivered;
      report(delivered);
    });
    return;
  }
  if (commit !== undefined) world.delivered.add(commit);
  report(outcome);
}

export const commitOf = (outcome: WorkOutcome): string | undefined =>
  'result' in outcome ? outcome.result?.commit : undefined;

function nextSync({ name, width }: Hosting, memory: Memory): Sync {
  memory.number += 1;
  memory.carried = new Map(memory.done);
  return {
    host: name,
    number: memory.number,
    done: [...memory.done.values()],
    held: [
      ...[...memory.held.values()].map(({ claim, live }) => ({ claim, spend: live })),
      ...memory.merges.claims().map((claim) => ({ claim, spend: NOTHING_SPENT })),
    ],
    want: Math.max(0, width - memory.held.size),
    does: [...(width > 0 ? WORKER_TYPES : []), ...(memory.merges.canMerge ? (['merge'] as const) : [])],
  };
}

interface HostAtWork extends Hosting {
  readonly memory: Memory;
  readonly sendSoon: () => void;
}

function receive(atWork: HostAtWork, reply: Reply): void {
  const { world, machine, memory, sendSoon } = atWork;
  if (memory.isGone) return;
  if (reply.number !== memory.number) return world.counts.add('late reply ignored');
  machine.heardAt = Math.max(machine.heardAt, memory.sentAt);
  world.observer.acknowledged([...memory.carried.values()], atWork.name);
  for (const [key, outcome] of memory.carried) {
    memory.done.delete(key);
    machine.acknowledged.add(key);
    if (world.dice.strikes('second report')) reportAgain(atWork, key, outcome);
  }
  memory.carried = new Map();
  for (const assignment of reply.start) begin(atWork, assignment);
  for (const claim of reply.cancel) cancel(atWork, claim);
  sendSoon();
}

function reportAgain({ world, memory, sendSoon }: HostAtWork, key: string, outcome: WorkOutcome): void {
  world.timeline.schedule(world.dice.of('second report').below(60_000), () => {
    const isHeld = memory.held.has(key) || memory.merges.claims().some((claim) => claimKey(claim) === key);
    if (isHeld || memory.done.has(key)) return;
    memory.done.set(key, outcome);
    sendSoon();
  });
}

function cancel({ world, machine, memory }: HostAtWork, claim: ClaimRef): void {
  const key = claimKey(claim);
  const worker = memory.held.get(key);
  if (worker !== undefined) return stopWorker(world, worker, (ended) => noticeLater(world, machine, ended));
  if (memory.done.has(key)) return;
  if (claim.work === 'merge') return void memory.merges.stop(claim);
  if (!machine.workers.has(key)) machine.refused.add(key);
  memory.done.set(key, stopped(claim, UNKNOWN));
}

function begin(atWork: HostAtWork, assignment: Assignment): void {
  const { world, machine, memory, name, width } = atWork;
  const key = claimKey(assignment.claim);
  if (memory.held.has(key) || memory.done.has(key)) return;
  if (assignment.work.type === 'merge') return void memory.merges.accept(assignment);
  if (machine.refused.has(key)) return void memory.done.set(key, lost(assignment.claim, UNKNOWN));
  const earlier = machine.workers.get(key);
  if (earlier !== undefined) return adopt(atWork, earlier);
  // More than it asked for is offered again.
  if (memory.held.size >= width) return;
  world.observer.starts(assignment.claim, machine.isJustAwake());
  world.say(`a worker begins ${key}`);
  const worker = startWorker(world, assignment, {
    host: name,
    onSpending: () => machine.host?.sendSoon(),
    onEnd: (ended) => noticeLater(world, machine, ended),
  });
  worker.isStill = machine.isJustAwake();
  machine.workers.set(key, worker);
  world.workers.set(key, worker);
  memory.held.set(key, worker);
  world.observer.started(worker);
  if (worker.leaseMs !== undefined)
    endInTime({ world, machine, onEnd: (ended) => noticeLater(world, machine, ended) }, worker, worker.leaseMs);
}

/** A worker's end is seen at once or, by the dice, a good while later. */
function noticeLater(world: HostWorld, machine: Machine, worker: Worker): void {
  world.say(`the worker of ${worker.key} ends: ${worker.outcome?.type ?? 'without a word'}`);
  const lateMs = world.dice.strikesNamed('late report', worker.key) ? world.dice.of('late report').below(60_000) : 0;
  world.timeline.schedule(lateMs, () => machine.host?.notice(worker));
}

/** Of two workers for one claim only one works: the second finds the folder taken. */
function adopt(atWork: HostAtWork, worker: Worker): void {
  if (worker.isAlive) atWork.memory.held.set(worker.key, worker);
  else conclude(atWork, worker, ({ claim, isPaid }) => lost(claim, isPaid ? UNKNOWN : NOTHING_SPENT));
}

function recover(atWork: HostAtWork, claims: readonly ClaimRef[]): void {
  const { world, machine, sendSoon } = atWork;
  const wanted = new Set(claims.map(claimKey));
  for (const worker of machine.workers.values()) {
    if (wanted.has(worker.key)) {
      world.counts.add(worker.isAlive ? 'worker adopted' : 'finished worker found');
      adopt(atWork, worker);
    } else if (worker.isAlive) {
      // The claim is no longer owed, so its orphan is reaped.
      killWorker(worker);
      world.counts.add('left worker swept');
    }
  }
  sendSoon();
}
