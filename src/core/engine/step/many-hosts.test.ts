// A run with hosts on other machines, through `step`: what is logged, what is sent, and what a restart knows.
import { describe, expect, test } from 'vitest';
import { compile } from '../../compile/compile.ts';
import { WORK_TYPES, WORKER_TYPES, type ClaimRef } from '../../protocol/assignment.ts';
import { LEASE_MS } from '../../protocol/dispatcher.ts';
import type { Rooms } from '../../protocol/placement.ts';
import type { SandboxBackend } from '../../protocol/sandbox-backend.ts';
import type { Sync } from '../../protocol/sync.ts';
import type { OutcomeOf, WorkOutcome } from '../../protocol/work-outcome.ts';
import { fold } from '../apply/fold.ts';
import { evaluatorOf } from '../evaluator.ts';
import type { RunEvent } from '../event.ts';
import { amendmentOf } from '../amendment.ts';
import type { AmendCommand } from '../command.ts';
import { expectedOf } from '../decide/decide-amend.ts';
import { compiled, given, OK, type RunOptions } from '../run.given.ts';
import { lineOf } from '../trace.given.ts';
import { startCoordinator, type CoordinatorState } from './coordinator-state.ts';
import { step, type StepInput, type Stepped } from './step.ts';

const UNKNOWN = { usd: undefined, tokens: undefined };
const GIVEN = { inputs: {}, env: { API_TOKEN: 'secret', BRANCH: 'main' } };
const A: ClaimRef = { work: 'step', task: 'a', step: 'main', attempt: 1 };
const B: ClaimRef = { work: 'step', task: 'b', step: 'main', attempt: 1 };
const held = (...claims: readonly ClaimRef[]): Sync['held'] => claims.map((claim) => ({ claim, spend: UNKNOWN }));
const done = (claim: ClaimRef): WorkOutcome => ({ type: 'finished', ...claim, spend: UNKNOWN, result: OK });

let numbers = 0;
const sync = (host: string, said: Partial<Sync> = {}): Sync => {
  numbers += 1;
  return { host, number: numbers, done: [], held: [], want: 4, does: WORKER_TYPES, isRemote: true, ...said };
};
/** The host inside the coordinator, which has room for merges alone. */
const here = (said: Partial<Sync> = {}): Sync => sync('here', { isRemote: false, want: 0, does: WORK_TYPES, ...said });

interface Machines {
  readonly log: RunEvent[];
  /** A step at a time, in milliseconds. */
  readonly at: (at: number, ...syncs: readonly Sync[]) => Stepped;
  /** A step where other runs have claims on the same hosts. */
  readonly among: (rooms: Rooms, ...syncs: readonly Sync[]) => Stepped;
  /** The coordinator finds out what sandboxes it has. */
  readonly sandboxed: (found: SandboxBackend) => void;
  /** The coordinator dies, and another folds the log. */
  readonly restart: (at: number, leaseMs?: number) => void;
  /** A person amends the tasks. */
  readonly amends: (tasks: string, changed?: RunOptions) => void;
}

function machines(tasks: string, options: RunOptions = {}): Machines {
  const run = given(tasks, { tree: 'auto', base: 'base', ...options });
  const log = [...run.log];
  const evaluator = evaluatorOf(GIVEN);
  const start = (at: number, leaseMs?: number): CoordinatorState =>
    startCoordinator(fold(log, run.compiled), { evaluator, given: GIVEN, at, leaseMs });
  let coordinator = start(0);
  const stepAt = (at: number, input: StepInput): Stepped => {
    const stepped = step(coordinator, input, { now: run.now() + at, at });
    log.push(...stepped.events);
    return stepped;
  };
  return {
    log,
    at: (at, ...syncs) => stepAt(at, { syncs }),
    among: (rooms, ...syncs) => stepAt(0, { syncs, rooms }),
    sandboxed: (sandboxes) => void stepAt(0, { sandboxes }),
    restart: (at, leaseMs) => void (coordinator = start(at, leaseMs)),
    amends: (changed, changedOptions) => {
      const { plan } = compiled(changed, { tree: 'auto', ...options, ...changedOptions });
      const expects = expectedOf(coordinator.state, amendmentOf(coordinator.state, compile(plan)));
      const command: AmendCommand = { type: 'amend', plan, priorities: { tasks: [], holds: [] }, expects };
      log.push(...step(coordinator, { commands: [{ id: 1, command }] }, { now: run.now(), at: 0 }).events);
    },
  };
}

