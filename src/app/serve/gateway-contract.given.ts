// What a gateway owes to hosts and to runs, over any store: runs are real loops, and the test is the hosts.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startOf } from '../../core/engine/apply/fold.ts';
import { claimNamed } from '../../core/engine/facts.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import { given, OK } from '../../core/engine/run.given.ts';
import { WORK_TYPES, type Assignment } from '../../core/protocol/assignment.ts';
import type { Sync } from '../../core/protocol/sync.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import { runLoop } from '../../shell/loop/loop.ts';
import { openMailbox, type LocalMailbox } from '../../shell/loop/mailbox.ts';
import type { LocalLog, RunRecord } from '../../shell/ports/log.ts';
import type { Store } from '../../shell/ports/store.ts';
import { PATIENCE_MS } from '../../../test/patience.given.ts';
import { CLOCK, HERE } from '../local-parts.ts';
import { fakeHost, MESSAGE, type FakeHost } from './fake-host.given.ts';
import { openGateway, type Gateway, type OpenGatewayOptions, type HostChange } from './gateway.ts';

interface GivenRun {
  readonly run: string;
  readonly events: () => readonly RunEvent[];
  /** The coordinator dies, and says nothing to anybody. */
  readonly dies: () => Promise<void>;
  /** Another coordinator goes on. */
  readonly goesOn: () => GivenRun;
  readonly ended: Promise<void>;
}

interface GivenGateway {
  readonly gateway: Gateway;
  readonly changes: readonly HostChange[];
  /** `slowMs` is how long an append takes. */
  readonly start: (tasks: string, slowMs?: number) => GivenRun;
  readonly host: (name: string, width?: number) => FakeHost;
}

function givenGateway(store: Store, options: Partial<OpenGatewayOptions> = {}): GivenGateway {
  const changes: HostChange[] = [];
  const gateway = openGateway({
    clock: CLOCK,
    leaseMs: 60_000,
    pollMs: 30,
    width: undefined,
    standingOf: () => 'elsewhere',
    onTails: () => undefined,
    onChange: (change) => changes.push(change),
    ...options,
  });
  onTestFinished(() => gateway.close());
  return {
    gateway,
    changes,
    start: (tasks, slowMs = 0) => {
      const record = { createdAt: 1, name: 'given', file: 'plan.yaml', source: '' };
      const created = store.create(record, startOf(given(tasks, { tree: 'auto', base: 'base' }).log));
      if (created.type === 'failed') throw new Error(created.failure.code);
      return coordinate({ gateway, store, record: created.record, slowMs });
    },
    host: (name, width) =>
      fakeHost({
        width,
        send: async (message) => {
          const heard = await gateway.hear(name, message, new AbortController().signal);
          if (heard.type !== 'replied') throw new Error(heard.type);
          return heard.reply;
        },
      }),
  };
}

interface Coordinating {
  readonly gateway: Gateway;
  readonly store: Store;
  readonly record: RunRecord;
  readonly slowMs: number;
}

function coordinate(coordinating: Coordinating): GivenRun {
  const { gateway, store, record, slowMs } = coordinating;
  const { run } = record;
  const owned = store.own(run, { takesOver: true });
  if (owned.type !== 'owned') throw new Error(owned.type);
  const link = gateway.attach(run);
  let isLeaving = false;
  const merger = openMerger((sync) => mailbox.deliver(sync));
  const mailbox: LocalMailbox = openMailbox({
    hasCommands: () => owned.log.commands().length > 0,
    send: (host, reply) => {
      link.send(host, reply);
      if (host === HERE) merger(reply.start);
    },
    shared: link,
  });
  const over = runLoop({
    compiled: undefined,
    given: { env: {} },
    log: slowly(owned.log, slowMs),
    mailbox,
    clock: CLOCK,
    onFolded: (state) => {
      link.listen({ ...mailbox, placedOn: (claim) => claimNamed(state, claim)?.host, uncertainMs: () => 0 });
      merger([]);
    },
    onEvents: () => undefined,
    staysMs: () => Infinity,
    onRefused: link.noteRefused,
    isLeaving: () => isLeaving,
  });
  const letGo = async (): Promise<void> => {
    const { type } = await over;
    link.close({ isOver: type === 'ended' });
    owned.release();
  };
  const ended = letGo();
  const dies = async (): Promise<void> => {
    isLeaving = true;
    mailbox.ring();
    await ended;
  };
  onTestFinished(dies);
  return {
    run,
    events: () => store.eventsFrom(run, 0).events,
    dies,
    goesOn: () => coordinate(coordinating),
    ended,
  };
}

