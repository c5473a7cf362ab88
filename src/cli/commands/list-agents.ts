import { LIST_PRICES_DATE } from '../../core/plan/settings/list-prices.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { findProject } from '../../app/project.ts';
import { aligned } from '../text/rows.ts';
import { arePricesRight } from '../text/diagnostic-text.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { agentsHere, tryAgentHere, type FoundAgent, type Tried } from '../../app/agent-parts.ts';

export interface AgentsFlags {
  readonly try: string | undefined;
  readonly json: boolean;
}

/** `heddle agents`: which agents are on this machine, and whether one of them works. */
export async function agents(terminal: Terminal, flags: AgentsFlags): Promise<ExitCode> {
  arePricesRight(terminal);
  if (flags.try !== undefined) return await tryOne(terminal, flags.try, flags.json);
  const found = await agentsHere();
  if (flags.json) terminal.out(JSON.stringify(found, undefined, 2));
  else for (const line of [...linesFor(terminal, found), '', PRICES]) terminal.out(line);
  return EXIT.done;
}

const PRICES = `Prices of common models: the list of ${LIST_PRICES_DATE}; .heddle/prices.json and ~/.config/heddle/prices.json come before it.`;

function linesFor(terminal: Terminal, found: readonly FoundAgent[]): readonly string[] {
  const rows = found.map((agent) => [agent.use, versionWords(agent), loginWords(agent), agent.path ?? '']);
  const table = aligned(rows, '');
  return found.flatMap((agent, at) => {
    const line = table[at] ?? '';
    const call = agent.path === undefined ? [] : [`    called as: ${agent.call.join(' ')}`];
    const hint = agent.hint === undefined ? [] : [`    ${paint(terminal, 'warn', agent.hint)}`];
    return [line, ...call, ...hint];
  });
}

function versionWords({ path, program, version }: FoundAgent): string {
  if (program === undefined) return 'part of Heddle';
  if (path === undefined) return 'not installed';
  return version ?? 'version unknown';
}

function loginWords({ login, path }: FoundAgent): string {
  switch (login.type) {
    case 'needless':
      return 'needs no login';
    case 'none':
      return path === undefined ? '' : 'no sign of a login';
    case 'sign':
      return path === undefined ? '' : `login: ${login.by}`;
  }
}

async function tryOne(terminal: Terminal, use: string, json: boolean): Promise<ExitCode> {
  const tried = await tryAgentHere(use, findProject());
  if (json) terminal.out(JSON.stringify({ use, ...tried }, undefined, 2));
  else terminal.out(triedWords(use, tried));
  return tried.verdict.type === 'finished' ? EXIT.done : EXIT.someFailed;
}

function triedWords(use: string, { verdict, usage, tookMs }: Tried): string {
  const took = `${(tookMs / 1000).toFixed(1)} s`;
  const cost = usage?.usd === undefined ? '' : `, $${usage.usd}`;
  switch (verdict.type) {
    case 'finished':
      return `${use} works: it answered "${verdict.result.response ?? ''}" after ${took}${cost}.`;
    case 'limited':
      return `${use} is there, and its account is at its limit for now: ${verdict.message}`;
    case 'failed':
      return `${use} does not work: ${verdict.message}`;
  }
}
