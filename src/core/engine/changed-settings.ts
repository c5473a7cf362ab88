// The settings of a task that a changed plan changes, by their names in the file: what is not its identity (amendment/N2).
import { textsOfPlan, textsOfSettings } from '../plan/settings/setting-texts.ts';
import type { Plan, Step, Task } from '../plan/plan.ts';

/** What a task takes from its agents. */
const OF_AGENTS = ['agent', 'pools', 'reserve', 'on'] as const;

/** The settings that tasks take from a plan that changes them: they are shown once, for the plan. */
export function settingsOfPlanChanged(before: Plan, after: Plan): ReadonlySet<string> {
  const fresh = new Map(textsOfPlan(after));
  const changed = textsOfPlan(before).flatMap(([name, text]) => (fresh.get(name) === text ? [] : [name]));
  const areAgentsChanged = changed.includes('agent') || JSON.stringify(before.agents) !== JSON.stringify(after.agents);
  return new Set([...changed, ...(areAgentsChanged ? OF_AGENTS : [])]);
}

export function changedSettings(before: Task, after: Task, ofPlan: ReadonlySet<string>): readonly string[] {
  const [old, fresh] = [valuesOf(before), valuesOf(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])].filter(
    (name) => !ofPlan.has(name) && JSON.stringify(old.get(name)) !== JSON.stringify(fresh.get(name)),
  );
}

/** Each setting with its value for the task and for every step. */
function valuesOf(task: Task): ReadonlyMap<string, readonly unknown[]> {
  const named: readonly (readonly [name: string, value: unknown])[] = [
    ...textsOfSettings(task.settings),
    ['max_parallel', task.cap],
    ['budget', task.budget],
    ['estimate', task.estimateMs],
    ['on', task.on],
    ...(task.type === 'work' ? [['retry', task.retry] as const, ...task.steps.flatMap(valuesOfStep)] : []),
  ];
  const values = new Map<string, unknown[]>();
  for (const [name, value] of named) values.set(name, [...(values.get(name) ?? []), value]);
  return values;
}

function valuesOfStep(step: Step): readonly (readonly [name: string, value: unknown])[] {
  return [
    ['attempts', step.attemptsMax],
    ['timeout', step.timeoutMs],
    ['idle_timeout', step.idleTimeoutMs],
    ['estimate', step.estimateMs],
    ['on', step.on],
    ['reserve', step.reserve],
    ['pools', step.pools],
    ...(step.type === 'prompt'
      ? [
          ['agent', [step.agent, step.fallbacks.map(({ agent }) => agent)]] as const,
          ['escalate', step.escalation] as const,
          ['resume', [step.resume, step.resumeTask]] as const,
        ]
      : []),
  ];
}
