// Which isolation a plan gets: what it asks for, or nothing at all. Found out by starting a program in it, and remembered
// until the machine restarts or another bubblewrap is installed, because every worker asks.
//
// choose-isolation/H1. `os` is never silently less: where it does not work it is refused, and `auto` says aloud what it
//     came to.
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Isolation, IsolationRequest } from './isolation.ts';
import { asideName, readJson, removeFolder, writeWhole } from '../disk/files.ts';
import { runProgram } from '../disk/run-program.ts';
import { bubblewrap } from './bubblewrap.ts';
import { findToolchains } from './toolchains.ts';

export interface IsolationWish {
  readonly wanted: 'auto' | 'os' | 'none';
  /** Heddle's folder, `.heddle`. */
  readonly home: string;
  /** Where programs are looked for; the environment's PATH unless somebody knows better. */
  readonly path?: string;
}

export type IsolationChosen =
  | { readonly type: 'chosen'; readonly isolation: Isolation; readonly says: string }
  | { readonly type: 'refused'; readonly message: string };

export const NO_ISOLATION: Isolation = { name: 'none', wrap: (argv) => argv };

export async function chooseIsolation({
  wanted,
  home,
  path = process.env['PATH'] ?? '',
}: IsolationWish): Promise<IsolationChosen> {
  if (wanted === 'none') return without('Isolation: none, as the plan says.');
  const program = findProgram('bwrap', path);
  const trouble = program === undefined ? NOT_INSTALLED : await remembered({ home, path, program });
  if (program !== undefined && trouble === undefined) {
    return { type: 'chosen', isolation: isolationBy({ home, path, program }), says: 'Isolation: bubblewrap.' };
  }
  return wanted === 'auto'
    ? without(`Isolation: none, because ${trouble ?? ''}.`)
    : {
        type: 'refused',
        message: `The plan requires isolation by the system (isolation: os), which does not work here: ${trouble ?? ''}.`,
      };
}

const without = (says: string): IsolationChosen => ({ type: 'chosen', isolation: NO_ISOLATION, says });

const NOT_INSTALLED =
  process.platform === 'linux'
    ? 'bubblewrap is not installed; install it, for instance with apt install bubblewrap'
    : 'it takes Linux';

interface Found {
  readonly home: string;
  readonly path: string;
  readonly program: string;
}

function isolationBy({ home, path, program }: Found): Isolation {
  const toolchains = findToolchains({ path, home: homedir(), hidden: [home], programs: [process.execPath] });
  return bubblewrap({ program, toolchains: { ...toolchains, folders: [...toolchains.folders, ...OWN] } });
}

/** Heddle's own programs that run inside, and what says how they are written. */
const OWN = (
  import.meta.url.endsWith('.ts') ? ['../../../', '../../../../package.json'] : ['./', '../../package.json']
).map((path) => fileURLToPath(new URL(path, import.meta.url)));

function findProgram(name: string, path: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  return path
    .split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Why it does not work, in words; undefined when it does. */
async function remembered(found: Found): Promise<string | undefined> {
  const file = join(found.home, 'isolation.json');
  const here = await whereWeAre(found.program);
  const known = readJson(file);
  if (isNote(known) && known.here === here) return known.trouble;
  const trouble = await probe(found);
  await writeWhole(file, JSON.stringify({ here, trouble }));
  return trouble;
}

interface Note {
  readonly here: string;
  readonly trouble?: string;
}

const isNote = (value: unknown): value is Note => typeof value === 'object' && value !== null && 'here' in value;

/** Another kernel, user or bubblewrap, or another start of the machine, may be allowed something else. */
async function whereWeAre(program: string): Promise<string> {
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  return [boot, process.getuid?.(), process.execPath, program, statSync(program).mtimeMs].join(' ');
}

const PROBE_TIME_MAX_MS = 20_000;

/** Writes where it may, and must neither see nor change what lies beside. */
const PROBE = 'test ! -e "$1" && { echo ill > "$1"; echo well > well; }';

async function probe(found: Found): Promise<string | undefined> {
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
  const ending = await runProgram(argv, {
    cwd: folder,
    environment: process.env,
    input: undefined,
    limitMs: PROBE_TIME_MAX_MS,
  });
  const isApart = existsSync(join(inner, 'well')) && (await readFile(secret, 'utf8')) === '';
  await removeFolder(folder);
  if (ending.code === 0 && isApart) return undefined;
  const said = ending.stderr.split('\n').find((line) => line.startsWith('bwrap:')) ?? ending.stderr;
  return `bubblewrap was tried and failed (${said === '' ? 'it does not hide what it should' : said}); let it make user namespaces, or run as another user`;
}

const PROBE_PROCESSES_MAX = 1_000;
