// Which conversation a prompt joins when its author does not say.

import type { PromptStep } from '../plan.ts';

export interface Turn {
  readonly agent: string | undefined;
  readonly async: boolean;
}

/**
 * The step before is the last prompt in sequence; an async one has its own branch of the conversation. Continue it with
 * the same agent, fork it for an async step, and start fresh where there is none or the agent is another.
 */
export function defaultResume(turn: Turn, before: Turn | undefined): PromptStep['resume'] {
  if (before === undefined || before.agent !== turn.agent) return 'fresh';
  return turn.async ? 'fork' : 'continue';
}
