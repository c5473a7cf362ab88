// A Restate server of a test file's own: one node, its data in a temporary folder, on ports of the loopback interface.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS } from '../../../test/patience.given.ts';
import type { Need } from '../../../test/needs.given.ts';
import { freePort } from './free-port.ts';
import { LOOPBACK_PLACE, type ServerPlace } from './postgres-server.given.ts';

const PROGRAM = fileURLToPath(
  new URL(
    `../../../tools/engines/node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`,
    import.meta.url,
  ),
);

export const restateNeed = (): Need => ({
  name: 'engines',
  missing: existsSync(PROGRAM) ? undefined : 'there is no Restate here: npm run engines:fetch brings it',
});

export interface RestateServer {
  /** The address of a project that nobody else uses. */
  readonly url: () => string;
  readonly start: (node?: number) => Promise<void>;
  readonly kill: (node?: number) => Promise<void>;
  readonly remove: () => Promise<void>;
}

interface NodePorts {
  readonly place: ServerPlace;
  readonly ingress: number;
  readonly admin: number;
  readonly fabric: number;
}

const portsOfNode = async (place: ServerPlace): Promise<NodePorts> => ({
  place,
  ingress: await freePort(),
  admin: await freePort(),
  fabric: await freePort(),
});

/** Several nodes keep each part of the log on two of them, so one may be lost. */
export async function startRestate(nodes = 1, places: readonly ServerPlace[] = []): Promise<RestateServer> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-restate-'));
  const ports: NodePorts[] = [];
  for (let node = 0; node < nodes; node += 1) ports.push(await portsOfNode(places[node] ?? LOOPBACK_PLACE));
  const children = new Map<number, ChildProcess>();
  const start = async (node = 0): Promise<void> => {
    children.set(node, spawnNode({ folder, node, ports }));
    await isHealthy(ports[node]);
  };
  const kill = async (node = 0): Promise<void> => {
    const child = children.get(node);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  let projects = 0;
  // A node alone has no quorum to become healthy in.
  await Promise.all(ports.map((_, node) => start(node)));
  const hosts = ports.map(({ ingress, place }) => `${place.address}:${ingress}`).join(',');
  const admins = ports.map(({ admin }) => admin).join(',');
  return {
    url: () => `restate://${hosts}/test-${(projects += 1)}?admin=${admins}`,
    start,
    kill,
    remove: async () => {
      await Promise.all(ports.map((_, node) => kill(node)));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Spawning {
  readonly folder: string;
  readonly node: number;
  readonly ports: readonly NodePorts[];
}

function spawnNode({ folder, node, ports }: Spawning): ChildProcess {
  const own = ports[node];
  if (own === undefined) throw new Error(`There is no node ${node}.`);
  const { ingress, admin, fabric, place } = own;
  const several = {
    RESTATE_CLUSTER_NAME: 'test',
    RESTATE_DEFAULT_REPLICATION: '2',
    RESTATE_METADATA_CLIENT__ADDRESSES: JSON.stringify(
      ports.map((each) => `http://${each.place.address}:${each.fabric}/`),
    ),
    RESTATE_ADVERTISED_ADDRESS: `http://${place.address}:${fabric}/`,
    RESTATE_AUTO_PROVISION: String(node === 0),
  };
  const bound = ['--bind-ip', place.address, '--bind-port', String(fabric), '--base-dir', join(folder, String(node))];
  const settings = ['--node-name', `node-${node}`, '--default-num-partitions', '2', '--log-filter', 'error'];
  const [first = '', ...rest] = place.words([PROGRAM, '--no-logo', '--listen-mode', 'tcp', ...bound, ...settings]);
  return spawn(first, rest, {
    stdio: 'ignore',
    env: {
      ...process.env,
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_INGRESS__BIND_PORT: String(ingress),
      RESTATE_ADMIN__BIND_PORT: String(admin),
      ...(ports.length > 1 ? several : {}),
    },
  });
}

async function isHealthy(ports: NodePorts | undefined): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  const urls = [`${ports?.admin}/health`, `${ports?.ingress}/restate/health`];
  for (;;) {
    const answers = urls.map((url) =>
      fetch(`http://${ports?.place.address}:${url}`, { signal: AbortSignal.timeout(1_000) }),
    );
    const settled = await Promise.allSettled(answers);
    if (settled.every((each) => each.status === 'fulfilled' && each.value.ok)) return;
    if (performance.now() > until) throw new Error('A node of Restate does not become healthy.');
    await setTimeout(100);
  }
}
