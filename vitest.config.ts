import { CHILDREN } from './tools/coverage.ts';
import { tallyReporter } from './tools/tally-reporter.ts';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    maxWorkers: '100%',
    reporters: ['default', tallyReporter],
    projects: [
      // Core keeps nothing between calls, so its tests share what they load: a third of the time.
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts'],
          exclude: ['src/shell/*/**'],
          isolate: false,
          testTimeout: 60_000,
        },
      },
      // Parts of the shell are tested through real processes and files, which takes its time.
      {
        test: {
          name: 'shell',
          include: ['src/shell/*/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Workers and agents are programs of their own; tools/coverage.ts counts what they ran.
          env: { NODE_V8_COVERAGE: CHILDREN, NODE_DISABLE_COMPILE_CACHE: '1' },
        },
      },
      { test: { name: 'tidy', include: ['test/tidy/**/*.test.ts'], testTimeout: 60_000 } },
      // So many cases that they are run without counting lines.
      { test: { name: 'law', include: ['test/law/**/*.test.ts'], testTimeout: 600_000 } },
      { test: { name: 'sim', include: ['sim/**/*.test.ts'], testTimeout: 300_000 } },
      // Real agent programs against the stand-in models; where the programs are not, they say so.
      {
        test: {
          name: 'agents',
          include: ['test/{agents,models}/**/*.test.ts'],
          // Some of the programs take 600 MB each.
          maxConcurrency: 3,
          testTimeout: 300_000,
          hookTimeout: 120_000,
          env: { NODE_V8_COVERAGE: CHILDREN },
        },
      },
      // The program as it is built, and not counted line by line: that takes as long again, and little would come to it.
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/core/**/*.ts', 'src/shell/**/*.ts'],
      exclude: ['**/*.test.ts', '**/*.given.ts'],
      // Judged by tools/coverage.ts, together with what other processes ran.
      reporter: ['json'],
      reportOnFailure: true,
    },
  },
});
