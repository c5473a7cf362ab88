// A PostgreSQL server of a test file's own: a cluster in a temporary folder, on a port of the loopback interface.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Need } from '../../../test/needs.given.ts';
import { freePort } from './free-port.ts';

/** Where Debian has the programs of each version. */
const VERSIONS = '/usr/lib/postgresql';

function programs(): string | undefined {
  const version = existsSync(VERSIONS) ? readdirSync(VERSIONS).toSorted().at(-1) : undefined;
  return version === undefined ? undefined : join(VERSIONS, version, 'bin');
}

const userId = (): number => Number(spawnSync('id', ['-u', 'postgres'], { encoding: 'utf8' }).stdout || NaN);

/** The server refuses to run as root, so root runs it as another user. */
export function postgresNeed(): Need {
  const missing =
    programs() === undefined
      ? 'there is no PostgreSQL here'
      : process.getuid?.() === 0 && Number.isNaN(userId())
        ? 'there is no user postgres here, and its server refuses root'
        : undefined;
  return { name: 'engines', missing };
}

export interface PostgresServer {
  readonly url: string;
  readonly start: () => void;
  /** Ends the server as a crash does. */
  readonly crash: () => void;
  /** A folder of the server on a disk of two megabytes, and what removes it once no table is there; only where one can mount. */
  readonly smallDisk: () => readonly [folder: string, remove: () => void];
  readonly remove: () => void;
}

/** A machine of its own, for a server whose network is to fail. */
export interface ServerPlace {
  readonly address: string;
  /** The command line that starts a program there. */
  readonly words: (command: readonly string[]) => readonly string[];
}

export const LOOPBACK_PLACE: ServerPlace = { address: '127.0.0.1', words: (command) => command };

export async function startPostgres({ address, words }: ServerPlace = LOOPBACK_PLACE): Promise<PostgresServer> {
  const bin = programs() ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'heddle-postgres-'));
  chmodSync(folder, 0o700);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, userId(), userId());
  const run = (program: string, ...args: readonly string[]): void => {
    const command = [join(bin, program), ...args];
    const asUser = isRoot ? ['setpriv', '--reuid=postgres', '--clear-groups', ...command] : command;
    const [first = '', ...rest] = words(asUser);
    execFileSync(first, rest, { cwd: '/', stdio: 'ignore' });
  };
  const data = join(folder, 'data');
  const port = await freePort();
  run('initdb', '-D', data, '-U', 'heddle', '-A', 'trust', '--no-sync');
  appendFileSync(join(data, 'pg_hba.conf'), `host all all ${address}/24 trust\n`);
  const options = `-p ${port} -c listen_addresses=${address} -c unix_socket_directories=${folder}`;
  const start = (): void => {
    // Of a server that was killed: its process may still be there as a zombie, and the server takes that for another one.
    rmSync(join(data, 'postmaster.pid'), { force: true });
    rmSync(join(folder, `.s.PGSQL.${port}.lock`), { force: true });
    run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start');
  };
  const crash = (): void => run('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
  start();
  const remove = (): void => {
    try {
      crash();
    } catch {
      // It has crashed before.
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const smallDisk = () => {
    const small = join(folder, 'small');
    mkdirSync(small);
    // A server that has crashed makes its tables there again, and by then the disk may be gone.
    if (isRoot) chownSync(small, userId(), userId());
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=2m,mode=0700,uid=${userId()}`, 'none', small]);
    return [small, () => void execFileSync('umount', ['--lazy', small])] as const;
  };
  return { url: `postgres://heddle@${address}:${port}/postgres`, start, crash, smallDisk, remove };
}
