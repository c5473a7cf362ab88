// The contract of every store, in memory or on disk.
import type { Command } from '../../core/engine/command.ts';
import { startOf } from '../../core/engine/apply/fold.ts';
import { describe, expect, test } from 'vitest';
import type { Process } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import { thisProcess } from '../exec/process.ts';
import { createdRun, givenRecord, livingProcess, opening, openings, owned, PAUSED, started } from './store.given.ts';

/** Opens stores over one and the same disk, each for a process of its own. */
export type Disk = (process: Process) => Store;

export function storeContract(name: string, givenDisk: () => Disk): void {
  const givenStore = (): Store => givenDisk()(thisProcess());
  describe(`${name} keeps records`, () => recordContract(givenStore));
  describe(`${name} keeps events`, () => eventContract(givenDisk, givenStore));
  describe(`${name} keeps commands`, () => inboxContract(givenDisk, givenStore));
  describe(`${name} has one owner for each run`, () => ownerContract(givenDisk, givenStore));
}

function recordContract(givenStore: () => Store): void {
  test('a created run is found with all that was given', () => {
    const store = givenStore();
    const run = createdRun(store);
    expect(store.find(run)).toEqual({ run, ...givenRecord() });
    expect(store.find('nobody-1')).toBeUndefined();
  });

  test('runs are listed in the order they were created, under names that are free and safe', () => {
    const store = givenStore();
    for (const name of ['Ship it', 'ship-it!', 'Ärger/../x.lock', '', '日本', 'a'.repeat(200)]) createdRun(store, name);
    expect(store.runs().map(({ run }) => run)).toEqual([
      'ship-it-1',
      'ship-it-2',
      'arger-x-lock-1',
      'run-1',
      'run-2',
      `${'a'.repeat(53)}-1`,
    ]);
  });

  test('a run is given no id that others have', () => {
    const store = givenStore();
    const created = store.create(givenRecord('ship'), started, new Set(['ship-1', 'ship-2', 'other-3']));
    expect(created).toMatchObject({ record: { run: 'ship-3' } });
  });
}

function eventContract(givenDisk: () => Disk, givenStore: () => Store): void {
  test('the log begins with the start and goes on with what is appended', () => {
    const store = givenStore();
    const run = createdRun(store);
    const { log } = owned(store, run);
    expect(log.read()).toEqual([started]);
    expect(log.append(openings(2), [])).toEqual({ type: 'appended' });
    expect(log.append([opening('z')], [])).toEqual({ type: 'appended' });
    expect(log.append([], [])).toEqual({ type: 'appended' });
    expect(log.read()).toEqual([started, ...openings(2), opening('z')]);
  });

  test('readers go on from the position they have reached', () => {
    const disk = givenDisk();
    const store = disk(thisProcess());
    const reader = disk(thisProcess());
    const run = createdRun(store);
    const { log } = owned(store, run);
    log.append(openings(2), []);
    expect(reader.eventsFrom(run, 0)).toEqual({ events: [started, ...openings(2)], position: 3, error: undefined });
    expect(reader.eventsFrom(run, 3)).toEqual({ events: [], position: 3, error: undefined });
    log.append([opening('z')], []);
    expect(reader.eventsFrom(run, 3)).toEqual({ events: [opening('z')], position: 4, error: undefined });
    expect(reader.eventsFrom('nobody-1', 0)).toEqual({ events: [], position: 0, error: undefined });
  });

  test('logs of two runs stay apart', () => {
    const store = givenStore();
    const [one, other] = [createdRun(store), createdRun(store)];
    owned(store, one).log.append(openings(3), []);
    expect(owned(store, other).log.read()).toEqual([started]);
    expect(owned(store, one, true).log.read()).toHaveLength(4);
  });
}

