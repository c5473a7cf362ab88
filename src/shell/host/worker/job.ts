// Runs one claim, from taking it to writing its outcome.
//
// worker/J1. Nothing is begun before this worker has the attempt file (attempt/F1), and nothing that was begun is
//     reported as done before its outcome is written.
// worker/J2. A job writes heartbeats as long as it lasts, whatever it waits for.
import { constants } from 'node:os';
import { failureText } from '../../../core/protocol/sandbox-failure.ts';
import type { ClaimRef } from '../../../core/protocol/assignment.ts';
import type { Spend } from '../../../core/protocol/result.ts';
import type { OutcomeOf, WorkOutcome } from '../../../core/protocol/work-outcome.ts';
import { attemptFile, type AttemptRecord } from '../attempt-folder.ts';
import type { Adapter, Launch, PriceOf } from '../../ports/agents.ts';
import type { ConversationCarrier } from '../../ports/conversation-carrier.ts';
import type { WorkKept, Workplace, WorkplaceOpened } from '../../ports/workplace.ts';
import type { Process } from '../../ports/log.ts';
import type { Assign, FromWorker } from '../worker-messages.ts';
import { refusedOutcome, stopped, type Fits, type OutcomeReader } from './outcome-reader.ts';
import { keepOutcome, takeClaim, touchHeartbeat, writeLive } from './write-attempt.ts';
import { prepareWork } from './prepare.ts';
import { reportLive } from './report-live.ts';
import { unpackCarried, packForOthers, type Carrying } from './carry-conversation.ts';
import { watchLease } from './watch-lease.ts';
import { openRecord } from './output-record.ts';
import { secretsIn } from './redact.ts';
import { TAGS, endTaggedProcesses, withTags } from '../../exec/tagged-processes.ts';
import { SupervisedProcess, withLimit, type ProcessEnd } from '../../exec/supervised-process.ts';

const HEARTBEAT_MS = 5000;
/** Grace for tools that an agent left running. */
const LEFTOVER_GRACE_MS = 500;

/** Dependencies of a job. Adapters and schemas are loaded on demand: most jobs need neither. */
export interface WorkerParts {
  readonly adapters: (assign: Assign) => Promise<ReadonlyMap<string, Adapter>>;
  readonly fits: Fits;
  readonly priceOf: (assign: Assign) => Promise<PriceOf>;
  /** For claims that run in a sandbox. */
  readonly openWorkplace: (assign: Assign, launch: Launch) => Promise<WorkplaceOpened>;
  readonly conversations: () => Promise<ConversationCarrier>;
  readonly self: Process;
  readonly send: (message: FromWorker) => void;
}

interface Ending {
  readonly reason: 'stopped' | 'lease';
  readonly graceMs: number;
}

/** `unwritten`: the outcome could not be written and is lost with this process. */
export type JobEnd = 'done' | 'refused' | 'unwritten';

export class Job {
  readonly ended: Promise<JobEnd>;
  readonly #assign: Assign;
  readonly #parts: WorkerParts;
  #program: SupervisedProcess | undefined;
  /** Set when the job is to end before its program has ended. */
  #ending: Ending | undefined;

  constructor(assign: Assign, parts: WorkerParts) {
    this.#assign = assign;
    this.#parts = parts;
    this.ended = this.#run();
  }

  get claim(): ClaimRef {
    return this.#assign.assignment.claim;
  }

  /** With the grace of the assignment, unless another is given. */
  stop(graceMs: number = this.#assign.graceMs): void {
    this.#end({ reason: 'stopped', graceMs });
  }

