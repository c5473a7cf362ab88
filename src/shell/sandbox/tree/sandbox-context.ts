// Shared by all operations on sandboxes: the folders of the home, the repository, and the isolation.
import { join } from 'node:path';
import type { Plan } from '../../../core/plan/plan.ts';
import type { Repository } from '../../git/repository.ts';
import type { AgentAtWork } from '../isolation/agent-needs.ts';
import type { Allowed } from '../isolation/allow-list.ts';
import type { Isolation } from '../isolation/isolation.ts';

/** The plan's settings for sandboxes. */
export type SandboxSettings = Plan['sandbox'];

export interface SandboxContext {
  /** Heddle's folder, without symbolic links on the way. */
  readonly home: string;
  readonly folders: Folders;
  readonly repository: Repository;
  readonly settings: SandboxSettings;
  readonly isolation: Isolation;
  readonly network: Allowed;
  /** The agent that works here and may see its own log-in. */
  readonly agent: AgentAtWork | undefined;
  /** Where files are that git does not track: the user's checkout, or what was put in its place on a machine without one. */
  readonly untracked: string;
}

export interface Folders {
  readonly sandboxes: string;
  readonly candidates: string;
  /** Places in which set-up runs before its result is kept as a layer. */
  readonly scratch: string;
  readonly templates: string;
  readonly layers: string;
  /** Checkouts that wait for reuse. */
  readonly parked: string;
  readonly ports: string;
  readonly locks: string;
  readonly trash: string;
  /** Sandboxes that could not be salvaged and were moved out of the way. */
  readonly kept: string;
  /** Files of the project that git does not track, where there is no checkout of it. */
  readonly files: string;
}

export const foldersOf = (home: string): Folders => ({
  sandboxes: join(home, 'sandboxes'),
  candidates: join(home, 'candidates'),
  scratch: join(home, 'scratch'),
  templates: join(home, 'templates'),
  layers: join(home, 'layers'),
  parked: join(home, 'parked'),
  ports: join(home, 'ports'),
  locks: join(home, 'locks'),
  trash: join(home, 'trash'),
  kept: join(home, 'kept'),
  files: join(home, 'files'),
});
