// Starts programs inside a place.
import { join } from 'node:path';
import type { SandboxContext } from './sandbox-context.ts';
import { gitEnvironmentFor, settingsFor } from '../../git/run/git-environment.ts';
import type { PlacePaths } from './place-paths.ts';
import type { IsolationRequest } from '../isolation/isolation.ts';
import { mountedAlone, mountedTogether } from '../disk/mounts.ts';
import type { OverlayMount } from '../disk/mounts.ts';
import { runSandboxProgram } from '../disk/run-program.ts';
import type { Argv, ProgramEnd } from '../disk/run-program.ts';

export interface InsideRequest {
  readonly place: PlacePaths;
  readonly overlay: OverlayMount | undefined;
  /** Folders of ours to be written to besides what every program inside may. */
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export type WrapRequest = Omit<InsideRequest, 'environment'> &
  Pick<IsolationRequest, 'home' | 'network' | 'session'> & {
    /** Whether it works in the tree with others, or is an operation of Heddle's that has the tree to itself. */
    readonly sharing: 'together' | 'alone';
    /** The tree and its git folder can be read and not changed. */
    readonly isReadOnly?: boolean;
  };

/** How to start a program in the tree of a place, whatever mounts and keeps it apart. */
export function wrapInside(context: SandboxContext, argv: Argv, request: WrapRequest): Argv {
  const { place, overlay, home, network, session, sharing, isReadOnly = false } = request;
  const { disk, memory, processes } = context.settings.limits;
  const own = [place.tree, place.git];
  const wrapped = context.isolation.wrap(argv, {
    writable: [...(isReadOnly ? [] : own), place.temporary, ...request.writable],
    readable: [...context.repository.objectFolders, ...request.readable, ...(isReadOnly ? own : [])],
    cwd: place.tree,
    home,
    network,
    limits: { fileSize: disk, memory, processes },
    session,
  });
  if (overlay === undefined) return wrapped;
  return sharing === 'alone'
    ? mountedAlone(overlay, wrapped)
    : mountedTogether(overlay, join(place.root, 'mount'), wrapped);
}

/** Isolation of Heddle's own operations: no home, no network, and no access to the terminal. */
export const OURS = { home: undefined, network: { type: 'none' }, session: 'own', sharing: 'alone' } as const;

/** Heddle's own operations inside never take this long. */
const INSIDE_TIME_MAX_MS = 600_000;

/** Runs one of Heddle's shell scripts inside, with `$1` and so on, and with as few git settings as possible. */
export async function runInside(
  context: SandboxContext,
  request: InsideRequest,
  script: { readonly text: string; readonly args: readonly string[]; readonly input: string | undefined },
): Promise<ProgramEnd> {
  const environment = { ...plain(gitEnvironmentFor('ours')), ...GIT_SETTINGS, ...request.environment };
  const argv = ['sh', '-c', script.text, 'heddle', ...script.args];
  return runSandboxProgram(wrapInside(context, argv, { ...request, ...OURS }), {
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