  #end(ending: Ending): void {
    const reason = this.#ending?.reason ?? ending.reason;
    this.#ending = { ...ending, reason };
    this.#program?.end(reason, ending.graceMs);
  }

  async #run(): Promise<JobEnd> {
    const { folder, assignment } = this.#assign;
    const { self, send } = this.#parts;
    const record: AttemptRecord = { ...self, claim: this.claim, at: Date.now(), assignment, outcome: undefined };
    const taken = takeClaim(folder, record);
    switch (taken.type) {
      case 'taken':
        send({ type: 'refused', claim: this.claim });
        return 'refused';
      case 'failed':
        send({
          type: 'done',
          outcome: refusedOutcome(this.claim, { message: unwritable(folder, taken), isFinal: false }),
        });
        return 'done';
      case 'written':
        return this.#workAndWrite(record);
    }
  }

  async #workAndWrite(record: AttemptRecord): Promise<JobEnd> {
    const { folder } = this.#assign;
    const heartbeat = setInterval(() => touchHeartbeat(folder), HEARTBEAT_MS);
    const stopWatching = watchLease(this.#assign, (graceMs) => this.#end({ reason: 'lease', graceMs }));
    const outcome = await this.#work();
    stopWatching();
    const isWritten = await keepOutcome(folder, { ...record, outcome });
    clearInterval(heartbeat);
    if (isWritten) this.#parts.send({ type: 'done', outcome });
    return isWritten ? 'done' : 'unwritten';
  }

  async #work(): Promise<WorkOutcome> {
    const { adapters, fits, priceOf, send } = this.#parts;
    const { assignment, folder, graceMs } = this.#assign;
    if (this.#ending !== undefined) return this.#unbegun(this.#ending);
    const live = reportLive((spend: Spend) => {
      writeLive(folder, { spend });
      send({ type: 'live', claim: this.claim, spend });
    });
    const onStuck = (): void => this.#program?.end('stuck', graceMs);
    const prepared = await prepareWork({
      assign: this.#assign,
      adapters,
      fits,
      priceOf,
      onSpent: live.update,
      onStuck,
    });
    if (prepared.type === 'refused') return refusedOutcome(this.claim, { message: prepared.message, isFinal: true });
    const opened = await this.#openWorkplace(prepared.launch);
    if (opened.type === 'failed')
      return refusedOutcome(this.claim, { message: failureText(opened.failure), isFinal: false });
    if (this.#ending !== undefined) return this.#unbegun(this.#ending);
    const { workplace } = opened;
    const { launch, reader, notice } = prepared;
    const isTurn = assignment.work.type === 'turn';
    const seen = seenBy(this.#assign, launch);
    const record = openRecord({ folder, reader, isTurn, ...seen });
    if (notice !== undefined) record.log(notice);
    const carrying = await this.#carryingTo(workplace, launch);
    if (carrying !== undefined && !(await unpackCarried(carrying))) record.log(NOT_BROUGHT);
    const onLimitExceeded = (message: string): void => {
      record.log(message);
      this.#program?.exceedLimit(message);
    };
    const monitor = await workplace.monitor({ onLimitExceeded, say: record.log });
    this.#program = new SupervisedProcess({
      launch: launchedIn(workplace, launch),
      cwd: workplace.cwd,
      folder,
      limits: assignment.limits,
      graceMs,
      onOutput: record.receive,
      isBusy: reader.isBusy,
      onStarted: monitor.watch,
      onMessage: monitor.onMessage,
    });
    this.#endAsAsked();
    const stopPolling = pollWith(reader, workplace.home);
    const ended = withLimit(endedIn(workplace, await this.#program.ended, isTurn), await monitor.stop());
    stopPolling();
    record.close();
    // Tools of agents run in sessions of their own, which ending the group does not reach; and nobody looks later.
    if (isTurn || ended.type === 'lease') await endLeftovers(launch.environment);
    const keep = keepOnce(workplace);
    const outcome = await reader.outcome(ended, async () => changesIn(await keep()));
    live.stop();
    if (carrying !== undefined)
      await packForOthers(carrying, { outcome, secrets: secretsIn(seen.environment, seen.given) });
    return await keepWork(keep, outcome);
  }

  /** Asked while the program was being prepared. */
  #endAsAsked(): void {
    if (this.#ending !== undefined) this.#program?.end(this.#ending.reason, this.#ending.graceMs);
  }

  #unbegun({ reason }: Ending): WorkOutcome {
    return stopped(this.claim, reason === 'lease' ? reason : undefined);
  }

  /** Undefined where no conversation comes from another machine, nor may go to one. */
  async #carryingTo(workplace: Workplace, launch: Launch): Promise<Carrying | undefined> {
    const { work } = this.#assign.assignment;
    if (work.type !== 'turn') return undefined;
    if (work.conversation?.carried === undefined && this.#assign.isForOthers !== true) return undefined;
    return { carrier: await this.#parts.conversations(), assign: this.#assign, launch, workplace };
  }

  #openWorkplace(launch: Launch): Promise<WorkplaceOpened> {
    const { assignment, cwd } = this.#assign;
    if (assignment.sandbox !== undefined) return this.#parts.openWorkplace(this.#assign, launch);
    return Promise.resolve({ type: 'opened', workplace: inPlace(cwd) });
  }
}

