// What a plan has in it, by name, to be counted: a set of plans without loops proves nothing of loops.
import { isDraft } from '../src/core/plan/grown-plan.ts';
import type { Compiled } from '../src/core/compile/compiled.ts';

const FEATURES: Readonly<Record<string, (compiled: Compiled) => boolean>> = {
  'a nested subplan': ({ tasks }) => tasks.some(({ task, parent }) => task.type === 'subplan' && parent !== undefined),
  'a cap in the cap': ({ tasks }) => tasks.some(({ task }) => task.cap !== undefined),
  'a loop': ({ tasks }) => tasks.some(({ task }) => task.type === 'work' && task.repeat !== undefined),
  'copies of a list': ({ tasks }) => tasks.some(({ task }) => task.item !== undefined),
  'a gate': ({ tasks }) => tasks.some(({ task }) => task.type === 'gate'),
  'a join': ({ tasks }) => tasks.some(({ task }) => task.type === 'join'),
  'a race': ({ tasks }) => tasks.some(({ task }) => task.needs.type === 'race'),
  'an any or at least': ({ tasks }) =>
    tasks.some(({ task }) => task.needs.type === 'any' || task.needs.type === 'at_least'),
  'a check': ({ tasks }) => tasks.some(({ task }) => task.type === 'work' && task.check !== undefined),
  'steps side by side': ({ tasks }) => tasks.some(({ steps }) => steps.some(({ step }) => step.async)),
  'a pool': ({ tasks }) => tasks.some(({ steps }) => steps.some(({ step }) => step.pools.length > 0)),
  'a budget': ({ plan }) => plan.budget !== undefined,
  'a budget that stops what runs': ({ plan }) => plan.budget?.atCeiling === 'stop',
  'a budget in the budget': ({ tasks }) => tasks.some(({ task }) => task.budget !== undefined),
  'a list of agents': ({ tasks }) =>
    tasks.some(({ steps }) =>
      steps.some(
        ({ step }) =>
          step.type === 'prompt' && step.fallbacks.some(({ isOnlyEscalation }) => isOnlyEscalation !== true),
      ),
    ),
  'agents that escalate': ({ tasks }) =>
    tasks.some(({ steps }) => steps.some(({ step }) => step.type === 'prompt' && step.escalation !== undefined)),
  'a read-only turn': ({ tasks }) =>
    tasks.some(({ steps }) => steps.some(({ step }) => step.type === 'prompt' && step.isReadOnly === true)),
  'a loop with feedback': ({ tasks }) =>
    tasks.some(({ task }) => task.type === 'work' && task.repeat?.feedback !== undefined),
  'agents with other pools': ({ tasks }) =>
    tasks.some(({ steps }) => steps.some(({ otherVariants }) => otherVariants.length > 0)),
  merges: ({ plan }) => plan.sandbox.tree !== 'none',
  'merges by the plan': ({ plan }) => plan.sandbox.tree !== 'none' && plan.settings.merge.order === 'plan',
  'permissions that people decide about': ({ plan }) => plan.permissions.policy === 'gate',
  'labels of hosts': ({ tasks }) => tasks.some(({ task }) => task.on !== undefined),
  'a cap over all machines': ({ plan }) => plan.hostsCap !== undefined,
  growth: ({ tasks }) => tasks.some(({ task }) => isDraft(task)),
  'growth that a person confirms': ({ tasks }) =>
    tasks.some(({ task }) => isDraft(task) && task.drafts.confirm === 'gate'),
  fail_fast: ({ plan }) => plan.settings.failureMode === 'fail_fast',
};

export const PLAN_FEATURES: readonly string[] = Object.keys(FEATURES);

export const planFeatures = (compiled: Compiled): readonly string[] =>
  PLAN_FEATURES.filter((name) => FEATURES[name]?.(compiled));
