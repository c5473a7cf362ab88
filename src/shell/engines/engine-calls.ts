// Calls of an engine: repeated while it is away, with errors as failures of a store.
import { setTimeout } from 'node:timers/promises';
import type { StoreFailure } from '../../core/protocol/store-failure.ts';
import type { Clock } from '../ports/clock.ts';
import type { Engine, Holder } from '../ports/engine.ts';
import type { Owner, Process } from '../ports/log.ts';
import { causeOf, EngineError, isPassingError } from './engine-error.ts';
import type { SilenceMeter } from './silence-meter.ts';

export interface EngineSettings {
  readonly clock: Clock;
  readonly process: Process;
  readonly host: string;
  readonly leaseMs: number;
  /** How long a call is repeated while the engine is away. */
  readonly patienceMs: number;
  /** How often commands are fetched for the runs that this process owns. */
  readonly pollMs: number;
}

/** What the parts of a store share. */
export interface OpenedEngine {
  readonly engine: Engine;
  readonly settings: EngineSettings;
  readonly meter: SilenceMeter;
  /** Why calls are being repeated at this moment. */
  readonly waits: Set<StoreFailure>;
  /** Ends what runs in the background. */
  readonly closing: AbortController;
}

/** The owner; undefined when the run is released or never had one. */
export function ownerIn(holder: Holder | undefined): Owner | undefined {
  if (holder === undefined || holder.isGone) return undefined;
  // Only `own` writes it.
  return { ...(JSON.parse(holder.who) as Omit<Owner, 'epoch'>), epoch: holder.epoch };
}

export const storeFailureOf = (engine: Engine, error: unknown): StoreFailure => {
  if (!(error instanceof EngineError)) throw error;
  return { code: 'engine', why: error.why, engine: engine.address, cause: causeOf(error) };
};

const RETRY_MS = 100;

/** A database may become writable, or get room, while the call waits. */
const mayPass = (error: unknown): boolean =>
  isPassingError(error) || (error instanceof EngineError && (error.why === 'read-only' || error.why === 'full'));

/** Repeats a call that is done once by its key (engine/E2) while the engine is away or cannot be written. */
export async function patiently<Value>(opened: OpenedEngine, call: () => Promise<Value>): Promise<Value> {
  const { engine, settings, closing, waits } = opened;
  const { clock, patienceMs } = settings;
  const until = clock.monotonic() + patienceMs;
  let why: StoreFailure | undefined;
  try {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        if (!mayPass(error) || clock.monotonic() >= until || closing.signal.aborted) throw error;
        if (why !== undefined) waits.delete(why);
        why = storeFailureOf(engine, error);
        waits.add(why);
        await setTimeout(RETRY_MS);
      }
    }
  } finally {
    if (why !== undefined) waits.delete(why);
  }
}