const started = ({ toHosts }: Stepped): readonly string[] =>
  toHosts.flatMap(({ host, reply }) => reply.start.map(({ claim }) => `${host}: ${claim.task}#${claim.attempt}`));
const placedIn = ({ events }: Stepped): readonly string[] =>
  events.flatMap((event) => {
    if (event.type === 'claim.placed') return [`${event.task} on ${event.host ?? 'here'} for ${event.why}`];
    return event.type === 'claim.waiting' ? [`${event.task} waits for ${event.why}`] : [];
  });

describe('a claim', () => {
  test('goes to the host with the most room, and the log says so before the reply', () => {
    const run = machines('a: { run: x }\nb: { run: x }');
    const stepped = run.at(0, here(), sync('one', { want: 1 }), sync('two', { want: 3 }));
    expect(started(stepped)).toEqual(['two: a#1', 'two: b#1']);
    expect(placedIn(stepped)).toEqual(['a on two for room', 'b on two for room']);
  });

  test('of the machine of the coordinator is not placed', () => {
    const run = machines('a: { run: x }');
    const stepped = run.at(0, here({ want: 8 }), sync('one', { want: 1 }));
    expect(started(stepped)).toEqual(['here: a#1']);
    expect(placedIn(stepped)).toEqual([]);
  });

  test('goes where the template of the base commit is, and where its task was before that', () => {
    const run = machines('a: { steps: [ { id: main, run: x }, { id: more, run: y } ] }');
    const cold = sync('cold', { want: 9 });
    expect(placedIn(run.at(0, here(), cold, sync('warm', { warm: ['base'] })))).toEqual(['a on warm for template']);
    const next = run.at(1, sync('hot', { want: 9, warm: ['base'] }), sync('warm', { done: [done(A)] }));
    expect(placedIn(next)).toEqual(['a on warm for task']);
  });

  test('of an agent goes where its program is, and where its conversation is', () => {
    const run = machines(
      'a: { agent: one, steps: [ { id: main, prompt: p }, { id: more, prompt: q, resume: true } ] }',
      {
        plan: 'agents: { one: { use: claude } }',
      },
    );
    const first = run.at(0, here(), sync('bare', { agents: ['codex'], want: 9 }), sync('able', { agents: ['claude'] }));
    expect(placedIn(first)).toEqual(['a on able for only']);
    const outcome = { ...done(A), conversation: { id: 'c1', reading: undefined } };
    const next = run.at(1, sync('other', { agents: ['claude'], want: 9 }), sync('able', { done: [outcome] }));
    expect(placedIn(next)).toEqual(['a on able for conversation']);
  });

  test('goes only to a host with all labels of its task, its step and its agent', () => {
    const run = machines(
      'a: { on: linux, agent: one, steps: [ { id: main, prompt: p, on: big }, { id: more, run: x } ] }',
      { plan: 'agents: { one: { use: claude, on: [gpu] } }' },
    );
    const some = run.at(0, here({ want: 9 }), sync('one', { labels: ['linux', 'gpu'] }), sync('two', { labels: [] }));
    expect(placedIn(some)).toEqual(['a waits for label']);
    expect(placedIn(run.at(1, sync('all', { labels: ['gpu', 'big', 'linux', 'x'] })))).toEqual(['a on all for only']);
    const next = run.at(
      2,
      sync('one', { labels: ['linux', 'gpu'], want: 1 }),
      sync('all', { done: [done(A)], want: 0 }),
    );
    expect(placedIn(next)).toEqual(['a on one for only']);
  });

  test('of a check goes to a host with the labels of its task', () => {
    const run = machines('a: { on: [gpu], run: x, check: t }');
    run.at(0, here({ want: 9 }), sync('one', { labels: ['gpu'] }));
    const next = run.at(1, sync('two'), sync('one', { labels: ['gpu'], done: [done(A)] }));
    expect(placedIn(next)).toEqual(['a on one for only']);
  });

  test('that waits for a label is placed by the labels of an amended plan', () => {
    const run = machines('a: { on: [gpu], run: x }');
    expect(placedIn(run.at(0, here(), sync('one', { want: 0 })))).toEqual(['a waits for label']);
    run.amends('a: { run: x }');
    expect(placedIn(run.at(1, here(), sync('one')))).toEqual(['a on one for only']);
  });

  test('that no host can take waits, and the log says once why', () => {
    const run = machines('a: { agent: one, prompt: p }', { plan: 'agents: { one: { use: claude } }' });
    expect(placedIn(run.at(0, here()))).toEqual([]);
    expect(placedIn(run.at(1, sync('bare', { agents: [] })))).toEqual(['a waits for agent']);
    expect(placedIn(run.at(2, sync('bare', { agents: [] })))).toEqual([]);
    expect(placedIn(run.at(3, sync('able')))).toEqual(['a on able for only']);
  });

  test('of a run in place stays on the machine of its user', () => {
    const run = machines('a: { run: x }', { tree: 'none' });
    expect(placedIn(run.at(0, here(), sync('one')))).toEqual(['a waits for host']);
    const taken = run.at(1, here({ want: 1 }));
    expect(started(taken)).toEqual(['here: a#1']);
    expect(placedIn(taken)).toEqual(['a on here for only']);
  });

  test('whose text has a secret of the machine of the coordinator stays there, and one with another value does not', () => {
    const plan = 'env: [API_TOKEN, BRANCH]';
    const secret = machines('a: { run: "x {{ env.API_TOKEN }}" }', { plan });
    expect(placedIn(secret.at(0, here(), sync('one')))).toEqual(['a waits for host']);
    expect(started(secret.at(1, here({ want: 1 })))).toEqual(['here: a#1']);
    const plain = machines('a: { run: "x $API_TOKEN {{ env.BRANCH }}" }', { plan });
    expect(placedIn(plain.at(0, here(), sync('one')))).toEqual(['a on one for only']);
  });

  test('of a task that has another claim at work goes to the same host, and waits for its room', () => {
    const run = machines(
      'a: { steps: [ { id: main, run: x, async: true }, { id: side, run: y, async: true }, { id: end, needs: [main, side], run: z } ] }',
    );
    const stepped = run.at(0, here(), sync('one', { want: 1 }));
    expect(started(stepped)).toEqual(['one: a#1']);
    expect(started(run.at(1, sync('two')))).toEqual([]);
    expect(started(run.at(2, sync('one', { held: held(A), want: 1 })))).toEqual(['one: a#1']);
  });
});