function slowly(log: LocalLog, slowMs: number) {
  if (slowMs === 0) return log;
  return {
    ...log,
    append: async (...batch: Parameters<LocalLog['append']>) => {
      await new Promise((resolve) => setTimeout(resolve, slowMs));
      return log.append(...batch);
    },
  };
}

/** The host inside the coordinator merges at once, and does nothing else. */
function openMerger(deliver: (sync: Sync) => void): (start: readonly Assignment[]) => void {
  let number = 0;
  return (start) => {
    number += 1;
    const done = start.map(({ claim }): WorkOutcome => ({
      type: 'finished',
      ...claim,
      spend: { usd: undefined, tokens: undefined },
      result: OK,
    }));
    deliver({ host: HERE, number, done, held: [], want: 0, does: WORK_TYPES });
  };
}

const placedIn = (events: readonly RunEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'claim.placed' ? [`${event.task} on ${event.host}`] : []));

const TWO = 'a: { run: x }\nb: { run: x }';

export function gatewayContract(name: string, openStore: OpenStore): void {
  describe(`a gateway over ${name}`, () => {
    carriesClaims(openStore);
    renewsLeases(openStore);
    sharesHosts(openStore);
    knowsPlaces(openStore);
  });
}

type OpenStore = () => Store;

/** Claims and outcomes. */
function carriesClaims(openStore: OpenStore): void {
  test('sends a claim only after the log says where it is', async () => {
    const { start, host } = givenGateway(openStore());
    const run = start('a: { run: x }');
    const { claim } = await host('one').awaits('a');
    expect(claim).toMatchObject({ task: 'a', attempt: 1 });
    expect(placedIn(run.events())).toEqual(['a on one']);
  });

  test('carries a run to its end, and tells the host that it is over', async () => {
    const { start, host } = givenGateway(openStore());
    const run = start('a: { run: x }');
    const one = host('one');
    one.ends(run.run, (await one.awaits('a')).claim);
    const { over } = await one.hears((reply) => reply.over.length > 0);
    expect(over).toEqual([run.run]);
    await run.ended;
    expect(run.events().at(-1)?.type).toBe('run.ended');
  });

  test('offers a claim again whose reply was lost', async () => {
    const { start, host } = givenGateway(openStore());
    const run = start('a: { run: x }');
    const one = host('one');
    await one.awaits('a');
    one.forgets();
    expect((await one.awaits('a')).claim.attempt).toBe(1);
    expect(placedIn(run.events())).toEqual(['a on one']);
  });

  test('says who holds a claim, as the log places it', async () => {
    const { gateway, start, host } = givenGateway(openStore());
    const run = start('a: { run: x }');
    const { claim } = await host('one').awaits('a');
    expect(gateway.holdsClaim(run.run, claim, 'one')).toBe(true);
    expect(gateway.holdsClaim(run.run, claim, 'two')).toBe(false);
    expect(gateway.holdsClaim(run.run, { ...claim, attempt: 2 }, 'one')).toBe(false);
    await run.dies();
    expect(gateway.holdsClaim(run.run, claim, 'one')).toBe(false);
  });
}

/** What renews the leases of claims (lease-times/A1). */
function renewsLeases(openStore: OpenStore): void {
  test('says which runs of a message are coordinated here, and no other', async () => {
    const { start, host } = givenGateway(openStore());
    const run = start('a: { run: x }');
    const one = host('one');
    await one.awaits('a');
    expect((await one.speak()).heard).toEqual([{ run: run.run, uncertainMs: 0 }]);
    await run.dies();
    expect((await one.speak()).heard).toEqual([]);
  });

  test('says for how long before the message another server may have had the run', async () => {
    const { gateway, host } = givenGateway(openStore());
    const ears = { deliver: () => undefined, ring: () => undefined, placedOn: () => undefined };
    gateway.attach('r-1').listen({ ...ears, uncertainMs: () => 600_000 });
    const { heard } = await host('one').speak({ runs: [{ run: 'r-1', done: [], held: [], warm: [] }] });
    expect(heard).toHaveLength(1);
    expect(heard[0]?.uncertainMs).toBeLessThanOrEqual(600_000);
    // What has passed since the message came counts for the host.
    expect(heard[0]?.uncertainMs).toBeGreaterThan(0);
  });
}

