// Carries a run out in this process: owns it, starts a host, and says what came of it.
import { claimsOfHosts } from '../../core/engine/owed/owed.ts';
import { compile } from '../../core/compile/compile.ts';
import type { Compiled } from '../../core/compile/compiled.ts';
import type { RunEvent, RunStarted } from '../../core/engine/event.ts';
import { planIn, startOf } from '../../core/engine/fold.ts';
import { checksOf } from '../../core/engine/owed/merges.ts';
import type { MergeOutcome } from '../../core/protocol/work-outcome.ts';
import type { State } from '../../core/engine/state.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { Owned, Owner, RunRecord, Store } from '../../shell/ports.ts';
import { carryOut, type Amended, type RunOver, type WaitsFor } from '../../shell/run.ts';
import { Failure } from '../../app/failure.ts';
import type { Project } from '../../app/project.ts';
import type { GitSideStarted } from '../../app/sandbox-parts.ts';
import { CLOCK, startLocalHost, stepEnvironment } from '../../app/local-parts.ts';
import { fitsFor } from '../../app/run/fits-for.ts';
import { onInterrupts } from './interrupts.ts';
import { landerFor } from './lander-for.ts';
import type { Notices } from '../../app/notify-parts.ts';

/** What somebody who watches the run wants to hear. */
export interface Spectator {
  /** `past` reads what happened before. */
  readonly begins: (record: RunRecord, compiled: Compiled, past: () => readonly RunEvent[]) => void;
  readonly sees: (events: readonly RunEvent[], state: State) => void;
  readonly hears: (message: string) => void;
}

export interface Coordinating {
  readonly project: Project;
  readonly store: Store;
  readonly record: RunRecord;
  /** The record's plan, when it is at hand already. */
  readonly compiled: Compiled | undefined;
  readonly spectator: Spectator;
  readonly takesOver: boolean;
  /** For how long to stay when only a person's answer can move the run on. */
  readonly waitMs: number;
}

export interface Coordinated {
  readonly over: RunOver;
  readonly wasInterrupted: boolean;
}

export async function coordinate(coordinating: Coordinating): Promise<Coordinated> {
  const { store, record, takesOver } = coordinating;
  const owned = store.own(record.run, { takesOver });
  if (owned.type === 'refused') throw new Failure(refusal(record.run, owned.by, owned.silentMs));
  if (owned.type === 'failed') throw new Failure(owned.message);
  const interruption = interruptible(coordinating);
  for (let wasStopping = false, isFirst = true; ; isFirst = false) {
    const over = await carryOnce(coordinating, { owned, isFirst, wasStopping, interruption });
    if (over.type !== 'amended') return { over, wasInterrupted: interruption.hasCome() };
    // Workers go on meanwhile: what is begun anew finds them as it would after a crash.
    ({ isStopping: wasStopping } = over);
  }
}

interface Once {
  readonly owned: Extract<Owned, { type: 'owned' }>;
  readonly isFirst: boolean;
  readonly wasStopping: boolean;
  readonly interruption: Interruption;
}

/** Carries the run out until it is over or its plan is amended, with all that is made for the plan as it stands. */
async function carryOnce(
  coordinating: Coordinating,
  { owned, isFirst, wasStopping, interruption }: Once,
): Promise<RunOver | Amended> {
  const { project, record, spectator, waitMs } = coordinating;
  const { log } = owned;
  const plan = planIn(log.read());
  const { mailbox, host } = startLocalHost(project, record, {
    log,
    claimsMax: plan.cap,
  });
  const first = coordinating.compiled ?? compile(startOf(log.read()).plan);
  const compiled = plan === startOf(log.read()).plan ? first : compile(plan);
  if (isFirst) spectator.begins(record, first, log.read);
  const lander = await landerFor(coordinating, compiled);
  const report = (merges: readonly MergeOutcome[]): void => {
    mailbox.report(merges);
    lander?.wake();
  };
  const git = await gitSideOf(isFirst ? coordinating : quietly(coordinating), compiled, { events: log.read(), report });
  if (git.type === 'refused') {
    // Nothing was claimed; those that a coordinator before left at work are left to it.
    await host.close({ leave: true });
    interruption.end();
    owned.release();
    throw new Failure(git.message);
  }
  const gitSide = git.side;
  const notices = await noticesFor(coordinating, plan, startOf(log.read()).inputs);
  interruption.reaches({ stop: mailbox.ring, now: () => host.stopAll({ now: true }) });
  const over = await carryOut({
    compiled: first,
    given: { env: environmentFor(plan), fits: await fitsFor(compiled) },
    log,
    mailbox,
    train: gitSide?.train,
    clock: CLOCK,
    onFolded: (state) => {
      host.recover(claimsOfHosts(state));
      notices?.begins(log.read(), state);
    },
    onEvents: (events, state) => {
      spectator.sees(events, state);
      notices?.sees(events, state);
    },
    staysMs: staying(waitMs),
    wasStopping,
  });
  // When the log cannot be written any more, those at work are left to it: the next coordinator takes them over.
  await host.close({ leave: over.type === 'fenced' || over.type === 'failed' || over.type === 'amended' });
  await lander?.close();
  for (const said of (await gitSide?.close(over.type === 'ended')) ?? []) spectator.hears(said);
  if (over.type !== 'amended') interruption.end();
  // A log that cannot be written cannot be given up either; the next coordinator sees that this process is gone.
  if (over.type !== 'failed' && over.type !== 'amended') owned.release();
  // Nobody waits for the run any more, so those who are to hear of it may take a moment.
  await notices?.ends(over);
  return over;
}

