// Finds out which kinds of trees work here, by making one. Only a success is remembered, until the machine restarts: what
// kept an overlay from being mounted may pass.
import { failureText, type TreeCause } from '../../../core/protocol/sandbox-failure.ts';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxContext } from './sandbox-context.ts';
import { asideName, readJsonFile, removeFolder, writeWhole } from '../disk/files.ts';
import { mountedTogether } from '../disk/mounts.ts';
import type { Mounter, OverlayLayers, OverlayMount } from '../disk/mounts.ts';
import { runSandboxProgram } from '../disk/run-program.ts';
import { btrfs } from './snapshot.ts';

export interface Probed {
  /** Who can mount an overlay; undefined when nobody can. */
  readonly overlay: Mounter | undefined;
  readonly snapshot: boolean;
  /** Why other kinds of trees do not work. */
  readonly causes: readonly TreeCause[];
}

export type Probe = (context: Pick<SandboxContext, 'home' | 'folders'>) => Promise<Probed>;

export const rememberedProbe: Probe = async (context) => {
  const file = join(context.home, 'probe.json');
  const here = whereWeAre();
  const known = readJsonFile(file);
  if (isRemembered(known) && known.here === here) return known.found;
  const found = await probe(context);
  if (found.overlay !== undefined) await writeWhole(file, JSON.stringify({ here, found }));
  return found;
};

export const probe: Probe = async ({ home, folders }) => {
  const folder = join(folders.scratch, asideName());
  const layers: OverlayLayers = {
    lower: [join(folder, 'lower')],
    upper: join(folder, 'upper'),
    work: join(folder, 'work'),
    at: join(folder, 'tree'),
  };
  await Promise.all(
    [...layers.lower, layers.upper, layers.work, layers.at].map((one) => mkdir(one, { recursive: true })),
  );
  await writeFile(join(folder, 'lower', 'file'), 'content');
  const asRoot = await probeOverlay({ as: 'root', home, layers }, folder);
  const asUser = asRoot === undefined ? undefined : await probeOverlay({ as: 'user', home, layers }, folder);
  const snapshot = await probeSnapshot(folder);
  await removeFolder(folder);
  const overlay = asRoot === undefined ? 'root' : asUser === undefined ? 'user' : undefined;
  const troubles = overlay === undefined ? [asRoot, asUser, snapshot] : [snapshot];
  return { overlay, snapshot: snapshot === undefined, causes: troubles.filter((one) => one !== undefined) };
};

const MOUNT_TIME_MAX_MS = 30_000;

/** As programs of a step have it, which is what Heddle's own operations do and more. */
async function probeOverlay(mount: OverlayMount, folder: string): Promise<TreeCause | undefined> {
  if (process.platform !== 'linux') return { code: 'not-linux' };
  const argv = mountedTogether(mount, join(folder, mount.as), ['sh', '-c', 'cat file && echo new > file && rm file']);
  const request = { cwd: folder, environment: process.env, input: undefined, limitMs: MOUNT_TIME_MAX_MS };
  const ending = await runSandboxProgram(argv, request);
  return ending.code === 0 ? undefined : { code: 'overlay', mounter: mount.as, stderr: ending.stderr };
}

async function probeSnapshot(folder: string): Promise<TreeCause | undefined> {
  const origin = join(folder, 'origin');
  const copy = join(folder, 'copy');
  const failure =
    (await btrfs(['subvolume', 'create', origin], folder)) ??
    (await btrfs(['subvolume', 'snapshot', origin, copy], folder)) ??
    (await btrfs(['subvolume', 'delete', copy, origin], folder));
  await rm(origin, { recursive: true, force: true });
  return failure === undefined ? undefined : { code: 'snapshot', stderr: failureText(failure) };
}

/** Another kernel, user or boot may have other permissions. */
function whereWeAre(): string {
  const boot = process.platform === 'linux' ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '';
  return `${boot} ${process.getuid?.() ?? ''} ${process.version}`;
}

interface Remembered {
  readonly here: string;
  readonly found: Probed;
}

function isRemembered(value: unknown): value is Remembered {
  return typeof value === 'object' && value !== null && 'here' in value && 'found' in value;
}
