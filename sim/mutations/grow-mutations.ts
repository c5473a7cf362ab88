// Faults in growing the plan of a run.
import type { Mutation } from './mutation.ts';

export const GROWTH: readonly Mutation[] = [
  {
    fault: 'a draft is done before what it wrote is in the log',
    text: `      return { type: 'plan.grown', at, draft, fragment: judged.fragment, priorities: judged.priorities };`,
    instead: `      return { ...ended, ...DONE };`,
  },
  {
    fault: 'what is added does not wait for the person who confirms',
    text: `  const last = own.at(-1);`,
    instead: `  const last = own[0];`,
  },
  {
    fault: 'more tasks are added than the plan allows',
    text: `  if (count > draft.drafts.tasksMax)`,
    instead: `  if (count > 1000)`,
  },
  {
    fault: 'a refused fragment is tried again without end',
    text: `  const name = \`\${task.task.path}/\${step.step.id}\`;
  if (tokenAt(state, step.working).tried < step.step.attemptsMax)`,
    instead: `  const name = \`\${task.task.path}/\${step.step.id}\`;
  if (tokenAt(state, step.working).tried < Infinity)`,
  },
  {
    fault: 'what an agent may use is not looked at in what is added',
    text: `  const foreign = used.find((agent) => !agents.includes(agent));`,
    instead: `  const foreign = used.find((agent) => agents.includes('nobody') && agent === '');`,
  },
  {
    fault: 'an amendment forgets what the plan has grown by',
    text: `  return grown.size === 0 ? plan : {`,
    instead: `  return grown.size >= 0 ? plan : {`,
  },
  {
    fault: 'growth inside growth does not count down',
    text: `  if (inner.drafts.depthMax >= drafts.depthMax)`,
    instead: `  if (inner.drafts.depthMax > drafts.depthMax)`,
  },
  {
    fault: 'the tasks of inner growth do not count',
    text: `      return 1 + (draftIn(task)?.drafts.tasksMax ?? 0) + `,
    instead: `      return 1 + `,
  },
  {
    fault: 'which pools may be taken is not looked at in what is added',
    text: `  const foreign = demands.find(({ pool }) => !drafts.pools.includes(pool)`,
    instead: `  const foreign = demands.find(({ pool }) => pool === ''`,
  },
];
