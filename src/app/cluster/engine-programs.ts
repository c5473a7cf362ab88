// The programs of the engines that a trial can use: PostgreSQL as the system has it, and Restate's server from npm, which is
// fetched into a folder of Heddle's and never without a yes.
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { capture } from '../../shell/exec/capture.ts';
import { Refused } from '../refused.ts';

/** Pinned: the state that it writes is of this version. The tests run the same. */
export const RESTATE_VERSION = '1.7.12';
const RESTATE_PACKAGE = '@restatedev/restate-server';

/** Where Debian has the programs of each version, which are not on the path. */
const DEBIAN_VERSIONS = '/usr/lib/postgresql';

/** The folder of `postgres` and `initdb`; undefined where there is none. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync(DEBIAN_VERSIONS)
    ? readdirSync(DEBIAN_VERSIONS).toSorted((one, other) => Number(other) - Number(one))
    : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(DEBIAN_VERSIONS, version, 'bin')),
  ];
  return folders.find((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb')));
}

/** The program of Restate's server, whether or not it is there. */
export const restateProgram = (folder: string): string =>
  join(
    folder,
    'node_modules',
    '@restatedev',
    `restate-server-${process.platform}-${process.arch}`,
    'bin',
    'restate-server',
  );

const FETCH_MS = 600_000;

/** Its package needs no script of its own. */
export async function fetchRestate(folder: string): Promise<void> {
  const words = ['npm', 'install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
  const { end, stderr } = await capture([...words, `${RESTATE_PACKAGE}@${RESTATE_VERSION}`], {
    cwd: folder,
    environment: process.env,
    timeoutMs: FETCH_MS,
  });
  if (end.type === 'exited' && end.code === 0 && existsSync(restateProgram(folder))) return;
  throw new Refused({
    code: 'cluster-command',
    program: 'npm',
    says: stderr.toString('utf8').trim().slice(-CHARACTERS_MAX),
  });
}

const CHARACTERS_MAX = 500;
