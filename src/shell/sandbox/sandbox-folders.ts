// Sandboxes as they are found on the disk.
import { join } from 'node:path';
import { placeAt, readNote } from './tree/place-paths.ts';
import type { FoundSandbox } from './sandbox.ts';
import type { TreeKind } from './tree/tree.ts';
import { entriesOf } from './disk/files.ts';
import type { TreeContext } from './fill-place.ts';

/** A folder that holds, or was to hold, a sandbox. */
export interface SandboxFolder {
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
