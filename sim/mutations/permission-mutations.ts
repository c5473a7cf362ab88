// Faults in who may do what.
import type { Mutation } from './mutation.ts';

export const PERMISSIONS: readonly Mutation[] = [
  {
    fault: 'what a person has refused is granted',
    text: `  return { granted: keys(true), refused: keys(false) };`,
    instead: `  return { granted: [...keys(true), ...keys(false)], refused: [] };`,
  },
  {
    fault: 'what a person has decided is not remembered',
    text: `  if (event.decision !== undefined) noteDecision(state, step, event.decision);`,
    instead: ``,
  },
  {
    fault: 'what was granted for a step is granted for its whole task',
    text: `  const facts = decision.isForTask ? ofTask : ofStep;`,
    instead: `  const facts = ofTask;`,
  },
  {
    fault: 'a permission waits for ever',
    text: `result, question, permission, until: at + timeoutMs };`,
    instead: `result, question, permission, until: permission === undefined ? at + timeoutMs : undefined };`,
  },
];
