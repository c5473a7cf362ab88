// The limits of one task of a fragment that concern its work: agents, pools, reservations, commands, conversations.
import type { SourcePath } from '../plan/diagnostic.ts';
import type { Budget } from '../plan/budget.ts';
import { IDLE_CHECK_HINT, IDLE_CHECK_TEXT, idleCheckOf } from '../plan/check/idle-check.ts';
import { isGrown } from '../plan/grown-plan.ts';
import type { Agent, Plan, PoolDemand, PromptStep, Step, Task, WorkTask } from '../plan/plan.ts';
import { sourceOfStep } from '../plan/check/step-order.ts';
import { ownLabels } from '../plan/host-labels.ts';
import type { Checking } from './fragment-finding.ts';

export function checkWork(checking: Checking, task: WorkTask, path: SourcePath): void {
  checkPools(checking, task.hold, [...path, 'hold']);
  checkCommand(checking, task.check, [...path, 'check']);
  checkCheck(checking, task.check, [...path, 'check']);
  checkSchema(checking, task.output, [...path, 'output']);
  for (const [place, step] of task.steps.entries()) checkStep(checking, step, sourceOfStep(path, task, place));
}

function checkStep(checking: Checking, step: Step, path: SourcePath): void {
  const { limits, report } = checking;
  const { attemptsMax, timeoutMs, idleTimeoutMs } = limits.subplan.settings;
  checkPools(checking, step.pools, [...path, 'pools']);
  checkFragmentHosts(checking, step.on, path);
  checkSchema(checking, step.output, [...path, 'output']);
  if (step.type === 'run') checkCommand(checking, step.run, [...path, 'run']);
  if (step.type === 'prompt') checkTurn(checking, step, path);
  // The attempts of a draft are its rounds, which the language limits.
  const isLonger = step.timeoutMs > timeoutMs || step.idleTimeoutMs > idleTimeoutMs;
  if (!isLonger && (step.attemptsMax <= attemptsMax || path.at(-1) === 'grow')) return;
  report({
    code: 'grown-setting',
    path,
    message: `A step may take longer, or be tried more often, than \`${limits.subplan.path}\` allows.`,
    hint: 'Leave attempts, timeout and idle_timeout out.',
  });
}

function checkTurn({ limits, inside, report }: Checking, step: PromptStep, path: SourcePath): void {
  const { agents } = limits.draft.drafts;
  const used = [
    ...(step.agent === undefined ? [] : [step.agent]),
    ...step.fallbacks.map(({ agent }) => agent),
    ...(step.escalation ?? []),
  ];
  const foreign = used.find((agent) => !agents.includes(agent));
  if (foreign !== undefined)
    report({
      code: 'grown-agent',
      path: [...path, 'agent'],
      message: `The agent \`${foreign}\` may not be used here.`,
      hint:
        agents.length === 0 ? 'Write run: with a command instead.' : `Leave agent out, or name ${agents.join(' or ')}.`,
    });
  const declared = limits.plan.agents.find(({ name }) => name === step.agent);
  if (declared !== undefined && isLess(step.reserve, declared.reserve))
    report({
      code: 'grown-reserve',
      path: [...path, 'reserve'],
      message: `This reserves less than a turn of \`${declared.name}\` does.`,
      hint: 'Leave reserve out.',
    });
  const { resumeTask } = step;
  if (resumeTask !== undefined && !inside.has(resumeTask))
    report({
      code: 'grown-conversation',
      path: [...path, 'resume'],
      message: `The conversation of \`${resumeTask}\` is no conversation of this fragment.`,
      hint: 'Leave resume out, or name a task of the fragment.',
    });
}

const isLess = (one: Budget, other: Agent['reserve']): boolean =>
  (one.usd ?? 0) < (other.usd ?? 0) || (one.tokens ?? 0) < (other.tokens ?? 0);

function checkPools({ limits, report }: Checking, demands: readonly PoolDemand[], path: SourcePath): void {
  const { drafts } = limits.draft;
  const ofAgents = new Set(
    limits.plan.agents.flatMap(({ name, pool }) => (drafts.agents.includes(name) ? [pool] : [])),
  );
  const foreign = demands.find(({ pool }) => !drafts.pools.includes(pool) && !ofAgents.has(pool));
  if (foreign === undefined) return;
  report({
    code: 'grown-pool',
    path,
    message: `The pool \`${foreign.pool}\` may not be taken here.`,
    hint: drafts.pools.length === 0 ? 'Leave pools and hold out.' : `Take only ${drafts.pools.join(', ')}.`,
  });
}

/** More labels leave fewer hosts, but those may be ones that the plan keeps for other work. */
export function checkFragmentHosts({ limits, report }: Checking, on: Task['on'], path: SourcePath): void {
  const { agents } = limits.draft.drafts;
  const ofAgents = new Set(
    limits.plan.agents.flatMap((agent) => (agents.includes(agent.name) ? (agent.on ?? []) : [])),
  );
  const foreign = ownLabels(on, limits.subplan.on).find((label) => !ofAgents.has(label));
  if (foreign === undefined) return;
  report({
    code: 'grown-host',
    path: [...path, 'on'],
    message: `Hosts with the label \`${foreign}\` may not be asked for here.`,
    hint: `Leave on out: what \`${limits.subplan.path}\` asks for holds for its tasks.`,
  });
}

/** The files of a schema are read when a plan is loaded; a fragment comes later. */
function checkSchema({ report }: Checking, schema: WorkTask['output'], path: SourcePath): void {
  if (schema === undefined || !refersToFile(schema)) return;
  report({
    code: 'grown-schema',
    path,
    message: 'A fragment cannot refer to the file of a schema.',
    hint: 'Write the schema itself.',
  });
}

function refersToFile(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? !inner.startsWith('#') : refersToFile(inner),
  );
}

/** Agents that must ask before they run commands may not write some into the plan instead. */
function checkCommand({ limits, report }: Checking, command: string | undefined, path: SourcePath): void {
  const { plan, draft } = limits;
  if (command === undefined || plan.permissions.policy === 'allow') return;
  if (draft.form === 'run' || draft.drafts.confirm === 'gate' || commandsIn(plan).has(command)) return;
  report({
    code: 'grown-command',
    path,
    message: 'Agents of this plan may not run commands unasked, and this command is not in the plan.',
    hint: 'Leave it out, or use a command that the plan itself has.',
  });
}

/** Its work would count as checked, and nothing would have looked at it before it is merged. */
function checkCheck({ report }: Checking, check: string | undefined, path: SourcePath): void {
  const idle = check === undefined ? undefined : idleCheckOf(check);
  if (idle === undefined) return;
  report({
    code: 'grown-check',
    path,
    message: `\`${check}\` ${IDLE_CHECK_TEXT[idle]}, so it checks nothing.`,
    hint: IDLE_CHECK_HINT,
  });
}

function commandsIn({ settings, tasks }: Plan): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (task: Task): void => {
    if (task.settings.merge.check !== undefined) found.add(task.settings.merge.check);
    // What another fragment brought in was never written by a person.
    if (task.type === 'subplan') for (const child of task.tasks) if (!isGrown(task, child)) visit(child);
    if (task.type !== 'work') return;
    if (task.check !== undefined) found.add(task.check);
    for (const step of task.steps) if (step.type === 'run') found.add(step.run);
  };
  if (settings.merge.check !== undefined) found.add(settings.merge.check);
  tasks.forEach(visit);
  return found;
}
