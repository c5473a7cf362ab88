// The worker process: its host gives it one claim after another, and a busy worker outlives its host.
//
// worker/V1. One job at a time: a host gives the next when the worker has reported that the job is done.
// worker/V2. When the host is gone, a running job is finished, and the worker exits after it.
// worker/V3. Signals of a closing terminal (SIGINT, SIGHUP) do not end a worker; SIGTERM makes it stop its step and
//     exit.
import { assert } from '../../../core/assert.ts';
import { isSameClaim } from '../../../core/protocol/assignment.ts';
import { thisProcess } from '../../exec/process.ts';
import type { Assign, FromWorker, ToWorker } from '../worker-messages.ts';
import { Job, type WorkerParts } from './job.ts';
import { preparePipes } from '../../exec/pipes.ts';

/** Exit code: the outcome of the last job could not be written. */
const EXIT_UNWRITTEN = 74;

const isSet = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined;

export function serve(
  given: Pick<WorkerParts, 'adapters' | 'fits' | 'priceOf' | 'openWorkplace' | 'conversations'>,
): void {
  let job: Job | undefined;
  let isLeaving = false;
  // A copy, because process.env asks the system anew for every value.
  const surroundings = Object.fromEntries(Object.entries(process.env).filter(isSet));
  const parts: WorkerParts = {
    ...given,
    self: thisProcess(),
    // If the host is gone, the next one reads the attempt file.
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
