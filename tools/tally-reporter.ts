// A reporter of vitest that writes how many tests passed and failed, and which were skipped and why, to the file that
// HEDDLE_TALLY names, for tools/test.ts.
import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export interface Skipped {
  readonly name: string;
  readonly reason: string;
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly Skipped[];
}

function tallyOf(modules: readonly TestModule[]): Tally {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const skipped = tests.flatMap((test): readonly Skipped[] => {
    const result = test.result();
    return result.state === 'skipped' ? [{ name: test.fullName, reason: result.note ?? 'no reason is given' }] : [];
  });
  const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
  // A test that is pending at the end of the run did not pass.
  return { passed: count('passed'), failed: count('failed') + count('pending'), skipped };
}

export const tallyReporter: Reporter = {
  onTestRunEnd(modules) {
    const file = process.env['HEDDLE_TALLY'];
    if (file !== undefined) writeFileSync(file, JSON.stringify(tallyOf(modules)));
  },
};
