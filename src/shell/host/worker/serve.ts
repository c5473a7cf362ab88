// The worker as a process: it is given one claim after another by the host that started it, and a busy worker outlives
// that host.
//
// worker/V1. One job at a time: a host gives the next when a worker has reported that the job is done.
// worker/V2. When the host is gone, a running job is finished, and nothing is begun or waited for after it.
// worker/V3. What ends people's terminals (SIGINT, SIGHUP) does not end a worker; SIGTERM asks it to stop its step and go.
import { assert } from '../../../core/assert.ts';
import { isSameClaim } from '../../../core/protocol/assignment.ts';
import { thisProcess } from '../../exec/process.ts';
import type { Assign, FromWorker, ToWorker } from '../worker-messages.ts';
import { Job, type WorkerParts } from './job.ts';
import { preparePipes } from '../../exec/pipes.ts';

/** The outcome of the last job could not be written anywhere. */
const EXIT_UNWRITTEN = 74;

const isSet = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined;

export function serve(given: Pick<WorkerParts, 'adapters' | 'fits' | 'priceOf' | 'openWorkplace'>): void {
  let job: Job | undefined;
  let isLeaving = false;
  // A copy, because reading the real one asks the system for each value.
  const surroundings = Object.fromEntries(Object.entries(process.env).filter(isSet));
  const parts: WorkerParts = {
    ...given,
    self: thisProcess(),
    // A host that is gone by now reads the attempt file.
    send: (message: FromWorker) => {
      if (process.connected) process.send?.(message, undefined, {}, () => undefined);
    },
  };
  const begin = async (assign: Assign): Promise<void> => {
    job = new Job({ ...assign, environment: { ...surroundings, ...assign.environment } }, parts);
    const end = await job.ended;
    job = undefined;
    if (end === 'unwritten') process.exit(EXIT_UNWRITTEN);
    if (isLeaving || !process.connected) process.exit();
  };
  const leave = (): void => {
    isLeaving = true;
    if (job === undefined) process.exit();
  };
  const receive = (message: ToWorker): void => {
    if (message.type === 'stop') {
      if (job !== undefined && isSameClaim(job.claim, message.claim)) job.stop(message.graceMs);
      return;
    }
    assert(job === undefined, 'A worker is given one claim at a time.');
    void begin(message);
  };
  // Only hosts of this same program have the other end.
  process.on('message', (message: ToWorker) => receive(message));
  process.on('disconnect', leave);
  process.on('SIGTERM', () => {
    job?.stop();
    leave();
  });
  process.on('SIGINT', () => undefined);
  process.on('SIGHUP', () => undefined);
  preparePipes();
}
