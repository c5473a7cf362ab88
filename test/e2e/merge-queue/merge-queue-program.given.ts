// Merges what it is told onto a run branch, prints what came of it, and exits. Tests kill it, and start it again.
//   node merge-queue-program.given.ts HOME PROJECT ORDERS
import type { MergeRequest } from '../../../src/core/engine/owed/merges.ts';
import type { Outcome } from '../../../src/core/engine/outcome.ts';
import { REFS } from '../../../src/shell/git/store/ref-names.ts';
import { openRepository } from '../../../src/shell/git/repository.ts';
import { startMergeQueue } from '../../../src/shell/merge/merge-queue.ts';
import { openSandboxes } from '../../../src/shell/sandbox/sandboxes.ts';
import { systemClock } from '../../../src/shell/loop/steady-clock.ts';

const [home = '', project = '', written = ''] = process.argv.slice(2);
// The test that starts this wrote it.
const orders = JSON.parse(written) as readonly MergeRequest[];

const opened = await openRepository({ home, project, mends: true });
if (opened.type === 'refused') throw new Error(opened.message);
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
if (housed.type === 'refused') throw new Error(housed.message);
await housed.sandboxes.recover({ isWanted: () => true });

const told: Outcome[] = [];
const { promise, resolve } = Promise.withResolvers<undefined>();
const mergeQueue = startMergeQueue({
  run: 'run-1',
  home,
  repository,
  candidates: housed.sandboxes.candidate,
  environment: { PATH: process.env['PATH'] ?? '' },
  clock: systemClock,
  checksOf: (task) => orders.find((order) => order.task === task)?.checks,
  tell: (outcomes) => {
    told.push(...outcomes);
    if (told.length === orders.length) resolve(undefined);
  },
  width: 2,
});
mergeQueue.want(orders);
await promise;
await mergeQueue.close();
const branch = await repository.read(REFS.runBranch('run-1'));
const byTask = told
  .map((outcome) => JSON.stringify(outcome))
  .sort()
  .map((text): unknown => JSON.parse(text));
process.stdout.write(JSON.stringify({ branch, told: byTask }));
