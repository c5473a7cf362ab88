// Reads the outcome that a worker left in its attempt file.
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import { parseOutcome } from '../../core/protocol/parse-outcome.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import { attemptFile } from './attempt-folder.ts';
import { readAttempt } from './read-attempt.ts';

export type ReadOutcome =
  | { readonly type: 'outcome'; readonly outcome: WorkOutcome }
  | { readonly type: 'none' }
  | { readonly type: 'damaged'; readonly message: string };

export function readOutcome(folder: string, claim: ClaimRef): ReadOutcome {
  const read = readAttempt(folder, claim);
  if (read.type !== 'attempt') return read;
  if (read.attempt.outcome === undefined) return { type: 'none' };
  const outcome = parseOutcome(read.attempt.outcome, claim);
  if (outcome !== undefined) return { type: 'outcome', outcome };
  return { type: 'damaged', message: `${attemptFile(folder)} does not hold a whole outcome of this attempt` };
}
