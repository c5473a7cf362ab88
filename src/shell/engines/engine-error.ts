// Errors of an engine on another machine.
import type { EngineTrouble } from '../../core/protocol/store-failure.ts';

/** The message is the code of its trouble. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly why: EngineTrouble;

  constructor(why: EngineTrouble, cause: unknown) {
    super(why, { cause });
    this.why = why;
  }
}

export const causeOf = (error: unknown): string => {
  const cause = error instanceof EngineError ? error.cause : error;
  return cause instanceof Error && cause.message !== '' ? cause.message : String(cause);
};

/** The same call may be done when it is repeated. */
export const isPassing = (error: unknown): boolean =>
  error instanceof EngineError && (error.why === 'away' || error.why === 'unanswered');
