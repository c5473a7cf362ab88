// Isolation by bubblewrap: namespaces in which programs see the system, the paths they are given, and nothing else.
//
// bubblewrap/B1. Only what is named writable can be written; everything that is mounted for one program alone has a
//     size.
// bubblewrap/B2. All descendants of a program die with it, and the program dies with its parent.
// bubblewrap/B3. Mount points are made in memory, never in a folder that programs inside can write to, where links
//     could redirect them.
// bubblewrap/B4. The owner of the machine's settings is nobody inside: without capabilities, and with `/proc` to read
//     alone, root changes them no more than others do.
// bubblewrap/B5. Keyrings, foreign socket families and the calls that administer the machine are refused by a seccomp
//     filter, where there is one for the processor.
// bubblewrap/B6. A program has a fresh and empty session keyring, where the system gives one: a user namespace would keep
//     that of the starter of the run. It inherits none of the open files of the starter.
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Isolation, IsolationLimits, IsolationRequest } from './isolation.ts';
import { throughProxy } from './through-proxy.ts';
import { systemArguments } from './system-folders.ts';
import { isOfSystem, isWithin, type Toolchains } from './toolchains.ts';

/** In memory, for programs that do not ask where to put what they need for a moment. */
const TEMPORARY_MAX_BYTES = 1024 ** 3;
const SHARED_MEMORY_MAX_BYTES = 256 * 1024 ** 2;
/** Of a limit of memory, since only a cgroup counts what lies in them. */
const TEMPORARY_SHARE = 1 / 2;
const SHARED_MEMORY_SHARE = 1 / 4;

/** Programs such as Node set addresses aside that they never use. What is used is watched; this stops who is too quick. */
const RESERVED_BYTES = 2 * 1024 ** 3;

/** More than the limit, so that the resource monitor counts too many and ends the program, instead of forks that fail for ever. */
const SPARE_PROCESSES = 1.25;

const MOUNTED = ['--proc', '/proc', '--dev', '/dev'];
/** They tell of the machine and of the keyrings of its users; not even a bound device can be opened there. */
const MASKED = ['keys', 'key-users', 'kcore', 'timer_list', 'sched_debug', 'latency_stats'].map(
  (name) => `/proc/${name}`,
);
const NAMESPACES = ['user', 'pid', 'ipc', 'uts'].map((name) => `--unshare-${name}`);

/** Sockets and folders of the user's own programs, which do not exist inside. */
const USER_SERVICES: readonly string[] = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DOCKER_HOST',
  'NODE_V8_COVERAGE',
  'NODE_COMPILE_CACHE',
];

export interface Bubblewrap {
  /** Where the program is. */
  readonly program: string;
  /** The file of the seccomp filter; undefined where there is none for the processor. */
  readonly filter: string | undefined;
  /** The program that takes a fresh session keyring, and closes descriptors; undefined where it cannot be run. */
  readonly launcher: string | undefined;
  readonly toolchains: Toolchains;
}

export const bubblewrap = (means: Bubblewrap): Isolation => ({
  name: 'os',
  wrap: (argv, how) => [...before(means, how), means.program, ...argumentsFor(means, how), '--', ...limited(argv, how)],
});

/**
 * A whole group is asked to end at once. What keeps it apart must not be the first to go, or the program would be killed
 * with it instead of having its grace. Bubblewrap reads the filter from a descriptor, and closes it.
 */
function before({ filter, launcher }: Bubblewrap, { session }: IsolationRequest): readonly string[] {
  const patient = session === 'given' ? `trap '' ${ASKING.join(' ')}; ` : '';
  const opening = filter === undefined ? '' : ` ${FILTER_DESCRIPTOR}< "$0"`;
  const joining = launcher === undefined ? [] : [launcher];
  return [...joining, '/bin/sh', '-c', `${patient}exec "$@"${opening}`, filter ?? 'heddle'];
}

/** The highest that every shell can name; those of Node's channels are lower. */
const FILTER_DESCRIPTOR = '9';

const ASKING = ['TERM', 'INT', 'HUP'];

