// Starts programs inside a place.
import type { SandboxContext } from './sandbox-context.ts';
import { environmentFor, settingsFor } from '../../git/run/git-environment.ts';
import type { PlacePaths } from './place-paths.ts';
import type { IsolationRequest } from '../isolation/isolation.ts';
import type { Argv } from '../sandbox.ts';
import { overlayOptions } from '../disk/mounts.ts';
import type { OverlayLayers } from '../disk/mounts.ts';
import { runProgram } from '../disk/run-program.ts';
import type { Ending } from '../disk/run-program.ts';

export interface InsideRequest {
  readonly place: PlacePaths;
  readonly overlay: OverlayLayers | undefined;
  /** What is to be mounted for all to see before the program starts. */
  readonly mounts?: OverlayLayers | undefined;
  /** Folders of ours to be written to besides what every program inside may. */
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export type WrapRequest = Omit<InsideRequest, 'environment'> & Pick<IsolationRequest, 'home' | 'network' | 'session'>;

/** How to start a program in the tree of a place, whatever mounts and keeps it apart. */
export function wrapInside(context: SandboxContext, argv: Argv, request: WrapRequest): Argv {
  const { place, overlay, mounts, home, network, session } = request;
  const { disk, memory, processes } = context.settings.limits;
  const wrapped = context.isolation.wrap(argv, {
    writable: [place.tree, place.git, place.temporary, ...request.writable],
    readable: [...context.repository.objectFolders, ...request.readable],
    cwd: place.tree,
    home,
    network,
    limits: { fileSize: disk, memory, processes },
    session,
  });
  if (mounts !== undefined) return mountedFirst({ home: context.home, layers: mounts, more: [] }, wrapped);
  return overlay === undefined ? wrapped : mountedInside(context.home, overlay, wrapped);
}

/** Isolation of Heddle's own operations: no home, no network, and no access to the terminal. */
export const OURS = { home: undefined, network: { type: 'none' }, session: 'own' } as const;

/**
 * Mounts in namespaces of the program's own, as root of them, and then gives that root up again: the files look owned by
 * whom they are owned by, so that git's index holds, and the program cannot unmount what it stands on.
 */
export function mountedInside(home: string, layers: OverlayLayers, argv: Argv): Argv {
  const back = [`--map-user=${process.getuid?.() ?? 0}`, `--map-group=${process.getgid?.() ?? 0}`];
  const own = ['unshare', '--user', '--map-root-user', '--mount'];
  const mounting = { home, layers, more: ['userxattr'] };
  return [...own, ...mountedFirst(mounting, ['unshare', '--user', ...back, '--', ...argv])];
}

interface Mounting {
  readonly home: string;
  readonly layers: OverlayLayers;
  /** More options of the mount. */
  readonly more: readonly string[];
}

function mountedFirst({ home, layers, more }: Mounting, argv: Argv): Argv {
  const mount = 'cd "$1" && mount -t overlay heddle -o "$2" "$3" && cd "$3" && shift 3 && exec "$@"';
  return ['sh', '-c', mount, 'heddle', home, overlayOptions(home, layers, more), layers.at, ...argv];
}

/** Heddle's own operations inside never take this long. */
const INSIDE_TIME_MAX_MS = 600_000;

/** Runs one of Heddle's shell scripts inside, with `$1` and so on, and with as few git settings as possible. */
export async function runInside(
  context: SandboxContext,
  request: InsideRequest,
  script: { readonly text: string; readonly args: readonly string[]; readonly input: string | undefined },
): Promise<Ending> {
  const environment = { ...plain(environmentFor('ours')), ...GIT_SETTINGS, ...request.environment };
  const argv = ['sh', '-c', script.text, 'heddle', ...script.args];
  return runProgram(wrapInside(context, argv, { ...request, ...OURS }), {
    cwd: request.place.tree,
    environment,
    input: script.input,
    limitMs: INSIDE_TIME_MAX_MS,
  });
}

/** Given by the environment, so that a script need not repeat them. */
const GIT_SETTINGS: Readonly<Record<string, string>> = (() => {
  const settings = [...settingsFor('ours').filter((word) => word !== '-c'), 'core.excludesFile=/dev/null'];
  const pairs = settings.flatMap((setting, index) => [
    [`GIT_CONFIG_KEY_${index}`, setting.slice(0, setting.indexOf('='))],
    [`GIT_CONFIG_VALUE_${index}`, setting.slice(setting.indexOf('=') + 1)],
  ]);
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(settings.length) };
})();

const plain = (environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
