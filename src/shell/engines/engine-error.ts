// Errors of an engine on another machine.
import type { EngineFault } from '../../core/protocol/store-failure.ts';

/** The message is the code of its trouble. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly why: EngineFault;

  constructor(why: EngineFault, cause: unknown) {
    super(why, { cause });
    this.why = why;
  }
}

export const causeOf = (error: unknown): string => {
  const cause = error instanceof EngineError ? error.cause : error;
  return cause instanceof Error && cause.message !== '' ? cause.message : String(cause);
};

/** The same call may be done when it is repeated. */
export const isPassingError = (error: unknown): boolean =>
  error instanceof EngineError && (error.why === 'away' || error.why === 'unanswered');