describe('a placed claim', () => {
  test('is offered to its host again when the reply was lost, without another event (dispatcher/K6)', () => {
    const run = machines('a: { run: x }');
    run.at(0, here(), sync('one'));
    const again = run.at(1, sync('two', { want: 9 }), sync('one'));
    expect(started(again)).toEqual(['one: a#1']);
    expect(again.events).toEqual([]);
  });

  test('is returned, at no cost, when its host has no room for it any more', () => {
    const run = machines('a: { run: x }');
    run.at(0, here(), sync('one'));
    const moved = run.at(1, sync('two'), sync('one', { isDraining: true, want: 0 }));
    expect(moved.events.map(lineOf)).toEqual([
      'claim.returned a (cancelled) uncounted',
      'claim.made a #2',
      'claim.placed a',
    ]);
    expect(started(moved)).toEqual(['two: a#2']);
  });

  test('is offered to no other host after a restart, until one lease without its host has passed', () => {
    const run = machines('a: { run: x }');
    run.at(0, here(), sync('one'));
    run.restart(1_000);
    expect(started(run.at(1_000, here(), sync('two')))).toEqual([]);
    expect(run.at(1_000 + LEASE_MS - 1, sync('two')).events).toEqual([]);
    const after = run.at(1_000 + LEASE_MS, sync('two'));
    expect(after.events.map(lineOf)[0]).toBe('claim.returned a (crashed) uncounted');
    expect(started(after)).toEqual(['two: a#2']);
  });

  test('goes on when its host speaks within the lease after a restart', () => {
    const run = machines('a: { run: x }');
    run.at(0, here(), sync('one'));
    run.restart(1_000);
    expect(run.at(2_000, here(), sync('one', { held: held(A) })).toHosts).toEqual([]);
    expect(run.at(3_000, sync('one', { done: [done(A)] })).events.map(lineOf)).toContain('claim.ended a done');
  });

  test('is lost when the next program in the home of its host does not know it', () => {
    const run = machines('a: { run: x }');
    run.at(0, here(), sync('one', { instance: 'first' }));
    run.at(1, sync('one', { instance: 'first', held: held(A) }));
    numbers = 0;
    expect(run.at(2, sync('one', { instance: 'second', follows: ['first'] })).events.map(lineOf)[0]).toBe(
      'claim.returned a (crashed) uncounted',
    );
  });

  test('is lost when that program does not know it, though no coordinator has heard that it was begun', () => {
    const run = machines('a: { run: x }');
    run.at(0, here(), sync('one', { instance: 'first' }));
    run.restart(1_000);
    const told = run.at(1_000, here(), sync('one', { instance: 'second', follows: ['first'] }));
    expect(told.events.map(lineOf)[0]).toBe('claim.returned a (crashed) uncounted');
    expect(started(told)).toEqual(['one: a#2']);
  });

  test('is not lost before the lease of a program that another one in another home has replaced: that one may be at work', () => {
    const run = machines('a: { run: x }');
    run.at(0, here(), sync('one', { instance: 'first' }));
    run.at(1_000, sync('one', { instance: 'first', held: held(A) }));
    numbers = 0;
    const replaced = run.at(2_000, here(), sync('one', { instance: 'second' }));
    expect([replaced.events, started(replaced)]).toEqual([[], []]);
    const before = run.at(1_000 + LEASE_MS - 1, here(), sync('one', { instance: 'second' }));
    expect([before.events, started(before)]).toEqual([[], []]);
    const after = run.at(1_000 + LEASE_MS, here(), sync('one', { instance: 'second' }));
    expect(after.events.map(lineOf)[0]).toBe('claim.returned a (crashed) uncounted');
    expect(started(after)).toEqual(['one: a#2']);
  });

  test('with slots of a pool is given with a lease, and a later coordinator with a shorter one keeps to it', () => {
    const run = machines('a: { pool: p, run: x }', { plan: 'pools: { p: 1 }' });
    const told = run.at(0, here(), sync('one'));
    expect(told.toHosts.flatMap(({ reply }) => reply.start.map(({ leaseMs }) => leaseMs))).toEqual([LEASE_MS]);
    run.restart(1_000, LEASE_MS / 2);
    expect(run.at(LEASE_MS, here()).events).toEqual([]);
    expect(run.at(1_000 + LEASE_MS, here()).events.map(lineOf)[0]).toBe('claim.returned a (crashed) uncounted');
  });

  test('without slots of a pool, or of a pool whose work continues, has no lease', () => {
    const leases = (run: Machines): readonly (number | undefined)[] =>
      run.at(0, here(), sync('one')).toHosts.flatMap(({ reply }) => reply.start.map(({ leaseMs }) => leaseMs));
    expect(leases(machines('a: { run: x }'))).toEqual([undefined]);
    const plan = 'pools: { p: { size: 1, when_cut_off: continue }, q: 1 }';
    expect(leases(machines('a: { pool: p, run: x }', { plan }))).toEqual([undefined]);
    expect(leases(machines('a: { hold: [q], run: x }', { plan }))).toEqual([LEASE_MS]);
  });

  test.each([
    ['is given slots of a pool', 'a: { run: x }', 'a: { pool: p, run: x }'],
    ['has slots of a pool that is to end its work', 'a: { pool: p, run: x }', 'a: { pool: p, run: x }'],
  ])('that %s by an amendment is begun again with a lease', (_, before, after) => {
    const pools = (what: string): string => `pools: { p: { size: 1, when_cut_off: ${what} } }`;
    const run = machines(before, { plan: pools('continue') });
    run.at(0, here(), sync('one'));
    run.amends(after, { plan: pools('end') });
    const last = (): readonly string[] => run.log.slice(-2).map(({ type }) => type);
    expect(last()).toEqual(['plan.amending', 'claim.preempting']);
    const stopped: WorkOutcome = { type: 'stopped', ...A, spend: UNKNOWN };
    run.at(1, sync('one', { done: [stopped], want: 0 }));
    run.restart(2);
    const told = run.at(2, here(), sync('one'));
    expect(told.toHosts.flatMap(({ reply }) => reply.start)).toMatchObject([
      { claim: { attempt: 2 }, leaseMs: LEASE_MS },
    ]);
  });

  test('goes on when an amendment gives it a pool whose work continues, or when it has a lease already', () => {
    for (const plan of ['pools: { p: { size: 1, when_cut_off: continue } }', 'pools: { p: 1, q: 1 }']) {
      const run = machines(plan.includes('q') ? 'a: { pool: q, run: x }' : 'a: { run: x }', { plan });
      run.at(0, here(), sync('one'));
      run.amends('a: { pool: p, run: x }', { plan });
      expect(run.log.at(-1)?.type).toBe('plan.amended');
    }
  });

  test('is offered again to the same program of its host, which cannot have forgotten it', () => {
    const run = machines('a: { run: x }');
    run.at(0, here(), sync('one', { instance: 'first' }));
    run.restart(1_000);
    expect(started(run.at(1_000, here(), sync('one', { instance: 'first' })))).toEqual(['one: a#1']);
  });

  test('does not go back to a host that has left, when an old message of it arrives late', () => {
    const run = machines('a: { run: x }');
    const old = sync('one');
    run.at(0, here(), sync('one', { isLeaving: true, want: 0 }));
    expect(started(run.at(1, old))).toEqual([]);
  });

  test('whose offer was lost keeps the other claims of its task on its machine (dispatcher/K9)', () => {
    const run = machines(
      'a: { steps: [ { id: main, run: x, async: true }, { id: side, run: y, async: true }, { id: end, needs: [main, side], run: z } ] }',
    );
    run.at(0, here(), sync('one', { want: 1 }));
    // It still has something that is over, so it is given nothing now.
    const over = { ...A, attempt: 9 };
    expect(started(run.at(1, sync('one', { held: held(over), want: 3 }), sync('two')))).toEqual([]);
  });

  test('of a host that leaves is placed elsewhere at once', () => {
    const run = machines('a: { run: x }');
    run.at(0, here(), sync('one'));
    run.at(1, sync('one', { isLeaving: true, want: 0 }));
    expect(started(run.at(2, sync('two')))).toEqual(['two: a#2']);
  });

  test('that waits for room is ended by the machine of the coordinator when it is cancelled', () => {
    const run = machines('a: { run: x }\nb: { run: x }', { plan: 'attempts: 1\nfailure_mode: fail_fast' });
    run.at(0, here(), sync('one', { want: 1 }));
    const failed: WorkOutcome = {
      type: 'failed',
      ...A,
      spend: UNKNOWN,
      reason: 'failed',
      isFinal: true,
      result: undefined,
    };
    const stepped = run.at(1, sync('one', { done: [failed], want: 1 }));
    expect(stepped.toHosts).toMatchObject([
      { host: 'here', reply: { start: [], cancel: [B] } },
      { host: 'one', reply: { start: [], cancel: [] } },
    ]);
  });
});

