// Coordinates a run in this process: owns it, starts a host, runs the loop, and returns how that ended.
//
// Silent: notes for people go to the observer, and the caller handles signals.
import type { SandboxFailure } from '../../core/protocol/sandbox-failure.ts';
import { assert } from '../../core/assert.ts';
import { claimNamed } from '../../core/engine/facts.ts';
import { claimsHere } from '../../core/engine/owed/owed.ts';
import type { Compiled } from '../../core/compile/compiled.ts';
import type { RunEvent, RunStarted } from '../../core/engine/event.ts';
import { mergedIn, startOf } from '../../core/engine/apply/fold.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { SandboxBackend } from '../../core/protocol/sandbox-backend.ts';
import type { Repository } from '../../shell/git/repository.ts';
import type { Log, RunOver } from '../../shell/ports/log.ts';
import type { Clock } from '../../shell/ports/clock.ts';
import type { RemoteHosts } from '../../shell/ports/host-link.ts';
import type { Owned } from '../../shell/ports/ownership.ts';
import type { Store } from '../../shell/ports/store.ts';
import { runLoop, type LoopAmended, type LoopLeft } from '../../shell/loop/loop.ts';
import type { WaitsFor } from '../../core/engine/step/coordinator-state.ts';
import { mustBeKeptHere } from '../engine-note.ts';
import { plansIn } from '../fold-run.ts';
import { Refused } from '../refused.ts';
import type { Project } from '../project.ts';
import type { GitSideStarted } from '../sandbox-parts.ts';
import { stepEnvironment, environmentFor, fitsFor, judgeFor } from '../given-for.ts';
import { historyFrom } from '../run-history.ts';
import { CLOCK, startLocalHost } from '../local-parts.ts';
import { landerFor } from './lander-for.ts';
import type { LinkFor, Notifications } from '../notify-parts.ts';
import type { RunTelemetry } from '../telemetry/telemetry-parts.ts';
import { mustBeOwned } from './must-be-owned.ts';
import { mustHaveDescriptors } from './runnable.ts';
import { interruptible, type Interruptible, type Interruption } from './interruption.ts';

export interface CoordinateOptions extends Interruptible {
  readonly project: Project;
  readonly store: Store;
  /** The record's plan, when it is at hand already. */
  readonly compiled: Compiled | undefined;
  readonly takesOver: boolean;
  /** For how long to stay when only a person's answer can move the run on. */
  readonly waitMs: number;
  /** The address where a question can be answered; undefined without a public dashboard. */
  readonly linkFor?: LinkFor | undefined;
}

export interface Coordinated {
  readonly over: RunOver;
  readonly wasInterrupted: boolean;
  /** Another process coordinates the run still; it was only followed here. */
  readonly isHeld?: boolean;
  /** The engine of a run that was followed in the copy of a server that is away: another server may have the run. */
  readonly keptOn?: string | undefined;
}

export async function coordinate(coordinating: CoordinateOptions): Promise<Coordinated> {
  const { project, record, store, takesOver } = coordinating;
  mustBeKeptHere(project, record);
  const owned = store.own(record.run, { takesOver });
  const { over, wasInterrupted } = await coordinateOwned(coordinating, owned);
  assert(over.type !== 'left', 'Only a server leaves a run that goes on.');
  return { over, wasInterrupted };
}

/** What a run gets from the server that coordinates it together with others. */
export interface ServedBy {
  readonly remote: RemoteHosts;
  /** The most claims of a run on this machine; undefined leaves that to the plan. */
  readonly width: number | undefined;
  /** The kinds of agents that can have turns on this machine: where one cannot, it waits for a host. */
  readonly agents: readonly string[];
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly isLeaving: () => boolean;
  /** Where several servers share the commits of the run: brings them, and returns the log to be used from then on. */
  readonly share?: ((sharing: Sharing) => Promise<Log>) | undefined;
}

export interface Sharing {
  readonly run: string;
  readonly base: string;
  readonly repository: Repository;
  readonly log: Log;
}

export interface CoordinatedOrLeft extends Omit<Coordinated, 'over'> {
  readonly over: RunOver | LoopLeft;
}

