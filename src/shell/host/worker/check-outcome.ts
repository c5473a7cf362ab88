// The outcome of a check: whether it passed, and the end of its output.
import { showDuration } from '../../../core/plan/language/literals.ts';
import type { Assignment } from '../../../core/protocol/assignment.ts';
import type { Result } from '../../../core/protocol/result.ts';
import type { WorkOutcome } from '../../../core/protocol/work-outcome.ts';
import { failure, NO_SPEND, type OutcomeReader, refused } from './outcome-reader.ts';
import type { Ended } from '../../exec/supervised-process.ts';
import { lastCharacters, makeTail, textOf } from '../../exec/tail.ts';

const TAIL_CHARACTERS = 4000;
/** A character takes at most four bytes. */
const TAIL_MAX_BYTES = 4 * TAIL_CHARACTERS;

export function checkOutcomeReader({ claim, limits }: Assignment): OutcomeReader {
  const of = { ...claim, spend: NO_SPEND };
  const printed = makeTail(TAIL_MAX_BYTES);
  const resultOf = (exitCode: number | undefined, remark: string): Result => {
    const text = textOf(printed.bytes(), TAIL_MAX_BYTES);
    return { ...failure(lastCharacters(text + remark, TAIL_CHARACTERS)), ok: exitCode === 0, exitCode };
  };
  const failed = (reason: 'timeout' | 'idle' | 'limit' | 'crashed', why: string): WorkOutcome => {
    const result = resultOf(undefined, why === '' ? '' : `\n[heddle: ${why}]`);
    return { type: 'failed', ...of, reason, isFinal: false, result };
  };
  const outcomeOf = (ended: Ended): WorkOutcome => {
    switch (ended.type) {
      case 'exited':
        return { type: 'finished', ...of, result: resultOf(ended.code, '') };
      case 'timeout':
        return failed(ended.type, `the check was ended: it ran longer than ${showDuration(limits.timeoutMs)}`);
      case 'idle':
        return failed(ended.type, `the check was ended: it was silent for ${showDuration(limits.idleTimeoutMs)}`);
      case 'limit':
        return failed(ended.type, ended.message);
      case 'stopped':
      case 'stuck':
        return { type: 'stopped', ...of };
      case 'killed':
        return failed('crashed', '');
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
