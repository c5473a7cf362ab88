// Mends what killed processes left: at a start, and whenever a person asks. Nothing that a living process is at is touched.
import { join } from 'node:path';
import type { Ref } from '../git/store/refs.ts';
import { placeAt, readNote } from './tree/place-paths.ts';
import { freePorts } from './lease-ports.ts';
import type { FoundSandbox, Recovered, RecoverSandboxes, SandboxRepair } from './sandbox.ts';
import { entriesOf, isLeftOver, removeFolder, removeIfEmpty } from './disk/files.ts';
import { ifUnlocked } from './disk/lock.ts';
import { candidateLock, discard, hasOwner } from './candidate.ts';
import type { TreeContext } from './fill-place.ts';
import { destroyLocked, lockName } from './open-sandbox.ts';
import type { TreeKind } from './tree/tree.ts';

export async function recoverAll(treeContext: TreeContext, request: RecoverSandboxes): Promise<Recovered> {
  const sandboxes = await recoverSandboxes(treeContext, request);
  const repairs = [
    ...sandboxes.repairs,
    ...(await recoverCandidates(treeContext)),
    ...(await recoverScratch(treeContext)),
    ...(await recoverAsides(treeContext)),
  ];
  await freePorts(treeContext.context, undefined);
  return { ...sandboxes, repairs };
}

/** Most of the time goes into programs that each has to wait for. */
const ENDED_AT_ONCE = 8;

async function recoverSandboxes(treeContext: TreeContext, { isWanted }: RecoverSandboxes): Promise<Recovered> {
  const removed: FoundSandbox[] = [];
  const salvaged: Ref[] = [];
  const repairs: SandboxRepair[] = [];
  const locked: SandboxFolder[] = [];
  const end = async (folder: SandboxFolder): Promise<void> => {
    const ended = await endOne(treeContext, folder);
    if (ended === undefined) locked.push(folder);
    if (ended?.type === 'kept') repairs.push(ended.kept);
    if (ended?.type !== 'destroyed') return;
    salvaged.push(...ended.salvaged);
    if (folder.found === undefined) repairs.push({ code: 'half-made', task: folder.task });
    else removed.push(folder.found);
  };
  const all = await sandboxFolders(treeContext);
  const waiting = all.filter(({ found }) => found === undefined || !isWanted(found));
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await end(next);
  };
  await Promise.all(Array.from({ length: ENDED_AT_ONCE }, lane));
  // Several names share a lock, so it may have been ourselves.
  for (const folder of locked.splice(0)) await end(folder);
  await removeEmptyRuns(treeContext);
  return { removed, salvaged, repairs };
}

/** Of a run whose last sandbox was just removed, or whose first was about to be made. */
async function removeEmptyRuns({ context }: TreeContext): Promise<void> {
  const { sandboxes } = context.folders;
  for (const run of await entriesOf(sandboxes)) await removeIfEmpty(join(sandboxes, run));
}

/** Undefined when somebody is at it. */
const endOne = (treeContext: TreeContext, folder: SandboxFolder) =>
  ifUnlocked(treeContext.context.folders.locks, lockName(folder), () => destroyLocked(treeContext, folder));

async function recoverCandidates(treeContext: TreeContext): Promise<readonly SandboxRepair[]> {
  const { candidates, locks } = treeContext.context.folders;
  const repairs: SandboxRepair[] = [];
  for (const name of await entriesOf(candidates)) {
    const place = placeAt(join(candidates, name));
    if (hasOwner(place)) continue;
    const isGone = await ifUnlocked(locks, candidateLock(name), async () => {
      if (hasOwner(place)) return false;
      await discard(treeContext, place);
      return true;
    });
    if (isGone === true) repairs.push({ code: 'candidate', name });
  }
  return repairs;
}

async function recoverScratch(treeContext: TreeContext): Promise<readonly SandboxRepair[]> {
  const { scratch } = treeContext.context.folders;
  const repairs: SandboxRepair[] = [];
  for (const name of (await entriesOf(scratch)).filter(isLeftOver)) {
    await discard(treeContext, placeAt(join(scratch, name)));
    repairs.push({ code: 'set-up' });
  }
  return repairs;
}

/** What was being built, and what was being removed. */
async function recoverAsides({ context }: TreeContext): Promise<readonly SandboxRepair[]> {
  const { templates, layers, parked, trash } = context.folders;
  const repairs: SandboxRepair[] = [];
  for (const folder of [templates, layers, parked, trash]) {
    for (const name of (await entriesOf(folder)).filter(isLeftOver)) {
      const path = join(folder, name);
      await removeFolder(path);
      repairs.push({ code: 'left-over', path });
    }
  }
  return repairs;
}

/** A folder that holds, or was to hold, a sandbox. */
interface SandboxFolder {
  readonly run: string;
  readonly task: string;
  /** Undefined when it has no note that can be read. */
  readonly found: FoundSandbox | undefined;
}

export async function sandboxFolders({ context }: TreeContext): Promise<readonly SandboxFolder[]> {
  const runs = await entriesOf(context.folders.sandboxes);
  const lists = await Promise.all(
    runs.map(async (run) => {
      const tasks = await entriesOf(join(context.folders.sandboxes, run));
      return tasks.map((task) => ({ run, task, found: foundAt(join(context.folders.sandboxes, run, task)) }));
    }),
  );
  return lists.flat();
}

function foundAt(root: string): FoundSandbox | undefined {
  const place = placeAt(root);
  const note = readNote(place);
  if (note === undefined) return undefined;
  const { run, task, head } = note;
  return { run, task, folder: root, kind: kindOf(note.kind), head };
}

const KINDS: readonly TreeKind[] = ['overlay', 'snapshot', 'checkout', 'none'];
const kindOf = (kind: string): TreeKind => KINDS.find((one) => one === kind) ?? 'checkout';
