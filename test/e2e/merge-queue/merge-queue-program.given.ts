// Merges what it is told onto a run branch, prints what came of it, and exits. Tests kill it, and start it again.
//   node merge-queue-program.given.ts HOME PROJECT REQUESTS
import type { MergeRequest } from '../../../src/shell/ports/merge-request.ts';
import type { WorkOutcome } from '../../../src/core/protocol/work-outcome.ts';
import { REFS } from '../../../src/shell/git/store/ref-names.ts';
import { openRepository } from '../../../src/shell/git/repository.ts';
import { startMergeQueue } from '../../../src/shell/merge/merge-queue.ts';
import { openSandboxes } from '../../../src/shell/sandbox/sandboxes.ts';
import { systemClock } from '../../../src/shell/loop/steady-clock.ts';

const [home = '', project = '', written = ''] = process.argv.slice(2);
// The test that starts this wrote it.
const requests = JSON.parse(written) as readonly MergeRequest[];

const opened = await openRepository({ home, project, repairs: true });
if (opened.type === 'refused') throw new Error(opened.failure.code);
const { repository } = opened;
const housed = await openSandboxes({
  home,
  repository,
  settings: {
    include: [],
    setup: undefined,
    link: [],
    ports: 0,
    tree: 'checkout',
    isolation: 'none',
    network: undefined,
    limits: { disk: 20_000_000_000, memory: undefined, processes: 4_000 },
  },
  isolation: { name: 'none', wrap: (argv) => argv },
  network: 'none',
  probe: undefined,
});
if (housed.type === 'refused') throw new Error(housed.failure.code);
await housed.sandboxes.recover({ isWanted: () => true });

const reported: WorkOutcome[] = [];
const { promise, resolve } = Promise.withResolvers<undefined>();
const mergeQueue = startMergeQueue({
  run: 'run-1',
  home,
  repository,
  candidates: housed.sandboxes.candidate,
  environment: { PATH: process.env['PATH'] ?? '' },
  clock: systemClock,
  report: (outcomes) => {
    reported.push(...outcomes);
    if (reported.length === requests.length) resolve(undefined);
  },
  width: 2,
});
mergeQueue.want(requests);
await promise;
await mergeQueue.close();
const branch = await repository.read(REFS.runBranch('run-1'));
const outcomes = reported
  .map((outcome) => JSON.stringify(outcome))
  .sort()
  .map((text): unknown => JSON.parse(text));
process.stdout.write(JSON.stringify({ branch, outcomes }));
