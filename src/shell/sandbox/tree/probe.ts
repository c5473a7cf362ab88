// Finds out which kinds of trees work here, by making one. The kernel's permissions do not change while it runs, so the
// result is cached until the machine restarts.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxContext } from './sandbox-context.ts';
import { asideName, readJson, removeFolder, writeWhole } from '../disk/files.ts';
import { mountOverlay, unmountAll } from '../disk/mounts.ts';
import type { OverlayLayers } from '../disk/mounts.ts';
import { runProgram } from '../disk/run-program.ts';
import { mountedInside } from './run-inside.ts';
import type { Mounts } from './overlay.ts';
import { btrfs } from './snapshot.ts';

export interface Probed {
  /** How an overlay is mounted; undefined when it cannot be. */
  readonly overlay: Mounts | undefined;
  readonly snapshot: boolean;
  /** Why a kind of tree does not work, a sentence each. */
  readonly says: readonly string[];
}

export type Probe = (context: Pick<SandboxContext, 'home' | 'folders'>) => Promise<Probed>;

export const rememberedProbe: Probe = async (context) => {
  const file = join(context.home, 'probe.json');
  const here = whereWeAre();
  const known = readJson(file);
  if (isRemembered(known) && known.here === here) return known.probed;
  const probed = await probe(context);
  await writeWhole(file, JSON.stringify({ here, probed }));
  return probed;
};

export const probe: Probe = async (context) => {
  const folder = join(context.folders.scratch, asideName());
  const layers = layersIn(folder);
  await Promise.all(
    [...layers.lower, layers.upper, layers.work, layers.at].map((one) => mkdir(one, { recursive: true })),
  );
  await writeFile(join(folder, 'lower', 'file'), 'content');
  const outside = await probeOutside(context.home, layers);
  const inside = outside === undefined ? undefined : await probeInside(context.home, layers);
  const snapshot = await probeSnapshot(folder);
  await unmountAll(folder);
  await removeFolder(folder);
  const overlay = outside === undefined ? 'outside' : inside === undefined ? 'inside' : undefined;
  const troubles = overlay === undefined ? [outside, inside, snapshot] : [snapshot];
  return { overlay, snapshot: snapshot === undefined, says: troubles.filter((one) => one !== undefined) };
};

const layersIn = (folder: string): OverlayLayers => ({
  lower: [join(folder, 'lower')],
  upper: join(folder, 'upper'),
  work: join(folder, 'work'),
  at: join(folder, 'tree'),
});

async function probeOutside(home: string, layers: OverlayLayers): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'Overlays need Linux.';
  const trouble = await mountOverlay(home, layers);
  if (trouble !== undefined) return trouble;
  const isRight = existsSync(join(layers.at, 'file'));
  return (await unmountAll(layers.at)) ?? (isRight ? undefined : 'An overlay was mounted but showed nothing.');
}

const INSIDE_TIME_MAX_MS = 10_000;

async function probeInside(home: string, layers: OverlayLayers): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const argv = mountedInside(home, layers, ['sh', '-c', 'cat file && echo new > file && rm file']);
  const request = { cwd: home, environment: process.env, input: undefined, limitMs: INSIDE_TIME_MAX_MS };
  const ending = await runProgram(argv, request);
  return ending.code === 0 ? undefined : `An overlay cannot be mounted in a user namespace: ${ending.stderr}`;
}

async function probeSnapshot(folder: string): Promise<string | undefined> {
  const origin = join(folder, 'origin');
  const copy = join(folder, 'copy');
  const trouble =
    (await btrfs(['subvolume', 'create', origin], folder)) ??
    (await btrfs(['subvolume', 'snapshot', origin, copy], folder)) ??
    (await btrfs(['subvolume', 'delete', copy, origin], folder));
  await rm(origin, { recursive: true, force: true });
  return trouble === undefined ? undefined : `There are no snapshots here: ${trouble}`;
}

/** Another kernel, user or boot may have other permissions. */
function whereWeAre(): string {
  const boot = process.platform === 'linux' ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '';
  return `${boot} ${process.getuid?.() ?? ''} ${process.version}`;
}

interface Remembered {
  readonly here: string;
  readonly probed: Probed;
}

function isRemembered(value: unknown): value is Remembered {
  return typeof value === 'object' && value !== null && 'here' in value && 'probed' in value;
}