/** Hosts that several runs share, and programs that share a name. */
function sharesHosts(openStore: OpenStore): void {
  test('gives the last slot of a host to one run, and to the other when it comes free', async () => {
    const { start, host } = givenGateway(openStore());
    const runs = [start('a: { run: x }', 5), start('a: { run: x }', 5)];
    const one = host('one', 1);
    await one.awaits('a');
    for (let times = 0; times < 3; times += 1) await one.speak();
    expect(one.holds()).toHaveLength(1);
    const first = runs.findIndex(({ run }) => one.holds()[0]?.startsWith(`${run} `));
    const [mine, other] = first === 0 ? runs : runs.toReversed();
    one.ends(mine?.run ?? '', (await one.awaits('a')).claim);
    await one.awaits('a', other?.run);
    expect(one.holds()).toEqual([`${other?.run} a`]);
  });

  test('sends what several runs say at the same time in one reply', async () => {
    const { start, host } = givenGateway(openStore());
    const runs = [start('a: { run: x }', 2), start('a: { run: x }', 8)];
    const isClaimed = (run: GivenRun): boolean => run.events().some(({ type }) => type === 'claim.made');
    await vi.waitFor(() => expect(runs.every(isClaimed)).toBe(true), { timeout: PATIENCE_MS });
    const reply = await host('one').hears((each) => each.runs.length > 0);
    expect(reply.runs.map(({ run }) => run).toSorted()).toEqual(runs.map(({ run }) => run).toSorted());
  });

  test('answers a message at once when the next one comes, without runs', async () => {
    const { gateway, host } = givenGateway(openStore(), { pollMs: 600_000 });
    const one = host('one');
    const first = one.speak();
    const second = one.speak();
    expect(await first).toMatchObject({ number: 1, runs: [], over: [] });
    gateway.close();
    expect(await second).toMatchObject({ number: 2 });
  });

  test('refuses another program with the name of a host that is connected, until that one has left', async () => {
    const { host } = givenGateway(openStore());
    const [one, other] = [host('one'), host('one')];
    await one.speak();
    await expect(other.speak()).rejects.toThrow('name-taken');
    await one.speak({ isLeaving: true });
    expect(await other.speak()).toMatchObject({ number: 2 });
  });

  test('takes the program that follows one which died in the home of a host, and no other', async () => {
    const { host } = givenGateway(openStore());
    const [one, other] = [host('one'), host('one')];
    await one.speak({ instance: 'dead' });
    await expect(other.speak({ follows: ['before'] })).rejects.toThrow('name-taken');
    expect(await other.speak({ follows: ['before', 'dead', 'unheard'] })).toMatchObject({ number: 2 });
  });

  test('takes another program with the name of a host that has hung up', async () => {
    const { gateway, host } = givenGateway(openStore(), { pollMs: 600_000 });
    const gone = new AbortController();
    const waiting = gateway.hear('one', MESSAGE, gone.signal);
    gone.abort();
    await waiting;
    const speaking = host('one').speak();
    gateway.close();
    expect(await speaking).toMatchObject({ number: 1 });
  });
}

/** Where claims are, whoever coordinates their run. */
function knowsPlaces(openStore: OpenStore): void {
  test('leaves a host its claims when the coordinator of the run is another one', async () => {
    const { start, host } = givenGateway(openStore());
    const run = start('a: { run: x }\nb: { needs: [a], run: x }');
    const one = host('one');
    const { claim } = await one.awaits('a');
    await run.dies();
    await one.speak();
    const next = run.goesOn();
    one.ends(run.run, claim);
    await one.awaits('b');
    expect(placedIn(next.events())).toEqual(['a on one', 'b on one']);
    expect(next.events().filter(({ type }) => type === 'claim.returned')).toEqual([]);
  });

  test('refuses the report of a host on the claim of another, and says so', async () => {
    const { start, host, changes } = givenGateway(openStore());
    const run = start('a: { run: x }');
    const { claim } = await host('one').awaits('a');
    const liar = host('two');
    liar.ends(run.run, claim);
    await liar.speak();
    await vi.waitFor(
      () =>
        expect(changes).toContainEqual({
          type: 'refused',
          host: 'two',
          run: run.run,
          refused: { host: 'two', claim, reported: 'finished' },
        }),
      { timeout: PATIENCE_MS },
    );
    expect(run.events().some(({ type }) => type === 'claim.ended')).toBe(false);
  });

  test('ends what a host has of a run that nothing of is going on', async () => {
    const { start, host } = givenGateway(openStore(), { standingOf: () => 'idle' });
    const run = start(TWO);
    const one = host('one');
    const { claim } = await one.awaits('a');
    await run.dies();
    const reply = await one.speak();
    expect(reply.runs.map(({ reply: { cancel } }) => cancel)).toEqual([
      [claim, { ...claim, task: 'b' }].filter(({ task }) => one.holds().includes(`${run.run} ${task}`)),
    ]);
  });
}
