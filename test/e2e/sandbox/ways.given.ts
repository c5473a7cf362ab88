// The kinds of trees that the kills go over, and the settings under which each is made.
import type { Sandbox as SandboxSettings } from '../../../src/core/plan/plan.ts';
import type { Isolation } from '../../../src/shell/sandbox/isolation-port.ts';
import type { Probe } from '../../../src/shell/sandbox/tree/probe.ts';

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
};

export function wayOf(way: Way): { readonly settings: Partial<SandboxSettings>; readonly probe: Probe } {
  const overlay = way === 'overlay' ? 'outside' : way === 'overlay inside' ? 'inside' : undefined;
  return {
    settings: { tree: way === 'checkout' ? 'checkout' : 'overlay' },
    probe: async () => ({ overlay, snapshot: false, says: [] }),
  };
}