/** What a person was told when the run was taken up need not be said again. */
const quietly = (coordinating: Coordinating): Coordinating => ({
  ...coordinating,
  spectator: { ...coordinating.spectator, hears: () => undefined },
});

/** A run of which nobody is told loads nothing for it. */
async function noticesFor(
  { project, record, spectator }: Coordinating,
  { notify }: Plan,
  inputs: RunStarted['inputs'],
): Promise<Notices | undefined> {
  if (!notify.bell && !notify.desktop && notify.webhook === undefined && notify.command === undefined) return undefined;
  const { openNotices } = await import('../../app/notify-parts.ts');
  return openNotices({ project, record, inputs, notify, environment: stepEnvironment(), say: spectator.hears });
}

interface GitSideGiven {
  readonly events: readonly RunEvent[];
  readonly report: (merges: readonly MergeOutcome[]) => void;
}

/** A run that works in place loads nothing of git. */
async function gitSideOf(
  { project, record, spectator }: Coordinating,
  compiled: Compiled,
  { events, report }: GitSideGiven,
): Promise<GitSideStarted | { readonly type: 'in place'; readonly side: undefined }> {
  const [started] = events;
  const base = started?.type === 'run.started' ? started.base : undefined;
  if (base === undefined) return { type: 'in place', side: undefined };
  const { openGround, startGitSide } = await import('../../app/sandbox-parts.ts');
  const { home, root } = project;
  const ground = await openGround({ home, project: root, settings: compiled.plan.sandbox, mends: true });
  if (ground.type === 'refused') return ground;
  spectator.hears([...ground.sandboxes.doctor().slice(0, 1), ground.says].join(' '));
  return await startGitSide({
    run: record.run,
    home,
    base,
    ground,
    clock: CLOCK,
    environment: stepEnvironment(),
    checksOf: (task) => checksOf(compiled, task),
    report,
  });
}

interface Reached {
  readonly stop: () => void;
  readonly now: () => void;
}

interface Interruption {
  /** Whom it reaches from now on; until somebody is there it ends the process, as it does any other. */
  readonly reaches: (reached: Reached) => void;
  readonly hasCome: () => boolean;
  readonly end: () => void;
}

function interruptible({ store, record, spectator }: Coordinating): Interruption {
  let hasCome = false;
  let reached: Reached | undefined;
  let end: (() => void) | undefined;
  const onFirst = (): void => {
    hasCome = true;
    const posted = store.post(record.run, { type: 'stop', tasks: [] });
    spectator.hears(
      posted.type === 'posted'
        ? 'Stopping: what is at work is asked to end. Once more ends it now.'
        : `The run could not be asked to stop: ${posted.message} Once more ends what is at work.`,
    );
    reached?.stop();
  };
  const onSecond = (): void => {
    spectator.hears('Ending what is at work now.');
    reached?.now();
  };
  return {
    reaches: (next) => {
      reached = next;
      end ??= onInterrupts({ onFirst, onSecond });
    },
    hasCome: () => hasCome,
    end: () => end?.(),
  };
}

export function refusal(run: string, { pid, host, since }: Owner, silentMs: number): string {
  const when = new Date(since).toLocaleTimeString('en-GB');
  const silence =
    silentMs > 30_000 ? ` (silent for ${Math.round(silentMs / 1000)} s; --take-over takes the run from it)` : '';
  return `The run ${run} is being carried out by process ${pid} on ${host} since ${when}${silence}; stop that one first with heddle stop ${run}.`;
}

/** Only what the plan names is read, and it is read anew at each start: values of the environment are not kept. */
export function environmentFor(plan: Plan): Readonly<Record<string, string>> {
  return Object.fromEntries(
    plan.env.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** A paused run is resumed by whoever paused it; an answer may be long in coming, and somebody may wait for our end. */
const staying =
  (waitMs: number) =>
  (why: WaitsFor): number =>
    why === 'resume' ? Infinity : waitMs;
