import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PATIENCE_MS } from '../../../test/patience.given.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import { ATTEMPT_FILES, attemptFile, attemptFolder } from '../../shell/host/attempt-folder.ts';
import { systemClock } from '../../shell/loop/steady-clock.ts';
import { openFarCommits } from './far-commits.ts';
import { openLeases } from './leases.ts';
import { openHostRuns } from './host-runs.ts';

const CLAIM = { work: 'step', task: 'a', step: 'main', attempt: 1 } as const;
const DONE: WorkOutcome = {
  ...CLAIM,
  type: 'finished',
  spend: { usd: 0, tokens: 0 },
  result: { ok: true, response: '', exitCode: 0, output: undefined, commit: 'c1' },
};

/** A host of two servers, of which the second lets commits in once the gate is open, and an outcome on its disk. */
function givenHost() {
  const home = mkdtempSync(join(tmpdir(), 'heddle-host-runs-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = attemptFolder(home, 'r-1', CLAIM);
  mkdirSync(folder, { recursive: true });
  const record = { pid: 2, startedAt: 'long ago', claim: CLAIM, at: 1, outcome: DONE };
  writeFileSync(attemptFile(folder), JSON.stringify(record));
  const gate = Promise.withResolvers<undefined>();
  const transfer = { bring: () => Promise.resolve(undefined), forget: () => Promise.resolve() };
  const commits = openFarCommits({
    transfers: [
      { ...transfer, deliver: () => Promise.resolve(undefined) },
      { ...transfer, deliver: () => gate.promise },
    ],
    clock: systemClock,
    onDelivered: () => undefined,
  });
  const runs = openHostRuns({
    home,
    cwd: home,
    environment: {},
    workerProgram: [],
    width: 1,
    clock: systemClock,
    graceMs: 0,
    commits,
    lacks: undefined,
    isUp: () => true,
    artifacts: undefined,
    leases: openLeases({ folder: home, instance: 'one' }, () => 0),
    warm: { note: () => undefined, refresh: () => undefined, list: () => [] },
    onNews: () => undefined,
    clean: () => Promise.resolve(),
    onUnclean: () => undefined,
  });
  onTestFinished(() => runs.close({ leave: true }));
  return { runs, openGate: gate.resolve, isReported: () => existsSync(join(folder, ATTEMPT_FILES.reported)) };
}

const soon = (expected: () => void): Promise<void> => vi.waitFor(expected, { timeout: PATIENCE_MS, interval: 10 });
const answerTo = (number: number) => ({
  protocol: 2,
  number,
  runs: [{ run: 'r-1', reply: { number, start: [], cancel: [] } }],
  heard: [],
  over: [],
  asks: [],
});

test('an answer of the server that took a run over acknowledges no outcome that it was not told', async () => {
  const { runs, openGate, isReported } = givenHost();
  expect(runs.takeUp()).toBe(1);
  await soon(() => expect(runs.say(0, 1)).toMatchObject([{ done: [{ task: 'a' }] }]));
  expect(runs.say(1, 1)).toMatchObject([{ done: [], held: [{ claim: CLAIM }] }]);
  runs.hear(1, answerTo(1));
  expect(isReported()).toBe(false);
  expect(runs.say(1, 2)).toMatchObject([{ done: [], held: [{ claim: CLAIM }] }]);
  openGate(undefined);
  await soon(() => expect(runs.say(1, 3)).toMatchObject([{ done: [{ task: 'a' }] }]));
  runs.hear(1, answerTo(3));
  expect(isReported()).toBe(true);
});
