// The life of one sandbox: opened, reset, salvaged, destroyed, each under its lock.
//
// open-sandbox/F1. `filling` in the note says that no file in the place is worth anything: only then is it emptied. What is kept
//     are the homes, with the conversations that another attempt goes on with; a task that begins anew has none.
// open-sandbox/F2. An attempt that begins with clean files does so whatever the one before it left: what no ref can hold, such as
//     a link that leaves the tree, is kept aside as it is. Else every further attempt would be refused for it.
import { failedBy, type SandboxFailed } from '../../core/protocol/sandbox-failure.ts';
import { existsSync, readdirSync } from 'node:fs';
import { rename, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorAsValue } from '../git/run/git-error.ts';
import type { Ref } from '../git/store/refs.ts';
import { launchEnvironment } from './launch-environment.ts';
import {
  branchOf,
  placeAt,
  readNote,
  readUses,
  writeNote,
  type PlaceNote,
  type PlacePaths,
} from './tree/place-paths.ts';
import { freePorts, leasePorts } from './lease-ports.ts';
import type { Destroyed, Reset, SandboxSalvage, Sandbox, SandboxOpened, SandboxRequest } from './sandbox.ts';
import { findLayer } from './tree/layers.ts';
import type { LayerFiles, Tree } from './tree/tree.ts';
import { asideName, removeIfEmpty, dropSpecialBits } from './disk/files.ts';
import { withLock } from './disk/lock.ts';
import type { MaybeFailure } from './disk/mounts.ts';
import { bringConversation } from './bring-conversation.ts';
import { checkpoint, type StandingSandbox } from './checkpoint.ts';
import { fillPlace, removeHomes, removePlace, returnHomes, type TreeContext } from './fill-place.ts';
import { layerFor } from './setup-layer.ts';
import { isContentRefused, salvageSandbox, salvageHead } from './salvage-sandbox.ts';
import { gitProcessesIn } from '../git/run/git-processes.ts';
import type { SandboxContext } from './tree/sandbox-context.ts';
import { runInside } from './tree/run-inside.ts';

interface Named {
  readonly run: string;
  readonly task: string;
}

export const sandboxPlace = ({ context }: TreeContext, { run, task }: Named): PlacePaths =>
  placeAt(join(context.folders.sandboxes, run, task));

export const lockName = ({ run, task }: Named) => ({ family: 'sandbox', name: `${run}/${task}` }) as const;

const locked = <Result>(treeContext: TreeContext, named: Named, action: () => Promise<Result>): Promise<Result> =>
  withLock(treeContext.context.folders.locks, lockName(named), action);

export async function openSandbox(treeContext: TreeContext, request: SandboxRequest): Promise<SandboxOpened> {
  const place = sandboxPlace(treeContext, request);
  const present = readNote(place);
  // Set-up may take minutes, so it is done before the lock is taken.
  const layered = present === undefined ? await layerOf(treeContext, request.from ?? request.base) : undefined;
  if (layered?.type === 'failed') return layered;
  return locked(treeContext, request, async () => {
    const note = readNote(place);
    if (note === undefined && existsSync(place.note)) await keepAside(treeContext, place, request);
    const opened =
      note === undefined
        ? await make(treeContext, request, layered?.layer)
        : await reopen(treeContext, { place, note }, request);
    if (opened.type === 'failed') return opened;
    const { run, conversation } = request;
    if (conversation !== undefined)
      await bringConversation(sandboxPlace(treeContext, { run, task: conversation.task }), place, conversation.id);
    return {
      type: 'opened',
      sandbox: sandboxAt(treeContext, opened.note, request.isReadOnly === true),
      salvaged: opened.salvaged,
    };
  });
}

type Opening = { readonly type: 'open'; readonly note: PlaceNote; readonly salvaged: readonly Ref[] } | SandboxFailed;

async function layerOf(treeContext: TreeContext, commit: string) {
  return layerFor(treeContext, { commit, tree: await treeContext.context.repository.treeOf(commit) });
}

async function make(
  treeContext: TreeContext,
  request: SandboxRequest,
  layer: LayerFiles | undefined,
): Promise<Opening> {
  const { run, task, base, from, at, life } = request;
  const place = sandboxPlace(treeContext, request);
  const commit = from ?? base;
  const failure = await fill(treeContext, { place, named: request, commit, layer });
  if (failure !== undefined) return failedBy(failure);
  const ports = await leasePorts(treeContext.context, place, treeContext.context.settings.ports);
  if (ports === undefined) return failedBy({ code: 'no-ports' });
  const note: PlaceNote = {
    run,
    task,
    kind: treeContext.tree.kind,
    base,
    head: commit,
    at,
    state: 'ready',
    ports,
    life,
  };
  await writeNote(place, note);
  return { type: 'open', note, salvaged: [] };
}

