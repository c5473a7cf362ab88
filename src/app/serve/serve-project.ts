// Serves a project: the coordinators of its runs and the gateway of their hosts, in one process.
import { LEASE_MS } from '../../core/protocol/dispatcher.ts';
import { CLOCK } from '../local-parts.ts';
import { openProject, type OpenProject } from '../open-project.ts';
import { programVersion } from '../package-root.ts';
import type { Project } from '../project.ts';
import { openCoordinators, keepingOf, type Coordinators, type RunLeft } from './coordinators.ts';
import { openGateway, type Gateway, type HostChange } from './gateway.ts';
import { openHostFiles, type HostFiles } from './host-files.ts';
import type { GitGate } from './git-gate.ts';
import { serveGit } from './serve-git.ts';
import { openHostsView } from './hosts-view.ts';
import { takeServe } from '../serve-note.ts';
import type { ServerNote } from './server-note.ts';
import { openTokenBook, type TokenBook } from './token-book.ts';

export interface ServeOrder {
  readonly project: Project;
  /** For all runs on this machine together; undefined leaves that to their plans. */
  readonly width: number | undefined;
  /** For how long a host may be silent; undefined for the usual time. */
  readonly leaseMs: number | undefined;
  readonly onNote: (note: ServerNote) => void;
}

export interface Serving {
  readonly gateway: Gateway;
  readonly files: HostFiles;
  readonly git: GitGate;
  readonly book: TokenBook;
  /** Takes runs up from now on; `url` is the address of the server, without a token. */
  readonly begin: (url: string) => void;
  /** Lets go of all runs, and returns those that go on. */
  readonly close: () => Promise<readonly RunLeft[]>;
}

/** A host that listens is answered after this time, or a third of a shorter lease. */
const POLL_MS = 25_000;

export function serveProject({ project, width, leaseMs = LEASE_MS, onNote }: ServeOrder): Serving {
  const open = openProject('write', project);
  const note = takeServe(project, { since: CLOCK.now(), version: programVersion() });
  let coordinators: Coordinators | undefined;
  const onChange = (change: HostChange): void => {
    if (change.type === 'refused') view.noteRefused(change.run, change.refused);
    view.touch();
    onNote({ code: 'host', change });
  };
  const gateway = openGateway({
    clock: CLOCK,
    leaseMs,
    pollMs: Math.min(POLL_MS, leaseMs / 3),
    width,
    standingOf: (run) => coordinators?.standingOf(run) ?? 'elsewhere',
    onTails: (host, tails) => files.receiveTails(host, tails),
    onChange,
  });
  const files = openHostFiles({ ...open, ask: gateway.ask });
  const view = openHostsView({ project, hosts: gateway.hosts, leaseMs, now: CLOCK.now });
  return {
    gateway,
    files,
    git: serveGit({ ...open, gateway }),
    book: openTokenBook(project.home, CLOCK),
    begin: (url) => {
      note.tell(url);
      view.touch();
      coordinators = openCoordinators({ ...open, keeping: keepingOf(open), remote: gateway, width, leaseMs, onNote });
    },
    close: async () => {
      files.close();
      return await close(open, { coordinators, gateway, view, note });
    },
  };
}

interface Closing {
  readonly coordinators: Coordinators | undefined;
  readonly gateway: Gateway;
  readonly view: { readonly close: () => void };
  readonly note: { readonly remove: () => void };
}

async function close(
  { store }: OpenProject,
  { coordinators, gateway, view, note }: Closing,
): Promise<readonly RunLeft[]> {
  const left = (await coordinators?.close()) ?? [];
  gateway.close();
  view.close();
  note.remove();
  store.close();
  return left;
}
