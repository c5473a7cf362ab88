// V3: an agent is granted only what a person has allowed, for that task or that step of it, and all of what was decided
// since the step began, after however many restarts. What the plan asks people about, only people answer.
import { claimKey, type Assignment } from '../../src/core/protocol/assignment.ts';
import type { Decision, RunEvent } from '../../src/core/engine/event.ts';
import { setBackBy, type Invariant } from './invariant.ts';

interface Decided {
  /** By task, and by step until it has ended: what was decided about each key last. */
  readonly forTask: Map<string, Map<string, boolean>>;
  readonly forStep: Map<string, Map<string, boolean>>;
}

export const grantedByPeople: Invariant = {
  name: 'V3 only people grant what people are asked about',
  watch: (sight, broken) => {
    const decided: Decided = { forTask: new Map(), forStep: new Map() };
    return {
      before: (event) => {
        for (const task of setBackBy(event)) forget(decided, task, event);
        if (event.type === 'claim.asked' && event.permission !== undefined && event.until === undefined)
          broken(`${event.task}/${event.step} asks for a permission, and would wait for ever.`);
        if (event.type === 'claim.answered' && event.decision !== undefined) {
          sight.counts.add(wordFor(event.decision));
          note(decided, event, event.decision);
        }
        if (isEndOfStep(event)) decided.forStep.delete(`${event.task}/${event.step}`);
      },
      replied: ({ start }) => {
        for (const assignment of start) {
          const wrong = wrongIn(assignment, decided);
          if (wrong !== undefined) broken(`${claimKey(assignment.claim)} ${wrong}.`);
        }
      },
    };
  },
};

function wordFor({ isAllowed, isForTask }: Decision): string {
  if (!isAllowed) return 'permission refused';
  return isForTask ? 'permission granted for the task' : 'permission granted';
}

function note(
  { forTask, forStep }: Decided,
  { task, step }: { task: string; step: string | undefined },
  decision: Decision,
): void {
  forTask.get(task)?.delete(decision.key);
  forStep.get(`${task}/${step}`)?.delete(decision.key);
  const [known, key] = decision.isForTask ? [forTask, task] : [forStep, `${task}/${step}`];
  known.set(key, (known.get(key) ?? new Map<string, boolean>()).set(decision.key, decision.isAllowed));
}

/** A restarted task keeps the permissions that a person granted, unless the plan changes its identity. */
function forget({ forTask, forStep }: Decided, task: string, { type }: RunEvent): void {
  for (const key of forStep.keys()) if (key.startsWith(`${task}/`)) forStep.delete(key);
  if (type === 'plan.amended') forTask.delete(task);
}

function isEndOfStep(
  event: RunEvent,
): event is Extract<RunEvent, { type: 'claim.ended' | 'claim.answered' | 'step.skipped' }> {
  if (event.type === 'claim.ended') return event.work === 'step';
  return event.type === 'step.skipped' || (event.type === 'claim.answered' && event.ending !== undefined);
}

/** The end of a sentence that says so. */
function wrongIn({ claim, work }: Assignment, { forTask, forStep }: Decided): string | undefined {
  if (work.type !== 'turn') return undefined;
  const { granted = [], refused = [] } = work.permissions ?? {};
  const ofTask = forTask.get(claim.task);
  const ofStep = forStep.get(`${claim.task}/${claim.step ?? ''}`);
  const decidedOn = (key: string): boolean | undefined => ofStep?.get(key) ?? ofTask?.get(key);
  const stolen = granted.find((key) => decidedOn(key) !== true);
  if (stolen !== undefined) return `may do what nobody has allowed: ${stolen}`;
  if (work.permissions === undefined) return undefined;
  const missing = [...(ofStep ?? [])].find(([key, isAllowed]) => !(isAllowed ? granted : refused).includes(key));
  return missing === undefined ? undefined : `is not told what a person has decided about ${missing[0]}`;
}
