// Which isolation a plan gets. Found out by starting a program in it.
//
// choose-isolation/H1. `os` is never silently less. `auto` falls back only where there is nothing to isolate with: no
//     bubblewrap, or a kernel that makes no user namespaces, by the word of bubblewrap and of the kernel both: a security
//     module may allow bubblewrap what it denies others. A bubblewrap that is there and fails, or cannot even be started,
//     is refused: whatever made it fail may pass, and the work would have run unprotected.
// choose-isolation/H2. Only a success is remembered, until the machine restarts or another bubblewrap is installed,
//     because every worker asks. When it stops working afterwards, programs fail to start; none starts unprotected.
import type { SandboxFailure } from '../../../core/protocol/sandbox-failure.ts';
import { createHash } from 'node:crypto';
import { accessSync, chmodSync, constants, existsSync, lstatSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IsolationReason } from '../../../core/protocol/sandbox-backend.ts';
import type { Isolation, IsolationRequest } from './isolation.ts';
import { asideName, readJsonFile, removeFolder, writeWhole } from '../disk/files.ts';
import { runSandboxProgram, type ProgramEnd } from '../disk/run-program.ts';
import { bubblewrap } from './bubblewrap.ts';
import { keyringLauncher } from './keyring-launcher.ts';
import { seccompFilter } from './seccomp.ts';
import { findToolchains } from './toolchains.ts';

export interface IsolationWish {
  readonly wanted: 'auto' | 'os' | 'none';
  /** Heddle's folder, `.heddle`. */
  readonly home: string;
  /** Where programs are looked for; the environment's PATH by default. */
  readonly path?: string;
}

export type IsolationChosen =
  | { readonly type: 'chosen'; readonly isolation: Isolation; readonly why: IsolationReason }
  | { readonly type: 'refused'; readonly failure: SandboxFailure };

export const NO_ISOLATION: Isolation = { name: 'none', wrap: (argv) => argv };

export async function chooseIsolation({
  wanted,
  home,
  path = process.env['PATH'] ?? '',
}: IsolationWish): Promise<IsolationChosen> {
  if (wanted === 'none') return without('plan');
  if (process.platform !== 'linux') return lacking(wanted, 'not-linux');
  const looked = findProgram('bwrap', path);
  if (looked.type === 'absent') return lacking(wanted, 'not-installed');
  if (looked.type === 'broken') {
    const { program, message } = looked;
    return { type: 'refused', failure: { code: 'bubblewrap-fails', program, stderr: message } };
  }
  const { program } = looked;
  const found = { home, path, program, filter: await writeFilter(home) };
  const { launcher, why } = await chooseLauncher(found);
  const trial = await remembered({ ...found, launcher });
  switch (trial.type) {
    case 'works':
      return { type: 'chosen', isolation: isolationBy({ ...found, launcher }), why };
    case 'impossible':
      return lacking(wanted, 'no-user-namespaces');
    case 'failed':
      return { type: 'refused', failure: { code: 'bubblewrap-fails', program, stderr: trial.stderr } };
  }
}

const without = (why: IsolationReason): IsolationChosen => ({ type: 'chosen', isolation: NO_ISOLATION, why });

type Missing = Extract<SandboxFailure, { readonly code: 'isolation-missing' }>['why'];

const lacking = (wanted: 'auto' | 'os', why: Missing): IsolationChosen =>
  wanted === 'auto' ? without(why) : { type: 'refused', failure: { code: 'isolation-missing', why } };

interface Found {
  readonly home: string;
  readonly path: string;
  readonly program: string;
  /** The file of the seccomp filter; undefined where there is none for the processor. */
  readonly filter: string | undefined;
  /** The file of the program that takes a fresh session keyring; undefined where it cannot be run. */
  readonly launcher: string | undefined;
}

function isolationBy({ home, path, program, filter, launcher }: Found): Isolation {
  const toolchains = findToolchains({ path, home: homedir(), hidden: [home], programs: [process.execPath] });
  return bubblewrap({ program, filter, launcher, toolchains: { ...toolchains, paths: [...toolchains.paths, ...OWN] } });
}

