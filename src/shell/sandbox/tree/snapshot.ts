// Trees by snapshots of a file system that has them (btrfs): the template is a subvolume, a sandbox a snapshot of it.
// Set-up's layer is part of the template, because a snapshot has one origin.
import { mkdir } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import type { SandboxContext } from './sandbox-context.ts';
import type { PlacePaths } from './place-paths.ts';
import { layerFiles } from './layers.ts';
import type { TemplateForm, Templates } from './templates.ts';
import { throwAway } from '../disk/files.ts';
import type { MaybeFailure } from '../disk/mounts.ts';
import { runSandboxProgram } from '../disk/run-program.ts';
import { advance } from './advance.ts';
import { copyLayer } from './checkout.ts';
import { makeGitDir, pointToGit } from './make-git-dir.ts';
import type { FillRequest, Tree } from './tree.ts';

const BTRFS_TIME_MAX_MS = 120_000;

export async function btrfs(args: readonly string[], cwd: string): Promise<MaybeFailure> {
  const request = { cwd, environment: process.env, input: undefined, limitMs: BTRFS_TIME_MAX_MS };
  const ending = await runSandboxProgram(['btrfs', ...args], request);
  return ending.code === 0
    ? undefined
    : { code: 'btrfs-failed', command: args.slice(0, 2).join(' '), stderr: ending.stderr };
}

export const subvolumeForm = (context: SandboxContext): TemplateForm => ({
  name: 'subvolume',
  makeFolder: async (folder) => btrfs(['subvolume', 'create', folder], context.home),
  finish: async (tree, layer) =>
    layer === undefined
      ? undefined
      : copyLayer({ name: layer, files: layerFiles(context, layer), excludes: [] }, { tree }),
  holdsLayer: true,
});

export function snapshotTree(context: SandboxContext, templates: Templates): Tree {
  return {
    kind: 'snapshot',
    populate: async (request) => fill(context, templates, request),
    retire: async (place) => retire(context, place),
    overlayOf: () => undefined,
    writtenIn: (place) => place.tree,
    touched: async () => undefined,
  };
}

async function fill(context: SandboxContext, templates: Templates, request: FillRequest): Promise<MaybeFailure> {
  const { place, tree, layer } = request;
  const taken = await templates.take({ place, tree, layer: layer?.name });
  if (taken.type === 'failed') return taken.failure;
  await mkdir(place.temporary, { recursive: true });
  const failure =
    (await btrfs(['subvolume', 'snapshot', taken.template.files, place.tree], context.home)) ??
    (await makeGitDir(context, request, taken.template.index));
  if (failure !== undefined) return failure;
  await pointToGit(place.tree, place);
  return advance(context, { request, changed: taken.changed, overlay: undefined });
}

/** Deleting a subvolume is quick; a folder that is none is thrown away like any other. */
async function retire(context: SandboxContext, place: PlacePaths): Promise<void> {
  if (!existsSync(place.tree)) return;
  const failure = await btrfs(['subvolume', 'delete', place.tree], context.home);
  if (failure !== undefined) await throwAway(context.folders.trash, [place.tree]);
}
