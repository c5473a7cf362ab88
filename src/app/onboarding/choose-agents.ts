// Which of the agents of this machine a first plan asks, and what is to be said about them.
import type { FoundAgent } from '../agent-parts.ts';

export interface ChosenAgents {
  /** The first is asked; the others take over. Never empty. */
  readonly uses: readonly string[];
  /** What keeps the first from being asked, with its remedy. */
  readonly trouble: string | undefined;
}

/** Somebody who has none is best served by the one that most people have. */
const USUAL = 'claude';
const AGENTS_MAX = 3;

export function chooseAgents(found: readonly FoundAgent[]): ChosenAgents {
  const real = found.filter(({ program }) => program !== undefined);
  const here = real.filter(({ path }) => path !== undefined);
  const ready = here.filter(({ login }) => login.type !== 'none');
  if (ready.length > 0) return { uses: ready.slice(0, AGENTS_MAX).map(({ use }) => use), trouble: undefined };
  const [first] = here;
  if (first !== undefined)
    return {
      uses: [first.use],
      trouble: `${first.use} is here, but nothing says that it is logged in. ${first.hint ?? ''}`,
    };
  const hint = real.find(({ use }) => use === USUAL)?.hint ?? '';
  return { uses: [USUAL], trouble: `No agent is installed here, so the plan names ${USUAL}. ${hint}` };
}
