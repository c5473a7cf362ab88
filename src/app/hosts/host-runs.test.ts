import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CLOCK } from '../local-parts.ts';
import { openFarCommits } from './far-commits.ts';
import { openHostRuns } from './host-runs.ts';

test('a run that is over and cannot be removed is said, and ends no program', async () => {
  const home = mkdtempSync(join(tmpdir(), 'heddle-host-runs-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, 'runs', 'night-1'), { recursive: true });
  const unclean: unknown[] = [];
  const runs = openHostRuns({
    home,
    cwd: home,
    environment: {},
    workerProgram: ['false'],
    width: 1,
    clock: CLOCK,
    graceMs: 0,
    commits: openFarCommits({ transfers: [], clock: CLOCK, onDelivered: () => undefined }),
    isUp: () => true,
    artifacts: undefined,
    warm: { note: () => undefined, refresh: () => undefined, list: () => [] },
    onNews: () => undefined,
    clean: () => Promise.reject(new Error('disk is full')),
    onUnclean: (run, cause) => unclean.push(run, cause),
  });
  runs.takeUp();
  runs.hear(0, { protocol: 1, number: 1, runs: [], over: ['night-1'], asks: [] });
  await runs.close({ leave: true });
  expect(unclean).toEqual(['night-1', new Error('disk is full')]);
});
