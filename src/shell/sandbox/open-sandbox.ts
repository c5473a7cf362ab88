// The life of one sandbox: opened, reset, salvaged, destroyed, each under its lock.
//
// F1. `filling` in the note says that nothing in the place is worth anything: only then is it emptied.
import { existsSync } from 'node:fs';
import { rename, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GitError } from '../git/run/git-error.ts';
import type { Ref } from '../git/store/refs.ts';
import { launchEnvironment } from './launch-environment.ts';
import { removeLeftLocks } from './tree/left-locks.ts';
import { branchOf, placeAt, readNote, readUses, writeNote } from './tree/place-paths.ts';
import type { PlaceNote, PlacePaths } from './tree/place-paths.ts';
import { freePorts, leasePorts } from './lease-ports.ts';
import type { Destroyed, Reset, Salvage, Sandbox, SandboxOpened, SandboxRequest } from './sandbox.ts';
import { findLayer } from './tree/layers.ts';
import type { LayerFiles } from './tree/tree.ts';
import { asideName, removeIfEmpty } from './disk/files.ts';
import { withLock } from './disk/lock.ts';
import type { Trouble } from './disk/mounts.ts';
import { checkpoint } from './checkpoint.ts';
import type { Standing } from './checkpoint.ts';
import { fillPlace, removePlace } from './fill-place.ts';
import type { TreeContext } from './fill-place.ts';
import { layerFor } from './setup-layer.ts';
import { salvage } from './salvage-sandbox.ts';

interface Named {
  readonly run: string;
  readonly task: string;
}

export const sandboxPlace = ({ ground }: TreeContext, { run, task }: Named): PlacePaths =>
  placeAt(join(ground.folders.sandboxes, run, task));

export const lockName = ({ run, task }: Named) => ({ family: 'sandbox', name: `${run}/${task}` }) as const;

const locked = <Result>(house: TreeContext, named: Named, deed: () => Promise<Result>): Promise<Result> =>
  withLock(house.ground.folders.locks, lockName(named), deed);

export async function openSandbox(house: TreeContext, order: SandboxRequest): Promise<SandboxOpened> {
  const place = sandboxPlace(house, order);
  const present = readNote(place);
  // Set-up may take minutes, so it is done before the lock is taken.
  const layered = present === undefined ? await layerOf(house, order.from ?? order.base) : undefined;
  if (layered?.type === 'failed') return layered;
  return locked(house, order, async () => {
    const note = readNote(place);
    if (note === undefined && existsSync(place.note)) await keepAside(house, place, order);
    const opened =
      note === undefined ? await make(house, order, layered?.layer) : await wake(house, { place, note }, order);
    if (opened.type === 'failed') return opened;
    return { type: 'opened', sandbox: dress(house, opened.note), salvaged: opened.salvaged };
  });
}

type Opening =
  | { readonly type: 'open'; readonly note: PlaceNote; readonly salvaged: readonly Ref[] }
  | { readonly type: 'failed'; readonly message: string };

async function layerOf(house: TreeContext, commit: string) {
  return layerFor(house, { commit, tree: await house.ground.repository.treeOf(commit) });
}

async function make(house: TreeContext, order: SandboxRequest, layer: LayerFiles | undefined): Promise<Opening> {
  const { run, task, base, from, at, life } = order;
  const place = sandboxPlace(house, order);
  const commit = from ?? base;
  const trouble = await fill(house, { place, named: order, commit, layer });
  if (trouble !== undefined) return { type: 'failed', message: trouble };
  const ports = await leasePorts(house.ground, place, house.ground.settings.ports);
  if (ports === undefined) return { type: 'failed', message: 'There are no free ports left for another sandbox.' };
  const note: PlaceNote = { run, task, kind: house.tree.kind, base, head: commit, at, state: 'ready', ports, life };
  await writeNote(place, note);
  return { type: 'open', note, salvaged: [] };
}

interface Filling {
  readonly place: PlacePaths;
  readonly named: Named;
  readonly commit: string;
  readonly layer: LayerFiles | undefined;
}

async function fill(house: TreeContext, { place, named, commit, layer }: Filling): Promise<Trouble> {
  const tree = await house.ground.repository.treeOf(commit);
  return fillPlace(house, { place, commit, tree, branch: branchOf(named), layer, isForWork: true });
}

/** One that is there goes on as it is, unless it has not got what it shall go on from. */
async function wake(house: TreeContext, found: Standing, { base, from, life }: SandboxRequest): Promise<Opening> {
  const { place } = found;
  const isOfAnother = life !== undefined && life !== (found.note.life ?? 0);
  // Written with the note that says so, and only once what is in it is safe.
  const note = isOfAnother ? { ...found.note, life } : found.note;
  const standing = { place, note };
  const wanted = from ?? base;
  if (note.kind !== house.tree.kind) return { type: 'failed', message: otherKind(house, standing) };
  if (note.state === 'filling') return refill(house, standing, { commit: wanted, salvaged: [] });
  const trouble = await house.tree.wake(place);
  if (trouble !== undefined) return { type: 'failed', message: trouble };
  const isThere = wanted === note.head || (await house.ground.repository.isAncestor(wanted, note.head));
  const goesOn = isThere && !isOfAnother;
  if (!goesOn) return resetTo(house, standing, wanted);
  await removeLeftLocks({ ...house, ...standing });
  return { type: 'open', note, salvaged: [] };
}

