// Whether what the plan says of permissions can be kept by the programs that its agents use.
import { ADAPTERS_THAT_ASK, ADAPTERS_WITHOUT_PERMISSIONS } from '../language/agent-kinds.ts';
import type { Agent, Plan } from '../plan.ts';
import type { Report } from './plan-finding.ts';

const INSTEAD =
  'Use claude, or acp with a program that speaks it, such as { use: acp, command: gemini }; or write permissions: allow.';

export function examinePermissions({ permissions, agents }: Plan, report: Report): void {
  const { policy, allow } = permissions;
  if (policy === 'allow') {
    if (allow.length > 0) reportUnused(report);
    return;
  }
  for (const agent of agents) {
    if (ADAPTERS_WITHOUT_PERMISSIONS.includes(agent.use)) reportUnkept(agent, report);
    else if (policy === 'gate' && !ADAPTERS_THAT_ASK.includes(agent.use)) reportUnasked(agent, report);
  }
}

const reportUnkept = ({ name, use }: Agent, report: Report): void =>
  report({
    code: 'permissions-unkept',
    path: ['agents', name],
    message: `\`${name}\` uses ${use}, which does what it likes without asking, so its turns are refused.`,
    hint: INSTEAD,
  });

const reportUnasked = ({ name, use }: Agent, report: Report): void =>
  report({
    code: 'permissions-unasked',
    severity: 'warning',
    path: ['agents', name],
    message: `\`${name}\` uses ${use}, which cannot ask while it works: what it may not do is refused, and nobody is asked.`,
    hint: INSTEAD,
  });

const reportUnused = (report: Report): void =>
  report({
    code: 'permissions-unused',
    severity: 'warning',
    path: ['permissions', 'allow'],
    message: 'The policy is allow, so nothing is asked about and the list grants nothing.',
    hint: 'Write policy: deny or policy: gate, or take the list out.',
  });
