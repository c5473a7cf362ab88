// Starts the engine of a trial cluster: one server on this machine, its data in the folder of the trial.
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captureNow } from '../../shell/exec/capture-now.ts';
import { startTimeOf } from '../../shell/exec/process.ts';
import { Refused } from '../refused.ts';
import type { TrialEngine } from './cluster-book.ts';
import { postgresPrograms, restateProgram } from './engine-programs.ts';
import { freePort } from '../../shell/engines/free-port.ts';
import { startPart } from './start-part.ts';

/** The address of the engine for servers. Only this machine can reach it, so it has no password. */
export const startEngine = (home: string, engine: TrialEngine): Promise<string> =>
  engine === 'postgres' ? startPostgres(home) : startRestate(home);

async function startPostgres(home: string): Promise<string> {
  const bin = postgresPrograms();
  if (bin === undefined) throw new Refused({ code: 'postgres-missing' });
  const { data, wrap } = placeOf(home);
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const made = captureNow([...wrap, join(bin, 'initdb'), '-D', data, '-U', 'heddle', '-A', 'trust'], { cwd: '/' });
    if (made.code !== 0) throw new Refused({ code: 'cluster-command', program: 'initdb', says: made.stderr.trim() });
  }
  removeStaleLock(join(data, 'postmaster.pid'));
  const port = await freePort();
  const options = ['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${data}`];
  const url = `postgres://heddle@127.0.0.1:${port}/postgres`;
  const isReady = async () => ((await listens(port)) ? { url } : undefined);
  const words = [...wrap, join(bin, 'postgres'), '-D', data, ...options];
  await startPart({ home, name: 'engine', words, cwd: '/', isReady });
  return url;
}

/** The server takes its own zombie for another server: in a container nobody may have waited for it. */
function removeStaleLock(file: string): void {
  const [pid] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  if (pid !== undefined && startTimeOf(Number(pid)) === undefined) rmSync(file, { force: true });
}

/** Unlike the usual one it outlives a restart of the machine. */
const KEPT = '/var/tmp';

interface PostgresPlace {
  readonly data: string;
  /** What runs its programs as the right user. */
  readonly wrap: readonly string[];
}

/** PostgreSQL refuses to run as root, so root runs it as its own user, who cannot look into the folders of root. */
function placeOf(home: string): PostgresPlace {
  if (process.getuid?.() !== 0) return { data: join(home, 'postgres'), wrap: [] };
  const found = captureNow(['id', '-u', 'postgres'], { cwd: '/' });
  const user = Number(found.stdout);
  if (found.code !== 0 || Number.isNaN(user)) throw new Refused({ code: 'postgres-root' });
  // Named in the home: a trial that is made anew after its home was removed has another engine than the one before.
  const note = join(home, 'postgres-folder');
  if (!existsSync(note)) writeFileSync(note, mkdtempSync(join(existsSync(KEPT) ? KEPT : tmpdir(), 'heddle-cluster-')));
  const data = readFileSync(note, 'utf8');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  chownSync(data, user, user);
  return { data, wrap: ['setpriv', `--reuid=${user}`, '--clear-groups'] };
}

async function startRestate(home: string): Promise<string> {
  const program = restateProgram(join(home, 'restate-server'));
  const [ingress, admin, fabric] = [await freePort(), await freePort(), await freePort()];
  const words = ['--no-logo', '--listen-mode', 'tcp', '--bind-ip', '127.0.0.1', '--node-name', 'trial'];
  const places = ['--base-dir', join(home, 'restate'), '--bind-port', String(fabric)];
  const url = `restate://127.0.0.1:${ingress}/trial?admin=${admin}`;
  await startPart({
    home,
    name: 'engine',
    words: [program, ...words, ...places, '--default-num-partitions', '4', '--log-filter', 'warn'],
    cwd: home,
    environment: {
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_INGRESS__BIND_PORT: String(ingress),
      RESTATE_ADMIN__BIND_PORT: String(admin),
    },
    isReady: async () => {
      const healths = [`${admin}/health`, `${ingress}/restate/health`];
      const answers = await Promise.all(healths.map((health) => isWell(`http://127.0.0.1:${health}`)));
      return answers.every(Boolean) ? { url } : undefined;
    },
  });
  return url;
}

async function isWell(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    // It does not listen yet.
    return false;
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