const otherKind = (house: TreeContext, { place, note }: Standing): string =>
  `${place.root} was made as ${note.kind} and this run uses ${house.tree.kind}; set sandbox.tree to ${note.kind}, or remove it.`;

async function resetTo(house: TreeContext, standing: Standing, commit: string): Promise<Opening> {
  const safe = await salvage(house, standing, `reset to ${commit}`);
  if (safe.type === 'failed') return safe;
  await writeNote(standing.place, { ...standing.note, state: 'filling' });
  return refill(house, standing, { commit, salvaged: safe.type === 'salvaged' ? safe.refs : [] });
}

interface Refill {
  readonly commit: string;
  readonly salvaged: readonly Ref[];
}

async function refill(house: TreeContext, { place, note }: Standing, { commit, salvaged }: Refill): Promise<Opening> {
  const name = readUses(place).layer;
  const found = name === undefined ? undefined : await findLayer(house.ground, name);
  const layered = found === undefined ? await layerOf(house, commit) : { type: 'layered' as const, layer: found };
  if (layered.type === 'failed') return layered;
  const trouble = await fill(house, { place, named: note, commit, layer: layered.layer });
  if (trouble !== undefined) return { type: 'failed', message: trouble };
  const fresh: PlaceNote = { ...note, base: commit, head: commit, state: 'ready' };
  await writeNote(place, fresh);
  return { type: 'open', note: fresh, salvaged };
}

function dress(house: TreeContext, note: PlaceNote): Sandbox {
  const place = sandboxPlace(house, note);
  const name = `${note.run} ${note.task}`;
  return {
    ...launchEnvironment(house.ground, { place, tree: house.tree, name, ports: note.ports, use: 'claims' }),
    checkpoint: (order) => onReady(house, note, (standing) => checkpoint(house, standing, order)),
    reset: (commit) => onReady(house, note, async (standing) => resetOutcome(await resetTo(house, standing, commit))),
    salvage: (reason) => onReady(house, note, (standing): Promise<Salvage> => salvage(house, standing, reason)),
    destroy: () => destroySandbox(house, note),
  };
}

const resetOutcome = (opening: Opening): Reset =>
  opening.type === 'failed' ? opening : { type: 'reset', salvaged: opening.salvaged };

type Failure = { readonly type: 'failed'; readonly message: string };

/** Under the lock, on the note as it is then, and with the files visible. */
async function onReady<Outcome>(
  house: TreeContext,
  named: Named,
  deed: (standing: Standing) => Promise<Outcome | Failure>,
): Promise<Outcome | Failure> {
  return locked(house, named, async () => {
    const place = sandboxPlace(house, named);
    const note = readNote(place);
    if (note === undefined || note.state !== 'ready') {
      return { type: 'failed', message: `There is no sandbox at ${place.root}; open it again.` };
    }
    const trouble = await house.tree.wake(place);
    return trouble === undefined ? troubleSaid(() => deed({ place, note })) : { type: 'failed', message: trouble };
  });
}

async function troubleSaid<Outcome>(deed: () => Promise<Outcome | Failure>): Promise<Outcome | Failure> {
  try {
    return await deed();
  } catch (cause) {
    if (cause instanceof GitError) return { type: 'failed', message: cause.message };
    throw cause;
  }
}

export async function destroySandbox(house: TreeContext, named: Named): Promise<Destroyed> {
  return locked(house, named, () => destroyLocked(house, named));
}

/** For those who hold the lock. */
export async function destroyLocked(house: TreeContext, named: Named): Promise<Destroyed> {
  const place = sandboxPlace(house, named);
  const note = readNote(place);
  if (note === undefined && existsSync(place.note)) {
    const aside = await keepAside(house, place, named);
    return { type: 'kept', message: `What is in ${aside} is unknown, because its note cannot be read; look into it.` };
  }
  const safe = note?.state === 'ready' ? await makeSafe(house, { place, note }) : ({ type: 'nothing' } as const);
  if (safe.type === 'failed') {
    return {
      type: 'kept',
      message: `${place.root} was kept, because it holds what could not be saved: ${safe.message}`,
    };
  }
  if (note !== undefined) await writeNote(place, { ...note, state: 'filling' });
  const trouble = await removePlace(house, place);
  if (trouble !== undefined) return { type: 'kept', message: trouble };
  await freePorts(house.ground, place);
  await removeIfEmpty(dirname(place.root));
  return { type: 'destroyed', salvaged: safe.type === 'salvaged' ? safe.refs : [] };
}

async function makeSafe(house: TreeContext, standing: Standing): Promise<Salvage> {
  const trouble = await house.tree.wake(standing.place);
  if (trouble !== undefined) return { type: 'failed', message: trouble };
  return troubleSaid(() => salvage(house, standing, 'the sandbox is removed'));
}

/** Out of the way of whoever wants a place of this name, with everything in it. */
async function keepAside({ ground, tree }: TreeContext, place: PlacePaths, { run, task }: Named): Promise<string> {
  const aside = join(ground.folders.kept, run, `${task}-${asideName()}`);
  await tree.sleep(place);
  await mkdir(dirname(aside), { recursive: true });
  await rename(place.root, aside);
  return aside;
}
