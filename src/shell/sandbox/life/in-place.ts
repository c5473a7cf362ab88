// No sandbox at all: programs run in the user's own checkout, nothing is committed, and nothing can be taken back.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ground } from '../ground.ts';
import type { Sandbox, SandboxOrder } from '../sandbox.ts';

export async function sandboxInPlace(ground: Ground, { base, from }: SandboxOrder): Promise<Sandbox> {
  const folder = ground.repository.user.workTree ?? ground.repository.user.gitDir;
  const temporary = join(ground.home, 'tmp');
  const environment = { TMPDIR: temporary };
  await mkdir(temporary, { recursive: true });
  return {
    folder,
    gitDir: ground.repository.user.gitDir,
    environment,
    wrap: (argv) => argv,
    checkpoint: async () => ({ type: 'unchanged', commit: from ?? base }),
    reset: async () => ({
      type: 'failed',
      message: 'Work done in place cannot be taken back; use another sandbox.tree.',
    }),
    salvage: async () => ({ type: 'nothing' }),
    destroy: async () => ({ type: 'destroyed', salvaged: [] }),
  };
}