/** Where the log is, the caller knows. */
export async function coordinateOwned(
  coordinating: CoordinateOptions,
  owned: Owned,
  served?: ServedBy,
): Promise<CoordinatedOrLeft> {
  mustHaveDescriptors();
  const { record } = coordinating;
  mustBeOwned(owned, record.run);
  const interruption = interruptible(coordinating);
  const telemetry = await telemetryFor(coordinating, startOf(owned.log.read()));
  try {
    for (let wasStopping = false, isFirst = true; ; isFirst = false) {
      const over = await coordinateOnce(coordinating, { owned, served, isFirst, wasStopping, interruption, telemetry });
      if (over.type !== 'amended') return { over, wasInterrupted: interruption.hasCome() };
      // Workers keep running meanwhile: the restarted loop finds them as after a crash.
      ({ isStopping: wasStopping } = over);
    }
  } finally {
    await telemetry?.ends();
  }
}

interface Once {
  readonly owned: Extract<Owned, { type: 'owned' }>;
  readonly served: ServedBy | undefined;
  readonly isFirst: boolean;
  readonly wasStopping: boolean;
  readonly interruption: Interruption;
  readonly telemetry: RunTelemetry | undefined;
}

/** Coordinates the run until it is over or its plan is amended. */
async function coordinateOnce(
  coordinating: CoordinateOptions,
  { owned, served, isFirst, wasStopping, interruption, telemetry }: Once,
): Promise<RunOver | LoopAmended | LoopLeft> {
  const { project, store, record, observer, waitMs } = coordinating;
  const { uncertainMs = () => 0 } = owned;
  const { plan, first, compiled } = plansIn(owned.log, coordinating.compiled);
  if (isFirst) observer.onStart(record, first, owned.log.read);
  const lander = await landerFor(coordinating, compiled);
  const git = await gitSideOf(isFirst ? coordinating : quietly(coordinating), compiled, { owned, served });
  if (git.type === 'refused') {
    // Nothing was claimed; workers that an earlier coordinator left running are left to the next one.
    interruption.end();
    await owned.release();
    throw new Refused({ code: 'git', failure: git.failure });
  }
  const { side: gitSide, log } = git;
  const link = served?.remote.attach(record.run);
  const { mailbox, host } = startLocalHost(project, record, {
    log,
    remote: link,
    agents: served?.agents,
    claimsMax: Math.min(plan.cap, served?.width ?? plan.cap),
    openMergeQueue: gitSide?.openMergeQueue,
    traceOf: telemetry?.traceOf,
  });
  const notifications = await notificationsFor(coordinating, plan, startOf(log.read()).inputs);
  observer.onLoop?.(mailbox.ring);
  interruption.reaches({ stop: mailbox.ring, end: (how) => host.stopAll(how) });
  const over = await runLoop({
    compiled: first,
    given: {
      env: environmentFor(plan),
      fits: await fitsFor(compiled),
      judge: await judgeFor(compiled, () => historyFrom(store, compiled, record.run)),
    },
    sandboxes: git.backend,
    rewound: await gitSide?.rewound(mergedIn(log.read())),
    log,
    mailbox,
    clock: served?.clock ?? CLOCK,
    onFolded: (state) => {
      link?.listen({ ...mailbox, placedOn: (claim) => claimNamed(state, claim)?.host, uncertainMs });
      host.recover(claimsHere(state));
      notifications?.begins(log.read(), state);
    },
    onEvents: (events, state) => {
      observer.onEvents(events, state);
      if (events.some(isMerged)) lander?.wake();
      notifications?.sees(events, state);
    },
    staysMs: staying(waitMs),
    wasStopping,
    leaseMs: served?.leaseMs,
    onRefused: link?.noteRefused,
    isLeaving: served?.isLeaving,
  });
  if (over.type === 'ended') interruption.closes();
  // When the log is not writable any more, running workers are left alone: the next coordinator reattaches to them.
  await host.close({ leave: GOING_ON.has(over.type) });
  link?.close({ isOver: over.type === 'ended' });
  await lander?.close();
  if (over.type === 'ended') {
    // The next loop logs the tasks whose merges are gone, and the run ends again without them.
    if ((await gitSide?.rewound(mergedIn(log.read()))) !== undefined) return LOST;
    for (const note of (await gitSide?.finish()) ?? []) observer.onNote(note);
  }
  await letGo({ over, owned, interruption, notifications });
  return over;
}

