// The kinds of trees that the kills go over, and the settings under which each is made.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foldersOf, type SandboxSettings } from '../../../src/shell/sandbox/ground.ts';
import type { Isolation } from '../../../src/shell/sandbox/isolation-port.ts';
import { probe, type Probe } from '../../../src/shell/sandbox/tree/probe.ts';

export type Way = 'overlay' | 'overlay inside' | 'checkout';

export const AT = Date.UTC(2026, 0, 2, 3, 4, 5);
export const NO_ISOLATION: Isolation = { name: 'none', wrap: (argv) => argv };

export const PLAIN: SandboxSettings = {
  include: [],
  setup: 'mkdir -p node_modules && echo made > node_modules/made',
  link: [],
  ports: 1,
  tree: 'auto',
  isolation: 'none',
  network: undefined,
  limits: { disk: 20_000_000_000, memory: undefined, processes: 4_000 },
};

/** Every machine has checkouts. */
export async function workingWays(): Promise<readonly Way[]> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-probe-')));
  const { overlay } = await probe({ home, folders: foldersOf(home) });
  rmSync(home, { recursive: true, force: true });
  if (overlay === 'outside') return ['overlay', 'overlay inside', 'checkout'];
  return overlay === 'inside' ? ['overlay inside', 'checkout'] : ['checkout'];
}

export function wayOf(way: Way): { readonly settings: Partial<SandboxSettings>; readonly probe: Probe } {
  const overlay = way === 'overlay' ? 'outside' : way === 'overlay inside' ? 'inside' : undefined;
  return {
    settings: { tree: way === 'checkout' ? 'checkout' : 'overlay' },
    probe: async () => ({ overlay, snapshot: false, says: [] }),
  };
}
