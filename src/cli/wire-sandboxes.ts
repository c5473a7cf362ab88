// Puts git and sandboxes together, for workers and for coordinators. Apart from the rest of the wiring, so that a run that
// works in place loads none of it.
import type { Assignment } from '../core/engine/hosts/assignment.ts';
import type { Sandbox } from '../core/plan/plan.ts';
import { openRepository, type Repository } from '../shell/git/repository.ts';
import type { WorkplaceOpened } from '../shell/ports.ts';
import { openSandboxes, type Sandboxes } from '../shell/sandbox/sandboxes.ts';
import { openWorkplace } from '../shell/workplace/open-workplace.ts';

export interface GroundOrder {
  readonly home: string;
  /** A folder of the user's checkout. */
  readonly project: string;
  readonly settings: Sandbox;
  readonly mends: boolean;
}

export type GroundOpened =
  | { readonly type: 'opened'; readonly repository: Repository; readonly sandboxes: Sandboxes }
  | { readonly type: 'refused'; readonly message: string };

export async function openGround({ home, project, settings, mends }: GroundOrder): Promise<GroundOpened> {
  const opened = await openRepository({ home, project, mends });
  if (opened.type === 'refused') return opened;
  const { repository } = opened;
  const isolation = { name: 'none', wrap: (argv: readonly string[]) => argv } as const;
  const made = await openSandboxes({ home, repository, settings, isolation, network: 'all', probe: undefined });
  return made.type === 'refused' ? made : { type: 'opened', repository, sandboxes: made.sandboxes };
}

/** The workplace of a claim that a worker was given. */
export async function workplaceFor(
  assignment: Assignment,
  { home, project, run }: { readonly home: string; readonly project: string; readonly run: string },
): Promise<WorkplaceOpened> {
  const { sandbox: source } = assignment;
  if (source === undefined) return { type: 'failed', message: 'This claim is carried out in place.' };
  const ground = await openGround({ home, project, settings: source.settings, mends: false });
  if (ground.type === 'refused') return { type: 'failed', message: ground.message };
  return openWorkplace({ ...ground, run }, assignment, source);
}
