// Makes the layer that a place stands on: files brought along, folders shared, and what set-up makes. Set-up runs once for
// all sandboxes whose inputs are the same.
//
// setup-layer/Y1. Of what set-up writes, only what the commit does not track is kept, so a layer fits every commit that
//     tracks none of it; for one that does, a layer is made from that commit.
import { failedBy, type SandboxFailure, type SandboxFailed } from '../../core/protocol/sandbox-failure.ts';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { linksOf, linkFailureOf, findLayer, patternFor, type LayerNote } from './tree/layers.ts';
import { placeAt } from './tree/place-paths.ts';
import { evict, folderSize } from './tree/evict.ts';
import { layerInputs, missingFiles, trackedPaths } from './tree/layer-inputs.ts';
import type { LayerInputs } from './tree/layer-inputs.ts';
import type { LayerFiles } from './tree/tree.ts';
import { asideName, hasCode, writeWhole } from './disk/files.ts';
import { withLock } from './disk/lock.ts';
import type { MaybeFailure } from './disk/mounts.ts';
import { removePlace } from './fill-place.ts';
import type { TreeContext } from './fill-place.ts';
import { runSetup } from './run-setup.ts';

export type Layered = { readonly type: 'layered'; readonly layer: LayerFiles | undefined } | SandboxFailed;

export interface LayerOrigin {
  readonly commit: string;
  readonly tree: string;
}

export async function layerFor(treeContext: TreeContext, origin: LayerOrigin): Promise<Layered> {
  const { context } = treeContext;
  const missing = missingFiles(context);
  if (missing !== undefined) return failedBy(missing);
  const inputs = await layerInputs(context, origin.tree);
  if (inputs === undefined) return { type: 'layered', layer: undefined };
  const failure = linkFailureOf(context) ?? (await trackedLink(treeContext, origin.tree));
  if (failure !== undefined) return failedBy(failure);
  const common = await findLayer(context, inputs.key);
  const own = createHash('sha256').update(inputs.key).update(origin.tree).digest('hex').slice(0, inputs.key.length);
  const name =
    common === undefined || (await trackedPaths(context, common.made, origin.tree)).length === 0 ? inputs.key : own;
  return withLock(context.folders.locks, { family: 'layer', name }, async () => {
    const there = await findLayer(context, name);
    if (there !== undefined) return { type: 'layered', layer: there };
    const failure = await build(treeContext, { name, inputs, origin });
    if (failure !== undefined) return failedBy(failure);
    return { type: 'layered', layer: await findLayer(context, name) };
  });
}

async function trackedLink(treeContext: TreeContext, tree: string): Promise<MaybeFailure> {
  const [path] = await trackedPaths(
    treeContext.context,
    linksOf(treeContext.context).map(({ path }) => path),
    tree,
  );
  return path === undefined ? undefined : { code: 'link-tracked', path };
}

interface Build {
  readonly name: string;
  readonly inputs: LayerInputs;
  readonly origin: LayerOrigin;
}

async function build(treeContext: TreeContext, request: Build): Promise<MaybeFailure> {
  const { layers } = treeContext.context.folders;
  const aside = join(layers, asideName());
  const files = join(aside, 'files');
  await mkdir(files, { recursive: true });
  const made =
    treeContext.context.settings.setup === undefined
      ? await bringAlong(treeContext, request.inputs, files)
      : await withSetup(treeContext, request, files);
  if ('code' in made) return made;
  await writeWhole(join(aside, 'layer.json'), JSON.stringify(made));
  await writeWhole(join(aside, 'bytes'), String(await folderSize(files)));
  await writeWhole(join(aside, 'used'), '');
  await rename(aside, join(layers, request.name));
  await evict(treeContext.context, layers);
  return undefined;
}

/** Files of the user's checkout, and links to its folders. */
async function bringAlong(
  { context }: TreeContext,
  { included }: LayerInputs,
  into: string,
): Promise<LayerNote | SandboxFailure> {
  const from = context.untracked;
  for (const path of included) {
    await mkdir(dirname(join(into, path)), { recursive: true });
    await cp(join(from, path), join(into, path), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  }
  for (const { path, target } of linksOf(context)) {
    if (!existsSync(target)) return { code: 'link-missing', path: target };
    await mkdir(dirname(join(into, path)), { recursive: true });
    try {
      await symlink(target, join(into, path));
    } catch (cause) {
      if (!hasCode(cause, 'EEXIST')) throw cause;
      return { code: 'link-tracked', path };
    }
  }
  const made = [...included, ...linksOf(context).map(({ path }) => path)];
  return { made, excludes: made.map(patternFor) };
}

/** In a place of its own that goes away again; what set-up made is moved out of it. */
async function withSetup(
  treeContext: TreeContext,
  { inputs, origin }: Build,
  files: string,
): Promise<LayerNote | SandboxFailure> {
  const { context, tree } = treeContext;
  const place = placeAt(join(context.folders.scratch, asideName()));
  await mkdir(place.root, { recursive: true });
  try {
    const branch = 'heddle/setup';
    const failure = await tree.populate({ place, ...origin, branch, layer: undefined, isForWork: false });
    if (failure !== undefined) return failure;
    const brought = await bringAlong(treeContext, inputs, tree.writtenIn(place));
    if ('code' in brought) return brought;
    const setUp = await runSetup(treeContext, place);
    if ('code' in setUp) return setUp;
    const { note, filled } = setUp;
    for (const path of [...note.made, ...filled]) await takeOut(tree.writtenIn(place), files, path);
    return note;
  } finally {
    await removePlace(treeContext, place);
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
