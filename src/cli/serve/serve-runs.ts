// `heddle serve`: coordinates every run of the project and takes hosts from other machines, until Ctrl-C.
import { findProject, mustNotBeNested } from '../../app/project.ts';
import { engineAddress } from '../../app/serve/engine-address.ts';
import { serveProject, type ServeProjectOptions, type Serving } from '../../app/serve/serve-project.ts';
import { servedProject } from '../../app/web/served-project.ts';
import { execRoutes, openExecRoute, type ExecRoute } from '../../server/exec-route.ts';
import { gitRoute } from '../../server/git-routes.ts';
import { hostRoutes } from '../../server/host-routes.ts';
import type { Route } from '../../server/route-list.ts';
import type { WebServer } from '../../server/web-server.ts';
import { EXIT, CommandFailure, type ExitCode } from '../terminal/exit-code.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { leftLines, serverNoteText } from '../text/server-note-text.ts';
import { listenForCalls, mustBeSafe, tlsOf, type Listening } from './listening.ts';

export interface ServeFlags extends Omit<Listening, 'host' | 'port'> {
  /** `ADDRESS:PORT`. */
  readonly listen: string;
  readonly width: number | undefined;
  readonly lease: number | undefined;
  readonly engine: string | undefined;
  readonly engineFile: string | undefined;
  readonly engineLease: number;
  readonly remote: string | undefined;
}

export async function serveRuns(terminal: Terminal, flags: ServeFlags): Promise<ExitCode> {
  mustNotBeNested();
  const place = { ...flags, ...placeIn(flags.listen) };
  if (flags.lease !== undefined && flags.lease < LEASE_MS_MIN)
    throw new CommandFailure(
      'A lease is a second at least. Hosts speak six times in one, so a minute or more is usual.',
    );
  const tls = tlsOf(place);
  mustBeSafe(place, tls !== undefined);
  const project = findProject();
  const serving = serveProject({
    project,
    width: flags.width,
    leaseMs: flags.lease,
    engine: engineIn(flags),
    onNote: (note) => {
      const text = serverNoteText(note);
      if (text !== undefined) terminal.err(text);
    },
  });
  const served = servedProject(project);
  const exec = openExecRoute(project);
  const server: WebServer = await listenForCalls({
    flags: place,
    say: terminal.err,
    projects: () => [served],
    tls,
    isReadOnly: false,
    ticketSecret: undefined,
    onReplaced: () => terminal.err(`The link for the browser was used twice. The address is now: ${server.url()}`),
    book: serving.book,
    routes: routesOf(serving, exec),
  }).catch(async (cause: unknown) => {
    await serving.close(() => Promise.resolve());
    throw cause;
  });
  terminal.out(server.url());
  const { origin } = new URL(server.url());
  terminal.err('The dashboard is at this address until Ctrl-C. The address holds its key, so share it with nobody.');
  terminal.err(
    `Other machines join with heddle host --join ${origin}; heddle token add NAME --role host gives each a token.`,
  );
  const stopped = interrupted();
  // An engine that is away is waited for, until Ctrl-C; one that refuses ends the server.
  const refusal = await Promise.race([serving.begin(origin).then(() => stopped, asValue), stopped]);
  exec.close();
  const left = await serving.close(server.close);
  if (refusal !== undefined) throw refusal.cause;
  for (const line of leftLines(left)) terminal.err(line);
  return EXIT.done;
}

/** Every route beside those of the dashboard. */
const routesOf = ({ gateway, files, delivered, git }: Serving, exec: ExecRoute): readonly Route[] => [
  ...hostRoutes({ gateway, files, delivered }),
  gitRoute(git),
  ...execRoutes(exec),
];

function placeIn(listen: string): { readonly host: string; readonly port: number } {
  const { host = '', port = '' } = /^(?<host>\[[^\]]+\]|[^:]*):(?<port>\d{1,5})$/.exec(listen)?.groups ?? {};
  if (port === '' || Number(port) > PORT_MAX)
    throw new CommandFailure(`${listen} is no address and port. Write --listen 127.0.0.1:8321, for example.`);
  return { host: host === '' ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

const asValue = (cause: unknown): { readonly cause: unknown } => ({ cause });

function engineIn({
  engine: address,
  engineFile: file,
  engineLease: leaseMs,
  remote,
}: ServeFlags): ServeProjectOptions['engine'] {
  const url = engineAddress({ address, file });
  return url === undefined ? undefined : { url, leaseMs, remote };
}

const PORT_MAX = 65_535;
const LEASE_MS_MIN = 1_000;

const interrupted = (): Promise<undefined> =>
  new Promise((resolve) => {
    const stop = listenForInterrupts(() => {
      stop();
      resolve(undefined);
    });
  });
