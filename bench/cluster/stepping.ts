// What the end of one step costs the coordinator of a run with many steps at work on many hosts: reading the message,
// deciding, applying, placing what follows, and writing the events. In processor time of this thread.
import { compile } from '../../src/core/compile/compile.ts';
import { stateAfterStart, runStarted } from '../../src/core/engine/apply/fold.ts';
import { evaluatorOf } from '../../src/core/engine/evaluator.ts';
import { writeEvent } from '../../src/core/engine/events/event-format.ts';
import { startCoordinator, type CoordinatorState } from '../../src/core/engine/step/coordinator-state.ts';
import { step } from '../../src/core/engine/step/step.ts';
import { parsePlan } from '../../src/core/plan/build/parse.ts';
import { WORKER_TYPES, type ClaimRef } from '../../src/core/protocol/assignment.ts';
import type { Sync } from '../../src/core/protocol/sync.ts';
import type { WorkOutcome } from '../../src/core/protocol/work-outcome.ts';

export interface StepFigure {
  readonly hosts: number;
  readonly claims: number;
  readonly msPerEnd: number;
  readonly eventsPerEnd: number;
  readonly bytesPerEvent: number;
}

/** No plan may have more at once. */
export const STEP_SIZES: readonly (readonly [hosts: number, claims: number])[] = [
  [16, 250],
  [64, 1_000],
  [300, 1_000],
];

const ENDS_WARM = 100;
const ENDS = 400;
const UNKNOWN = { usd: undefined, tokens: undefined };
const RESULT = { ok: true, response: 'said', output: undefined, exitCode: 0, commit: 'c'.repeat(40) };

interface Fleet {
  readonly coordinator: CoordinatorState;
  readonly width: number;
  /** By host. */
  readonly held: ClaimRef[][];
  number: number;
}

export function measureStep(hosts: number, claims: number): StepFigure {
  const fleet = startFleet(hosts, claims);
  for (let host = 0; host < hosts; host += 1) send(fleet, host, []);
  const sum = { us: 0, events: 0, bytes: 0, ends: 0 };
  for (let at = 0; at < ENDS; at += 1) {
    const host = at % hosts;
    const claim = fleet.held[host]?.shift();
    if (claim === undefined) continue;
    const sent = send(fleet, host, [{ type: 'finished', ...claim, spend: UNKNOWN, result: RESULT }]);
    if (at < ENDS_WARM) continue;
    sum.us += sent.us;
    sum.events += sent.events;
    sum.bytes += sent.bytes;
    sum.ends += 1;
  }
  return {
    hosts,
    claims,
    msPerEnd: sum.us / sum.ends / 1_000,
    eventsPerEnd: sum.events / sum.ends,
    bytesPerEvent: sum.bytes / sum.events,
  };
}

export function printClusterSteps(figures: readonly StepFigure[]): void {
  console.log('The end of a step, from the message to the events as text:');
  console.log('  hosts  at work  ms of processor time  events  bytes an event');
  for (const { hosts, claims, msPerEnd, eventsPerEnd, bytesPerEvent } of figures)
    console.log(
      `  ${String(hosts).padStart(5)}  ${String(claims).padStart(7)}  ${msPerEnd.toFixed(2).padStart(20)}  ${eventsPerEnd.toFixed(1).padStart(6)}  ${bytesPerEvent.toFixed(0).padStart(14)}`,
    );
}

function startFleet(hosts: number, claims: number): Fleet {
  const tasks = Array.from({ length: claims + ENDS }, (_, at) => `  t${at}: { run: x }`).join('\n');
  const text = `heddle: 1\nhosts: { max_parallel: ${claims} }\ntasks:\n${tasks}`;
  const { plan } = parsePlan(text, { file: 'plan.yaml' });
  if (plan === undefined) throw new Error('The plan is wrong.');
  const compiled = compile(plan);
  const order = { policy: 'parallel', priorities: [], holds: [] } as const;
  const started = runStarted(compiled, order, { at: 0, seed: 1, inputs: {}, base: 'base' });
  const given = { inputs: {}, env: {} };
  const coordinator = startCoordinator(stateAfterStart(started, compiled), {
    evaluator: evaluatorOf(given),
    given,
    at: 0,
  });
  const held = Array.from({ length: hosts }, (): ClaimRef[] => []);
  return { coordinator, width: Math.ceil(claims / hosts), held, number: 0 };
}

interface Sent {
  readonly us: number;
  readonly events: number;
  readonly bytes: number;
}

function send(fleet: Fleet, host: number, done: readonly WorkOutcome[]): Sent {
  fleet.number += 1;
  const claims = fleet.held[host] ?? [];
  const sync: Sync = {
    host: String(host),
    number: fleet.number,
    instance: 'one',
    isRemote: true,
    done,
    held: claims.map((claim) => ({ claim, spend: UNKNOWN })),
    want: fleet.width - claims.length,
    does: WORKER_TYPES,
  };
  const from = process.threadCpuUsage();
  const { events, toHosts } = step(fleet.coordinator, { syncs: [sync] }, { now: fleet.number, at: fleet.number });
  const lines = events.map(writeEvent);
  const { user, system } = process.threadCpuUsage(from);
  for (const { host: name, reply } of toHosts) fleet.held[Number(name)]?.push(...reply.start.map(({ claim }) => claim));
  return { us: user + system, events: events.length, bytes: lines.reduce((sum, line) => sum + line.length, 0) };
}
