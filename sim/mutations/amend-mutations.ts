// Faults in amending the plan of a run.
import type { Mutation } from './mutation.ts';

export const AMENDING: readonly Mutation[] = [
  {
    fault: 'what an amendment begins anew is not stopped first',
    text: `  if (amendment.toStop.length === 0) return yield amended(`,
    instead: `  if (amendment.toStop.length >= 0) return yield amended(`,
  },
  {
    fault: 'a changed plan forgets what is held of its pools',
    text: `    takeCounted(next.play, transition);`,
    instead: ``,
  },
  {
    fault: 'an amendment orphans work that is merged',
    text: `openedAt !== undefined && ended?.ending === 'done';`,
    instead: `openedAt !== undefined && ended?.ending === 'failed';`,
  },
  {
    fault: 'who went on from what begins anew is kept',
    text: `    if (isDropped || (openedAt !== undefined && isTiedTo(taskAt(state, dependent), facts)))
      restart(`,
    instead: `    if (isDropped && !isTiedTo(taskAt(state, dependent), facts))
      restart(`,
  },
  {
    fault: 'a task that begins anew under a changed plan counts its attempts from one',
    text: `Object.assign(facts.steps[at] ?? {}, numbers.steps.get(step.id));`,
    instead: `Object.assign(facts.steps[at] ?? {}, { usd: numbers.steps.get(step.id)?.usd ?? 0 });`,
  },
  {
    fault: 'an amendment is made though it is not what was shown',
    text: `return (['restarted', 'added', 'cancelled'] as const).every(`,
    instead: `return ([] as const satisfies (keyof Expected)[]).every(`,
  },
  {
    fault: 'what a changed plan keeps begins while the plan is being amended',
    text: ` || (amending !== undefined && isInside(compiled, amending.tasks, task));`,
    instead: ` || (amending !== undefined && task < 0);`,
  },
  {
    fault: 'a changed plan forgets what was spent',
    text: `  Object.assign(next.ledger.run.spent, old.ledger.run.spent);`,
    instead: ``,
  },
];