test('claims of an earlier coordinator that were not placed are kept for its own machine (dispatcher/K7)', () => {
  const run = machines('a: { run: x }');
  run.at(0, here({ want: 1 }));
  run.restart(1_000);
  expect(started(run.at(1_000, sync('one')))).toEqual([]);
  expect(run.at(2_000, here({ held: held(A) })).toHosts).toEqual([]);
  expect(started(run.at(3_000, sync('one')))).toEqual([]);
});

describe('a claim that its host cannot begin', () => {
  const refused = (claim: ClaimRef): OutcomeOf<'failed'> => ({
    type: 'failed',
    ...claim,
    spend: { usd: 0, tokens: 0 },
    reason: 'refused',
    isFinal: true,
    isUnbegun: true,
    result: { ok: false, response: 'no bubblewrap', output: undefined, exitCode: undefined, commit: undefined },
  });
  const again = { ...A, attempt: 2 };

  test('is for another one, which is not full, and no attempt is used up', () => {
    const run = machines('a: { run: x, attempts: 1 }');
    run.at(0, here(), sync('bare', { want: 9 }), sync('able', { want: 1 }));
    const next = run.at(1, sync('bare', { done: [refused(A)], want: 9 }));
    expect(next.events.map(lineOf)).toContain('claim.returned a (refused) uncounted');
    expect(placedIn(next)).toEqual(['a on able for only']);
  });

  test('for want of a login is for another one too', () => {
    const run = machines('a: { run: x, attempts: 1 }');
    run.at(0, here(), sync('bare', { want: 9 }), sync('able', { want: 1 }));
    const outcome = { ...refused(A), isUnbegun: undefined, reason: 'authentication' } as const;
    expect(placedIn(run.at(1, sync('bare', { done: [outcome], want: 9 })))).toEqual(['a on able for only']);
  });

  test('of an agent is kept from the machine of the coordinator where that has not its program', () => {
    const run = machines('a: { agent: one, prompt: p }', { plan: 'agents: { one: { use: claude } }' });
    const first = run.at(0, here({ want: 9, agents: ['codex'] }), sync('bare', { agents: [] }));
    expect(placedIn(first)).toEqual(['a waits for agent']);
  });

  test('waits for room on the others, and comes back only when they are gone; then the attempt counts', () => {
    const run = machines('a: { run: x, attempts: 1 }');
    run.at(0, here(), sync('bare', { want: 9 }), sync('able', { want: 0 }));
    const next = run.at(1, sync('bare', { done: [refused(A)], want: 9 }));
    expect(placedIn(next)).toEqual(['a waits for room']);
    expect(placedIn(run.at(2, sync('able', { isLeaving: true, want: 0 }), sync('bare', { want: 9 })))).toEqual([
      'a on bare for only',
    ]);
    const last = run.at(3, sync('bare', { done: [refused(again)], want: 9 }));
    expect(last.events.map(lineOf)).toContain('claim.ended a failed (refused)');
  });

  test('keeps new work from that host as long as others have room, until it has begun something', () => {
    const run = machines('a: { run: x }\nb: { run: x }', { plan: 'max_parallel: 1' });
    run.at(0, here(), sync('bare', { want: 9 }), sync('able'));
    run.at(1, sync('bare', { done: [refused(A)], want: 9 }));
    const next = run.at(2, sync('bare', { want: 9 }), sync('able', { done: [done(again)] }));
    expect(placedIn(next)).toEqual(['b on able for only']);
  });

  test('is isolated on another machine no less than here, in the best tree that there is', () => {
    const on = (isolation: 'os' | 'none'): unknown => {
      const run = machines('a: { run: x }', { plan: 'sandbox: { isolation: auto }' });
      const sandboxes = { tree: 'overlay', isolation, why: isolation === 'os' ? 'works' : 'not-linux' } as const;
      run.sandboxed(sandboxes);
      const [reply] = run.at(0, here(), sync('one')).toHosts;
      return reply?.reply.start[0]?.sandbox?.settings;
    };
    expect(on('os')).toMatchObject({ tree: 'auto', isolation: 'os' });
    expect(on('none')).toMatchObject({ tree: 'auto', isolation: 'auto' });
  });
});

