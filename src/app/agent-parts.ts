// Puts the agents of this machine before people. Apart from the rest of the wiring, so that runs load none of it.
import { detectAgents, findProgram, type FoundAgent } from '../shell/agents/detect-agents.ts';
import { readPrices } from '../shell/agents/read-prices.ts';
import { TRY_PROMPT, tryAgent, type Tried } from '../shell/agents/try-agent.ts';

const TRY_MS = 180_000;
const ASK_MS = 600_000;

export type { FoundAgent, Tried };

function surroundings(): Readonly<Record<string, string>> {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

export const agentsHere = (): Promise<readonly FoundAgent[]> => detectAgents(surroundings());

/** `home` is that of the project's store, for its prices. */
export const tryAgentHere = (use: string, home: string): Promise<Tried | undefined> => {
  const prompt = use === 'scripted' ? '@say ready' : TRY_PROMPT;
  return tryAgent(use, { environment: surroundings(), priceOf: readPrices(home), timeoutMs: TRY_MS, prompt });
};

/** One turn in an empty folder, for an answer. Undefined when there is no agent of that name. */
export const askAgentHere = (
  use: string,
  { home, prompt }: { readonly home: string; readonly prompt: string },
): Promise<Tried | undefined> =>
  tryAgent(use, { environment: surroundings(), priceOf: readPrices(home), timeoutMs: ASK_MS, prompt });

export const isProgramHere = (program: string): boolean => findProgram(program, surroundings()) !== undefined;