const NOT_BROUGHT = 'the conversation that this turn goes on with could not be brought to this machine';

/** As often as spend is reported to the coordinator. */
const POLL_MS = 500;

function pollWith({ poll }: OutcomeReader, home: string | undefined): () => void {
  if (poll === undefined) return () => undefined;
  const timer = setInterval(() => poll(home), POLL_MS);
  return () => {
    clearInterval(timer);
    // What was written since, which a turn that failed does not print.
    poll(home);
  };
}

/** Ends processes that carry all tags of this claim. Without the store's folder, the tags might be another claim's. */
async function endLeftovers(environment: Readonly<Record<string, string>>): Promise<void> {
  if (environment[TAGS.home] === undefined) return;
  const tags = Object.values(TAGS).flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  await endTaggedProcesses({ matches: withTags(Object.fromEntries(tags)) }, LEFTOVER_GRACE_MS);
}

/** All values that the program may print, and the names of those that the plan gives to an agent. */
function seenBy({ assignment, environment }: Assign, launch: Launch) {
  const { work } = assignment;
  const env = work.type === 'turn' ? work.agent.env : [];
  const inner = env.flatMap(({ value = '' }) => [...value.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name));
  return { environment: { ...environment, ...launch.environment }, given: [...env.map(({ name }) => name), ...inner] };
}

const inPlace = (cwd: string): Workplace => ({
  cwd,
  environment: {},
  wrap: (argv) => argv,
  monitor: () =>
    Promise.resolve({ watch: () => undefined, onMessage: undefined, stop: () => Promise.resolve(undefined) }),
  keep: () => Promise.resolve({ type: 'kept', commit: undefined }),
});

function launchedIn({ wrap, environment }: Workplace, launch: Launch): Launch {
  const [program = '', ...args] = wrap([launch.program, ...launch.args]);
  return { ...launch, program, args, environment: { ...launch.environment, ...environment } };
}

/** A shell reports signals as codes, too, so for a command the code is all that is known. */
function endedIn({ codesSignals = false }: Workplace, ended: ProcessEnd, isTurn: boolean): ProcessEnd {
  if (!codesSignals || !isTurn || ended.type !== 'exited') return ended;
  const number = ended.code - SIGNALS_FROM;
  const signal = Object.entries(constants.signals).find(([, each]) => each === number && number <= SIGNALS_TO)?.[0];
  return signal === undefined ? ended : { type: 'killed', signal };
}

const SIGNALS_FROM = 128;
/** SIGTERM; the codes of later ones are those by which Gemini CLI reports a status of its provider. */
const SIGNALS_TO = 15;

function keepOnce({ keep }: Workplace): Workplace['keep'] {
  let kept: Promise<WorkKept> | undefined;
  return () => (kept ??= keep());
}

const changesIn = (kept: WorkKept): boolean | undefined => (kept.type === 'kept' ? kept.hasChanges : undefined);

/** A continued turn, after an answer, a repair or a backoff, starts from the files that it made. */
const isContinued = (outcome: WorkOutcome): outcome is OutcomeOf<'asked' | 'failed' | 'limited' | 'stopped'> =>
  outcome.type === 'asked' ||
  (outcome.type === 'failed' && (outcome.reason === 'output' || outcome.hasWorked === true)) ||
  ((outcome.type === 'limited' || outcome.type === 'stopped') && outcome.hasWorked === true);

/** Complete work is committed whether it succeeded or not: a person may want to see what failed. */
async function keepWork(keep: Workplace['keep'], outcome: WorkOutcome): Promise<WorkOutcome> {
  if (isContinued(outcome) && outcome.result !== undefined) {
    const kept = await keep();
    if (kept.type === 'failed') return outcome;
    return { ...outcome, result: { ...outcome.result, commit: kept.commit } };
  }
  if (outcome.type !== 'finished') return outcome;
  const kept = await keep();
  if (kept.type === 'kept') return { ...outcome, result: { ...outcome.result, commit: kept.commit } };
  const result = { ...outcome.result, ok: false, response: failureText(kept.failure) };
  return { ...outcome, type: 'failed', reason: 'unsaved', isFinal: false, result };
}

const unwritable = (folder: string, { message }: { readonly message: string }): string =>
  `The attempt file ${attemptFile(folder)} cannot be written: ${message}. Check the free space and the permissions of that folder.`;