/** Heddle's own programs that run inside, and what says how they are written. */
const OWN = (
  import.meta.url.endsWith('.ts') ? ['../../../', '../../../../package.json'] : ['./', '../../package.json']
).map((path) => fileURLToPath(new URL(path, import.meta.url)));

type Looked =
  | { readonly type: 'found'; readonly program: string }
  | { readonly type: 'absent' }
  /** It is there, or it could not be seen whether it is. */
  | { readonly type: 'broken'; readonly program: string; readonly message: string };

/** The first that can be started; where there is none, the first that is there. */
function findProgram(name: string, path: string): Looked {
  const seen = path
    .split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => look(join(folder, name)));
  return seen.find(({ type }) => type === 'found') ?? seen.find(({ type }) => type === 'broken') ?? { type: 'absent' };
}

function look(program: string): Looked {
  try {
    if (lstatSync(program).isDirectory()) return { type: 'absent' };
  } catch (error) {
    return ABSENT.has(codeOf(error)) ? { type: 'absent' } : { type: 'broken', program, message: codeOf(error) };
  }
  try {
    accessSync(program, constants.X_OK);
    return statSync(program).isFile() ? { type: 'found', program } : { type: 'absent' };
  } catch (error) {
    return { type: 'broken', program, message: `it cannot be started (${codeOf(error)})` };
  }
}

/** What the system says where there is nothing, or nothing that this user could know of. */
const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES']);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error);

async function writeFilter(home: string): Promise<string | undefined> {
  const filter = seccompFilter(process.arch);
  return filter === undefined ? undefined : await written(home, { name: 'seccomp', bytes: filter, ending: 'bpf' });
}

interface Means {
  readonly name: string;
  readonly bytes: Buffer;
  readonly ending: string;
}

/** Named by its content, so that programs of two versions of Heddle find their own. */
async function written(home: string, { name, bytes, ending }: Means): Promise<string> {
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const file = join(home, `${name}-${digest}.${ending}`);
  const isThere = existsSync(file) && readFileSync(file).equals(bytes);
  if (!isThere) await writeWhole(file, bytes);
  return file;
}

interface ChosenLauncher {
  readonly launcher: string | undefined;
  readonly why: IsolationReason;
}

/** Asked each time until it works: what keeps a user from a keyring, such as a count of keys, may pass. */
async function chooseLauncher(found: Omit<Found, 'launcher'>): Promise<ChosenLauncher> {
  const bytes = keyringLauncher(process.arch);
  if (found.filter === undefined || bytes === undefined) return { launcher: undefined, why: 'works-unfiltered' };
  const launcher = await written(found.home, { name: 'keyring', bytes, ending: 'elf' });
  if (await isRemembered({ ...found, launcher })) return { launcher, why: 'works' };
  chmodSync(launcher, OWNER_RUNS);
  const { code } = await runSandboxProgram([launcher], {
    cwd: found.home,
    environment: {},
    input: undefined,
    limitMs: PROBE_TIME_MAX_MS,
  });
  if (code === undefined) return { launcher: undefined, why: 'works-old-keyring' };
  return { launcher, why: code === 0 || code === NO_SUCH_CALL ? 'works' : 'works-old-keyring' };
}

const OWNER_RUNS = 0o700;

/** What the launcher says of a kernel without keyrings: there is nothing to hide. */
const NO_SUCH_CALL = 38;

type Trial =
  | { readonly type: 'works' }
  /** Nothing that bubblewrap could do about it: the kernel does not let this user. */
  | { readonly type: 'impossible' }
  /** Without output, it hides nothing. */
  | { readonly type: 'failed'; readonly stderr: string };

async function remembered(found: Found): Promise<Trial> {
  if (await isRemembered(found)) return { type: 'works' };
  const trial = await probe(found);
  if (trial.type === 'works') await writeWhole(noteFile(found), JSON.stringify({ worked: await whereWeAre(found) }));
  return trial;
}

