// One contract for each port of a store, over any engine: on this machine or another, synchronous or not.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { PATIENCE_MS } from '../../../test/patience.given.ts';
import { startOf } from '../../core/engine/apply/fold.ts';
import { readEvent } from '../../core/engine/events/event-format.ts';
import type { Command } from '../../core/engine/command.ts';
import { thisProcess } from '../exec/process.ts';
import type { Posted } from '../ports/inbox.ts';
import type { Log, Process } from '../ports/log.ts';
import type { Owned } from '../ports/ownership.ts';
import type { AnyStore } from '../ports/store.ts';
import { givenRecord, livingProcess, opening, openings, PAUSED, started } from './store.given.ts';

/** Opens an engine that several processes share, for one of them. */
export type Disk = (process: Process) => AnyStore;

export function storeContract(name: string, givenDisk: () => Disk): void {
  describe(`${name} keeps records`, () => recordContract(givenDisk));
  describe(`${name} keeps a log`, () => logContract(givenDisk));
  describe(`${name} keeps an inbox`, () => inboxContract(givenDisk));
  describe(`${name} has one owner for each run`, () => ownershipContract(givenDisk));
}

async function createdRun(store: AnyStore, name?: string): Promise<string> {
  const created = await store.create(givenRecord(name), started);
  if (created.type === 'failed') throw new Error(created.failure.code);
  return created.record.run;
}

async function owned(store: AnyStore, run: string, takesOver = false): Promise<Extract<Owned, { type: 'owned' }>> {
  const taken = await store.own(run, { takesOver });
  if (taken.type !== 'owned') throw new Error(JSON.stringify(taken));
  onTestFinished(async () => await taken.release());
  return taken;
}

/** An engine may fetch commands in the background. */
async function commandsIn(log: Log, count: number): Promise<readonly Posted[]> {
  await vi.waitFor(() => expect(log.commands()).toHaveLength(count), { timeout: PATIENCE_MS, interval: 5 });
  return log.commands();
}

function recordContract(givenDisk: () => Disk): void {
  test('a created run is found with its record', async () => {
    const store = givenDisk()(thisProcess());
    const run = await createdRun(store);
    expect(await store.find(run)).toEqual({ run, ...givenRecord() });
    expect(await store.find('nobody-1')).toBeUndefined();
  });

  test('runs are listed in the order they were created, under names that are free and safe', async () => {
    const store = givenDisk()(thisProcess());
    for (const name of ['Ship it', 'ship-it!', 'Ärger/../x.lock', '', '日本', 'a'.repeat(200)])
      await createdRun(store, name);
    expect((await store.runs()).map(({ run }) => run)).toEqual([
      'ship-it-1',
      'ship-it-2',
      'arger-x-lock-1',
      'run-1',
      'run-2',
      `${'a'.repeat(53)}-1`,
    ]);
  });

  test('a run is given no id that others have', async () => {
    const store = givenDisk()(thisProcess());
    const created = await store.create(givenRecord('ship'), started, new Set(['ship-1', 'ship-2', 'other-3']));
    expect(created).toMatchObject({ record: { run: 'ship-3' } });
  });
}