function argumentsFor({ toolchains, filter }: Bubblewrap, how: IsolationRequest): readonly string[] {
  const { writable, readable, cwd, home, network, session, limits } = how;
  const mine = [...writable, ...(home === undefined ? [] : [home.folder])];
  return [
    ...NAMESPACES,
    '--unshare-cgroup-try',
    ...(network.type === 'all' ? [] : ['--unshare-net']),
    '--disable-userns',
    '--die-with-parent',
    ...(session === 'own' ? ['--new-session'] : []),
    '--cap-drop',
    'ALL',
    ...(filter === undefined ? [] : ['--seccomp', FILTER_DESCRIPTOR]),
    ...systemArguments(network.type === 'all'),
    ...MOUNTED,
    ...MASKED.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...sized(withinMemory(SHARED_MEMORY_MAX_BYTES, SHARED_MEMORY_SHARE, limits), '/dev/shm'),
    ...sized(withinMemory(TEMPORARY_MAX_BYTES, TEMPORARY_SHARE, limits), '/tmp'),
    ...showing([...toolchains.paths, ...readable], [...toolchains.masked, ...mine]),
    ...toolchains.masked.flatMap(masking),
    ...(home?.brought ?? []).flatMap(({ from, to }) => ['--ro-bind-try', from, join(BROUGHT_FOLDER, to)]),
    ...outermostFirst(mine).flatMap((path) => ['--bind', path, path]),
    ...['/dev', '/proc', '/'].flatMap((path) => ['--remount-ro', path]),
    '--chdir',
    cwd,
    ...[...USER_SERVICES, ...(home?.unset ?? [])].flatMap((name) => ['--unsetenv', name]),
    ...set(toolchains.environment),
    ...set(home === undefined ? {} : { HOME: home.folder }),
  ];
}

/** An empty file or folder in its place; of what has gone meanwhile there is nothing to hide. */
function masking(path: string): readonly string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isDirectory() ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path];
}

const withinMemory = (most: number, share: number, { memory = Infinity }: IsolationLimits): number =>
  Math.min(most, Math.ceil(memory * share));

const sized = (bytes: number, path: string): readonly string[] =>
  `--perms 1777 --size ${bytes} --tmpfs ${path}`.split(' ');

/** What is mounted later hides what was mounted below it before. */
const outermostFirst = (paths: readonly string[]): readonly string[] =>
  [...new Set(paths)].sort((one, other) => one.length - other.length);

/** A link in a folder that is shown already leads nowhere yet when it is mounted by itself, and nothing starts. */
const outermost = (paths: readonly string[]): readonly string[] =>
  outermostFirst(paths).filter((path) => !paths.some((other) => other !== path && isWithin(path, other)));

/**
 * A link into a folder that is shown stays a link: a program looks for its parts beside the file that the link leads to. One
 * below which something is mounted cannot stay one.
 */
function showing(paths: readonly string[], mountedLater: readonly string[]): readonly string[] {
  const shown = outermost(paths);
  return shown.flatMap((path) => {
    const real = existsSync(path) ? realpathSync(path) : path;
    const isLink = real !== path && shown.some((other) => other !== path && isWithin(real, other));
    const isFree = !isOfSystem(path) && !mountedLater.some((other) => isWithin(other, path));
    return isLink && isFree ? ['--symlink', real, path] : ['--ro-bind-try', path, path];
  });
}

const BROUGHT_FOLDER = '/run/heddle/home';

/** Copied inside, so that links in the home of the sandbox resolve inside; newer files there stay. */
const bringing = (argv: readonly string[]): readonly string[] => ['/bin/sh', '-c', BRING, 'heddle', ...argv];

const BRING = `cp -RLu ${BROUGHT_FOLDER}/. "$HOME"/ 2>/dev/null; exec "$@"`;

const set = (environment: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]);

/** Set inside, where those who count are the programs inside alone; and asked to end, a program ends unless it minds. */
function limited(argv: readonly string[], { limits, network, home }: IsolationRequest): readonly string[] {
  const { fileSize, memory, processes } = limits;
  const bounds = [
    `--fsize=${fileSize}`,
    `--nproc=${Math.ceil(processes * SPARE_PROCESSES)}`,
    '--core=0',
    ...(memory === undefined ? [] : [`--data=${memory + RESERVED_BYTES}`]),
  ];
  const settled = (home?.brought.length ?? 0) === 0 ? argv : bringing(argv);
  const program = network.type === 'proxy' ? throughProxy(network.near, settled) : settled;
  return ['env', `--default-signal=${ASKING.join(',')}`, 'prlimit', ...bounds, '--', ...program];
}
