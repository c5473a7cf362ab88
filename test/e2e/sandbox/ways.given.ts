// The kinds of trees that the kills go over, and the settings under which each is made.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Need } from '../../needs.given.ts';
import { foldersOf, type SandboxSettings } from '../../../src/shell/sandbox/tree/sandbox-context.ts';
import type { Isolation } from '../../../src/shell/sandbox/isolation/isolation.ts';
import { probe, type Probe } from '../../../src/shell/sandbox/tree/probe.ts';

export type Way = 'overlay' | 'overlay by a user' | 'checkout';

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

export const WAYS: readonly Way[] = ['overlay', 'overlay by a user', 'checkout'];

/** Every machine has checkouts. */
export async function needOf(way: Way): Promise<Need> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-probe-')));
  const { overlay } = await probe({ home, folders: foldersOf(home) });
  rmSync(home, { recursive: true, force: true });
  const works = way === 'checkout' || overlay === 'root' || (overlay === 'user' && way === 'overlay by a user');
  return { name: 'other', missing: works ? undefined : `trees of the kind ${way} do not work here` };
}

export async function workingWays(): Promise<readonly Way[]> {
  const needed = await Promise.all(WAYS.map(async (way) => ({ way, ...(await needOf(way)) })));
  return needed.filter(({ missing }) => missing === undefined).map(({ way }) => way);
}

export function wayOf(way: Way): { readonly settings: Partial<SandboxSettings>; readonly probe: Probe } {
  const overlay = way === 'overlay' ? 'root' : way === 'overlay by a user' ? 'user' : undefined;
  return {
    settings: { tree: way === 'checkout' ? 'checkout' : 'overlay' },
    probe: async () => ({ overlay, snapshot: false, causes: [] }),
  };
}
