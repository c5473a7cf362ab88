// The engine at an address. The code of one is loaded only when it is asked for.
import type { Engine } from '../ports/engine.ts';
import { EngineError } from './engine-error.ts';

export interface EngineOpening {
  /** A call without an answer for this long is given up and repeated. */
  readonly answerMs: number;
}

export async function openEngine(url: string, opening: EngineOpening): Promise<Engine> {
  if (/^postgres(?:ql)?:/.test(url)) return await (await import('./postgres-engine.ts')).openPostgres(url, opening);
  if (url.startsWith('restate:')) return await (await import('./restate-engine.ts')).openRestate(url, opening);
  throw new EngineError('refused', 'an engine has an address that begins with postgres:// or restate://');
}
