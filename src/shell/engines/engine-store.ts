// A store over an engine on other machines: events, commands and records become text, owners beat, silence is counted.
//
// engine-store/S1. A write whose answer is missing is repeated with its key until it is answered or patience ends; then
//     the caller learns that it failed, and the log is read again before anything else is appended.
// engine-store/S2. An owner that cannot be heard for its whole lease may be replaced; the silence is measured by the
//     clock of whoever wants the run, and only while the engine can be reached: the owner has a whole lease after that.
import { createHash, randomUUID } from 'node:crypto';
import { writeCommand } from '../../core/engine/events/command-format.ts';
import type { CommandReply } from '../../core/engine/commands/reply.ts';
import type { Command } from '../../core/engine/command.ts';
import { readEvent, writeEvent } from '../../core/engine/events/event-format.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import type { StoreFailure } from '../../core/protocol/store-failure.ts';
import type { Engine, Head, Holder } from '../ports/engine.ts';
import type { Posting } from '../ports/inbox.ts';
import type { Created, Events, EventText, EventTexts, RunRecord } from '../ports/log.ts';
import type { Owned } from '../ports/ownership.ts';
import { readRecord, runId, slugOf } from '../ports/run-record.ts';
import type { AnyStore } from '../ports/store.ts';
import { storeFailureOf, ownerIn, patiently, type EngineSettings, type OpenedEngine } from './engine-calls.ts';
import { EngineError } from './engine-error.ts';
import { engineLog, type OwnedByEngine } from './engine-log.ts';
import { silenceMeter } from './silence-meter.ts';

export interface EngineStore extends AnyStore {
  readonly heads: Engine['heads'];
  /** Posts once, however often it is called with this key. */
  readonly postOnce: (run: string, command: Command, key: string) => Promise<Posting>;
  /** A run that another store has created, under its id; failed when another run of the engine has it. */
  readonly adopt: (record: RunRecord, started: RunEvent) => Promise<Created>;
  /** Whether the owner was silent for its lease, or nobody has owned the run for that long since it was created. */
  readonly isSilent: (head: Head) => boolean;
  readonly failureOf: (error: EngineError) => StoreFailure;
  /** Why a call is being repeated at this moment: a database that can only be read still answers readers. */
  readonly waitsFor: () => StoreFailure | undefined;
  /** Stops beating. Runs are not released: others take them when their leases have ended. */
  readonly close: () => Promise<void>;
}

export function engineStore(engine: Engine, settings: EngineSettings): EngineStore {
  const opened: OpenedEngine = {
    engine,
    settings,
    meter: silenceMeter(settings.clock),
    closing: new AbortController(),
    waits: new Set(),
  };
  const headOf = (run: string): Promise<Head | undefined> => engine.head(run);
  return {
    heads: () => headsIn(opened),
    adopt: (record, started) => adopt(opened, record, started),
    isSilent: ({ run, holder }) => {
      const { epoch, beats, leaseMs, isGone } = holder ?? { ...NOBODY, leaseMs: settings.leaseMs, isGone: false };
      return !isGone && opened.meter.silence(run, { epoch, beats }) >= leaseMs;
    },
    failureOf: (error) => storeFailureOf(engine, error),
    waitsFor: () => opened.waits.values().next().value,
    runs: async () => (await engine.records()).map(recordIn),
    find: async (run) => {
      const text = await engine.record(run);
      return text === undefined ? undefined : recordIn(text);
    },
    create: (record, started, taken) => create(opened, { record, started, taken: taken ?? new Set() }),
    eventsFrom: (run, position, max) => eventsFrom(opened, run, { position, max: max ?? Infinity }),
    textsFrom: (run, position, max) => textsFrom(opened, run, { position, max: max ?? Infinity }),
    endOf: async (run) => (await headOf(run))?.end ?? 0,
    version: async () => (await headsIn(opened)).reduce((sum, { changed }) => sum + changed, 0),
    ownerOf: async (run) => ownerIn((await headOf(run))?.holder),
    ownersOf: async (run) => (await headOf(run))?.holder?.epoch ?? 0,
    own: (run, { takesOver }) => own(opened, run, takesOver),
    post: (run, command) => post(opened, run, { command, key: randomUUID() }),
    postOnce: (run, command, key) => post(opened, run, { command, key }),
    unanswered: async (run) => (await engine.commands(run)).length,
    replyTo: async (id) => {
      const json = await engine.replyTo(id);
      // Only `append` writes replies.
      return json === undefined ? undefined : (JSON.parse(json) as CommandReply);
    },
    close: async () => {
      opened.closing.abort();
      await engine.close();
    },
  };
}

