// The server that a command line is for, and what opens it.
//
// choose-server/S1. A token is read from a file and goes into one header. It is in no argument and no environment.
// choose-server/S2. Without encryption nothing leaves this machine, unless the person insists.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { Failure } from '../terminal/exit-code.ts';

export interface Server {
  /** With a slash at its end. */
  readonly url: URL;
  readonly token: string;
  /** A file of certificates to trust besides those of the system. */
  readonly authorities: string | undefined;
}

export interface ServerFlags {
  readonly tokenFile?: string | undefined;
  readonly ca?: string | undefined;
  readonly insecure?: boolean | undefined;
}

export function chooseServer(named: string, flags: ServerFlags): Server {
  const url = serverUrl(named, flags.insecure === true);
  return { url, token: tokenFor(url, flags.tokenFile), authorities: authoritiesIn(flags) };
}

export const authoritiesIn = ({ ca }: ServerFlags): string | undefined =>
  ca ?? unlessEmpty(process.env['HEDDLE_CA_FILE']);

export function serverUrl(named: string, isInsecure: boolean): URL {
  const url = URL.canParse(named) ? new URL(named) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new Failure(`${named} is no address of a server. Write it as https://host:port.`);
  if (url.username !== '' || url.password !== '')
    throw new Failure('A token does not belong into the address, where others see it. heddle login stores it.');
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && !isInsecure)
    throw new Failure(
      `On the way to ${url.host} others could read along. Use https, or say --insecure if the network is yours alone.`,
    );
  // Paths are resolved against it.
  return new URL(url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`, url.origin);
}

/** Names of this machine. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const TOKEN = /^[\w-]{1,200}$/;

function tokenFor(url: URL, named: string | undefined): string {
  const file = named ?? unlessEmpty(process.env['HEDDLE_TOKEN_FILE']);
  const text = file === undefined ? storedToken(url) : contentOf(file).toString('utf8');
  if (text === undefined)
    throw new Failure(
      `There is no token for ${url.host} here. heddle login ${url.origin} stores one; heddle token add, on the server, makes one.`,
    );
  return tokenIn(text, file ?? tokenPath(url));
}

export function tokenIn(text: string, from: string): string {
  const token = text.trim();
  if (TOKEN.test(token)) return token;
  throw new Failure(`There is no token in ${from}. Put there what heddle token add printed.`);
}

function storedToken(url: URL): string | undefined {
  try {
    return readFileSync(tokenPath(url), 'utf8');
  } catch {
    // A token that cannot be read is as good as none.
    return undefined;
  }
}

export function storeToken(url: URL, token: string): string {
  const file = tokenPath(url);
  mkdirSync(tokensFolder(), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  // The file may have been there before.
  chmodSync(file, 0o600);
  return file;
}

/** The colon before a port is no character for a file name everywhere. */
const tokenPath = ({ host }: URL): string => join(tokensFolder(), host.replaceAll(':', '_'));

/** An empty or relative XDG_CONFIG_HOME counts as none, as its specification asks. */
function tokensFolder(): string {
  const configured = process.env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(configured) ? configured : join(homedir(), '.config'), 'heddle', 'tokens');
}

const unlessEmpty = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

export function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new Failure(`${file} cannot be read; give the path of a file that you may read.`, { cause });
  }
}
