// The one place that names concrete parts of the shell and puts them together.
import { fileURLToPath } from 'node:url';
import type { ClaimRef } from '../core/protocol/assignment.ts';
import type { Reply } from '../core/protocol/sync.ts';
import { attemptFolder } from '../shell/host/attempt-folder.ts';
import { wantAll } from '../shell/host/copies/copied-from.ts';
import { localArtifacts } from '../shell/host/local-artifacts.ts';
import { readAttempt, type ReadAttempt } from '../shell/host/read-attempt.ts';
import { startHost, type Host, type HostOptions } from '../shell/host/host.ts';
import { openStore, type StoreOpened } from '../shell/store/open-store.ts';
import { openMailbox, type LocalMailbox } from '../shell/loop/mailbox.ts';
import type { LocalArtifacts } from '../shell/ports/artifacts.ts';
import type { RunLink } from '../shell/ports/host-link.ts';
import type { Log, RunRecord } from '../shell/ports/log.ts';
import { systemClock } from '../shell/loop/steady-clock.ts';
import type { Project } from './project.ts';
import { warn } from './warnings.ts';
import { runInForeground, type ForegroundOptions } from '../shell/exec/run-in-foreground.ts';
import { stepEnvironment } from './given-for.ts';

export const CLOCK = systemClock;

/** The store of a project; `write` creates a missing one. Warns about its own repairs. */
export const openProjectStore = ({ home }: Project, mode: 'read' | 'write'): StoreOpened =>
  openStore(home, { mode, clock: CLOCK, warn });

/** The files that workers of a project's runs left for their claims. */
export const artifactsIn = ({ home }: Pick<Project, 'home'>): LocalArtifacts => localArtifacts(home);

/** Has the machine of the claim send all of its output, where that is another one. */
export const wantOutput = ({ home }: Pick<Project, 'home'>, run: string, claim: ClaimRef): void =>
  wantAll(attemptFolder(home, run, claim));

/** The holder of a claim, past or present, and the work of the claim. */
export const workerOf = ({ home }: Pick<Project, 'home'>, run: string, claim: ClaimRef): ReadAttempt =>
  readAttempt(attemptFolder(home, run, claim), claim);

/** Asked to end, a step has this long before it is killed. */
export const GRACE_MS = 5_000;

export interface LocalHost {
  readonly mailbox: LocalMailbox;
  readonly host: Host;
}

export interface Hosting extends Pick<HostOptions, 'claimsMax' | 'openMergeQueue' | 'traceOf'> {
  readonly log: Log;
  /** The hosts on other machines; undefined where this one is alone. */
  readonly remote: RunLink | undefined;
  /** The kinds of agents that can have turns here; undefined where there is no other machine to have them. */
  readonly agents: readonly string[] | undefined;
}

/** No host on another machine has this name: it is the name of no token. */
export const HERE = '@here';

/** A host in this process and the mailbox between the hosts and the loop. */
export function startLocalHost(
  { root, home }: Project,
  record: RunRecord,
  { log, claimsMax, openMergeQueue, traceOf, remote, agents }: Hosting,
): LocalHost {
  const mailbox = openMailbox({
    hasCommands: () => log.commands().length > 0,
    send: (name, reply) => {
      remote?.send(name, withSpans(reply, traceOf));
      if (name === HERE) host.receive(reply);
    },
    shared: remote,
  });
  const host = startHost({
    name: HERE,
    run: record.run,
    home,
    cwd: root,
    environment: stepEnvironment(),
    claimsMax,
    workerProgram: workerProgram(),
    clock: CLOCK,
    send: (sync) => {
      remote?.hearHere(sync);
      mailbox.deliver({ ...sync, agents });
    },
    graceMs: GRACE_MS,
    openMergeQueue,
    traceOf,
  });
  return { mailbox, host };
}

/** The address of a collector and its headers stay on this machine; the name of a span is no secret. */
const withSpans = (reply: Reply, traceOf: Hosting['traceOf']): Reply => {
  if (traceOf === undefined) return reply;
  const start = reply.start.map((each) => ({ ...each, traceParent: traceOf(each.claim).parent }));
  return { ...reply, start };
};

/** The command line of a worker: the launcher, and `built`, which tells it not to search for a build. */
export function workerProgram(): readonly string[] {
  const launcher = fileURLToPath(new URL('../../bin/worker-main.js', import.meta.url));
  return [process.execPath, launcher, ...(import.meta.url.endsWith('.ts') ? [] : ['built'])];
}

/** Whether the program started and exited with code 0. */
export type ForegroundResult = 'unstarted' | 'failed' | 'done';

export async function takeForeground(argv: readonly string[], options: ForegroundOptions): Promise<ForegroundResult> {
  const end = await runInForeground(argv, options);
  if (end.type === 'unstarted') return 'unstarted';
  return end.type === 'exited' && end.code === 0 ? 'done' : 'failed';
}
