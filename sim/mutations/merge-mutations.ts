// Faults in what becomes of finished work: merges, conflicts, and going back.
import type { Mutation } from './mutation.ts';

export const MERGES: readonly Mutation[] = [
  {
    fault: 'a merge that was outrun counts as finished',
    text: `    case 'merge.outrun':
      return over.returned('outrun', false);`,
    instead: `    case 'merge.outrun':
      return over.ended(ENDED_WELL);`,
  },
  {
    fault: 'fences of merges are ignored',
    text: `  const claim = claimAt(state, task?.places.merging);
  if (task === undefined || claim?.attempt !== outcome.attempt) return undefined;`,
    instead: `  const claim = claimAt(state, task?.places.merging);
  if (task === undefined || claim === undefined) return undefined;`,
  },
  {
    fault: 'what is to be cancelled while it is merged is cancelled, though it is merged',
    text: `  if (claim.cancelling !== undefined && outcome.type !== 'merge.finished')`,
    instead: `  if (claim.cancelling !== undefined)`,
  },
  {
    fault: 'a resolved conflict is merged as it was before',
    text: `      if (event.ending === 'done') noteResolved(state, task, event.result?.commit);`,
    instead: `      if (event.ending === 'done') noteResolved(state, task, undefined);`,
  },
  {
    fault: 'an agent has a conflict without limit',
    text: `  return transitions.conflict !== undefined && conflicts < task.settings.merge.conflictAttemptsMax;`,
    instead: `  return transitions.conflict !== undefined && conflicts < Infinity;`,
  },
  {
    fault: 'conflicts are forgotten with every merge',
    text: `      return fired(state, transition, tokenAt(state, task.places.queued));`,
    instead: `      return fired(state, transition);`,
  },
  {
    fault: 'a merge that is checked takes no slot of a cap',
    text: `isCheckedMerged(task) ? resources`,
    instead: `isCheckedMerged(task) && task.steps.length === 0 ? resources`,
  },
  {
    fault: 'a turn on a conflict takes no pool',
    text: `  const pools = agent?.pool === undefined ? [] : [{ pool: agent.pool, tokens: 1 }];`,
    instead: `  const pools = agent?.pool === undefined ? [] : [{ pool: agent.pool, tokens: 1 }].slice(1);`,
  },
  {
    fault: 'a turn on a conflict that goes back keeps its slot',
    text: `  transitions.returnResolve = out('return resolve', conflicted);`,
    instead: `  transitions.returnResolve = add(around, 'return resolve', { takes: [resolving], gives: [conflicted] });`,
  },
  {
    fault: 'the merge queue hears nothing of a merge that is to stop',
    text: '${claimKey(claim)} ${isToStop}',
    instead: '${claimKey(claim)}',
  },
  {
    fault: 'tasks are merged in the order in which they were opened',
    text: `  const inOrder = isByPlan ?`,
    instead: `  const inOrder = !isByPlan ?`,
  },
];
