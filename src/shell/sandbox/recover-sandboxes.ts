// Mends what killed processes left: at a start, and whenever a person asks. Nothing that a living process is at is touched.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Ref } from '../git/store/refs.ts';
import { placeAt } from './tree/place-paths.ts';
import { freePorts } from './lease-ports.ts';
import type { FoundSandbox, Recovered, RecoverRequest } from './sandbox.ts';
import { entriesOf, isLeftOver, removeFolder, removeIfEmpty } from './disk/files.ts';
import { ifUnlocked } from './disk/lock.ts';
import { unmountAll } from './disk/mounts.ts';
import { candidateLock, discard, hasOwner } from './candidate.ts';
import { sandboxFolders } from './sandbox-folders.ts';
import type { SandboxFolder } from './sandbox-folders.ts';
import type { TreeContext } from './fill-place.ts';
import { destroyLocked, lockName } from './open-sandbox.ts';

export async function recover(treeContext: TreeContext, request: RecoverRequest): Promise<Recovered> {
  const sandboxes = await recoverSandboxes(treeContext, request);
  const says = [
    ...sandboxes.says,
    ...(await recoverCandidates(treeContext)),
    ...(await recoverScratch(treeContext)),
    ...(await recoverAsides(treeContext)),
  ];
  await freePorts(treeContext.context, undefined);
  return { ...sandboxes, says };
}

async function recoverSandboxes(treeContext: TreeContext, { isWanted }: RecoverRequest): Promise<Recovered> {
  const removed: FoundSandbox[] = [];
  const salvaged: Ref[] = [];
  const says: string[] = [];
  for (const folder of await sandboxFolders(treeContext)) {
    if (folder.found !== undefined && isWanted(folder.found)) continue;
    const ended = await endOne(treeContext, folder);
    if (ended?.type === 'kept') says.push(ended.message);
    if (ended?.type !== 'destroyed') continue;
    salvaged.push(...ended.salvaged);
    if (folder.found === undefined) says.push(`The sandbox of ${folder.task} was only half made; it was removed.`);
    else removed.push(folder.found);
  }
  await removeEmptyRuns(treeContext);
  return { removed, salvaged, says };
}

/** Of a run whose last sandbox was just removed, or whose first was about to be made. */
async function removeEmptyRuns({ context }: TreeContext): Promise<void> {
  const { sandboxes } = context.folders;
  for (const run of await entriesOf(sandboxes)) await removeIfEmpty(join(sandboxes, run));
}

/** Undefined when somebody is at it. */
const endOne = (treeContext: TreeContext, folder: SandboxFolder) =>
  ifUnlocked(treeContext.context.folders.locks, lockName(folder), () => destroyLocked(treeContext, folder));

async function recoverCandidates(treeContext: TreeContext): Promise<readonly string[]> {
  const { candidates, locks } = treeContext.context.folders;
  const says: string[] = [];
  for (const name of await entriesOf(candidates)) {
    const place = placeAt(join(candidates, name));
    if (hasOwner(place)) continue;
    const said = await ifUnlocked(locks, candidateLock(name), async () =>
      hasOwner(place)
        ? undefined
        : ((await discard(treeContext, place)) ?? `The candidate ${name} was left over; it was removed.`),
    );
    if (said !== undefined) says.push(said);
  }
  return says;
}

async function recoverScratch(treeContext: TreeContext): Promise<readonly string[]> {
  const { scratch } = treeContext.context.folders;
  const says: string[] = [];
  for (const name of (await entriesOf(scratch)).filter(isLeftOver)) {
    const trouble = await discard(treeContext, placeAt(join(scratch, name)));
    says.push(trouble ?? `A place where set-up ran was left over; it was removed.`);
  }
  return says;
}

/** What was being built, and what was being removed. */
async function recoverAsides({ context }: TreeContext): Promise<readonly string[]> {
  const { templates, layers, parked, trash } = context.folders;
  const says: string[] = [];
  for (const folder of [templates, layers, parked, trash]) {
    for (const name of (await entriesOf(folder)).filter(isLeftOver)) {
      const leftOver = join(folder, name);
      const trouble = await unmountAll(leftOver);
      if (trouble === undefined && existsSync(leftOver)) await removeFolder(leftOver);
      says.push(trouble ?? `${leftOver} was left over; it was removed.`);
    }
  }
  return says;
}