interface Filling {
  readonly place: PlacePaths;
  readonly named: Named;
  readonly commit: string;
  readonly layer: LayerFiles | undefined;
}

async function fill(treeContext: TreeContext, { place, named, commit, layer }: Filling): Promise<MaybeFailure> {
  const tree = await treeContext.context.repository.treeOf(commit);
  return fillPlace(treeContext, { place, commit, tree, branch: branchOf(named), layer, isForWork: true });
}

/** One that is there goes on as it is, unless it has not got what it shall go on from. */
async function reopen(
  treeContext: TreeContext,
  { place, note: written }: StandingSandbox,
  request: SandboxRequest,
): Promise<Opening> {
  const { base, from, life, isClean = false } = request;
  const isOfAnother = life !== undefined && life !== (written.life ?? 0);
  // Written with the note that says so, and only once what is in it is safe.
  const note = isOfAnother ? { ...written, life } : written;
  const standing = { place, note };
  const wanted = from ?? base;
  if (note.kind !== treeContext.tree.kind)
    return failedBy({ code: 'other-tree', folder: place.root, made: note.kind, wanted: treeContext.tree.kind });
  if (note.state === 'filling') return refill(treeContext, standing, { commit: wanted, salvaged: [] });
  const found = await salvageHead(treeContext, standing);
  if (found.type === 'failed')
    return (await isOrphaned(treeContext, note, wanted)) ? replace(treeContext, place, request) : found;
  const isThere = wanted === note.head || (await treeContext.context.repository.isAncestor(wanted, note.head));
  const goesOn = isThere && !isOfAnother && !isClean;
  if (isOfAnother) await removeHomes(treeContext, place);
  if (!goesOn) {
    const reset = await resetTo(treeContext, standing, wanted);
    const isUnsaved = reset.type === 'failed' && isContentRefused(reset.failure);
    return isUnsaved ? replace(treeContext, place, request) : reset;
  }
  await removeLeftLocks({ ...treeContext, ...standing });
  return { type: 'open', note, salvaged: [] };
}

/** The integration repository lacks what the sandbox began with, so nothing in it can be committed; but not what is wanted. */
async function isOrphaned({ context }: TreeContext, { base }: PlaceNote, wanted: string): Promise<boolean> {
  const [began, next] = await Promise.all([context.repository.commitOf(base), context.repository.commitOf(wanted)]);
  return began === undefined && next !== undefined;
}

/** Makes it anew; the old one is kept aside with its files, for `heddle recover` to list. */
async function replace(treeContext: TreeContext, place: PlacePaths, request: SandboxRequest): Promise<Opening> {
  const layered = await layerOf(treeContext, request.from ?? request.base);
  if (layered.type === 'failed') return layered;
  await returnHomes(await keepAside(treeContext, place, request), place);
  return make(treeContext, request, layered.layer);
}

async function resetTo(treeContext: TreeContext, standing: StandingSandbox, commit: string): Promise<Opening> {
  const safe = await salvageSandbox(treeContext, standing, `reset to ${commit}`);
  if (safe.type === 'failed') return safe;
  await writeNote(standing.place, { ...standing.note, state: 'filling' });
  return refill(treeContext, standing, { commit, salvaged: safe.type === 'salvaged' ? safe.refs : [] });
}

interface Refill {
  readonly commit: string;
  readonly salvaged: readonly Ref[];
}

async function refill(
  treeContext: TreeContext,
  { place, note }: StandingSandbox,
  { commit, salvaged }: Refill,
): Promise<Opening> {
  const name = readUses(place).layer;
  const found = name === undefined ? undefined : await findLayer(treeContext.context, name);
  const layered = found === undefined ? await layerOf(treeContext, commit) : { type: 'layered' as const, layer: found };
  if (layered.type === 'failed') return layered;
  const failure = await fill(treeContext, { place, named: note, commit, layer: layered.layer });
  if (failure !== undefined) return failedBy(failure);
  const fresh: PlaceNote = { ...note, base: commit, head: commit, state: 'ready' };
  await writeNote(place, fresh);
  return { type: 'open', note: fresh, salvaged };
}

