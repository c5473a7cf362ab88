// Lists the agents of this machine for people. Separate from the other wiring, so that runs do not load it.
import { detectAgents, findAgentProgram, type FoundAgent } from '../shell/agents/detect-agents.ts';
import { readPrices } from '../shell/agents/read-prices.ts';
import { TRY_PROMPT, tryAgent, type Tried } from '../shell/agents/try-agent.ts';
import type { Project } from './project.ts';
import { Refused } from './refused.ts';
import { stepEnvironment } from './given-for.ts';

const TRY_MS = 180_000;
const ASK_MS = 600_000;

export type { FoundAgent, Tried };

export const agentsHere = (): Promise<readonly FoundAgent[]> => detectAgents(stepEnvironment());

/** Kinds that need no program of their own, or whose program the plan names. */
const WITHOUT_PROGRAM: readonly string[] = ['acp', 'command', 'scripted'];

/** The kinds of agents that can have turns on this machine. */
export async function kindsHere(): Promise<readonly string[]> {
  const found = (await agentsHere()).filter(({ path }) => path !== undefined).map(({ use }) => use);
  return [...new Set([...found, ...WITHOUT_PROGRAM])];
}

export const hasPrograms = (kinds: readonly string[]): boolean => kinds.some((kind) => !WITHOUT_PROGRAM.includes(kind));

export const agentNames = async (): Promise<readonly string[]> => (await agentsHere()).map(({ use }) => use);

/** Runs one small turn, at its usual cost. */
export async function tryAgentHere(use: string, { home }: Pick<Project, 'home'>): Promise<Tried> {
  const prompt = use === 'scripted' ? '@say ready' : TRY_PROMPT;
  const environment = stepEnvironment();
  const tried = await tryAgent(use, { environment, priceOf: readPrices(home), timeoutMs: TRY_MS, prompt });
  if (tried === undefined) throw new Refused({ code: 'agent-unknown', agent: use, known: await agentNames() });
  return tried;
}

/** One turn in an empty folder, for an answer. Undefined when there is no agent of that name. */
export const askAgentHere = (
  use: string,
  { home, prompt }: { readonly home: string; readonly prompt: string },
): Promise<Tried | undefined> =>
  tryAgent(use, { environment: stepEnvironment(), priceOf: readPrices(home), timeoutMs: ASK_MS, prompt });

export const isProgramHere = (program: string): boolean => findAgentProgram(program, stepEnvironment()) !== undefined;