describe('a host that reports on a claim of another (dispatcher/K8)', () => {
  const two = (): Machines => {
    const run = machines('a: { run: x }\nb: { run: x }');
    run.at(0, here(), sync('one', { want: 1 }), sync('two', { want: 1 }));
    return run;
  };

  test('is refused, and the claim goes on', () => {
    const run = two();
    const lie = run.at(1, sync('two', { held: held(B), done: [done(A)], want: 0 }));
    expect(lie.events).toEqual([]);
    expect(lie.refused).toEqual([{ host: 'two', claim: A, reported: 'finished' }]);
    expect(run.at(2, sync('one', { done: [done(A)], want: 0 })).events.map(lineOf)).toContain('claim.ended a done');
  });

  test('does not come to hold it, is told to end it, and does not lose it', () => {
    const run = two();
    const lie = run.at(1, sync('two', { held: held(A, B), want: 0 }));
    expect(lie.refused).toEqual([{ host: 'two', claim: A, reported: 'held' }]);
    expect(lie.toHosts).toMatchObject([{ host: 'two', reply: { start: [], cancel: [A] } }]);
    run.at(LEASE_MS, sync('one', { held: held(A) }));
    const lines = run.at(LEASE_MS + 2, here()).events.map(lineOf);
    expect(lines[0]).toBe('claim.returned b (crashed) uncounted');
    expect(lines.filter((line) => line.startsWith('claim.returned'))).toHaveLength(1);
  });
});

