// Git for the hosts of a server and for people, over the repository of the project. It is opened with the first call.
import { openRepository, type Repository } from '../../shell/git/repository.ts';
import type { OpenProject } from '../open-project.ts';
import { Refused } from '../refused.ts';
import type { Project } from '../project.ts';
import type { Gateway } from './gateway.ts';
import { openGitGate, type CheckpointClaim, type GitGate } from './git-gate.ts';
import { openPlacedClaims } from './placed-claims.ts';

export interface ServeGitOptions extends OpenProject {
  readonly gateway: Pick<Gateway, 'holdsClaim' | 'hears'>;
  readonly repository: () => Promise<Repository>;
}

/** The repository of a project, opened once. */
export function repositoryOf({ home, root }: Project): () => Promise<Repository> {
  let opening: Promise<Repository> | undefined;
  const open = async (): Promise<Repository> => {
    const opened = await openRepository({ home, project: root, repairs: false });
    if (opened.type === 'refused') throw new Refused({ code: 'git', failure: opened.failure });
    return opened.repository;
  };
  return async () => {
    opening ??= open();
    // The next call tries again.
    opening.catch(() => (opening = undefined));
    return await opening;
  };
}

export function serveGit({ project, store, gateway, repository }: ServeGitOptions): GitGate {
  const placed = openPlacedClaims(store);
  // A run has no coordinator for a moment while this server starts, or its plan is amended. What a host pushes then is its
  // work all the same, so the log alone decides.
  const holdsClaim = (run: string, claim: CheckpointClaim, host: string): boolean =>
    gateway.hears(run)
      ? CHECKPOINTED.some((work) => gateway.holdsClaim(run, { ...claim, work }, host))
      : placed.find(run, host, claim) !== undefined;
  const isRun = (run: string): boolean => store.find(run) !== undefined;
  const gate = async (): Promise<GitGate> =>
    openGitGate({ home: project.home, repository: await repository(), isRun, holdsClaim });
  return {
    open: async (...call) => await (await gate()).open(...call),
    name: async (...call) => await (await gate()).name(...call),
  };
}

/** The kinds of work that make commits on hosts. */
const CHECKPOINTED = ['step', 'resolve'] as const;
