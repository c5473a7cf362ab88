import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach } from 'vitest';
import type { OpenMergeQueue } from '../ports/merge-request.ts';
import { fakeRepository, type FakeRepository } from '../merge/merge-queue.given.ts';
import { startMergeQueue } from '../merge/merge-queue.ts';
import type { CheckOutcome } from '../merge/run-check.ts';
import { hostContract, MERGE } from './host-contract.given.ts';
import { assignment, drive, end, givenPlace, until, waitingFor, type Driven, type HostPlace } from './host.given.ts';

let place: HostPlace;
let driven: Driven[];
let repository: FakeRepository;
let release: () => void;
let checked: Promise<CheckOutcome>;
beforeEach(() => {
  place = givenPlace();
  driven = [];
  repository = fakeRepository();
  ({ promise: checked, resolve: release } = releasable());
});
afterEach(() => end(place, driven));

function releasable() {
  const { promise, resolve } = Promise.withResolvers<CheckOutcome>();
  return { promise, resolve: () => resolve({ type: 'passed' }) };
}

/** The queue that is shipped, on a repository in memory and with checks that wait for the test. */
const openMergeQueue: OpenMergeQueue = (report) =>
  startMergeQueue(
    {
      run: 'run-1',
      home: place.home,
      repository,
      candidates: async () => ({ type: 'failed', failure: { code: 'no-ports' } }),
      environment: {},
      clock: { now: () => Date.now(), monotonic: () => performance.now() },
      report,
      width: 2,
    },
    () => {
      const { promise, resolve } = Promise.withResolvers<CheckOutcome>();
      return { ended: Promise.race([checked, promise]), stop: () => resolve({ type: 'stopped' }) };
    },
  );

const linesOf = (file: string): number => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0);

hostContract('the host of this machine', () => ({
  start: ({ claimsMax }) => {
    const started = drive(place, { claimsMax, openMergeQueue });
    driven.push(started);
    const { host, latest, reply } = started;
    return { latest, reply, recover: host.recover, leave: () => host.close({ leave: true }) };
  },
  work: (claim) => assignment(claim, `echo x >> ${claim.task}.begun; ${waitingFor('go')}`),
  merge: (claim) => {
    const { base } = repository;
    return assignment(claim, { ...MERGE, tip: repository.work({ [claim.task]: 'merged' }), base });
  },
  letGo: () => {
    writeFileSync(place.file('go'), '');
    release();
  },
  timesBegun: ({ task }) => linesOf(place.file(`${task}.begun`)),
  timesMerged: ({ task }) => {
    const has = repository.landed.map((commit) => task in repository.filesOf(commit));
    return has.filter((isThere, at) => isThere && has[at - 1] !== true).length;
  },
  until,
}));
