// `heddle web`: serves the dashboard until Ctrl-C, whether or not a coordinator is up.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chooseRun } from '../../app/open-project.ts';
import { PACKAGE_ROOT } from '../../app/package-root.ts';
import { findProject, mustNotBeNested } from '../../app/project.ts';
import { Refused } from '../../app/refused.ts';
import { openBrowser } from '../../app/web/open-browser.ts';
import { awaitParent } from '../../app/web/web-process.ts';
import { projectsBelow, servedProject, type ServedProject } from '../../app/web/served-project.ts';
import { startWebServer, type WebServer, type WebServerOptions } from '../../server/web-server.ts';
import { EXIT, type ExitCode, Failure } from '../terminal/exit-code.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface WebFlags {
  readonly port: number;
  readonly host: string;
  readonly open: boolean;
  readonly root: string | undefined;
  readonly readOnly: boolean;
  readonly insecure: boolean;
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  readonly publicUrl: string | undefined;
  /** A file with a token for the metrics. */
  readonly metricsToken: string | undefined;
  /** Started by a coordinator, which prints the address. */
  readonly withParent: boolean;
}

export async function serveWeb(terminal: Terminal, named: string | undefined, flags: WebFlags): Promise<ExitCode> {
  mustNotBeNested();
  const tls = tlsOf(flags);
  mustBeSafe(flags, tls !== undefined);
  const projects = projectsFor(flags);
  const shown = named === undefined ? '' : placeOf(projects(), named);
  if (flags.withParent) return await serveForParent({ flags, projects, tls, shown });
  const server = await start(terminal.err, { flags, projects, tls, shown, secret: undefined });
  terminal.out(`${server.url()}${shown}`);
  terminal.err('The dashboard is at this address until Ctrl-C. The address holds its key, so share it with nobody.');
  if (flags.open && !(await openBrowser(server.urlToOpen())))
    terminal.err('No browser could be started here; open the address yourself.');
  await new Promise<void>((resolve) => {
    const stop = listenForInterrupts(() => {
      stop();
      resolve();
    });
  });
  await server.close();
  return EXIT.done;
}

/** `heddle run --web`: the coordinator prints the address, and this process ends with it. */
async function serveForParent(serving: Omit<Serving, 'secret'>): Promise<ExitCode> {
  const parent = await awaitParent();
  // A terminal signals the whole foreground; the coordinator decides when the server ends.
  const stop = listenForInterrupts(() => undefined);
  try {
    const server = await start(() => undefined, { ...serving, secret: parent.secret });
    parent.tell({ type: 'started', url: `${server.url()}${serving.shown}` });
    await parent.gone;
    await server.close();
    return EXIT.done;
  } catch (cause) {
    parent.tell({ type: 'failed', message: cause instanceof Error ? cause.message : String(cause) });
    throw cause;
  } finally {
    stop();
  }
}

/** Refuses a folder without runs, where there would be nothing to see. */
function projectsFor({ root }: WebFlags): () => readonly ServedProject[] {
  if (root === undefined) {
    const project = servedProject(findProject());
    project.open('read').store.close();
    return () => [project];
  }
  const search = (): readonly ServedProject[] => projectsBelow(root).map(servedProject);
  if (search().length === 0) throw new Refused({ code: 'no-runs', folder: root });
  return search;
}

/** The rest of the fragment, which tells the page what to show first. */
function placeOf([project, ...others]: readonly ServedProject[], run: string): string {
  if (project === undefined || others.length > 0)
    throw new Failure('A run is named within one project: leave out the run, or --root.');
  const open = project.open('read');
  try {
    return `&to=/p/${project.id}/r/${chooseRun(open.store, run).run}`;
  } finally {
    open.store.close();
  }
}

type Tls = WebServerOptions['tls'];

function tlsOf({ tlsCert, tlsKey }: WebFlags): Tls {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new Failure('TLS needs both files: --tls-cert and --tls-key.');
  return { cert: contentOf(tlsCert), key: contentOf(tlsKey) };
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new Failure(`${file} cannot be read; give the path of a file that you may read.`, { cause });
  }
}

const TOKEN = /^[\w-]{32,200}$/;

/** A token that outlives this process, for programs that cannot read it from the terminal. */
function tokenIn(file: string): string {
  const token = contentOf(file).toString('utf8').trim();
  if (TOKEN.test(token)) return token;
  throw new Failure(
    `${file} holds no token: write 32 to 200 letters, digits, - and _ into it, such as openssl rand -hex 32 prints.`,
  );
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** Others on the network could read the key and everything else on the way. */
function mustBeSafe({ host, insecure }: WebFlags, isEncrypted: boolean): void {
  if (LOOPBACK.has(host) || isEncrypted || insecure) return;
  throw new Failure(
    `At ${host} others could read along. Give --tls-cert and --tls-key, or say --insecure if the network is yours alone.`,
  );
}

interface Serving {
  readonly flags: WebFlags;
  readonly projects: () => readonly ServedProject[];
  readonly tls: Tls;
  readonly shown: string;
  /** With which tickets for answers are signed; undefined when nobody signs any. */
  readonly secret: string | undefined;
}

async function start(
  say: (text: string) => void,
  { flags, projects, tls, shown, secret }: Serving,
): Promise<WebServer> {
  const { host, port, publicUrl, readOnly: isReadOnly } = flags;
  if (publicUrl !== undefined && !URL.canParse(publicUrl))
    throw new Failure(`${publicUrl} is no address; write it as https://host.`);
  const started = await startWebServer({
    projects,
    page: join(PACKAGE_ROOT, 'dist', 'web'),
    host,
    port,
    tls,
    publicUrl: publicUrl === undefined ? undefined : new URL(publicUrl),
    isReadOnly,
    onReplaced: () => {
      say('The link for the browser was used twice, so another program has seen it. The address is now:');
      if (started.type === 'started') say(`${started.server.url()}${shown}`);
    },
    ticketSecret: secret,
    metricsToken: flags.metricsToken === undefined ? undefined : tokenIn(flags.metricsToken),
    exec: undefined,
    onBug: (bug) => say(`heddle web: a request failed by a bug of ours: ${textOf(bug)}`),
  });
  if (started.type === 'started') return started.server;
  throw new Failure(startText(started, flags));
}

const textOf = (bug: unknown): string => (bug instanceof Error ? (bug.stack ?? bug.message) : String(bug));

function startText({ code, message }: { readonly code: string; readonly message: string }, flags: WebFlags): string {
  const { host, port } = flags;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is taken. Give another, or leave out --port for a free one.`;
    case 'EACCES':
      return `Port ${port} of ${host} is not for this user. Give one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine. Leave out --host for this machine alone.`;
    default:
      return `The server could not start at ${host}: ${message}.`;
  }
}
