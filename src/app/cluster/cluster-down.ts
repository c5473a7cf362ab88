// Ends what a trial cluster has started, and nothing else: hosts first, then servers, then the engine.
import { signalGroup, isAlive } from '../../shell/exec/process.ts';
import { endTaggedProcesses, withTags } from '../../shell/exec/tagged-processes.ts';
import { livingParts, readClusterBook, type ClusterPart } from './cluster-book.ts';
import { CLUSTER_TAG } from './start-part.ts';

/** Hosts give their workers a few seconds. */
const GRACE_MS = 15_000;
const LOOK_EVERY_MS = 50;

/** The names of what was running; undefined where no trial was ever started. */
export async function clusterDown(home: string): Promise<readonly string[] | undefined> {
  const book = readClusterBook(home);
  if (book === undefined) return undefined;
  const living = livingParts(book);
  for (const kind of ['host', 'serve', 'engine']) await endAll(living.filter(({ name }) => name.startsWith(kind)));
  // Started in the moment before a crash, and not entered; or left behind by a host that was killed.
  await endTaggedProcesses({ matches: withTags({ [CLUSTER_TAG]: home }) }, GRACE_MS);
  return living.map(({ name }) => name);
}

async function endAll(parts: readonly ClusterPart[]): Promise<void> {
  // Of a database this is the signal to end at once and in order.
  for (const part of parts) signal(part, part.name === 'engine' ? 'SIGINT' : 'SIGTERM');
  for (let waitedMs = 0; parts.some(isAlive) && waitedMs < GRACE_MS; waitedMs += LOOK_EVERY_MS)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  for (const part of parts) signal(part, 'SIGKILL');
  while (parts.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}

/** Each leads a group of its own. */
function signal(part: ClusterPart, name: NodeJS.Signals): void {
  if (isAlive(part)) signalGroup(part.pid, name);
}
