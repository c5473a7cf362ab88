// Where a server listens: the flags that `heddle web` and `heddle serve` share, and what is wrong with them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../app/package-root.ts';
import { startWebServer, type WebServer, type WebServerOptions } from '../../server/web-server.ts';
import { CommandFailure } from '../terminal/exit-code.ts';

export interface Listening {
  readonly host: string;
  readonly port: number;
  readonly insecure: boolean;
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  readonly publicUrl: string | undefined;
  /** A file with a token for the metrics. */
  readonly metricsToken: string | undefined;
}

export type Tls = WebServerOptions['tls'];

export function tlsOf({ tlsCert, tlsKey }: Listening): Tls {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new CommandFailure('TLS needs both files: --tls-cert and --tls-key.');
  return { cert: contentOf(tlsCert), key: contentOf(tlsKey) };
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new CommandFailure(`${file} cannot be read; give the path of a file that you may read.`, { cause });
  }
}

const TOKEN = /^[\w-]{32,200}$/;

/** A token that outlives this process, for programs that cannot read it from the terminal. */
function tokenIn(file: string): string {
  const token = contentOf(file).toString('utf8').trim();
  if (TOKEN.test(token)) return token;
  throw new CommandFailure(
    `${file} holds no token: write 32 to 200 letters, digits, - and _ into it, such as openssl rand -hex 32 prints.`,
  );
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** Others on the network could read the key and everything else on the way. */
export function mustBeSafe({ host, insecure }: Listening, isEncrypted: boolean): void {
  if (LOOPBACK.has(host) || isEncrypted || insecure) return;
  throw new CommandFailure(
    `At ${host} others could read along. Give --tls-cert and --tls-key, or say --insecure if the network is yours alone.`,
  );
}

type Given = 'projects' | 'tls' | 'isReadOnly' | 'ticketSecret' | 'token' | 'onReplaced' | 'book' | 'routes';

export interface ListenOptions extends Pick<WebServerOptions, Given> {
  readonly flags: Listening;
  /** For the person at the terminal. */
  readonly say: (text: string) => void;
}

export async function listenForCalls({ flags, say, ...given }: ListenOptions): Promise<WebServer> {
  const { host, port, publicUrl } = flags;
  if (publicUrl !== undefined && !URL.canParse(publicUrl))
    throw new CommandFailure(`${publicUrl} is no address; write it as https://host.`);
  const started = await startWebServer({
    ...given,
    page: join(PACKAGE_ROOT, 'dist', 'web'),
    host,
    port,
    publicUrl: publicUrl === undefined ? undefined : new URL(publicUrl),
    metricsToken: flags.metricsToken === undefined ? undefined : tokenIn(flags.metricsToken),
    onBug: (bug) => say(`heddle: a request failed by a bug of ours: ${textOf(bug)}`),
  });
  if (started.type === 'started') return started.server;
  throw new CommandFailure(startText(started, flags));
}

const textOf = (bug: unknown): string => (bug instanceof Error ? (bug.stack ?? bug.message) : String(bug));

function startText({ code, message }: { readonly code: string; readonly message: string }, flags: Listening): string {
  const { host, port } = flags;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is taken. Give another; 0 takes a free one.`;
    case 'EACCES':
      return `Port ${port} of ${host} is not for this user. Give one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is no address of this machine. 127.0.0.1 is for this machine alone.`;
    default:
      return `The server could not start at ${host}: ${message}.`;
  }
}
