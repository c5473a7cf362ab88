// Ports that are a sandbox's own: a file each, created exclusively, naming the place that has it. A lease ends with its
// place, so nobody has to outlive anybody to give it back.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { SandboxContext } from './tree/sandbox-context.ts';
import { entriesOf } from './disk/files.ts';
import { withLock } from './disk/lock.ts';
import type { PlacePaths } from './tree/place-paths.ts';

/** Below what systems give out by themselves, above what services use. */
const FIRST_PORT = 21_000;
const PORTS = 9_000;

/** Undefined when there are not so many left. */
export async function leasePorts(
  context: SandboxContext,
  place: PlacePaths,
  count: number,
): Promise<readonly number[] | undefined> {
  if (count === 0) return [];
  return withLock(context.folders.locks, { family: 'ports', name: 'ports' }, async () => {
    await freePorts(context, place);
    const ports: number[] = [];
    // Each project begins elsewhere, because none sees the leases of another.
    const start = createHash('sha256').update(context.home).digest().readUInt16BE(0);
    for (let tried = 0; tried < PORTS && ports.length < count; tried += 1) {
      const port = FIRST_PORT + ((start + tried) % PORTS);
      if (await lease(context, place, port)) ports.push(port);
    }
    return ports.length === count ? ports : undefined;
  });
}

async function lease(context: SandboxContext, place: PlacePaths, port: number): Promise<boolean> {
  const file = join(context.folders.ports, String(port));
  await mkdir(context.folders.ports, { recursive: true });
  if (existsSync(file) && (await isLeased(file))) return false;
  if (!(await isFree(port))) return false;
  await writeFile(file, place.root);
  return true;
}

/** A lease that is given back at this moment belongs to nobody. */
const isLeased = async (file: string): Promise<boolean> => existsSync(await readFile(file, 'utf8').catch(() => ''));

/** Somebody who knows nothing of leases may use it. */
const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });

/** Those of a place, and all whose place is gone. */
export async function freePorts(context: SandboxContext, place: PlacePaths | undefined): Promise<void> {
  for (const name of await entriesOf(context.folders.ports)) {
    const file = join(context.folders.ports, name);
    const owner = await readFile(file, 'utf8').catch(() => '');
    if (owner === place?.root || !existsSync(owner)) await rm(file, { force: true });
  }
}
