// Disposable trees of merged commits, for checks. They contain no work, so nothing is salvaged.
import { failedBy } from '../../core/protocol/sandbox-failure.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, thisProcess } from '../exec/process.ts';
import { launchEnvironment } from './launch-environment.ts';
import { placeAt, type PlacePaths } from './tree/place-paths.ts';
import { freePorts, leasePorts } from './lease-ports.ts';
import type { CandidateOpened, CandidateRequest, Destroyed } from './sandbox.ts';
import { readJsonFile, writeWhole } from './disk/files.ts';
import { withLock } from './disk/lock.ts';
import { fillPlace, removePlace, type TreeContext } from './fill-place.ts';
import { layerFor } from './setup-layer.ts';

export const candidateLock = (name: string) => ({ family: 'sandbox', name: `candidates/${name}` }) as const;

export async function openCandidate(
  treeContext: TreeContext,
  { commit, name }: CandidateRequest,
): Promise<CandidateOpened> {
  const { context } = treeContext;
  const tree = await context.repository.treeOf(commit);
  const layered = await layerFor(treeContext, { commit, tree });
  if (layered.type === 'failed') return layered;
  const place = placeAt(join(context.folders.candidates, name));
  return withLock(context.folders.locks, candidateLock(name), async () => {
    await mkdir(place.root, { recursive: true });
    await writeWhole(join(place.root, 'owner.json'), JSON.stringify(thisProcess()));
    const failure = await fillPlace(treeContext, {
      place,
      commit,
      tree,
      branch: `heddle/${name}`,
      layer: layered.layer,
      isForWork: false,
    });
    if (failure !== undefined) return failedBy(failure);
    const ports = await leasePorts(context, place, context.settings.ports);
    if (ports === undefined) return failedBy({ code: 'no-ports' });
    const launched = launchEnvironment(context, { place, tree: treeContext.tree, name, ports, use: 'claims' });
    return { type: 'opened', candidate: { ...launched, destroy: () => destroyCandidate(treeContext, name) } };
  });
}

async function destroyCandidate(treeContext: TreeContext, name: string): Promise<Destroyed> {
  const place = placeAt(join(treeContext.context.folders.candidates, name));
  return withLock(treeContext.context.folders.locks, candidateLock(name), async () => {
    await discard(treeContext, place);
    return { type: 'destroyed', salvaged: [] };
  });
}

export async function discard(treeContext: TreeContext, place: PlacePaths): Promise<void> {
  await removePlace(treeContext, place);
  if (treeContext.context.settings.ports > 0) await freePorts(treeContext.context, place);
}

/** Whether the process that made it is alive, and will remove it. */
export function hasOwner(place: PlacePaths): boolean {
  const owner = readJsonFile(join(place.root, 'owner.json'));
  if (typeof owner !== 'object' || owner === null || !('pid' in owner) || !('startedAt' in owner)) return false;
  return isAlive({ pid: Number(owner.pid), startedAt: String(owner.startedAt) });
}
