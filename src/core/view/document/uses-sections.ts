// The report's sections on resources: agents, budgets, pools and the resulting commits.
import { formatCount, formatDuration, formatMoney } from '../chart/format.ts';
import type { Report } from '../report/run-report.ts';
import type { AgentSummary, BudgetSummary } from '../report/uses.ts';
import { counted, percent, shortId, type Section } from './document.ts';

const number = (title: string): { readonly title: string; readonly isNumber: true } => ({ title, isNumber: true });

export function agentSection({ agents }: Report): Section | undefined {
  if (agents.length === 0) return undefined;
  const turns = agents.reduce((sum, agent) => sum + agent.turns, 0);
  const unreported = agents.reduce((sum, agent) => sum + agent.unreported, 0);
  return {
    id: 'agents',
    title: 'Agents',
    gist: `${counted(agents.length, 'agent')}, ${counted(turns, 'turn')}`,
    blocks: [
      {
        type: 'table',
        columns: [
          { title: 'Agent' },
          { title: 'Model' },
          number('Turns'),
          number('Done'),
          number('At work'),
          number('Cost'),
          number('Tokens'),
          { title: 'In, cached, out' },
        ],
        rows: agents.map((agent) => ({ cells: agentCells(agent) })),
      },
      ...(unreported === 0
        ? []
        : [
            {
              type: 'text',
              text:
                unreported === 1
                  ? 'One turn did not say what it cost and counts as what was reserved for it.'
                  : `${unreported} turns did not say what they cost and count as what was reserved for them.`,
            } as const,
          ]),
    ],
  };
}

function agentCells({ agent, use, models, turns, done, workMs, usd, tokens, usage }: AgentSummary): readonly string[] {
  const parts = usage === undefined ? '' : [usage.input, usage.cached, usage.output].map(formatCount).join(', ');
  const name = use === undefined || use === agent ? agent : `${agent} (${use})`;
  return [
    name,
    models.join(', '),
    String(turns),
    String(done),
    formatDuration(workMs),
    formatMoney(usd),
    formatCount(tokens),
    parts,
  ];
}

/** A budget without a ceiling appears only in the facts. */
export function budgetSection({ budgets }: Report): Section | undefined {
  const limited = budgets.filter(({ ceiling }) => ceiling.usd !== undefined || ceiling.tokens !== undefined);
  if (limited.length === 0) return undefined;
  const reached = limited.filter(({ isReached }) => isReached).length;
  return {
    id: 'budgets',
    title: 'Budgets',
    gist: reached === 0 ? 'none was reached' : `${reached} reached`,
    blocks: [
      {
        type: 'table',
        columns: [
          { title: 'Of' },
          number('Spent'),
          number('Ceiling'),
          number('Tokens'),
          number('Ceiling'),
          { title: '' },
        ],
        rows: limited.map((budget) => ({ cells: budgetCells(budget) })),
      },
    ],
  };
}

const budgetCells = ({ task, ceiling, spent, isReached }: BudgetSummary): readonly string[] => [
  task ?? 'the run',
  formatMoney(spent.usd),
  ceiling.usd === undefined ? '' : formatMoney(ceiling.usd),
  formatCount(spent.tokens),
  ceiling.tokens === undefined ? '' : formatCount(ceiling.tokens),
  isReached ? 'reached' : '',
];

export function poolSection({ pools }: Report): Section | undefined {
  if (pools.length === 0) return undefined;
  return {
    id: 'pools',
    title: 'Pools',
    gist: counted(pools.length, 'pool'),
    blocks: [
      {
        type: 'table',
        columns: [
          { title: 'Pool' },
          number('Size'),
          number('Most held'),
          number('In use'),
          number('Closed'),
          number('Narrowed'),
        ],
        rows: pools.map(({ name, size, peak, share, closings, throttlings }) => ({
          cells: [name, String(size), String(peak), percent(share), String(closings), String(throttlings)],
        })),
      },
    ],
  };
}

export function commitSection({ git, gitSays }: Report): Section | undefined {
  if (git === undefined && gitSays === undefined) return undefined;
  const about = { id: 'commits', title: 'Commits' };
  if (git === undefined) return { ...about, gist: 'unknown', blocks: [{ type: 'text', text: gitSays ?? '' }] };
  const { commits, branch, target } = git;
  if (commits.length === 0)
    return { ...about, gist: 'none', blocks: [{ type: 'text', text: `Nothing is merged on ${branch} yet.` }] };
  const landed = commits.filter(({ isLanded }) => isLanded).length;
  return {
    ...about,
    gist: `${counted(commits.length, 'merge')} on ${branch}, ${landed} landed`,
    blocks: [
      {
        type: 'table',
        columns: [
          { title: 'Merge' },
          { title: 'Commit' },
          { title: 'Task' },
          { title: 'Subject' },
          { title: 'Landed' },
        ],
        rows: commits.map(({ commit, tip, task, subject, isLanded }) => ({
          cells: [shortId(commit), shortId(tip), task, subject, isLanded ? `on ${target ?? 'its target'}` : 'not yet'],
        })),
      },
    ],
  };
}