interface LettingGo extends Pick<Once, 'owned' | 'interruption'> {
  readonly over: RunOver | LoopAmended | LoopLeft;
  readonly notifications: Notifications | undefined;
}

async function letGo({ over, owned, interruption, notifications }: LettingGo): Promise<void> {
  if (over.type === 'amended') return notifications?.ends(over);
  interruption.end();
  // Ownership of an unwritable log cannot be released either; the next coordinator sees that this process is dead.
  if (over.type !== 'failed') await owned.release();
  // Nobody waits for the run any more, so deliveries may take a moment.
  if (over.type !== 'left') await notifications?.ends(over);
}

/** Running workers are left to the next coordinator of the run. */
const GOING_ON: ReadonlySet<(RunOver | LoopAmended | LoopLeft)['type']> = new Set([
  'fenced',
  'failed',
  'amended',
  'left',
]);

/** Taken like an amended plan: the loop starts again from the log. */
const LOST: LoopAmended = { type: 'amended', isStopping: false };

const isMerged = (event: RunEvent): boolean =>
  event.type === 'claim.ended' && event.work === 'merge' && event.ending === 'done';

/** Notes printed when the run was resumed are not repeated. */
const quietly = (coordinating: CoordinateOptions): CoordinateOptions => ({
  ...coordinating,
  observer: { ...coordinating.observer, onNote: () => undefined },
});

/** A run without notifications loads no code for them. */
async function notificationsFor(
  { project, record, observer, linkFor }: CoordinateOptions,
  { notify }: Plan,
  inputs: RunStarted['inputs'],
): Promise<Notifications | undefined> {
  if (!notify.bell && !notify.desktop && notify.webhook === undefined && notify.command === undefined) return undefined;
  const { openNotifications } = await import('../notify-parts.ts');
  return openNotifications({
    project,
    record,
    inputs,
    notify,
    environment: stepEnvironment(),
    onError: (message) => observer.onNote({ code: 'notification-failed', message }),
    linkFor,
  });
}

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] as const;

/** A run without a collector loads no code for traces. */
async function telemetryFor(
  { project, record, observer: { onNote } }: CoordinateOptions,
  started: RunStarted,
): Promise<RunTelemetry | undefined> {
  const isNamed = ENDPOINTS.some((name) => (process.env[name] ?? '') !== '');
  if (!isNamed && started.plan.telemetry?.endpoint === undefined) return undefined;
  const { openTelemetry } = await import('../telemetry/telemetry-parts.ts');
  return openTelemetry({ project, record, started, onNote });
}

/** A run that works in place loads nothing of git. */
async function gitSideOf(
  { project, record, observer }: CoordinateOptions,
  compiled: Compiled,
  { owned: { log: given }, served }: Pick<Once, 'owned' | 'served'>,
): Promise<GitSideOfRun> {
  const { base, author } = startOf(given.read());
  if (base === undefined) return { type: 'in place', side: undefined, backend: undefined, log: given };
  const { openIntegration, startGitSide } = await import('../sandbox-parts.ts');
  const { home, root } = project;
  const integration = await openIntegration({ home, project: root, settings: compiled.plan.sandbox, repairs: true });
  if (integration.type === 'refused') return integration;
  observer.onNote({ code: 'sandboxes', backend: integration.backend });
  const { repository } = integration;
  const log = (await served?.share?.({ run: record.run, base, repository, log: given })) ?? given;
  const started = await startGitSide({
    run: record.run,
    home,
    base,
    integration,
    clock: CLOCK,
    environment: stepEnvironment(),
    history: { author, commits: compiled.plan.settings.merge.commits },
    // A drafting makes a plan and no changes.
    publishes: record.purpose === undefined,
  });
  return started.type === 'failed'
    ? { type: 'refused', failure: started.failure }
    : { ...started, backend: integration.backend, log };
}

type GitSideOfRun =
  | (Extract<GitSideStarted, { type: 'started' }> & { readonly backend: SandboxBackend; readonly log: Log })
  | { readonly type: 'refused'; readonly failure: SandboxFailure }
  | { readonly type: 'in place'; readonly side: undefined; readonly backend: undefined; readonly log: Log };

/** A paused run waits for its resume; an answer may take long, and the caller may wait for the end of this process. */
function staying(waitMs: number): (why: WaitsFor) => number {
  return (why) => (why === 'resume' ? Infinity : waitMs);
}
