import { expect, test } from 'vitest';
import type { FailureStatus } from '../run/run-status.ts';
import { taskFailureText } from './run-names.ts';

const FAILED: FailureStatus = {
  task: 'a',
  step: 'main',
  attempt: 1,
  reason: 'failed',
  cause: undefined,
  at: 0,
  said: undefined,
  stderr: undefined,
  exitCode: undefined,
};

test('a failure is told by the last words of the step, unless the plan took them for a failure', () => {
  expect(taskFailureText({ ...FAILED, said: 'no such file', exitCode: 2 })).toBe('exited with 2: no such file');
  expect(taskFailureText({ ...FAILED, exitCode: 2 })).toBe('exited with 2');
  expect(taskFailureText({ ...FAILED, said: 'all is well', exitCode: 0, cause: 'on_result says abort: ok' })).toBe(
    'on_result says abort: ok',
  );
  expect(taskFailureText({ ...FAILED, cause: 's.p' })).toBe('s.p failed');
  expect(taskFailureText({ ...FAILED, cause: 'on_result says abort: ok' })).toBe('on_result says abort: ok');
  expect(taskFailureText({ ...FAILED, reason: 'check', said: 'total is NaN' })).toBe('its check failed: total is NaN');
  expect(taskFailureText({ ...FAILED, reason: 'cost', said: 'Done.' })).toBe('it costs more than is left: Done.');
  expect(taskFailureText({ ...FAILED, reason: 'timeout' })).toBe('it took too long');
});
