// What one message of a host costs the coordinator, with many hosts and many claims at work: reading the message, and
// finding what is to be sent to whom. In processor time of this thread, so that a busy machine disturbs little.
import { answerHosts } from '../../src/core/protocol/answer-hosts.ts';
import { WORKER_TYPES, type Assignment, type ClaimRef } from '../../src/core/protocol/assignment.ts';
import {
  receive,
  startDispatcher,
  SPEND_UNKNOWN,
  type Dispatcher,
  type OwedClaim,
} from '../../src/core/protocol/dispatcher.ts';
import type { Placeable } from '../../src/core/protocol/placement.ts';
import type { Sync } from '../../src/core/protocol/sync.ts';

export interface DispatchFigure {
  readonly hosts: number;
  readonly claims: number;
  /** A message that says that all goes on as before. */
  readonly quietMs: number;
  /** A message that reports one claim as done, after which another waits to be placed. */
  readonly doneMs: number;
  /** Of one message in which a host lists its claims, as JSON. */
  readonly bytes: number;
}

export const DISPATCH_SIZES: readonly (readonly [hosts: number, claims: number])[] = [
  [16, 500],
  [64, 500],
  [64, 2_000],
  [300, 2_000],
  [300, 10_000],
];

const MESSAGES = 60;

export function measureDispatch(hosts: number, claims: number): DispatchFigure {
  const cluster = fill(hosts, claims);
  const quietMs = perMessage(cluster, () => undefined);
  const doneMs = perMessage(cluster, (host) => finishOne(cluster, host));
  const first = syncOf(cluster, 0, undefined);
  return { hosts, claims, quietMs, doneMs, bytes: JSON.stringify(first).length };
}

export function printDispatch(figures: readonly DispatchFigure[]): void {
  console.log('A message of a host, in milliseconds of processor time:');
  console.log('  hosts  claims  all as before  one is done  bytes');
  for (const { hosts, claims, quietMs, doneMs, bytes } of figures)
    console.log(
      `  ${String(hosts).padStart(5)}  ${String(claims).padStart(6)}  ${quietMs.toFixed(2).padStart(13)}  ${doneMs.toFixed(2).padStart(11)}  ${String(bytes).padStart(5)}`,
    );
}

interface Cluster {
  readonly dispatcher: Dispatcher;
  /** What is owed, by the number of the claim. */
  readonly owed: Map<number, OwedClaim>;
  /** The claims of each host, by number. */
  readonly held: Set<number>[];
  readonly numbers: number[];
  next: number;
}

const claimOf = (number: number): ClaimRef => ({
  work: 'step',
  task: `group.task-${number}`,
  step: 'main',
  attempt: 1,
});
const nameOf = (host: number): string => `host-${host}`;

/** All claims are with hosts, evenly, and every host waits for an answer. */
function fill(hosts: number, claims: number): Cluster {
  const held = Array.from({ length: hosts }, () => new Set<number>());
  const owed = new Map<number, OwedClaim>();
  for (let number = 0; number < claims; number += 1) {
    held[number % hosts]?.add(number);
    owed.set(number, { claim: claimOf(number), isToStop: false, host: nameOf(number % hosts) });
  }
  const numbers = held.map(() => 0);
  const cluster: Cluster = { dispatcher: startDispatcher([...owed.values()]), owed, held, numbers, next: claims };
  for (let host = 0; host < hosts; host += 1) send(cluster, host, undefined);
  return cluster;
}

function syncOf({ held, numbers }: Cluster, host: number, done: number | undefined): Sync {
  const claims = [...(held[host] ?? [])].map((number) => ({ claim: claimOf(number), spend: SPEND_UNKNOWN }));
  const result = { ok: true, response: 'said', output: undefined, exitCode: 0, commit: 'c0ffee' };
  return {
    host: nameOf(host),
    number: numbers[host] ?? 0,
    instance: 'one',
    isRemote: true,
    done: done === undefined ? [] : [{ type: 'finished', ...claimOf(done), spend: SPEND_UNKNOWN, result }],
    held: claims,
    want: 1,
    does: WORKER_TYPES,
    labels: ['linux'],
  };
}

/** One of its claims is done, and the run has another one for any host. */
function finishOne(cluster: Cluster, host: number): number | undefined {
  const { held, owed } = cluster;
  const [done] = held[host] ?? [];
  if (done === undefined) return undefined;
  held[host]?.delete(done);
  owed.delete(done);
  owed.set(cluster.next, { claim: claimOf(cluster.next), isToStop: false });
  cluster.next += 1;
  return done;
}

const NEEDS: Placeable = {
  on: ['linux'],
  agent: undefined,
  isHere: false,
  conversation: undefined,
  last: undefined,
  base: undefined,
  refusedOn: [],
  endsCutOff: false,
};

/** Sends a message, and says how much processor time the dispatcher has taken, in microseconds. */
function send(cluster: Cluster, host: number, done: number | undefined): number {
  const { dispatcher, owed, held, numbers } = cluster;
  numbers[host] = (numbers[host] ?? 0) + 1;
  const sync = syncOf(cluster, host, done);
  const placedOn = new Map([...owed.values()].map((each) => [each.claim.task, { host: each.host }]));
  const claims = [...owed.values()];
  const from = process.threadCpuUsage();
  receive(dispatcher, [sync], { at: 0, placedOn: ({ task }) => placedOn.get(task) ?? 'over' });
  const dispatched = answerHosts(dispatcher, claims, {
    assign: (claim) => ({ type: 'assigned', assignment: assignmentOf(claim) }),
    needsOf: () => NEEDS,
  });
  const { user, system } = process.threadCpuUsage(from);
  for (const placement of dispatched.type === 'dispatched' ? dispatched.placements : []) {
    const found = [...owed].find(([, { claim }]) => claim === placement.claim);
    if (found === undefined || placement.type !== 'placed') continue;
    owed.set(found[0], { ...found[1], host: placement.host });
    held.find((_, at) => nameOf(at) === placement.host)?.add(found[0]);
  }
  return user + system;
}

const assignmentOf = (claim: ClaimRef): Assignment => ({
  claim,
  work: { type: 'command', command: 'x', environment: {} },
  limits: { timeoutMs: 1, idleTimeoutMs: 1 },
  output: undefined,
  sandbox: undefined,
});

function perMessage(cluster: Cluster, before: (host: number) => number | undefined): number {
  const hosts = cluster.held.length;
  const all = Array.from({ length: MESSAGES }, (_, at) => (at * 7) % hosts);
  let spent = 0;
  for (const host of all) {
    spent += send(cluster, host, before(host));
  }
  return spent / 1_000 / all.length;
}
