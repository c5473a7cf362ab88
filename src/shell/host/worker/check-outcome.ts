// The outcome of a check: whether it passed, and the end of its output.
import { showDuration } from '../../../core/plan/language/literals.ts';
import type { Assignment } from '../../../core/protocol/assignment.ts';
import type { WorkOutcome } from '../../../core/protocol/work-outcome.ts';
import { type OutcomeReader, refused } from './outcome-reader.ts';
import type { Ended } from '../../exec/supervised-process.ts';
import { lastCharacters, makeTail, textOf } from '../../exec/tail.ts';

const TAIL_CHARACTERS = 4000;
/** A character takes at most four bytes. */
const TAIL_MAX_BYTES = 4 * TAIL_CHARACTERS;

export function checkOutcomeReader({ claim, limits }: Assignment): OutcomeReader {
  const { task, attempt } = claim;
  const printed = makeTail(TAIL_MAX_BYTES);
  const finished = (ok: boolean, remark: string): WorkOutcome => {
    const text = textOf(printed.bytes(), TAIL_MAX_BYTES);
    return { type: 'check.finished', task, attempt, ok, tail: lastCharacters(text + remark, TAIL_CHARACTERS) };
  };
  const outcomeOf = (ended: Ended): WorkOutcome => {
    switch (ended.type) {
      case 'exited':
        return finished(ended.code === 0, '');
      case 'timeout':
        return finished(false, `\n[heddle: the check was ended: it ran longer than ${showDuration(limits.timeoutMs)}]`);
      case 'idle':
        return finished(
          false,
          `\n[heddle: the check was ended: it was silent for ${showDuration(limits.idleTimeoutMs)}]`,
        );
      case 'limit':
        return finished(false, `\n[heddle: ${ended.message}]`);
      case 'stopped':
      case 'stuck':
        return { type: 'check.stopped', task, attempt };
      case 'killed':
        return { type: 'check.lost', task, attempt };
      case 'unstarted':
        return refused(claim, ended);
    }
  };
  return {
    receive: (_, chunk) => {
      printed.push(chunk);
      return chunk;
    },
    end: () => Buffer.alloc(0),
    isBusy: () => false,
    outcome: async (ended) => outcomeOf(ended),
  };
}
