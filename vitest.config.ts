import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { CHILDREN } from './tools/coverage.ts';
import { LongFirstSequencer } from './tools/long-first-sequencer.ts';
import { tallyReporter } from './tools/tally-reporter.ts';
import { defineConfig } from 'vitest/config';

/** When a test counts as stuck. It is no measure of how fast anything is: the machine may be busy with other things. */
const STUCK_MS = 900_000;
const LIMITS = { testTimeout: STUCK_MS, hookTimeout: STUCK_MS };

/** Where the launcher of the program keeps what Node made of a file, too. */
const COMPILED = join(import.meta.dirname, 'node_modules', '.cache', 'heddle');

/** Most tests wait for other processes for more than half of their time, so two cores are kept busy by eight. */
const WORKERS_MIN = 8;

export default defineConfig({
  test: {
    maxWorkers: Math.max(WORKERS_MIN, availableParallelism()),
    sequence: { sequencer: LongFirstSequencer },
    reporters: ['default', tallyReporter],
    projects: [
      // Core keeps nothing between calls, so its tests share what they load: a third of the time.
      {
        test: {
          ...LIMITS,
          name: 'unit',
          include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/*.test.ts'],
          exclude: ['src/shell/*/**', 'src/server/**'],
          isolate: false,
        },
      },
      // Parts of the shell and the web server are tested through real processes, files and sockets, which takes its time.
      {
        test: {
          ...LIMITS,
          name: 'shell',
          include: ['src/{shell/*,server}/**/*.test.ts'],
          // Workers and agents are programs of their own; tools/coverage.ts counts what they ran.
          env: { NODE_V8_COVERAGE: CHILDREN, NODE_DISABLE_COMPILE_CACHE: '1' },
        },
      },
      { test: { ...LIMITS, name: 'tidy', include: ['test/tidy/**/*.test.ts'] } },
      // So many cases that they are run without counting lines.
      { test: { ...LIMITS, name: 'law', include: ['test/law/**/*.test.ts'] } },
      { test: { ...LIMITS, name: 'sim', include: ['sim/**/*.test.ts'] } },
      // Real agent programs against the stand-in models; where the programs are not, they say so.
      {
        test: {
          ...LIMITS,
          name: 'agents',
          include: ['test/{agents,models}/**/*.test.ts'],
          // Some of the programs take 600 MB each.
          maxConcurrency: 3,
        },
      },
      // The program as it is built, and not counted line by line: that takes as long again, and little would come to it.
      {
        test: {
          ...LIMITS,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          // Tests start programs of many source files again and again, to kill them: a start takes a quarter of the time.
          env: { NODE_COMPILE_CACHE: COMPILED },
        },
      },
      // The dashboard in a real browser, over real runs; where there is no browser, they say so.
      { test: { ...LIMITS, name: 'web', include: ['test/web/**/*.test.ts'] } },
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