function logContract(givenDisk: () => Disk): void {
  test('the log begins with the start and goes on with the events that are appended', async () => {
    const store = givenDisk()(thisProcess());
    const run = await createdRun(store);
    const { log } = await owned(store, run);
    expect(log.read()).toEqual([started]);
    expect(await log.append(openings(2), [])).toEqual({ type: 'appended' });
    expect(await log.append([opening('z')], [])).toEqual({ type: 'appended' });
    expect(await log.append([], [])).toEqual({ type: 'appended' });
    expect(log.read()).toEqual([started, ...openings(2), opening('z')]);
  });

  test('readers go on from the position they have reached', async () => {
    const disk = givenDisk();
    const store = disk(thisProcess());
    const reader = disk(thisProcess());
    const run = await createdRun(store);
    const { log } = await owned(store, run);
    await log.append(openings(2), []);
    const all = { events: [started, ...openings(2)], position: 3, failure: undefined };
    expect(await reader.eventsFrom(run, 0)).toEqual(all);
    expect(await reader.eventsFrom(run, 3)).toEqual({ events: [], position: 3, failure: undefined });
    expect(await reader.eventsFrom(run, 0, 2)).toEqual({
      events: all.events.slice(0, 2),
      position: 2,
      failure: undefined,
    });
    expect(await reader.eventsFrom(run, 2, 2)).toEqual({
      events: all.events.slice(2),
      position: 3,
      failure: undefined,
    });
    await log.append([opening('z')], []);
    expect(await reader.eventsFrom(run, 3)).toEqual({ events: [opening('z')], position: 4, failure: undefined });
    const { texts, position } = await reader.textsFrom(run, 2, 2);
    expect([texts.map(({ type, json }) => [type, readEvent(json)]), position]).toEqual([
      all.events
        .slice(2)
        .concat(opening('z'))
        .map((event) => [event.type, { type: 'event', event }]),
      4,
    ]);
    expect(await reader.eventsFrom('nobody-1', 0)).toEqual({ events: [], position: 0, failure: undefined });
  });

  test('readers learn the end of a log, and whether others have written, without reading it', async () => {
    const disk = givenDisk();
    const store = disk(thisProcess());
    const run = await createdRun(store);
    const reader = disk(thisProcess());
    const before = await reader.version();
    expect([await reader.endOf(run), await reader.endOf('nobody-1')]).toEqual([1, 0]);
    expect(await reader.version()).toBe(before);
    await (await owned(store, run)).log.append(openings(2), []);
    expect(await reader.version()).not.toBe(before);
    expect(await reader.endOf(run)).toBe(3);
  });

  test('logs of two runs stay apart', async () => {
    const store = givenDisk()(thisProcess());
    const [one, other] = [await createdRun(store), await createdRun(store)];
    await (await owned(store, one)).log.append(openings(3), []);
    expect((await owned(store, other)).log.read()).toEqual([started]);
    expect((await owned(store, one, true)).log.read()).toHaveLength(4);
  });
}

function inboxContract(givenDisk: () => Disk): void {
  test('commands wait, oldest first, until they are answered with the events they caused', async () => {
    const disk = givenDisk();
    const person = disk(thisProcess());
    const store = disk(thisProcess());
    const run = await createdRun(store);
    const commands: readonly Command[] = [
      { type: 'pause', tasks: [] },
      { type: 'approve', task: 'a', step: undefined },
    ];
    const posted = [];
    for (const command of commands) posted.push(await person.post(run, command));
    const { log } = await owned(store, run);
    const [first, second] = await commandsIn(log, 2);
    expect(posted).toEqual([first, second].map((each) => ({ type: 'posted', id: each?.id })));
    expect([first, second].map((each) => each?.command)).toEqual(commands);
    expect(await person.replyTo(first?.id ?? 0)).toBeUndefined();
    await log.append([{ type: 'run.paused', at: 3 }], [{ id: first?.id ?? 0, reply: PAUSED }]);
    expect(await person.replyTo(first?.id ?? 0)).toEqual(PAUSED);
    // At once, because the loop handles each command that it sees.
    expect(log.commands()).toEqual([second]);
  });

  test('commands of every kind come back as they were posted', async () => {
    const store = givenDisk()(thisProcess());
    const run = await createdRun(store);
    const { plan } = startOf([started]);
    const step = { task: 'a', step: 'main' };
    const priorities = { tasks: [{ task: 'a', steps: [1.5] }], holds: [{ held: step, until: step }] };
    const commands: readonly Command[] = [
      { type: 'retry', tasks: ['a', 'b'] },
      { type: 'reject', task: 'a', step: 'check' },
      { type: 'merge', task: 'a', commit: '4e3362e' },
      { type: 'merge', task: 'a', commit: undefined },
      { type: 'rollback', task: 'a', step: 'work' },
      { type: 'answer', task: 'a', step: 'work', text: 'Postgres.' },
      { type: 'answer', task: 'a', step: undefined, text: 'Postgres.' },
      { type: 'amend', plan, priorities, expects: { restarted: ['a'], added: [], cancelled: ['b', 'c'] } },
    ];
    for (const command of commands) await store.post(run, command);
    const { log } = await owned(store, run);
    expect((await commandsIn(log, commands.length)).map(({ command }) => command)).toEqual(commands);
  });

  test('a command that comes later is seen, from another process and from this one', async () => {
    const disk = givenDisk();
    const store = disk(thisProcess());
    const run = await createdRun(store);
    const { log } = await owned(store, run);
    expect(log.commands()).toEqual([]);
    await disk(thisProcess()).post(run, { type: 'stop', tasks: [] });
    await commandsIn(log, 1);
    await store.post(run, { type: 'resume', tasks: ['a'] });
    expect((await commandsIn(log, 2)).map(({ command }) => command.type)).toEqual(['stop', 'resume']);
  });

  test('a command to a run that does not exist is refused', async () => {
    const store = givenDisk()(thisProcess());
    expect(await store.post('nobody-1', { type: 'stop', tasks: [] })).toMatchObject({ type: 'failed' });
  });
}

