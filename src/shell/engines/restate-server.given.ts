// A Restate server of a test file's own: one node, its data in a temporary folder, on ports of the loopback interface.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { PATIENCE_MS } from '../../../test/patience.given.ts';
import type { Need } from '../../../test/needs.given.ts';
import { freePort } from './free-port.ts';

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
  readonly ingress: number;
  readonly admin: number;
  readonly fabric: number;
}

const portsOfNode = async (): Promise<NodePorts> => ({
  ingress: await freePort(),
  admin: await freePort(),
  fabric: await freePort(),
});

/** Several nodes keep each part of the log on two of them, so one may be lost. */
export async function startRestate(nodes = 1): Promise<RestateServer> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-restate-'));
  const ports: NodePorts[] = [];
  for (let node = 0; node < nodes; node += 1) ports.push(await portsOfNode());
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
  const hosts = ports.map(({ ingress }) => `127.0.0.1:${ingress}`).join(',');
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
  const { ingress, admin, fabric } = ports[node] ?? { ingress: 0, admin: 0, fabric: 0 };
  const several = {
    RESTATE_CLUSTER_NAME: 'test',
    RESTATE_DEFAULT_REPLICATION: '2',
    RESTATE_METADATA_CLIENT__ADDRESSES: JSON.stringify(ports.map((each) => `http://127.0.0.1:${each.fabric}/`)),
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${fabric}/`,
    RESTATE_AUTO_PROVISION: String(node === 0),
  };
  const places = ['--bind-ip', '127.0.0.1', '--bind-port', String(fabric), '--base-dir', join(folder, String(node))];
  const settings = ['--node-name', `node-${node}`, '--default-num-partitions', '2', '--log-filter', 'error'];
  return spawn(PROGRAM, ['--no-logo', '--listen-mode', 'tcp', ...places, ...settings], {
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

const isHealthy = (ports: NodePorts | undefined): Promise<void> =>
  vi.waitFor(
    async () => {
      for (const health of [`${ports?.admin}/health`, `${ports?.ingress}/restate/health`])
        if (!(await fetch(`http://127.0.0.1:${health}`)).ok) throw new Error('It has not started yet.');
    },
    { timeout: PATIENCE_MS, interval: 100 },
  );
