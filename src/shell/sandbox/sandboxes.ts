// Sandboxes of one project: made, found again, mended and removed.
//
// S1. A sandbox shares nothing that can be written with another, nor with the user's repository (P5).
// S2. Outside the isolation no git command ever looks at a tree or a git directory that an agent could write to.
// S3. Everything may be begun twice and killed at any moment; names derive from run and task.
// S4. Nothing is removed unless all that is in it is reachable from a ref that stays (P4).
// S5. Nothing is ever deleted through a mount.
import type { Sandbox as SandboxSettings } from '../../core/plan/plan.ts';
import type { Repository } from '../git/repository.ts';
import type { Isolation } from './isolation-port.ts';
import type {
  CandidateOpened,
  CandidateOrder,
  FoundSandbox,
  Recovered,
  RecoverOrder,
  SandboxOpened,
  SandboxOrder,
  TreeKind,
} from './sandbox.ts';

export interface Sandboxes {
  readonly kind: TreeKind;
  readonly open: (order: SandboxOrder) => Promise<SandboxOpened>;
  readonly candidate: (order: CandidateOrder) => Promise<CandidateOpened>;
  readonly find: () => Promise<readonly FoundSandbox[]>;
  readonly recover: (order: RecoverOrder) => Promise<Recovered>;
  /** What a person should know, a sentence each: which tree it is and why no better one. */
  readonly doctor: () => readonly string[];
}

export interface SandboxesOrder {
  /** Heddle's folder, `.heddle`. */
  readonly home: string;
  readonly repository: Repository;
  readonly settings: SandboxSettings;
  readonly isolation: Isolation;
}

export type SandboxesOpened =
  | { readonly type: 'opened'; readonly sandboxes: Sandboxes }
  /** The tree that the plan asks for does not work here; never silently another one. */
  | { readonly type: 'refused'; readonly message: string };

export async function openSandboxes({ home }: SandboxesOrder): Promise<SandboxesOpened> {
  return Promise.resolve({ type: 'refused', message: `${home}: sandboxes are not built yet.` });
}