function ownershipContract(givenDisk: () => Disk): void {
  test('while the owner lives, others are refused and learn its name', async () => {
    const disk = givenDisk();
    const living = livingProcess();
    const run = await createdRun(disk(living));
    const { owner } = await owned(disk(living), run);
    const refused = { type: 'refused', by: owner, silentMs: expect.any(Number) };
    expect(await disk(thisProcess()).own(run, { takesOver: false })).toEqual(refused);
    expect(await disk(thisProcess()).ownerOf(run)).toMatchObject({ pid: living.pid, epoch: 1 });
  });

  test('when the owner is dead, the run is taken with the next epoch', async () => {
    const disk = givenDisk();
    const dying = livingProcess();
    const run = await createdRun(disk(dying));
    await (await owned(disk(dying), run)).log.append(openings(2), []);
    await dying.kill();
    const next = disk(thisProcess());
    // An engine on other machines notices the death by silence.
    const { owner, log } = await vi.waitFor(() => owned(next, run), { timeout: PATIENCE_MS, interval: 50 });
    expect(owner.epoch).toBe(2);
    expect(log.read()).toHaveLength(3);
  });

  test('a process that takes over fences the living owner, who can then write nothing', async () => {
    const disk = givenDisk();
    const living = livingProcess();
    const run = await createdRun(disk(living));
    const before = await owned(disk(living), run);
    const { owner, log } = await owned(disk(thisProcess()), run, true);
    expect(await before.log.append(openings(1), [])).toEqual({ type: 'fenced', by: owner });
    expect(await before.log.append([], [])).toEqual({ type: 'fenced', by: owner });
    await before.release();
    expect(await log.append([opening('z')], [])).toEqual({ type: 'appended' });
    expect(log.read()).toEqual([started, opening('z')]);
  });

  test('an owner that releases a run can write nothing, and the next has it at once', async () => {
    const disk = givenDisk();
    const living = livingProcess();
    const run = await createdRun(disk(living));
    const { log, release } = await owned(disk(living), run);
    await release();
    expect(await disk(living).ownerOf(run)).toBeUndefined();
    expect(await log.append(openings(1), [])).toEqual({ type: 'fenced', by: undefined });
    expect(await disk(living).ownersOf(run)).toBe(1);
    expect((await owned(disk(thisProcess()), run)).owner.epoch).toBe(2);
    expect(await disk(living).ownersOf(run)).toBe(2);
  });

  test('a run that does not exist has no owner', async () => {
    const store = givenDisk()(thisProcess());
    expect(await store.own('nobody-1', { takesOver: false })).toMatchObject({ type: 'failed' });
    expect(await store.ownerOf('nobody-1')).toBeUndefined();
    expect(await store.ownersOf('nobody-1')).toBe(0);
  });
}
