// A project in a temporary folder, with sandboxes over it, for tests.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openRepository, type Repository } from '../git/repository.ts';
import { foldersOf, type SandboxSettings } from './tree/sandbox-context.ts';
import { NO_ISOLATION } from './isolation/choose-isolation.ts';
import type { Sandbox } from './sandbox.ts';
import { openSandboxes, type Sandboxes } from './sandboxes.ts';
import { probe, type Probe } from './tree/probe.ts';
import type { Need } from '../../../test/needs.given.ts';

/** `snapshot by copies` is what snapshots do, with a program in the place of btrfs that copies. */
export type Way = 'overlay' | 'overlay by a user' | 'snapshot' | 'snapshot by copies' | 'checkout';

export interface GivenRepository {
  readonly root: string;
  readonly folder: string;
  readonly home: string;
  readonly base: string;
  readonly repository: Repository;
}

export const AT = Date.UTC(2026, 0, 2, 3, 4, 5);

export const PLAIN_SETTINGS: SandboxSettings = {
  include: [],
  setup: undefined,
  link: [],
  ports: 0,
  tree: 'auto',
  isolation: 'none',
  network: undefined,
  limits: { disk: 20_000_000_000, memory: undefined, processes: 4_000 },
};

export const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always', ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  }).trim();

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Names, bits and links that are easily lost. */
function writeOdd(folder: string): void {
  writeFiles(folder, {
    'README.md': 'one\n',
    '.gitignore': 'ignored\nnode_modules/\n.env\n',
    'src/a.txt': 'a\n',
    'src/deep/b.txt': 'b\n',
    'a b "c" ü.txt': 'odd\n',
    '-dash': 'dash\n',
    'new\nline': 'line\n',
    'crlf.txt': 'one\r\ntwo\r\n',
    'run.sh': '#!/bin/sh\necho ran\n',
  });
  chmodSync(join(folder, 'run.sh'), 0o755);
  symlinkSync('src/a.txt', join(folder, 'link'));
}

export async function givenProject(way: Way = 'checkout'): Promise<GivenRepository> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'heddle sandbox-')));
  const folder = join(way === 'snapshot' ? mountSnapshots(root) : root, 'project');
  mkdirSync(folder);
  if (way === 'snapshot by copies') putBeforePath(root);
  git(folder, 'init', '-q', '-b', 'main');
  writeOdd(folder);
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'base');
  const home = join(folder, '.heddle');
  writeFiles(folder, { '.git/info/exclude': '/.heddle/\n' });
  const opened = await openRepository({ home, project: folder, repairs: true });
  if (opened.type === 'refused') throw new Error(opened.failure.code);
  return { root, folder, home, base: git(folder, 'rev-parse', 'HEAD'), repository: opened.repository };
}

const tells =
  (way: Way): Probe =>
  async () => ({
    overlay: way === 'overlay' ? 'root' : way === 'overlay by a user' ? 'user' : undefined,
    snapshot: way.startsWith('snapshot'),
    causes: [],
  });

const treeOf = (way: Way): SandboxSettings['tree'] => {
  if (way === 'overlay by a user') return 'overlay';
  return way === 'snapshot by copies' ? 'snapshot' : way;
};

export async function givenSandboxes(
  project: GivenRepository,
  way: Way,
  settings: Partial<SandboxSettings> = {},
): Promise<Sandboxes> {
  const opened = await openSandboxes({
    home: project.home,
    repository: project.repository,
    settings: { ...PLAIN_SETTINGS, tree: treeOf(way), ...settings },
    isolation: NO_ISOLATION,
    network: 'none',
    probe: tells(way),
  });
  if (opened.type === 'refused') throw new Error(opened.failure.code);
  return opened.sandboxes;
}

/** The words of btrfs that sandboxes use, on any file system. */
const COPYING = `#!/bin/sh
case "$2" in
  create) mkdir "$3" ;;
  snapshot) cp -a "$3" "$4" ;;
  delete) rm -rf "$3" ;;
esac
`;

function putBeforePath(root: string): void {
  const programs = join(root, 'programs');
  mkdirSync(programs);
  writeFileSync(join(programs, 'btrfs'), COPYING, { mode: 0o755 });
  const before = process.env['PATH'] ?? '';
  process.env['PATH'] = [programs, before].join(delimiter);
  onTestFinished(() => void (process.env['PATH'] = before));
}

/** A file system that has snapshots, in a file. */
function mountSnapshots(root: string): string {
  const image = join(root, 'disk.img');
  const disk = join(root, 'disk');
  mkdirSync(disk);
  execFileSync('truncate', ['-s', '300M', image]);
  execFileSync('mkfs.btrfs', ['-q', image], { stdio: 'ignore' });
  execFileSync('mount', ['-o', 'loop', image, disk], { stdio: 'ignore' });
  return disk;
}

/** Snapshots take root, mkfs.btrfs and a loop device. */
async function hasSnapshots(): Promise<boolean> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-probe-')));
  try {
    mountSnapshots(root);
    return true;
  } catch {
    // A test that needs snapshots says that they do not work.
    return false;
  } finally {
    unmountIn(root);
    rmSync(root, { recursive: true, force: true });
  }
}

export const WAYS: readonly Way[] = ['overlay', 'overlay by a user', 'snapshot', 'snapshot by copies', 'checkout'];
export const OVERLAYS = WAYS.filter((way) => way.startsWith('overlay'));

/** Every machine has `checkout`, and copies. */
export async function needOf(way: Way): Promise<Need> {
  const works = await worksHere(way);
  return { name: 'other', missing: works ? undefined : `trees of the kind ${way} do not work here` };
}

async function worksHere(way: Way): Promise<boolean> {
  if (way === 'checkout' || way === 'snapshot by copies') return true;
  if (way === 'snapshot') return hasSnapshots();
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-probe-')));
  const { overlay } = await probe({ home: root, folders: foldersOf(root) });
  rmSync(root, { recursive: true, force: true });
  return overlay === 'root' || (overlay === 'user' && way === 'overlay by a user');
}

/** What a program inside prints. */
export function inside(sandbox: Pick<Sandbox, 'wrap' | 'folder' | 'environment'>, script: string): string {
  const [program = '', ...args] = sandbox.wrap(['sh', '-ec', script]);
  return execFileSync(program, args, {
    cwd: sandbox.folder,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', ...sandbox.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
}

export async function removeProject({ root }: GivenRepository): Promise<void> {
  unmountIn(root);
  rmSync(root, { recursive: true, force: true });
}

/** Where something is mounted in a folder, the deepest first. Empty where the system has no such list. */
export function mountsIn(folder: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
  const points = lines.flatMap((line) => line.split(' ')[4]?.replaceAll('\\040', ' ') ?? []);
  return points.filter((point) => point.startsWith(`${folder}/`)).toReversed();
}

function unmountIn(folder: string): void {
  for (const point of mountsIn(folder)) execFileSync('umount', [point]);
}

/** Numbers below a bound that a seed decides. */
export function drawing(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * bound);
  };
}
