// A trial cluster on this machine: an engine, two servers in clones of their own, hosts, and a bare repository between them.
// It touches nothing of the project but to clone it.
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { captureNow } from '../../shell/exec/capture-now.ts';
import { CLOCK } from '../local-parts.ts';
import { PACKAGE_ROOT } from '../package-root.ts';
import { Refused } from '../refused.ts';
import { livingServe } from '../serve-note.ts';
import { addAccessToken, listTokens, tokensFile } from '../serve/token-list.ts';
import {
  livingParts,
  readClusterBook,
  writeClusterBook,
  type ClusterBook,
  type ClusterPart,
  type TrialEngine,
} from './cluster-book.ts';
import { freePort } from '../../shell/engines/free-port.ts';
import { startEngine } from './start-engine.ts';
import { startPart } from './start-part.ts';

export interface TrialClusterOptions {
  /** The folder of the trial. */
  readonly home: string;
  /** The repository that is cloned. */
  readonly project: string;
  readonly engine: TrialEngine;
  readonly hosts: number;
  readonly width: number;
}

const SERVERS = 2;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
/** Short, so that a takeover can be watched. */
const ENGINE_LEASE = '5s';

export const serverFolder = (home: string, number: number): string => join(home, `serve-${number}`);

/** What runs. A trial that was ended goes on with the runs that it had. */
export async function clusterUp(options: TrialClusterOptions): Promise<readonly ClusterPart[]> {
  const { home, engine, project } = options;
  mkdirSync(home, { recursive: true, mode: PRIVATE_FOLDER });
  mustBeFree(options, readClusterBook(home));
  writeClusterBook(home, { project, engine, parts: [] });
  const remote = join(home, 'remote.git');
  if (!existsSync(remote)) git(home, 'clone', '--quiet', '--bare', project, remote);
  const file = join(home, 'engine-address');
  writeFileSync(file, `${await startEngine(home, engine)}\n`, { mode: PRIVATE_FILE });
  const numbers = Array.from({ length: SERVERS }, (_, at) => at + 1);
  for (const number of numbers)
    if (!existsSync(serverFolder(home, number))) git(home, 'clone', '--quiet', remote, serverFolder(home, number));
  const tokens = tokensFor(options, numbers);
  const urls = await Promise.all(numbers.map((number) => startServer(options, { number, file, remote })));
  for (const [at, tokenFile] of tokens.entries()) await startTrialHost(options, { number: at + 1, tokenFile, urls });
  return readClusterBook(home)?.parts ?? [];
}

function mustBeFree({ home, project, engine }: TrialClusterOptions, book: ClusterBook | undefined): void {
  if (book === undefined) return;
  if (livingParts(book).length > 0) throw new Refused({ code: 'cluster-running', home });
  if (book.project !== project || book.engine !== engine)
    throw new Refused({ code: 'cluster-other', home, project: book.project, engine: book.engine });
}

function git(cwd: string, ...words: readonly string[]): void {
  const { code, stderr } = captureNow(['git', ...words], { cwd });
  if (code !== 0) throw new Refused({ code: 'cluster-command', program: 'git', says: stderr.trim() });
}

/** A file with a token for each host. The servers have the same list of them. */
function tokensFor({ home, hosts }: TrialClusterOptions, servers: readonly number[]): readonly string[] {
  const folder = join(home, 'tokens');
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  const [first = '', ...others] = servers.map((number) => join(serverFolder(home, number), '.heddle'));
  mkdirSync(first, { recursive: true, mode: PRIVATE_FOLDER });
  const known = new Set(listTokens(first).map(({ name }) => name));
  const files = Array.from({ length: hosts }, (_, at) => {
    const [name, file] = [`host-${at + 1}`, join(folder, `host-${at + 1}`)];
    if (!known.has(name)) {
      const token = addAccessToken(first, { name, role: 'host', days: undefined, now: CLOCK.now() });
      writeFileSync(file, `${token}\n`, { mode: PRIVATE_FILE });
    }
    return file;
  });
  for (const other of others) {
    mkdirSync(other, { recursive: true, mode: PRIVATE_FOLDER });
    copyFileSync(tokensFile(first), tokensFile(other));
  }
  return files;
}

const heddle = (...words: readonly string[]): readonly string[] => [
  process.execPath,
  join(PACKAGE_ROOT, 'bin', 'heddle.js'),
  ...words,
];

interface TrialServerOptions {
  readonly number: number;
  /** With the address of the engine. */
  readonly file: string;
  readonly remote: string;
}

async function startServer(
  { home }: TrialClusterOptions,
  { number, file, remote }: TrialServerOptions,
): Promise<string> {
  const cwd = serverFolder(home, number);
  const port = await freePort();
  const ofEngine = ['--engine-file', file, '--engine-lease', ENGINE_LEASE, '--remote', remote];
  const url = await startPart({
    home,
    name: `serve-${number}`,
    words: [...heddle('serve', '--listen', `127.0.0.1:${port}`), ...ofEngine],
    cwd,
    isReady: () => {
      const note = livingServe({ home: join(cwd, '.heddle') });
      return Promise.resolve(note === undefined || note.url === '' ? undefined : { url: note.url });
    },
  });
  return url ?? '';
}

interface TrialHost {
  readonly number: number;
  readonly tokenFile: string;
  readonly urls: readonly string[];
}

async function startTrialHost(
  { home, width }: TrialClusterOptions,
  { number, tokenFile, urls }: TrialHost,
): Promise<void> {
  const own = join(home, `host-${number}`);
  mkdirSync(own, { recursive: true, mode: PRIVATE_FOLDER });
  const ofHost = ['--token-file', tokenFile, '--home', own, '--width', String(width)];
  await startPart({
    home,
    name: `host-${number}`,
    words: [...heddle('host', '--join', urls.join(',')), ...ofHost],
    cwd: own,
    isReady: () => Promise.resolve({ url: undefined }),
  });
}
