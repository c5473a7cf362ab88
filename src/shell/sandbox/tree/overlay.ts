// Trees by the kernel's overlay over an immutable template: made in a few milliseconds, whatever the repository's size.
//
// overlay/O1. Nothing below the upper folder is ever written to.
// overlay/O2. The copied index of the template holds in the overlay, because files below keep number, times and size
//     there.
// overlay/O3. `outside`: mounted for all to see, which takes root. `inside`: each program mounts it for itself, in
//     namespaces of its own, so it is seen through `wrap` alone; each has a work folder of its own, because the kernel
//     empties it.
import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxContext } from './sandbox-context.ts';
import { readUses } from './place-paths.ts';
import { touchedBefore } from './touched-note.ts';
import type { PlacePaths } from './place-paths.ts';
import { layerFiles } from './layers.ts';
import { templateFiles } from './templates.ts';
import type { Taken, Templates } from './templates.ts';
import { isMounted, mountOverlay, unmountAll } from '../disk/mounts.ts';
import type { OverlayLayers, Trouble } from '../disk/mounts.ts';
import { advance } from './advance.ts';
import { makeGitDir, pointToGit } from './make-git-dir.ts';
import { runInside } from './run-inside.ts';
import { lookAt } from './touched.ts';
import type { Touched } from './touched.ts';
import type { FillRequest, Tree } from './tree.ts';

export type Mounts = 'outside' | 'inside';

export function overlayTree(context: SandboxContext, templates: Templates, mounts: Mounts): Tree {
  const layersOf = (place: PlacePaths, work: string): OverlayLayers => {
    const { template, layer } = readUses(place);
    const lower = [
      ...(layer === undefined ? [] : [layerFiles(context, layer)]),
      ...(template === undefined ? [] : [templateFiles(context, template)]),
    ];
    return { lower, upper: place.upper, work, at: place.tree };
  };
  const overlayOf = (place: PlacePaths): OverlayLayers | undefined => {
    if (mounts === 'outside') return undefined;
    const work = join(place.work, randomUUID());
    mkdirSync(work, { recursive: true });
    return layersOf(place, work);
  };
  const outside = (place: PlacePaths): OverlayLayers | undefined =>
    mounts === 'inside' ? undefined : layersOf(place, place.work);
  const mountAnew = async (place: PlacePaths): Promise<Trouble> => {
    const layers = outside(place);
    return layers === undefined ? undefined : mountOverlay(context.home, layers);
  };
  const mount = async (place: PlacePaths): Promise<Trouble> => (isMounted(place.tree) ? undefined : mountAnew(place));
  return {
    kind: 'overlay',
    populate: async (request) => fill({ context, templates, overlayOf, mount: mountAnew, outside }, request),
    mount,
    unmount: async (place) => unmountAll(place.root),
    // The upper folder is removed with the place.
    retire: async () => undefined,
    overlayOf,
    writtenIn: (place) => place.upper,
    touched: async (place) => touchedIn({ context, overlayOf }, place),
  };
}

/** Undefined when it is not recorded what the place was filled with. */
async function touchedIn({ context, overlayOf }: Seeing, place: PlacePaths): Promise<Touched | undefined> {
  const { template } = readUses(place);
  const before = touchedBefore(place);
  if (template === undefined || before === undefined) return undefined;
  const isOutside = isMounted(place.tree);
  const present = async (paths: readonly string[]): Promise<ReadonlySet<string> | undefined> =>
    isOutside ? presentIn(place.tree, paths) : presentInside({ context, overlayOf }, place, paths);
  return lookAt({ upper: place.upper, template: templateFiles(context, template), present, before });
}

interface Seeing {
  readonly context: SandboxContext;
  readonly overlayOf: Tree['overlayOf'];
}

const presentIn = (tree: string, paths: readonly string[]): ReadonlySet<string> =>
  new Set(paths.filter((path) => lstatSync(join(tree, path), { throwIfNoEntry: false }) !== undefined));

/** Seen by a program inside, because the overlay is mounted only there. */
async function presentInside(
  { context, overlayOf }: Seeing,
  place: PlacePaths,
  paths: readonly string[],
): Promise<ReadonlySet<string> | undefined> {
  const ending = await runInside(
    context,
    { place, overlay: overlayOf(place), writable: [], readable: [], environment: {} },
    { text: PRESENT, args: [place.tree], input: paths.map((path) => `./${path}\0`).join('') },
  );
  if (ending.code !== 0) return undefined;
  return new Set(ending.output.split('\0').map((path) => path.slice(2)));
}

/** Messages of `find` about missing paths are dropped. */
const PRESENT = `cd "$1" && { xargs -0 sh -c 'find "$@" -maxdepth 0 -print0 2>/dev/null; true' heddle; }`;

interface Means {
  readonly context: SandboxContext;
  readonly templates: Templates;
  readonly overlayOf: Tree['overlayOf'];
  readonly mount: Tree['mount'];
  /** The layers that `mount` mounts; undefined where each program mounts them for itself. */
  readonly outside: (place: PlacePaths) => OverlayLayers | undefined;
}

async function fill(means: Means, request: FillRequest): Promise<Trouble> {
  const { context, templates, mount } = means;
  const { place, tree, layer } = request;
  const taken = await templates.take({ place, tree, layer: layer?.name });
  if (taken.type === 'failed') return taken.message;
  const { template, changed } = taken;
  for (const folder of [place.upper, place.work, place.tree, place.temporary]) mkdirSync(folder, { recursive: true });
  await pointToGit(place.upper, place);
  if (changed.length > 0) return fillOtherwise(means, request, taken);
  const [mounted, made] = await Promise.all([mount(place), makeGitDir(context, request, template.index)]);
  return mounted ?? made;
}

/** Paths that differ from the template are written by the process that mounts. */
async function fillOtherwise(
  { context, overlayOf, outside }: Means,
  request: FillRequest,
  { template, changed }: Extract<Taken, { type: 'taken' }>,
): Promise<Trouble> {
  const { place } = request;
  const made = await makeGitDir(context, request, template.index);
  return made ?? advance(context, { request, changed, overlay: overlayOf(place), mounts: outside(place) });
}
