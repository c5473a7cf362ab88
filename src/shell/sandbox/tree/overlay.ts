// Trees by the kernel's overlay over an immutable template: made in a few milliseconds, whatever the repository's size.
//
// overlay/O1. Nothing below the upper folder is ever written to.
// overlay/O2. The copied index of the template holds in the overlay, because files below keep number, times and size
//     there.
// overlay/O3. The overlay is mounted by the programs that work in it, and seen through `wrap` alone.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxContext } from './sandbox-context.ts';
import { readUses } from './place-paths.ts';
import { markBefore, touchedBefore } from './touched-note.ts';
import type { PlacePaths } from './place-paths.ts';
import { layerFiles } from './layers.ts';
import { templateFiles } from './templates.ts';
import type { Templates } from './templates.ts';
import { mountedAlone } from '../disk/mounts.ts';
import type { Mounter, OverlayMount, MaybeFailure } from '../disk/mounts.ts';
import { runSandboxProgram } from '../disk/run-program.ts';
import { advance } from './advance.ts';
import { makeGitDir, pointToGit } from './make-git-dir.ts';
import { findTouched } from './touched.ts';
import type { Touched } from './touched.ts';
import type { FillRequest, Tree } from './tree.ts';

export function overlayTree(context: SandboxContext, templates: Templates, as: Mounter): Tree {
  const overlayOf = (place: PlacePaths): OverlayMount => {
    const { template, layer } = readUses(place);
    const lower = [
      ...(layer === undefined ? [] : [layerFiles(context, layer)]),
      ...(template === undefined ? [] : [templateFiles(context, template)]),
    ];
    // The kernel empties a work folder when it is mounted.
    const work = join(place.work, randomUUID());
    mkdirSync(work, { recursive: true });
    return { as, home: context.home, layers: { lower, upper: place.upper, work, at: place.tree } };
  };
  return {
    kind: 'overlay',
    populate: async (request) => fill({ context, templates, overlayOf }, request),
    // The upper folder is removed with the place.
    retire: async () => undefined,
    overlayOf,
    writtenIn: (place) => place.upper,
    touched: async (place) => touchedIn({ context, overlayOf }, place),
  };
}

interface Overlays {
  readonly context: SandboxContext;
  readonly overlayOf: (place: PlacePaths) => OverlayMount;
}

/** Undefined when it is not recorded what the place was filled with. */
async function touchedIn({ context, overlayOf }: Overlays, place: PlacePaths): Promise<Touched | undefined> {
  const { template } = readUses(place);
  const before = touchedBefore(place);
  if (template === undefined || before === undefined) return undefined;
  const present = async (paths: readonly string[]): Promise<ReadonlySet<string> | undefined> =>
    presentIn(overlayOf(place), paths);
  return findTouched({
    upper: place.upper,
    template: templateFiles(context, template),
    present,
    before,
    markBefore: markBefore(place),
  });
}

const LIST_TIME_MAX_MS = 120_000;

/** Only names are read, so it takes no isolation. */
async function presentIn(overlay: OverlayMount, paths: readonly string[]): Promise<ReadonlySet<string> | undefined> {
  const ending = await runSandboxProgram(mountedAlone(overlay, ['sh', '-c', PRESENT]), {
    cwd: overlay.home,
    environment: process.env,
    input: paths.map((path) => `./${path}\0`).join(''),
    limitMs: LIST_TIME_MAX_MS,
  });
  if (ending.code !== 0) return undefined;
  return new Set(ending.output.split('\0').map((path) => path.slice(2)));
}

/** Messages of `find` about missing paths are dropped. */
const PRESENT = `xargs -0 sh -c 'find "$@" -maxdepth 0 -print0 2>/dev/null; true' heddle`;

async function fill(
  { context, overlayOf, templates }: Overlays & { readonly templates: Templates },
  request: FillRequest,
): Promise<MaybeFailure> {
  const { place, tree, layer } = request;
  const taken = await templates.take({ place, tree, layer: layer?.name });
  if (taken.type === 'failed') return taken.failure;
  const { template, changed } = taken;
  for (const folder of [place.upper, place.work, place.tree, place.temporary]) mkdirSync(folder, { recursive: true });
  await pointToGit(place.upper, place);
  const failure = await makeGitDir(context, request, template.index);
  if (failure !== undefined || changed.length === 0) return failure;
  return advance(context, { request, changed, overlay: overlayOf(place) });
}
