// Mends what a doctor may mend: locks and trees that killed processes left, and sandboxes that no run wants (P4).
import type { OpenProject } from '../open-project.ts';
import type { Found } from '../git-parts.ts';
import { openGround } from '../sandbox-parts.ts';
import { groundFor, usual } from './everything.ts';

/** What was done and what had to be left, a sentence each. */
export async function mend(open: OpenProject, unwanted: readonly Found[]): Promise<readonly string[]> {
  const { home, root } = open.project;
  const ground = await openGround({ home, project: root, settings: usual(), mends: true });
  if (ground.type === 'refused') return [ground.message];
  const says = [...ground.repository.says];
  const isUnwanted = ({ run, task }: Found): boolean => unwanted.some((each) => each.run === run && each.task === task);
  // A sandbox is taken apart by the kind of tree that it was made with.
  const kinds = new Map(unwanted.map((found) => [found.kind, found]));
  for (const [kind, { run }] of kinds) {
    const { sandboxes } = await groundFor(open, { run, kind });
    const order = { isWanted: (found: Found): boolean => found.kind !== kind || !isUnwanted(found) };
    const { removed, salvaged, says: said } = await sandboxes.recover(order);
    says.push(...removed.map((found) => `Removed the sandbox of ${found.run}/${found.task}.`));
    says.push(...salvaged.map(({ ref }) => `Kept what was not committed as ${ref}.`), ...said);
  }
  if (kinds.size > 0) return says;
  return [...says, ...(await ground.sandboxes.recover({ isWanted: () => true })).says];
}
