// Serves a project: the coordinators of its runs and the gateway of their hosts, in one process.
import { LEASE_MS } from '../../core/protocol/dispatcher.ts';
import type { StoreFailure } from '../../core/protocol/store-failure.ts';
import type { TransferFailure } from '../../core/protocol/transfer-failure.ts';
import { awakeClock } from '../../shell/loop/awake-clock.ts';
import { CLOCK } from '../local-parts.ts';
import { openProject, type OpenProject } from '../open-project.ts';
import { programVersion } from '../package-root.ts';
import type { Project } from '../project.ts';
import { mustHaveNoEngine } from '../engine-note.ts';
import { openCoordinators, keepingOf, type Coordinators, type RunLeft } from './coordinators.ts';
import type { EngineKeeping } from './engine-keeping.ts';
import { openGateway, type Gateway, type HostChange } from './gateway.ts';
import { openHostFiles, type HostFiles } from './host-files.ts';
import type { GitGate } from './git-gate.ts';
import { deliveredWork, type DeliveredWork } from './delivered-work.ts';
import { repositoryOf, serveGit } from './serve-git.ts';
import { openHostsView } from './hosts-view.ts';
import { takeServe } from '../serve-note.ts';
import type { ServerNote } from './server-note.ts';
import { openTokenBook, type TokenBook } from './token-book.ts';

export interface ServeProjectOptions {
  readonly project: Project;
  /** For all runs on this machine together; undefined leaves that to their plans. */
  readonly width: number | undefined;
  /** For how long a host may be silent; undefined for the usual time. */
  readonly leaseMs: number | undefined;
  /** What keeps the runs; undefined where this machine does. */
  readonly engine?: EngineChoice | undefined;
  readonly onNote: (note: ServerNote) => void;
}

export interface EngineChoice {
  /** With its password. */
  readonly url: string;
  readonly leaseMs: number;
  /** The repository that the servers share. */
  readonly remote: string | undefined;
}

export interface Serving {
  readonly gateway: Gateway;
  readonly files: HostFiles;
  readonly git: GitGate;
  readonly delivered: DeliveredWork;
  readonly book: TokenBook;
  /** Takes runs up from now on; `url` is the address of the server, without a token. Refused by an engine at most. */
  readonly begin: (url: string) => Promise<void>;
  /** Lets go of all runs, then has the caller stop its server, which reads the store; returns the runs that go on. */
  readonly close: (stopServer: () => Promise<void>) => Promise<readonly RunLeft[]>;
}

/** A host that listens is answered after this time, or sooner when the lease is shorter. */
const POLL_MS = 15_000;
/** The lease of a host counts from an answered message, which is two polls old when the next is answered (lease-times/A1). */
const POLLS_PER_LEASE = 6;

export function serveProject(options: ServeProjectOptions): Serving {
  const { project, leaseMs = LEASE_MS, onNote } = options;
  // What is left of the steps of a dead machine cannot be fenced: decision 0026.
  const width = options.width ?? (options.engine === undefined ? undefined : 0);
  if (options.engine === undefined) mustHaveNoEngine(project);
  const open = openProject('write', project);
  const note = takeServe(project, { since: CLOCK.now(), version: programVersion() });
  let coordinators: Coordinators | undefined;
  let keeping: EngineKeeping | undefined;
  const closing = new AbortController();
  const clock = awakeClock(CLOCK);
  const onChange = (change: HostChange): void => {
    if (change.type === 'refused') view.noteRefused(change.run, change.refused);
    view.touch();
    onNote({ code: 'host', change });
  };
  const gateway = openGateway({
    clock,
    leaseMs,
    pollMs: Math.min(POLL_MS, leaseMs / POLLS_PER_LEASE),
    width,
    standingOf: (run) => coordinators?.standingOf(run) ?? 'elsewhere',
    onTails: (host, tails) => files.receiveTails(host, tails),
    onChange,
  });
  const files = openHostFiles({ ...open, ask: gateway.ask });
  const repository = repositoryOf(project);
  const view = openHostsView({ project, hosts: gateway.hosts, leaseMs, now: CLOCK.now });
  return {
    gateway,
    files,
    git: serveGit({ ...open, gateway, repository }),
    delivered: deliveredWork(repository),
    book: openTokenBook(project.home, CLOCK),
    begin: async (url) => {
      note.tell(url);
      view.touch();
      if (options.engine !== undefined)
        keeping = await engineFor(open, options.engine, { onNote, signal: closing.signal });
      if (closing.signal.aborted) return await closeEngine(keeping);
      const kept = keeping ?? keepingOf(open);
      coordinators = openCoordinators({ ...open, keeping: kept, remote: gateway, width, leaseMs, clock, onNote });
    },
    close: async (stopServer) => {
      closing.abort();
      files.close();
      clock.close();
      return await close(open, { coordinators, keeping, gateway, stopServer, view, note });
    },
  };
}

async function engineFor(
  open: OpenProject,
  engine: EngineChoice,
  { onNote, signal }: Pick<ServeProjectOptions, 'onNote'> & { readonly signal: AbortSignal },
): Promise<EngineKeeping | undefined> {
  const { keepOnEngine } = await import('./engine-keeping.ts');
  const onTrouble = (failure: StoreFailure | undefined): void => onNote({ code: 'engine', failure });
  const onRemoteTrouble = (failure: TransferFailure | undefined): void => onNote({ code: 'remote', failure });
  return await keepOnEngine({ ...open, ...engine, onTrouble, onRemoteTrouble, signal });
}

async function closeEngine(keeping: EngineKeeping | undefined): Promise<void> {
  await keeping?.leave();
  await keeping?.close();
}

const RELEASE_WITHIN_MS = 3_000;

interface Closing {
  readonly coordinators: Coordinators | undefined;
  readonly keeping: EngineKeeping | undefined;
  readonly gateway: Gateway;
  readonly stopServer: () => Promise<void>;
  readonly view: { readonly close: () => void };
  readonly note: { readonly remove: () => void };
}

async function close(
  { store }: OpenProject,
  { coordinators, keeping, gateway, stopServer, view, note }: Closing,
): Promise<readonly RunLeft[]> {
  // Runs that wait for an engine cannot be released there.
  const leaving = setTimeout(() => void keeping?.leave(), RELEASE_WITHIN_MS);
  const left = (await coordinators?.close()) ?? [];
  clearTimeout(leaving);
  await closeEngine(keeping);
  gateway.close();
  await stopServer();
  view.close();
  note.remove();
  store.close();
  return left;
}