function inboxContract(givenDisk: () => Disk, givenStore: () => Store): void {
  test('commands wait, oldest first, until they are answered with the events they caused', () => {
    const disk = givenDisk();
    const person = disk(thisProcess());
    const store = disk(thisProcess());
    const run = createdRun(store);
    const posted = [
      person.post(run, { type: 'pause', tasks: [] }),
      person.post(run, { type: 'approve', task: 'a', step: undefined }),
    ];
    const { log } = owned(store, run);
    const [first, second] = log.commands();
    expect(posted).toEqual([
      { type: 'posted', id: first?.id },
      { type: 'posted', id: second?.id },
    ]);
    expect([first?.command, second?.command]).toEqual([
      { type: 'pause', tasks: [] },
      { type: 'approve', task: 'a', step: undefined },
    ]);
    expect(person.replyTo(first?.id ?? 0)).toBeUndefined();
    log.append([{ type: 'run.paused', at: 3 }], [{ id: first?.id ?? 0, reply: PAUSED }]);
    expect(person.replyTo(first?.id ?? 0)).toEqual(PAUSED);
    expect(log.commands()).toEqual([second]);
  });

  test('commands of every kind come back as they were posted', () => {
    const store = givenStore();
    const run = createdRun(store);
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
    for (const command of commands) store.post(run, command);
    expect(
      owned(store, run)
        .log.commands()
        .map(({ command }) => command),
    ).toEqual(commands);
  });

  test('a command that comes later is seen, from another process and from the own one', () => {
    const disk = givenDisk();
    const store = disk(thisProcess());
    const run = createdRun(store);
    const { log } = owned(store, run);
    expect(log.commands()).toEqual([]);
    disk(thisProcess()).post(run, { type: 'stop', tasks: [] });
    expect(log.commands()).toHaveLength(1);
    store.post(run, { type: 'resume', tasks: ['a'] });
    expect(log.commands().map(({ command }) => command.type)).toEqual(['stop', 'resume']);
  });

  test('a command to a run that is not there is refused', () => {
    expect(givenStore().post('nobody-1', { type: 'stop', tasks: [] })).toMatchObject({ type: 'failed' });
  });
}

function ownerContract(givenDisk: () => Disk, givenStore: () => Store): void {
  test('while the owner lives, others are refused and told who it is', () => {
    const disk = givenDisk();
    const living = livingProcess();
    const run = createdRun(disk(living));
    const { owner } = owned(disk(living), run);
    expect(disk(thisProcess()).own(run, { takesOver: false })).toEqual({
      type: 'refused',
      by: owner,
      silentMs: expect.any(Number),
    });
    expect(disk(thisProcess()).ownerOf(run)).toMatchObject({ pid: living.pid, epoch: 1 });
  });

  test('when the owner is dead, the run is taken with the next epoch', async () => {
    const disk = givenDisk();
    const dying = livingProcess();
    const run = createdRun(disk(dying));
    owned(disk(dying), run).log.append(openings(2), []);
    await dying.kill();
    const { owner, log } = owned(disk(thisProcess()), run);
    expect(owner.epoch).toBe(2);
    expect(log.read()).toHaveLength(3);
  });

  test('one who asks for it takes over from the living, who can then write nothing', () => {
    const disk = givenDisk();
    const living = livingProcess();
    const run = createdRun(disk(living));
    const before = owned(disk(living), run);
    const { owner, log } = owned(disk(thisProcess()), run, true);
    expect(before.log.append(openings(1), [])).toEqual({ type: 'fenced', by: owner });
    expect(before.log.append([], [])).toEqual({ type: 'fenced', by: owner });
    before.release();
    expect(log.append([opening('z')], [])).toEqual({ type: 'appended' });
    expect(log.read()).toEqual([started, opening('z')]);
  });

  test('one who gives a run up can write nothing, and the next has it at once', () => {
    const disk = givenDisk();
    const living = livingProcess();
    const run = createdRun(disk(living));
    const { log, release } = owned(disk(living), run);
    release();
    expect(disk(living).ownerOf(run)).toBeUndefined();
    expect(log.append(openings(1), [])).toEqual({ type: 'fenced', by: undefined });
    expect(disk(living).ownersOf(run)).toBe(1);
    expect(owned(disk(thisProcess()), run).owner.epoch).toBe(2);
    expect(disk(living).ownersOf(run)).toBe(2);
  });

  test('a run that is not there has no owner', () => {
    const store = givenStore();
    expect(store.own('nobody-1', { takesOver: false })).toMatchObject({ type: 'failed' });
    expect(store.ownerOf('nobody-1')).toBeUndefined();
    expect(store.ownersOf('nobody-1')).toBe(0);
  });
}
