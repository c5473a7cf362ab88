// Chooses the agents of a first plan from the agents on this machine.
import type { FoundAgent } from '../agent-parts.ts';

export interface ChosenAgents {
  /** The first gets the prompts, the others are fallbacks. Never empty. */
  readonly uses: readonly string[];
  /** Why the first agent cannot run yet. `hint` explains how to install it or log in. */
  readonly problem:
    | { readonly code: 'not-logged-in' | 'not-installed'; readonly agent: string; readonly hint: string | undefined }
    | undefined;
}

/** Proposed where no agent is installed: the most common one. */
const USUAL = 'claude';
const AGENTS_MAX = 3;

export function chooseAgents(found: readonly FoundAgent[]): ChosenAgents {
  const real = found.filter(({ program }) => program !== undefined);
  const here = real.filter(({ path }) => path !== undefined);
  const ready = here.filter(({ login }) => login.type !== 'none');
  if (ready.length > 0) return { uses: ready.slice(0, AGENTS_MAX).map(({ use }) => use), problem: undefined };
  const [first] = here;
  if (first !== undefined)
    return { uses: [first.use], problem: { code: 'not-logged-in', agent: first.use, hint: first.hint } };
  const hint = real.find(({ use }) => use === USUAL)?.hint;
  return { uses: [USUAL], problem: { code: 'not-installed', agent: USUAL, hint } };
}
