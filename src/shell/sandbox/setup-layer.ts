// Makes the layer that a place stands on: files brought along, folders shared, and what set-up makes. Set-up runs once for
// all sandboxes whose inputs are the same.
//
// Y1. Of what set-up writes, only what the commit does not track is kept, so a layer fits every commit that tracks none
//     of it; for one that does, a layer is made from that commit.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { linksOf, troubleWithLinks } from './tree/links.ts';
import { placeAt } from './tree/place-paths.ts';
import { evict, sizeOf } from './tree/evict.ts';
import { layerInputs, trackedPaths } from './tree/layer-inputs.ts';
import type { LayerInputs } from './tree/layer-inputs.ts';
import { findLayer, patternFor } from './tree/layers.ts';
import type { LayerNote } from './tree/layers.ts';
import type { LayerFiles } from './tree/tree.ts';
import { asideName, hasCode, writeWhole } from './disk/files.ts';
import { withLock } from './disk/lock.ts';
import type { Trouble } from './disk/mounts.ts';
import { removePlace } from './fill-place.ts';
import type { TreeContext } from './fill-place.ts';
import { runSetup } from './run-setup.ts';

export type Layered =
  | { readonly type: 'layered'; readonly layer: LayerFiles | undefined }
  | { readonly type: 'failed'; readonly message: string };

export interface Origin {
  readonly commit: string;
  readonly tree: string;
}

export async function layerFor(house: TreeContext, origin: Origin): Promise<Layered> {
  const { ground } = house;
  const inputs = await layerInputs(ground, origin.tree);
  if (inputs === undefined) return { type: 'layered', layer: undefined };
  const astray = troubleWithLinks(ground) ?? (await trackedLink(house, origin.tree));
  if (astray !== undefined) return { type: 'failed', message: astray };
  const common = await findLayer(ground, inputs.key);
  const own = createHash('sha256').update(inputs.key).update(origin.tree).digest('hex').slice(0, inputs.key.length);
  const name =
    common === undefined || (await trackedPaths(ground, common.made, origin.tree)).length === 0 ? inputs.key : own;
  return withLock(ground.folders.locks, { family: 'layer', name }, async () => {
    const there = await findLayer(ground, name);
    if (there !== undefined) return { type: 'layered', layer: there };
    const trouble = await build(house, { name, inputs, origin });
    if (trouble !== undefined) return { type: 'failed', message: trouble };
    return { type: 'layered', layer: await findLayer(ground, name) };
  });
}

async function trackedLink(house: TreeContext, tree: string): Promise<Trouble> {
  const [tracked] = await trackedPaths(
    house.ground,
    linksOf(house.ground).map(({ path }) => path),
    tree,
  );
  if (tracked === undefined) return undefined;
  return `sandbox.link: ${tracked} is part of the repository, so it cannot be a shared folder; leave it out.`;
}

interface Build {
  readonly name: string;
  readonly inputs: LayerInputs;
  readonly origin: Origin;
}

async function build(house: TreeContext, order: Build): Promise<Trouble> {
  const { layers } = house.ground.folders;
  const aside = join(layers, asideName());
  const files = join(aside, 'files');
  await mkdir(files, { recursive: true });
  const made =
    house.ground.settings.setup === undefined
      ? await bringAlong(house, order.inputs, files)
      : await withSetup(house, order, files);
  if (typeof made === 'string') return made;
  await writeWhole(join(aside, 'layer.json'), JSON.stringify(made));
  await writeWhole(join(aside, 'bytes'), String(await sizeOf(files)));
  await writeWhole(join(aside, 'used'), '');
  await rename(aside, join(layers, order.name));
  await evict(house.ground, layers);
  return undefined;
}

/** Files of the user's checkout, and links to its folders. */
async function bringAlong(
  { ground }: TreeContext,
  { included }: LayerInputs,
  into: string,
): Promise<LayerNote | string> {
  const from = ground.repository.user.workTree ?? '';
  for (const path of included) {
    await mkdir(dirname(join(into, path)), { recursive: true });
    await cp(join(from, path), join(into, path), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  }
  for (const { path, target } of linksOf(ground)) {
    if (!existsSync(target)) return `sandbox.link: ${target} does not exist; create it or leave it out.`;
    await mkdir(dirname(join(into, path)), { recursive: true });
    try {
      await symlink(target, join(into, path));
    } catch (cause) {
      if (!hasCode(cause, 'EEXIST')) throw cause;
      return `sandbox.link: ${path} is part of the repository, so it cannot be a shared folder; leave it out.`;
    }
  }
  const made = [...included, ...linksOf(ground).map(({ path }) => path)];
  return { made, excludes: made.map(patternFor) };
}

/** In a place of its own that goes away again; what set-up made is moved out of it. */
async function withSetup(house: TreeContext, { inputs, origin }: Build, files: string): Promise<LayerNote | string> {
  const { ground, tree } = house;
  const place = placeAt(join(ground.folders.scratch, asideName()));
  await mkdir(place.root, { recursive: true });
  try {
    const trouble =
      (await tree.populate({ place, ...origin, branch: 'heddle/setup', layer: undefined, isForWork: false })) ??
      (await tree.sleep(place));
    if (trouble !== undefined) return trouble;
    const brought = await bringAlong(house, inputs, tree.writtenIn(place));
    if (typeof brought === 'string') return brought;
    const awake = await tree.wake(place);
    if (awake !== undefined) return awake;
    const setUp = await runSetup(house, place);
    if (typeof setUp === 'string') return setUp;
    const asleep = await tree.sleep(place);
    if (asleep !== undefined) return asleep;
    const { note, filled } = setUp;
    for (const path of [...note.made, ...filled]) await takeOut(tree.writtenIn(place), files, path);
    return note;
  } finally {
    await removePlace(house, place);
  }
}

async function takeOut(from: string, to: string, path: string): Promise<void> {
  const target = join(to, path.replace(/\/$/, ''));
  await mkdir(dirname(target), { recursive: true });
  try {
    await rename(join(from, path), target);
  } catch (cause) {
    if (!hasCode(cause, 'EXDEV')) throw cause;
    await cp(join(from, path), target, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  }
}
