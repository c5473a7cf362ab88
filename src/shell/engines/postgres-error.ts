// Errors of PostgreSQL and of the way to it.
import type { EngineFault } from '../../core/protocol/store-failure.ts';
import { EngineError } from './engine-error.ts';

/** By SQLSTATE, then by its class. */
const STATES: Readonly<Record<string, EngineFault>> = {
  '25006': 'read-only',
  '53100': 'full',
  '53': 'away',
  '57': 'away',
  '08': 'away',
  '40': 'away',
  '58': 'away',
};

const STATE = /^[0-9A-Z]{5}$/;

export function postgresError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // A bug of ours has no code.
  if (code === undefined) throw error;
  const isState = STATE.test(code) && error instanceof Error && error.name === 'PostgresError';
  const why = isState ? (STATES[code] ?? STATES[code.slice(0, 2)] ?? 'refused') : 'away';
  return new EngineError(why, error);
}
