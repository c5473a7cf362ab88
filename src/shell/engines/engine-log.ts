// One run's log on an engine, as its one writer uses it: what it holds of the log and the inbox, and its beats.
//
// engine-log/W1. The view of the log grows only by events that the engine has acknowledged, or that it was found to hold.
// engine-log/W2. A command leaves the view of the inbox with the append that answers it.
// engine-log/W3. An owner whose append failed beats no more: its loop has ended without a release, and the run is taken up
//     when its lease has ended, by this process or another.
import { randomUUID } from 'node:crypto';
import { readCommand } from '../../core/engine/events/command-format.ts';
import { writeEvent } from '../../core/engine/events/event-format.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import type { ReplyToCommand } from '../../core/engine/step/step.ts';
import type { EngineCommand } from '../ports/engine.ts';
import type { Posted } from '../ports/inbox.ts';
import type { Appended, Log, Owner } from '../ports/log.ts';
import { EngineError } from './engine-error.ts';
import { storeFailureOf, ownerIn, patiently, type OpenedEngine } from './engine-calls.ts';

export interface OwnedByEngine {
  readonly run: string;
  readonly owner: Owner;
  /** When the call began that made it the owner. */
  readonly takenAt: number;
  /** The log when the run was taken. */
  readonly events: readonly RunEvent[];
}

interface Held {
  readonly log: Log;
  readonly release: () => Promise<void>;
  readonly uncertainMs: () => number;
}

/** What this process holds of the run. */
interface View {
  readonly events: RunEvent[];
  /** As the engine has them; answered ones may still be among them when they were fetched during an append. */
  fetched: readonly Posted[];
  readonly answered: Set<number>;
  isOurs: boolean;
  /** When the latest call began by which the engine says so. */
  certainAt: number;
}

export function engineLog(opened: OpenedEngine, owning: OwnedByEngine): Held {
  const view: View = {
    events: [...owning.events],
    fetched: [],
    answered: new Set(),
    isOurs: true,
    certainAt: owning.takenAt,
  };
  const ending = new AbortController();
  opened.closing.signal.addEventListener('abort', () => ending.abort(), { once: true });
  const { leaseMs, pollMs } = opened.settings;
  repeatedly(ending.signal, Math.ceil(leaseMs / BEATS_PER_LEASE), () => beat(opened, owning, view));
  repeatedly(ending.signal, pollMs, () => fetchCommands(opened, owning, view));
  return {
    log: {
      read: () => [...view.events],
      append: async (events, answers) => {
        const appended = await append(opened, owning, { view, events, answers });
        if (appended.type !== 'appended') ending.abort();
        return appended;
      },
      commands: () => view.fetched.filter(({ id }) => !view.answered.has(id)),
    },
    uncertainMs: () => opened.settings.clock.monotonic() - view.certainAt,
    release: async () => {
      ending.abort();
      view.isOurs = false;
      try {
        await opened.engine.release(owning.run, owning.owner.epoch);
      } catch (error) {
        // Others take the run when the lease has ended.
        if (!(error instanceof EngineError)) throw error;
      }
    },
  };
}

/** Two beats may be lost. */
const BEATS_PER_LEASE = 3;

/** After trouble: an owner that can beat again does so at once. */
const AGAIN_MS = 250;

/** Calls at once and then with pauses between the calls, however long each takes. */
function repeatedly(signal: AbortSignal, everyMs: number, call: () => Promise<void>): void {
  const again = async (): Promise<void> => {
    if (signal.aborted) return;
    let pauseMs = everyMs;
    try {
      await call();
    } catch (error) {
      // The next call, or the next append, meets the same trouble and reports it.
      if (!(error instanceof EngineError)) throw error;
      pauseMs = Math.min(everyMs, AGAIN_MS);
    }
    if (!signal.aborted) setTimeout(() => void again(), pauseMs).unref();
  };
  void again();
}

async function beat(
  { engine, settings: { clock } }: OpenedEngine,
  { run, owner }: OwnedByEngine,
  view: View,
): Promise<void> {
  if (!view.isOurs) return;
  const at = clock.monotonic();
  view.isOurs = await engine.beat(run, owner.epoch);
  if (view.isOurs) view.certainAt = at;
}

async function fetchCommands({ engine }: OpenedEngine, { run }: OwnedByEngine, view: View): Promise<void> {
  const before = new Set(view.answered);
  const found = await engine.commands(run);
  view.fetched = found.flatMap(postedIn);
  // What was answered before the fetch began is not among them any more.
  for (const id of before) view.answered.delete(id);
}

/** Limit: a command of a later Heddle stays unanswered until one owns the run. */
function postedIn({ id, json, at }: EngineCommand): readonly Posted[] {
  const command = readCommand(json);
  return command === undefined ? [] : [{ id, command, at }];
}

interface Appending {
  readonly view: View;
  readonly events: readonly RunEvent[];
  readonly answers: readonly ReplyToCommand[];
}

async function append(
  opened: OpenedEngine,
  { run, owner }: OwnedByEngine,
  { view, events, answers }: Appending,
): Promise<Appended> {
  const { engine } = opened;
  const batch = {
    key: randomUUID(),
    epoch: owner.epoch,
    position: view.events.length,
    events: events.map(writeEvent),
    answers: answers.map(({ id, reply }) => ({ id, json: JSON.stringify(reply) })),
  };
  try {
    const result = await patiently(opened, () => engine.append(run, batch));
    switch (result.type) {
      case 'appended':
        view.events.push(...events);
        for (const { id } of answers) view.answered.add(id);
        return { type: 'appended' };
      case 'fenced':
        view.isOurs = false;
        return { type: 'fenced', by: ownerIn(result.by) };
      case 'moved':
        return { type: 'failed', failure: moved(opened, batch.position, result.end) };
    }
  } catch (error) {
    return { type: 'failed', failure: storeFailureOf(engine, error) };
  }
}

/** An append that was given up has been written after all; the next loop reads the log anew. */
const moved = ({ engine }: OpenedEngine, expected: number, end: number) =>
  ({
    code: 'engine',
    why: 'away',
    engine: engine.address,
    cause: `the log ends at ${end} and not at ${expected}`,
  }) as const;