/** Silence is counted from the answer on, whatever is done with it. */
async function headsIn(opened: OpenedEngine): Promise<readonly Head[]> {
  const { engine, meter } = opened;
  try {
    const heads = await engine.heads();
    for (const { run, holder } of heads) meter.silence(run, holder ?? NOBODY);
    return heads;
  } catch (error) {
    meter.restart();
    throw error;
  }
}

function recordIn(text: string): RunRecord {
  const record = readRecord(text);
  if (record === undefined) throw new EngineError('refused', 'it holds a record of a run that Heddle did not write');
  return record;
}

interface Creating {
  readonly record: Omit<RunRecord, 'run'>;
  readonly started: RunEvent;
  readonly taken: ReadonlySet<string>;
}

async function create(opened: OpenedEngine, { record: given, started, taken }: Creating): Promise<Created> {
  const { engine } = opened;
  const key = randomUUID();
  const slug = slugOf(given.name);
  try {
    for (let number = 1; ; number += 1) {
      const record = { run: runId(slug, number), ...given };
      if (taken.has(record.run)) continue;
      const creating = { run: record.run, key, record: JSON.stringify(record), started: writeEvent(started) };
      if (await patiently(opened, () => engine.create(creating))) return { type: 'created', record };
    }
  } catch (error) {
    return { type: 'failed', failure: storeFailureOf(engine, error) };
  }
}

async function adopt(opened: OpenedEngine, record: RunRecord, started: RunEvent): Promise<Created> {
  const { engine } = opened;
  const text = JSON.stringify(record);
  // The same record is the same run, whoever brings it.
  const key = createHash('sha256').update(text).digest('hex');
  const { run } = record;
  try {
    const before = await engine.record(run);
    if (before === text) return { type: 'created', record };
    const creating = { run, key, record: text, started: writeEvent(started) };
    if (before === undefined && (await patiently(opened, () => engine.create(creating))))
      return { type: 'created', record };
    return { type: 'failed', failure: { code: 'run-taken', run, file: engine.address } };
  } catch (error) {
    return { type: 'failed', failure: storeFailureOf(engine, error) };
  }
}

async function post(
  opened: OpenedEngine,
  run: string,
  { command, key }: { readonly command: Command; readonly key: string },
): Promise<Posting> {
  const { engine, settings } = opened;
  const posting = { key, json: writeCommand(command), at: settings.clock.now() };
  try {
    const id = await patiently(opened, () => engine.post(run, posting));
    if (id === undefined) return { type: 'failed', failure: unknown(engine, run) };
    return { type: 'posted', id };
  } catch (error) {
    return { type: 'failed', failure: storeFailureOf(engine, error) };
  }
}

const unknown = (engine: Engine, run: string): StoreFailure => ({ code: 'run-unknown', run, file: engine.address });

const EVENTS_AT_ONCE = 1_000;

interface Stretch {
  readonly position: number;
  readonly max: number;
}

