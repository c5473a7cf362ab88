// Repairs what loses nothing (P4): locks and trees that killed processes left, and sandboxes that no run needs.
import { groundFor, usual } from '../git/produced.ts';
import type { Found } from '../git-parts.ts';
import type { OpenProject } from '../open-project.ts';
import { openGround } from '../sandbox-parts.ts';
import type { Repair } from './finding.ts';

export async function repair(open: OpenProject, unwanted: readonly Found[]): Promise<readonly Repair[]> {
  const { home, root } = open.project;
  const ground = await openGround({ home, project: root, settings: usual(), mends: true });
  if (ground.type === 'refused') return [{ code: 'git', message: ground.message }];
  const repairs: Repair[] = ground.repository.says.map(ofGit);
  const isUnwanted = ({ run, task }: Found): boolean => unwanted.some((each) => each.run === run && each.task === task);
  // A sandbox is taken apart by the kind of tree that it was made with.
  const kinds = new Map(unwanted.map((found) => [found.kind, found]));
  for (const [kind, { run }] of kinds) {
    const { sandboxes } = await groundFor(open, { run, kind });
    const order = { isWanted: (found: Found): boolean => found.kind !== kind || !isUnwanted(found) };
    const { removed, salvaged, says } = await sandboxes.recover(order);
    repairs.push(...removed.map((found) => ({ code: 'sandbox-removed', run: found.run, task: found.task }) as const));
    repairs.push(...salvaged.map(({ ref }) => ({ code: 'salvaged', ref }) as const), ...says.map(ofGit));
  }
  if (kinds.size > 0) return repairs;
  return [...repairs, ...(await ground.sandboxes.recover({ isWanted: () => true })).says.map(ofGit)];
}

const ofGit = (message: string): Repair => ({ code: 'git', message });
