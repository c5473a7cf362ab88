// Faults in what becomes of finished work: merges, conflicts, and going back.
import type { Mutation } from './mutation.ts';

export const MERGES: readonly Mutation[] = [
  {
    fault: 'a merge that was outrun counts as finished',
    text: `    case 'outrun':
    case 'rewound':
      return over.returned('outrun', false);`,
    instead: `    case 'outrun':
      return over.ended(ENDED_WELL);
    case 'rewound':
      return over.returned('outrun', false);`,
  },
  {
    fault: 'an outcome of an earlier attempt of a merge counts',
    text: `  return claim?.attempt === ref.attempt ? claim : undefined;`,
    instead: `  return ref.work === 'merge' || claim?.attempt === ref.attempt ? claim : undefined;`,
  },
  {
    fault: 'a merge is offered to two hosts',
    text: `const heldBy = holders(dispatcher);`,
    instead: `const heldBy = new Map([...holders(dispatcher)].filter(([key]) => !key.includes('(merge)')));`,
  },
  {
    fault: 'a merge whose host was lost is never offered again',
    text: `    dispatcher.hosts.delete(name);`,
    instead: `    if (!holds.some(({ claim }) => claim.work === 'merge')) dispatcher.hosts.delete(name);`,
  },
  {
    fault: 'a merge that is to be stopped is offered to no host',
    text: `  if (claim.work === 'merge') return offerMerge(dispatching, key, claim);`,
    instead: `  if (claim.work === 'merge') return isToStop ? undefined : offerMerge(dispatching, key, claim);`,
  },
  {
    fault: 'a merge whose host was lost goes back to be claimed, though that host may merge it',
    text: `  if (outcome.type === 'lost') return undefined;`,
    instead: `  if (outcome.type === 'lost') return claim.cancelling === undefined ? over.returned('crashed', false) : over.ended(endedBy(claim.cancelling));`,
  },
  {
    fault: 'what is to be cancelled while it is merged is cancelled, though it is merged',
    text: `  if (claim.cancelling !== undefined && outcome.type !== 'finished')`,
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
    text: `  const pools = resolverPools(task.steps[resolver ?? -1], around.agents);`,
    instead: `  const pools = resolverPools(task.steps[resolver ?? -1], around.agents).slice(1);`,
  },
  {
    fault: 'a turn on a conflict that goes back keeps its slot',
    text: `  transitions.returnResolve = out('return resolve', conflicted);`,
    instead: `  transitions.returnResolve = add(around, 'return resolve', { takes: [resolving], gives: [conflicted] });`,
  },
  {
    fault: 'a host is not told to stop a merge that it holds',
    text: `  return [...held, ...start].map(({ claim }) => claim).filter(isToEnd);`,
    instead: `  return [...held, ...start].map(({ claim }) => claim).filter((claim) => claim.work !== 'merge' && isToEnd(claim));`,
  },
  {
    fault: 'tasks are merged as they are finished, though the plan sets the order',
    text: `  if (first !== undefined && first !== noticed.index)`,
    instead: `  if (first !== undefined && first < 0)`,
  },
];
