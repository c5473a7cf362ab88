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
import { freePort } from './free-port.given.ts';

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
  readonly start: () => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

export async function startRestate(): Promise<RestateServer> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-restate-'));
  const [ingress, admin, fabric] = [await freePort(), await freePort(), await freePort()];
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = spawn(
      PROGRAM,
      [
        '--no-logo',
        '--listen-mode',
        'tcp',
        '--bind-ip',
        '127.0.0.1',
        '--base-dir',
        folder,
        '--node-name',
        'one',
        '--default-num-partitions',
        '2',
        '--log-filter',
        'error',
        '--bind-port',
        String(fabric),
      ],
      {
        stdio: 'ignore',
        env: {
          ...process.env,
          RESTATE_DISABLE_TELEMETRY: 'true',
          RESTATE_INGRESS__BIND_PORT: String(ingress),
          RESTATE_ADMIN__BIND_PORT: String(admin),
        },
      },
    );
    await vi.waitFor(
      async () => {
        for (const health of [`${admin}/health`, `${ingress}/restate/health`])
          if (!(await fetch(`http://127.0.0.1:${health}`)).ok) throw new Error('It has not started yet.');
      },
      { timeout: PATIENCE_MS, interval: 100 },
    );
  };
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  let projects = 0;
  await start();
  return {
    url: () => `restate://127.0.0.1:${ingress}/test-${(projects += 1)}?admin=${admin}`,
    start,
    kill,
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
