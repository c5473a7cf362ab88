// The host of the world keeps to what the host that is shipped keeps to.
import { claimKey } from '../../src/core/protocol/assignment.ts';
import type { Sync } from '../../src/core/protocol/sync.ts';
import { hostContract, MERGE } from '../../src/shell/host/host-contract.given.ts';
import { drawTrial, type Trial } from '../trial.ts';
import { counting } from './counts.ts';
import { CLEAR_SKY, dice } from './faults.ts';
import { repository } from './simulated-repository.ts';
import { simulatedMergeQueue } from './simulated-merge-queue.ts';
import { emptyMachine, HERE, startHost } from './simulated-host.ts';
import { timeline } from './timeline.ts';
import type { HostWorld } from './world.ts';

const STEPS_MAX = 100_000;

/** A world without a coordinator, in which nothing goes wrong. */
function givenWorld(trial: Trial, onStart: (key: string) => void): HostWorld {
  const counts = counting();
  const time = timeline();
  return {
    trial,
    timeline: time,
    dice: dice({ seed: trial.seed, weather: CLEAR_SKY, counts, isCalm: () => false }),
    counts,
    workers: new Map(),
    delivered: new Set(),
    observer: {
      starts: (claim) => onStart(claimKey(claim)),
      started: () => undefined,
      acknowledged: () => undefined,
    },
    wall: time.now,
    isCalm: () => false,
    say: () => undefined,
  };
}

hostContract('the host of the seeded world', () => {
  const begun: string[] = [];
  const machine = emptyMachine(() => 0);
  const branch = repository();
  const violate = (message: string): never => {
    throw new Error(message);
  };
  const drawn = drawTrial(1);
  const base = givenWorld(drawn, (key) => begun.push(key));
  return {
    start: ({ claimsMax }) => {
      let latest: Sync = { host: '', number: 0, done: [], held: [], want: 0, does: [] };
      const send = (sync: Sync): void => {
        latest = sync;
      };
      const openMergeQueue = simulatedMergeQueue({ world: { ...base, violate }, repository: branch, name: HERE });
      const host = startHost({ world: base, machine, name: HERE, width: claimsMax, openMergeQueue, send });
      return {
        latest: () => latest,
        reply: (reply) => host.receive({ number: latest.number, start: [], cancel: [], ...reply }),
        recover: host.recover,
        leave: async () => host.die(),
      };
    },
    work: (claim) => ({
      claim,
      work: { type: 'command', command: 'x', environment: {} },
      limits: { timeoutMs: 600_000, idleTimeoutMs: 600_000 },
      output: undefined,
      sandbox: undefined,
    }),
    merge: (claim) => ({
      claim,
      work: { ...MERGE, tip: `work of ${claim.task}` },
      limits: { timeoutMs: 600_000, idleTimeoutMs: 600_000 },
      output: undefined,
      sandbox: undefined,
    }),
    timesMerged: ({ task }) => branch.landed.filter((each) => each.task === task).length,
    // Work ends when its time has come, and time passes in no time.
    letGo: () => undefined,
    timesBegun: (claim) => begun.filter((key) => key === claimKey(claim)).length,
    until: async (what, isSo) => {
      for (let steps = 0; !isSo(); steps += 1) {
        if (steps > STEPS_MAX || base.timeline.step(Infinity) === 'nothing')
          throw new Error(`Waited in vain until ${what}.`);
      }
    },
  };
});
