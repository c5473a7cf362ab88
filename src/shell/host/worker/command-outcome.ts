// The outcome of a command: its exit code, its output, and the value in its output when the plan declares one. Of a check
// it is whether it passed, and the end of its output.
import type { Assignment } from '../../../core/protocol/assignment.ts';
import type { Result } from '../../../core/protocol/result.ts';
import type { WorkOutcome } from '../../../core/protocol/work-outcome.ts';
import { refusedOutcome, failure, type OutcomeReader, type Fits } from './outcome-reader.ts';
import { NO_SPEND } from '../missing-outcome.ts';
import { outputValueOf } from './output-value.ts';
import type { ProcessEnd } from '../../exec/supervised-process.ts';
import { makeTail, textOfBytes, withoutLineEnd, lastCharacters } from '../../exec/tail.ts';
import { showDuration } from '../../../core/plan/language/literals.ts';

/** Later steps can read the last bytes of a command's output, at most this many. */
export const RESPONSE_MAX_BYTES = 100_000;
/** For a person who looks for the reason of a failure; all of it is in the output of the attempt. */
const STDERR_MAX_BYTES = 2_000;
/** A declared value is read whole, and may be no larger. */
const OUTPUT_VALUE_MAX_BYTES = 1024 * 1024;

export function commandOutcomeReader({ claim, output: schema }: Assignment, fits: Fits): OutcomeReader {
  const printed = makeTail(schema === undefined ? RESPONSE_MAX_BYTES : OUTPUT_VALUE_MAX_BYTES);
  const errors = makeTail(STDERR_MAX_BYTES);
  const of = { ...claim, spend: NO_SPEND };
  const resultOf = (ok: boolean, exitCode: number | undefined): Result => ({
    ok,
    response: withoutLineEnd(textOfBytes(printed.bytes(), RESPONSE_MAX_BYTES)),
    output: undefined,
    exitCode,
    commit: undefined,
    ...(ok || errors.total() === 0 ? {} : { stderr: withoutLineEnd(textOfBytes(errors.bytes(), STDERR_MAX_BYTES)) }),
  });
  const failed = (reason: 'failed' | 'timeout' | 'idle' | 'limit' | 'crashed', result: Result): WorkOutcome => ({
    type: 'failed',
    ...of,
    reason,
    isFinal: false,
    result,
  });
  const exited = async (code: number): Promise<WorkOutcome> => {
    const result = resultOf(code === 0, code);
    if (schema === undefined || code !== 0) return { type: 'finished', ...of, result };
    const isWhole = printed.total() <= OUTPUT_VALUE_MAX_BYTES;
    const text = isWhole ? printed.bytes().toString('utf8') : undefined;
    const value = await outputValueOf({ text, schema, fits });
    return value.type === 'output'
      ? { type: 'finished', ...of, result: { ...result, output: value.output } }
      : failed('failed', { ...result, ok: false, response: value.message });
  };
  const outcome = async (ended: ProcessEnd): Promise<WorkOutcome> => {
    switch (ended.type) {
      case 'exited':
        return exited(ended.code);
      case 'killed':
        return failed('crashed', resultOf(false, undefined));
      case 'timeout':
      case 'idle':
        return failed(ended.type, resultOf(false, undefined));
      case 'limit':
        return failed(ended.type, { ...resultOf(false, undefined), response: ended.message });
      case 'stopped':
      case 'stuck':
        return { type: 'stopped', ...of };
      case 'lease':
        return { type: 'stopped', ...of, by: ended.type };
      case 'unstarted':
        return refusedOutcome(claim, ended);
    }
  };
  return {
    // A command reports no tools.
    isBusy: () => false,
    receive: (from, chunk) => {
      (from === 'stdout' ? printed : errors).push(chunk);
      return chunk;
    },
    end: () => Buffer.alloc(0),
    outcome,
  };
}

const TAIL_CHARACTERS = 4000;
/** A character takes at most four bytes. */
const TAIL_MAX_BYTES = 4 * TAIL_CHARACTERS;

export function checkOutcomeReader({ claim, limits }: Assignment): OutcomeReader {
  const of = { ...claim, spend: NO_SPEND };
  const printed = makeTail(TAIL_MAX_BYTES);
  const resultOf = (exitCode: number | undefined, remark: string): Result => {
    const text = textOfBytes(printed.bytes(), TAIL_MAX_BYTES);
    return { ...failure(lastCharacters(text + remark, TAIL_CHARACTERS)), ok: exitCode === 0, exitCode };
  };
  const failed = (reason: 'timeout' | 'idle' | 'limit' | 'crashed', why: string): WorkOutcome => {
    const result = resultOf(undefined, why === '' ? '' : `\n[heddle: ${why}]`);
    return { type: 'failed', ...of, reason, isFinal: false, result };
  };
  const outcomeOf = (ended: ProcessEnd): WorkOutcome => {
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
      case 'lease':
        return { type: 'stopped', ...of, by: ended.type };
      case 'killed':
        return failed('crashed', '');
      case 'unstarted':
        return refusedOutcome(claim, ended);
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
