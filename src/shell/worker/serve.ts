// The worker as a process: it is given one claim after another by the host that started it, and outlives that host when
// it is at work.
//
// V1. One job at a time; what it is given meanwhile comes after it.
// V2. When the host is gone, a job at work goes on to its end, and nothing is begun or waited for after it.
// V3. What ends people's terminals (SIGINT, SIGHUP) does not end a worker; SIGTERM asks it to stop its step and go.
import { isSameClaim } from '../../core/protocol/assignment.ts';
import { thisProcess } from '../process.ts';
import type { Assign, FromWorker, ToWorker, ToWorkerAtOnce } from '../worker-messages.ts';
import { Job, type Means } from './job.ts';
import { preparePipes } from './program/pipes.ts';

/** The outcome of the last job could not be written anywhere. */
const EXIT_UNKEPT = 74;

const isSet = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined;

export function serve(given: Pick<Means, 'adapters' | 'fits' | 'priceOf' | 'openWorkplace'>): void {
  let job: Job | undefined;
  let ahead: readonly Assign[] = [];
  let isLeaving = false;
  // A copy, because reading the real one asks the system for each value.
  const surroundings = Object.fromEntries(Object.entries(process.env).filter(isSet));
  const unsaid: FromWorker[] = [];
  const tell = (): void => {
    // A host that is gone by now reads the note.
    for (const message of unsaid.splice(0))
      if (process.connected) process.send?.(message, undefined, {}, () => undefined);
  };
  const exit = (code?: number): never => {
    tell();
    process.exit(code);
  };
  const means: Means = {
    ...given,
    self: thisProcess(),
    // Told when what comes next has begun: so a processor has something to do before the host has more of it.
    say: (message) => {
      if (unsaid.length === 0) setImmediate(tell);
      unsaid.push(message);
    },
  };
  const begin = async (assign: Assign): Promise<void> => {
    job = new Job({ ...assign, environment: { ...surroundings, ...assign.environment } }, means);
    const end = await job.ended;
    job = undefined;
    if (end === 'unkept') exit(EXIT_UNKEPT);
    if (isLeaving || !process.connected) exit();
    const [next, ...others] = ahead;
    ahead = others;
    if (next !== undefined) void begin(next);
  };
  const leave = (): void => {
    isLeaving = true;
    if (job === undefined) exit();
  };
  const hear = (message: ToWorker): void => {
    if (message.type === 'stop') {
      if (job !== undefined && isSameClaim(job.claim, message.claim)) job.stop(message.graceMs);
    } else if (job === undefined) void begin(message);
    else ahead = [...ahead, message];
  };
  // Only hosts of this same program have the other end.
  process.on('message', (messages: ToWorkerAtOnce) => messages.forEach(hear));
  process.on('disconnect', leave);
  process.on('SIGTERM', () => {
    job?.stop();
    leave();
  });
  process.on('SIGINT', () => undefined);
  process.on('SIGHUP', () => undefined);
  preparePipes();
  means.say({ type: 'ready' });
}
