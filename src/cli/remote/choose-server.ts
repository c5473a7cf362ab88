// The server that a command line is for, and what opens it.
//
// choose-server/S1. A token is read from a file and goes into one header. It is in no argument and no environment.
// choose-server/S2. Without encryption nothing leaves this machine, unless the person insists.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { serverAddress } from '../../app/hosts/server-address.ts';
import { tokenIn } from '../../app/hosts/read-token.ts';
import { CommandFailure } from '../terminal/exit-code.ts';

export interface Server {
  /** With a slash at its end. */
  readonly url: URL;
  readonly token: string;
  /** A file of certificates to trust besides those of the system. */
  readonly authorities: string | undefined;
}

export interface ServerFlags {
  readonly tokenFile?: string | undefined;
  readonly tlsCa?: string | undefined;
  readonly insecure?: boolean | undefined;
}

export function chooseServer(named: string, flags: ServerFlags): Server {
  const url = serverUrl(named, flags.insecure === true);
  return { url, token: tokenFor(url, flags.tokenFile), authorities: authoritiesIn(flags) };
}

export const authoritiesIn = ({ tlsCa }: ServerFlags): string | undefined =>
  tlsCa ?? unlessEmpty(process.env['HEDDLE_TLS_CA_FILE']);

export function serverUrl(named: string, isInsecure: boolean): URL {
  const url = serverAddress(named, { isInsecure });
  // Paths are resolved against it.
  return new URL(url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`, url.origin);
}

function tokenFor(url: URL, named: string | undefined): string {
  const file = named ?? unlessEmpty(process.env['HEDDLE_TOKEN_FILE']);
  const text = file === undefined ? storedToken(url) : contentOf(file).toString('utf8');
  if (text === undefined)
    throw new CommandFailure(
      `There is no token for ${url.host} here. heddle login ${url.origin} stores one; heddle token add, on the server, makes one.`,
    );
  return tokenIn(file ?? tokenPath(url), text);
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
    throw new CommandFailure(`${file} cannot be read; give the path of a file that you may read.`, { cause });
  }
}