describe('a turn that goes on with a conversation of another machine', () => {
  const C: ClaimRef = { work: 'step', task: 'a', step: 'more', attempt: 1 };
  const MORE =
    'a: { agent: one, steps: [ { id: main, prompt: Plan it. }, { id: more, prompt: Do it., resume: true } ] }';
  interface Moving {
    readonly use?: string;
    readonly kept?: true;
    /** The machine of the first turn; the second has the other one. */
    readonly from?: 'here' | 'able';
  }
  const moved = ({ use = 'claude', kept, from = 'able' }: Moving) => {
    const run = machines(MORE, { plan: `agents: { one: { use: ${use} } }` });
    const open = { want: 4 };
    const [first, second] = from === 'able' ? [sync('able'), sync('other')] : [here(open), sync('other')];
    run.at(0, here(from === 'here' ? open : {}), ...(from === 'here' ? [] : [first]));
    const conversation = { id: 'c1-of-a-turn', reading: undefined, isKept: kept };
    const outcome = { ...done(A), result: { ...OK, response: 'A plan.' }, conversation };
    const last =
      from === 'able' ? sync('able', { done: [outcome], isLeaving: true, want: 0 }) : here({ done: [outcome] });
    run.at(1, last);
    const stepped = run.at(2, second);
    const assignment = stepped.toHosts.flatMap(({ reply }) => reply.start).find(({ claim }) => claim.task === 'a');
    const placed = run.log.find((event) => event.type === 'claim.placed' && event.step === 'more');
    return { run, placed, work: assignment?.work };
  };

  test('takes it along when its files are kept and its program can, and the log says so', () => {
    const { placed, work } = moved({ kept: true });
    expect(placed).toMatchObject({ host: 'other', conversation: 'carried' });
    expect(work).toMatchObject({
      prompt: 'Do it.',
      conversation: { id: 'c1-of-a-turn', mode: 'continue', carried: A },
    });
  });

  test('begins anew with what was asked and answered when its files are not kept, and the log says so', () => {
    const { placed, work } = moved({});
    expect(placed).toMatchObject({ host: 'other', conversation: 'anew' });
    expect(work).toMatchObject({ conversation: undefined });
    expect(work?.type === 'turn' ? work.prompt : '').toMatchInlineSnapshot(`
      "Do it.

      An earlier conversation about this work was held on another machine, and cannot be continued here.

      It was asked:

      > Plan it.

      Its last answer was:

      > A plan.

      What it did in the files is there."
    `);
  });

  test('begins anew when its program keeps conversations where no other machine can have them', () => {
    expect(moved({ use: 'gemini', kept: true }).placed).toMatchObject({ conversation: 'anew' });
  });

  test('takes it along from the machine of the coordinator, which has its files', () => {
    const { placed, work } = moved({ from: 'here' });
    expect(placed).toMatchObject({ host: 'other', conversation: 'carried' });
    expect(work).toMatchObject({ conversation: { carried: A } });
  });

  test('is assigned the same again after a restart of the coordinator (moved-conversation/C1)', () => {
    const { run, work } = moved({});
    run.restart(3);
    const again = run.at(4, sync('other')).toHosts.flatMap(({ reply }) => reply.start);
    expect(again.map(({ claim }) => claim)).toEqual([C]);
    expect(again[0]?.work).toEqual(work);
  });

  test('on its own machine goes on as it is, and nothing is logged of it', () => {
    const run = machines(MORE, { plan: 'agents: { one: { use: claude } }' });
    run.at(0, here(), sync('able'));
    const outcome = { ...done(A), conversation: { id: 'c1-of-a-turn', reading: undefined } };
    const { events, toHosts } = run.at(1, sync('able', { done: [outcome] }));
    expect(events.find(({ type }) => type === 'claim.placed')).toMatchObject({ conversation: undefined });
    const [assignment] = toHosts.flatMap(({ reply }) => reply.start);
    expect(assignment?.work).toMatchObject({ conversation: { id: 'c1-of-a-turn' } });
    expect(assignment?.work).not.toHaveProperty('conversation.carried');
  });
});

describe('a host that several runs share', () => {
  const TWO = 'a: { run: x }\nb: { run: x }';

  test('is given no more than the room that the other runs leave', () => {
    const run = machines(TWO);
    const stepped = run.among(new Map([['one', 1]]), here(), sync('one', { want: 4 }));
    expect(started(stepped)).toEqual(['one: a#1']);
    expect(placedIn(stepped)).toEqual(['a on one for only', 'b waits for room']);
  });

  test('is told nothing while it waits for no reply, and then all of it', () => {
    const run = machines(TWO);
    const message = sync('one', { want: 4 });
    const silent = run.among(new Map(), here(), message);
    expect([started(silent), placedIn(silent)]).toEqual([[], []]);
    expect(started(run.among(new Map([['one', 4]])))).toEqual(['one: a#1', 'one: b#1']);
  });

  test('bounds the machine of the coordinator as well, where that has a width', () => {
    const run = machines(TWO);
    expect(started(run.among(new Map([['here', 1]]), here({ want: 8 })))).toEqual(['here: a#1']);
  });
});