async function eventsFrom(opened: OpenedEngine, run: string, stretch: Stretch): Promise<Events> {
  const { texts, failure } = await textsFrom(opened, run, stretch);
  const events: RunEvent[] = [];
  for (const { json } of texts) {
    const read = readEvent(json);
    const position = stretch.position + events.length;
    if (read.type === 'failed')
      return { events, position, failure: { code: 'event-unknown', run, position, cause: read.message } };
    events.push(read.event);
  }
  return { events, position: stretch.position + events.length, failure };
}

async function textsFrom({ engine }: OpenedEngine, run: string, { position, max }: Stretch): Promise<EventTexts> {
  const texts: EventText[] = [];
  const upTo = (failure: StoreFailure | undefined) => ({ texts, position: position + texts.length, failure });
  try {
    for (;;) {
      const wanted = Math.min(EVENTS_AT_ONCE, max - texts.length);
      const found = wanted === 0 ? [] : await engine.read(run, position + texts.length, wanted);
      for (const json of found) {
        const type = typeOfEvent(json);
        if (type === undefined)
          return upTo({ code: 'event-unknown', run, position: position + texts.length, cause: 'it has no type' });
        texts.push({ type, json });
      }
      if (found.length < EVENTS_AT_ONCE) return upTo(undefined);
    }
  } catch (error) {
    return upTo(storeFailureOf(engine, error));
  }
}

/** Undefined for a text that Heddle did not write. */
function typeOfEvent(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
      ? value.type
      : undefined;
  } catch {
    // What cannot be parsed has no type.
    return undefined;
  }
}

async function own(opened: OpenedEngine, run: string, takesOver: boolean): Promise<Owned> {
  const { engine, settings, meter } = opened;
  const { leaseMs, process, host, clock } = settings;
  try {
    const holder = (await engine.head(run))?.holder;
    if (holder === undefined && (await engine.record(run)) === undefined)
      return { type: 'failed', failure: unknown(engine, run) };
    const before = ownerIn(holder);
    if (holder !== undefined && before !== undefined && !takesOver) {
      const silentMs = meter.silence(run, holder);
      if (silentMs < holder.leaseMs) return { type: 'refused', by: before, silentMs };
    }
    const who = { pid: process.pid, startedAt: process.startedAt, host, since: clock.now() };
    const claiming = {
      key: randomUUID(),
      who: JSON.stringify(who),
      leaseMs,
      replaces: takesOver ? undefined : replaced(holder),
    };
    const takenAt = clock.monotonic();
    const epoch = await patiently(opened, () => engine.claim(run, claiming));
    if (epoch === undefined) return await outrun(opened, run);
    return await taken(opened, run, { owner: { ...who, epoch }, takenAt });
  } catch (error) {
    return { type: 'failed', failure: storeFailureOf(engine, error) };
  }
}

/** Before the first owner. */
const NOBODY = { epoch: 0, beats: 0 };

const replaced = ({ epoch, beats }: Pick<Holder, 'epoch' | 'beats'> = NOBODY) => ({ epoch, beats });

/** Another process took the run in the same moment, or its owner came back. */
async function outrun({ engine }: OpenedEngine, run: string): Promise<Owned> {
  const by = ownerIn((await engine.head(run))?.holder);
  if (by !== undefined) return { type: 'refused', by, silentMs: 0 };
  return {
    type: 'failed',
    failure: { code: 'engine', why: 'away', engine: engine.address, cause: 'the owner changed' },
  };
}

async function taken(
  opened: OpenedEngine,
  run: string,
  { owner, takenAt }: Pick<OwnedByEngine, 'owner' | 'takenAt'>,
): Promise<Owned> {
  // Nobody else can append any more, so this is the end; it may hold events that nobody was told of.
  const { events, failure } = await eventsFrom(opened, run, { position: 0, max: Infinity });
  if (failure !== undefined) {
    await opened.engine.release(run, owner.epoch);
    return { type: 'failed', failure };
  }
  return { type: 'owned', owner, ...engineLog(opened, { run, owner, takenAt, events }) };
}
