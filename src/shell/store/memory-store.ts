// The store in memory, for tests and the simulation, behind the same ports.
//
// A `Memory` takes the role of the disk: it outlives the stores opened over it, as the file outlives processes.
import type { RunEvent } from '../../core/engine/event.ts';
import { writeEvent } from '../../core/engine/events/event-format.ts';
import { isAlive } from '../exec/process.ts';
import type { CommandReply } from '../../core/engine/commands/reply.ts';
import type { Clock } from '../ports/clock.ts';
import type { ReplyToCommand } from '../../core/engine/step/step.ts';
import type { Posted } from '../ports/inbox.ts';
import type { Appended, LocalLog, Owner, Process, RunRecord } from '../ports/log.ts';
import type { LocalOwned } from '../ports/ownership.ts';
import type { Store } from '../ports/store.ts';
import { runId, slugOf } from '../ports/run-record.ts';
import type { Creating } from './records.ts';

interface RunInMemory {
  readonly record: RunRecord;
  readonly slug: string;
  readonly events: RunEvent[];
  owner: Owner | undefined;
  epoch: number;
}

interface PostedInMemory extends Posted {
  readonly run: string;
  reply: CommandReply | undefined;
}

export interface StoreMemory {
  readonly runs: Map<string, RunInMemory>;
  readonly commands: PostedInMemory[];
  writes: number;
}

export const emptyMemory = (): StoreMemory => ({ runs: new Map(), commands: [], writes: 0 });

export interface MemorySettings {
  readonly clock: Clock;
  /** The process that opens the store. */
  readonly process: Process;
  /** Whether an owner is alive; by default the operating system is asked. */
  readonly isThere?: (owner: Owner) => boolean;
}

export function memoryStore(memory: StoreMemory, settings: MemorySettings): Store {
  const { clock } = settings;
  return {
    runs: () => [...memory.runs.values()].map(({ record }) => record),
    find: (run) => memory.runs.get(run)?.record,
    create: (record, started, taken) => ({ type: 'created', record: create(memory, { record, started, taken }) }),
    adopt: (record, started) => {
      memory.writes += 1;
      const slug = slugOf(record.name);
      memory.runs.set(record.run, { record, slug, events: [started], owner: undefined, epoch: 0 });
      return { type: 'created', record };
    },
    eventsFrom: (run, position, max = Infinity) => {
      const events = memory.runs.get(run)?.events.slice(position, position + max) ?? [];
      return { events, position: position + events.length, failure: undefined };
    },
    textsFrom: (run, position, max = Infinity) => {
      const events = memory.runs.get(run)?.events.slice(position, position + max) ?? [];
      const texts = events.map((event) => ({ type: event.type, json: writeEvent(event) }));
      return { texts, position: position + events.length, failure: undefined };
    },
    endOf: (run) => memory.runs.get(run)?.events.length ?? 0,
    version: () => memory.writes,
    ownerOf: (run) => memory.runs.get(run)?.owner,
    ownersOf: (run) => memory.runs.get(run)?.epoch ?? 0,
    own: (run, { takesOver }) => own(memory, settings, { run, takesOver }),
    post: (run, command) => {
      if (!memory.runs.has(run)) return { type: 'failed', failure: unknown(run) };
      const id = memory.commands.length + 1;
      memory.writes += 1;
      memory.commands.push({ id, run, command, at: clock.now(), reply: undefined });
      return { type: 'posted', id };
    },
    unanswered: (run) => memory.commands.filter((posted) => posted.run === run && posted.reply === undefined).length,
    replyTo: (id) => memory.commands[id - 1]?.reply,
    close: () => undefined,
  };
}

const unknown = (run: string) => ({ code: 'run-unknown', run, file: 'memory' }) as const;

function create(memory: StoreMemory, { record: given, started, taken }: Creating): RunRecord {
  const slug = slugOf(given.name);
  let number = 1;
  while (memory.runs.has(runId(slug, number)) || taken?.has(runId(slug, number)) === true) number += 1;
  const record = { run: runId(slug, number), ...given };
  memory.writes += 1;
  memory.runs.set(record.run, { record, slug, events: [started], owner: undefined, epoch: 0 });
  return record;
}

interface Asking {
  readonly run: string;
  readonly takesOver: boolean;
}

function own(memory: StoreMemory, settings: MemorySettings, { run, takesOver }: Asking): LocalOwned {
  const { clock, process, isThere = isAlive } = settings;
  const found = memory.runs.get(run);
  if (found === undefined) return { type: 'failed', failure: unknown(run) };
  const before = found.owner;
  if (before !== undefined && !takesOver && isThere(before)) {
    return { type: 'refused', by: before, silentMs: Math.max(0, clock.now() - before.since) };
  }
  memory.writes += 1;
  found.epoch += 1;
  const { pid, startedAt } = process;
  const owner: Owner = { pid, startedAt, host: 'memory', since: clock.now(), epoch: found.epoch };
  found.owner = owner;
  const release = (): void => {
    memory.writes += 1;
    if (found.owner === owner) found.owner = undefined;
  };
  return { type: 'owned', owner, release, log: logOf(memory, found, owner) };
}

const logOf = (memory: StoreMemory, found: RunInMemory, owner: Owner): LocalLog => ({
  read: () => [...found.events],
  append: (events, answers) => append(memory, { found, owner, events, answers }),
  commands: () =>
    memory.commands
      .filter(({ run, reply }) => run === found.record.run && reply === undefined)
      .map(({ id, command, at }) => ({ id, command, at })),
});

interface Appending {
  readonly found: RunInMemory;
  readonly owner: Owner;
  readonly events: readonly RunEvent[];
  readonly answers: readonly ReplyToCommand[];
}

function append(memory: StoreMemory, { found, owner, events, answers }: Appending): Appended {
  if (found.owner !== owner) return { type: 'fenced', by: found.owner };
  memory.writes += 1;
  found.events.push(...events);
  for (const { id, reply } of answers) {
    const posted = memory.commands[id - 1];
    if (posted !== undefined && posted.run === found.record.run) posted.reply ??= reply;
  }
  return { type: 'appended' };
}