function sandboxAt(treeContext: TreeContext, note: PlaceNote, isReadOnly: boolean): Sandbox {
  const place = sandboxPlace(treeContext, note);
  const name = `${note.run} ${note.task}`;
  return {
    ...launchEnvironment(treeContext.context, {
      place,
      tree: treeContext.tree,
      name,
      ports: note.ports,
      use: 'claims',
      isReadOnly,
    }),
    checkpoint: (request) => onReady(treeContext, note, (standing) => checkpoint(treeContext, standing, request)),
    reset: (commit) =>
      onReady(treeContext, note, async (standing) => resetOutcome(await resetTo(treeContext, standing, commit))),
    salvage: (reason) =>
      onReady(treeContext, note, (standing): Promise<SandboxSalvage> => salvageSandbox(treeContext, standing, reason)),
    destroy: () => destroySandbox(treeContext, note),
  };
}

const resetOutcome = (opening: Opening): Reset =>
  opening.type === 'failed' ? opening : { type: 'reset', salvaged: opening.salvaged };

/** Under the lock, on the note as it is then. */
async function onReady<Outcome>(
  treeContext: TreeContext,
  named: Named,
  action: (standing: StandingSandbox) => Promise<Outcome | SandboxFailed>,
): Promise<Outcome | SandboxFailed> {
  return locked(treeContext, named, async () => {
    const place = sandboxPlace(treeContext, named);
    const note = readNote(place);
    if (note === undefined || note.state !== 'ready') return failedBy({ code: 'sandbox-missing', folder: place.root });
    return errorAsValue(() => action({ place, note }));
  });
}

export async function destroySandbox(treeContext: TreeContext, named: Named): Promise<Destroyed> {
  return locked(treeContext, named, () => destroyLocked(treeContext, named));
}

/** For those who hold the lock. */
export async function destroyLocked(treeContext: TreeContext, named: Named): Promise<Destroyed> {
  const place = sandboxPlace(treeContext, named);
  const note = readNote(place);
  if (note === undefined && existsSync(place.note)) {
    const folder = await keepAside(treeContext, place, named);
    return { type: 'kept', kept: { code: 'kept-unknown', folder } };
  }
  const safe =
    note?.state === 'ready'
      ? await errorAsValue(() => salvageSandbox(treeContext, { place, note }, 'the sandbox is removed'))
      : ({ type: 'nothing' } as const);
  if (safe.type === 'failed')
    return { type: 'kept', kept: { code: 'kept-unsaved', folder: place.root, failure: safe.failure } };
  if (note !== undefined) await writeNote(place, { ...note, state: 'filling' });
  await removePlace(treeContext, place);
  await freePorts(treeContext.context, place);
  await removeIfEmpty(dirname(place.root));
  return { type: 'destroyed', salvaged: safe.type === 'salvaged' ? safe.refs : [] };
}

/** Moves the place with all its content, so that its name is free. */
async function keepAside({ context }: TreeContext, place: PlacePaths, { run, task }: Named): Promise<string> {
  const aside = join(context.folders.kept, run, `${task}-${asideName()}`);
  await mkdir(dirname(aside), { recursive: true });
  await rename(place.root, aside);
  await dropSpecialBits([aside]);
  return aside;
}

// Locks in the git directory of a place that a git left when it was killed: with a program that ran into its limits, with a
// worker, with the whole machine. Every later git there would refuse to work, and no agent has done anything to deserve it.

interface ReopenedPlace {
  readonly context: SandboxContext;
  readonly tree: Tree;
  readonly place: PlacePaths;
  readonly note: PlaceNote;
}

/** git directory. Inside, because a link in it may lead anywhere. */
const REMOVE = `cd "$1" || exit 0
rm -f -- *.lock
find refs -type f -name '*.lock' -exec rm -f -- {} + 2>/dev/null
exit 0`;

/** Leaves those that a living git may hold: two steps of a task can be at work in one place. */
async function removeLeftLocks({ context, tree, place, note }: ReopenedPlace): Promise<void> {
  const folders = [place.git, dirname(join(place.git, 'refs', 'heads', branchOf(note)))];
  if (!folders.some(hasLock) || gitProcessesIn(place.tree).length > 0) return;
  const inside = { place, overlay: tree.overlayOf(place), writable: [], readable: [], environment: {} };
  await runInside(context, inside, { text: REMOVE, args: [place.git], input: undefined });
}

function hasLock(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.endsWith('.lock'));
  } catch {
    // Whatever is wrong with it, the next checkpoint looks after it.
    return false;
  }
}
