// Keeps templates and layers within their size: what was not used longest goes first, and nothing that a place stands on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxContext } from './sandbox-context.ts';
import { placeAt, readUses } from './place-paths.ts';
import { entriesOf, throwAway } from '../disk/files.ts';
import { withLock } from '../disk/lock.ts';
import { runSandboxProgram } from '../disk/run-program.ts';
import { usedAt } from './nearest-template.ts';

/** Of templates, and of layers, so many bytes and so many of them are kept. */
export const SHELF_LIMITS = { bytesMax: 20 * 1024 ** 3, countMax: 32 } as const;

const SIZE_TIME_MAX_MS = 120_000;

export async function folderSize(folder: string): Promise<number> {
  const request = { cwd: folder, environment: process.env, input: undefined, limitMs: SIZE_TIME_MAX_MS };
  const { output } = await runSandboxProgram(['du', '-sk', folder], request);
  return Number.parseInt(output, 10) * 1024 || 0;
}

export async function evict(
  context: SandboxContext,
  shelf: string,
  limits: { readonly bytesMax: number; readonly countMax: number } = SHELF_LIMITS,
): Promise<readonly string[]> {
  return withLock(context.folders.locks, { family: 'shelf', name: 'templates' }, async () => {
    const used = await namesInUse(context);
    const all = (await entriesOf(shelf))
      .filter((name) => !name.startsWith('aside-'))
      .map((name) => ({ name, usedAt: usedAt(join(shelf, name)), bytes: bytesOf(join(shelf, name)) }))
      .sort((one, other) => other.usedAt - one.usedAt);
    const evicted: string[] = [];
    let bytes = 0;
    for (const [index, one] of all.entries()) {
      bytes += one.bytes;
      // The one used last was just built for somebody who is about to take it.
      const fits = index === 0 || (bytes <= limits.bytesMax && index < limits.countMax);
      if (fits || used.has(one.name)) continue;
      bytes -= one.bytes;
      evicted.push(one.name);
      await throwAway(context.folders.trash, [join(shelf, one.name)]);
    }
    return evicted;
  });
}

function bytesOf(folder: string): number {
  try {
    return Number(readFileSync(join(folder, 'bytes'), 'utf8')) || 0;
  } catch {
    return 0;
  }
}

/** Names of all templates and layers that some place stands on. */
export async function namesInUse(context: SandboxContext): Promise<ReadonlySet<string>> {
  const roots = await placeRoots(context);
  return new Set(
    roots.flatMap((root) => {
      const { template, layer } = readUses(placeAt(root));
      return [template, layer].filter((name) => name !== undefined);
    }),
  );
}

/** Every place on the disk, of whatever purpose and in whatever state. */
export async function placeRoots(context: SandboxContext): Promise<readonly string[]> {
  const { sandboxes, candidates, scratch, kept } = context.folders;
  const nested = await Promise.all([...(await below(sandboxes)), ...(await below(kept))].map(below));
  const flat = await Promise.all([candidates, scratch].map(below));
  return [...nested.flat(), ...flat.flat()];
}

const below = async (folder: string): Promise<readonly string[]> =>
  (await entriesOf(folder)).map((name) => join(folder, name));
