// The colour of a token: attempts of its step, rounds of its task, and the ending of the task or step before it.
import type { Ending } from './event.ts';

export interface Token {
  /** How the task or step that gave it ended; `done` on the way in. */
  readonly ending: Ending;
  /** Attempts of the step, this time round, that count against its `attempts`. */
  readonly tried: number;
  /** Times a `repeat` sent the task back to its first step. */
  readonly round: number;
  /** Times a failed check sent the task back to its agent. */
  readonly redo: number;
  /** Times that its work conflicted with that of others. */
  readonly conflicts: number;
  /** The step may not be claimed before this time. */
  readonly until: number;
}

export const FRESH: Token = { ending: 'done', tried: 0, round: 0, redo: 0, conflicts: 0, until: 0 };

const ENDED: Readonly<Record<Ending, Token>> = {
  done: FRESH,
  failed: { ...FRESH, ending: 'failed' },
  cancelled: { ...FRESH, ending: 'cancelled' },
  skipped: { ...FRESH, ending: 'skipped' },
};

/** The token a task passes on at its end. One object per ending, so that a large run keeps few. */
export const endedToken = (ending: Ending): Token => ENDED[ending];

/** Whether this ending satisfies a need. */
export const satisfies = (ending: Ending): boolean => ending === 'done' || ending === 'skipped';