async function isRemembered(found: Found): Promise<boolean> {
  const known = readJsonFile(noteFile(found));
  return isNote(known) && known.worked === (await whereWeAre(found));
}

const noteFile = ({ home }: Found): string => join(home, 'isolation.json');

interface Note {
  readonly worked: string;
}

const isNote = (value: unknown): value is Note => typeof value === 'object' && value !== null && 'worked' in value;

/** Another kernel, user or bubblewrap, or another start of the machine, may be allowed something else. */
async function whereWeAre({ program, filter, launcher }: Found): Promise<string> {
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  return [boot, process.getuid?.(), process.execPath, program, statSync(program).mtimeMs, filter, launcher].join(' ');
}

const PROBE_TIME_MAX_MS = 20_000;

/** Writes where it may, and must neither see nor change what lies beside. */
const PROBE = 'test ! -e "$1" && { echo ill > "$1"; echo well > well; }';

async function probe(found: Found): Promise<Trial> {
  const folder = join(found.home, 'scratch', asideName());
  const inner = join(folder, 'inner');
  mkdirSync(inner, { recursive: true });
  const secret = join(folder, 'secret');
  await writeFile(secret, '');
  const request: IsolationRequest = {
    writable: [inner],
    readable: [],
    cwd: inner,
    home: { folder: inner, brought: [], unset: [] },
    network: { type: 'none' },
    limits: { fileSize: 1024 ** 2, memory: 1024 ** 3, processes: PROBE_PROCESSES_MAX },
    session: 'own',
  };
  const argv = isolationBy(found).wrap(['/bin/sh', '-c', PROBE, 'heddle', secret], request);
  const ending = await runSandboxProgram(argv, {
    cwd: folder,
    environment: process.env,
    input: undefined,
    limitMs: PROBE_TIME_MAX_MS,
  });
  const isApart = existsSync(join(inner, 'well')) && (await readFile(secret, 'utf8')) === '';
  await removeFolder(folder);
  if (ending.code === 0 && isApart) return { type: 'works' };
  if (isDenial(ending) && (await areUserNamespacesDenied())) return { type: 'impossible' };
  return {
    type: 'failed',
    // What stands first is Heddle's own.
    stderr:
      ending.stderr.split('\n').find((line) => line.startsWith('bwrap:')) ?? ending.stderr.replace(argv[0] ?? '', 'it'),
  };
}

const PROBE_PROCESSES_MAX = 1_000;

/** Whether bubblewrap ended by itself, for want of something that the kernel denies. */
const isDenial = ({ code, stderr }: ProgramEnd): boolean =>
  code !== undefined && code !== 0 && [...DENIED, ...DENIED_TO_BUBBLEWRAP].some((words) => stderr.includes(words));

/** Its own words for some of these answers. */
const DENIED_TO_BUBBLEWRAP = [
  'No permissions to create new namespace',
  'kernel does not support user namespaces',
  'user/max_',
];

/** What the kernel answers, for good, where it has no user namespaces or a setting or a security module denies them. */
const DENIED = ['Operation not permitted', 'Permission denied', 'Invalid argument', 'Function not implemented'];

/** Whether the kernel itself denies user namespaces. Any other failure may pass. */
async function areUserNamespacesDenied(): Promise<boolean> {
  if (existsSync(COUNT_MAX) && Number(readFileSync(COUNT_MAX, 'utf8')) === 0) return true;
  const { code, stderr } = await runSandboxProgram(['unshare', '--user', '--map-root-user', 'true'], {
    cwd: '/',
    environment: { ...process.env, LC_ALL: 'C' },
    input: undefined,
    limitMs: PROBE_TIME_MAX_MS,
  });
  return code !== undefined && code !== 0 && DENIED.some((words) => stderr.trimEnd().endsWith(words));
}

const COUNT_MAX = '/proc/sys/user/max_user_namespaces';
