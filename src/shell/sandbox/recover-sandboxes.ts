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

export async function recover(house: TreeContext, order: RecoverRequest): Promise<Recovered> {
  const sandboxes = await recoverSandboxes(house, order);
  const says = [
    ...sandboxes.says,
    ...(await recoverCandidates(house)),
    ...(await recoverScratch(house)),
    ...(await recoverAsides(house)),
  ];
  await freePorts(house.ground, undefined);
  return { ...sandboxes, says };
}

async function recoverSandboxes(house: TreeContext, { isWanted }: RecoverRequest): Promise<Recovered> {
  const removed: FoundSandbox[] = [];
  const salvaged: Ref[] = [];
  const says: string[] = [];
  for (const folder of await sandboxFolders(house)) {
    if (folder.found !== undefined && isWanted(folder.found)) continue;
    const ended = await endOne(house, folder);
    if (ended?.type === 'kept') says.push(ended.message);
    if (ended?.type !== 'destroyed') continue;
    salvaged.push(...ended.salvaged);
    if (folder.found === undefined) says.push(`The sandbox of ${folder.task} was only half made; it was removed.`);
    else removed.push(folder.found);
  }
  await removeEmptyRuns(house);
  return { removed, salvaged, says };
}

/** Of a run whose last sandbox was just removed, or whose first was about to be made. */
async function removeEmptyRuns({ ground }: TreeContext): Promise<void> {
  const { sandboxes } = ground.folders;
  for (const run of await entriesOf(sandboxes)) await removeIfEmpty(join(sandboxes, run));
}

/** Undefined when somebody is at it. */
const endOne = (house: TreeContext, folder: SandboxFolder) =>
  ifUnlocked(house.ground.folders.locks, lockName(folder), () => destroyLocked(house, folder));

async function recoverCandidates(house: TreeContext): Promise<readonly string[]> {
  const { candidates, locks } = house.ground.folders;
  const says: string[] = [];
  for (const name of await entriesOf(candidates)) {
    const place = placeAt(join(candidates, name));
    if (hasOwner(place)) continue;
    const said = await ifUnlocked(locks, candidateLock(name), async () =>
      hasOwner(place)
        ? undefined
        : ((await discard(house, place)) ?? `The candidate ${name} was left over; it was removed.`),
    );
    if (said !== undefined) says.push(said);
  }
  return says;
}

async function recoverScratch(house: TreeContext): Promise<readonly string[]> {
  const { scratch } = house.ground.folders;
  const says: string[] = [];
  for (const name of (await entriesOf(scratch)).filter(isLeftOver)) {
    const trouble = await discard(house, placeAt(join(scratch, name)));
    says.push(trouble ?? `A place where set-up ran was left over; it was removed.`);
  }
  return says;
}

/** What was being built, and what was being removed. */
async function recoverAsides({ ground }: TreeContext): Promise<readonly string[]> {
  const { templates, layers, parked, trash } = ground.folders;
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
