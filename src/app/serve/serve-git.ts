// Git for the hosts of a server and for people, over the repository of the project. It is opened with the first call.
import { openRepository } from '../../shell/git/repository.ts';
import type { OpenProject } from '../open-project.ts';
import { Refused } from '../refused.ts';
import type { Gateway } from './gateway.ts';
import { openGitGate, type CheckpointClaim, type GitGate } from './git-gate.ts';
import { openPlacedClaims } from './placed-claims.ts';

export interface ServeGitOrder extends OpenProject {
  readonly gateway: Pick<Gateway, 'holdsClaim' | 'hears'>;
}

export function serveGit({ project, store, gateway }: ServeGitOrder): GitGate {
  const placed = openPlacedClaims(store);
  // A run has no coordinator for a moment while this server starts, or its plan is amended. What a host pushes then is its
  // work all the same, so the log alone decides.
  const holdsClaim = (run: string, claim: CheckpointClaim, host: string): boolean =>
    gateway.hears(run)
      ? CHECKPOINTED.some((work) => gateway.holdsClaim(run, { ...claim, work }, host))
      : placed.find(run, host, claim) !== undefined;
  let gate: Promise<GitGate> | undefined;
  const open = async (): Promise<GitGate> => {
    const { home, root } = project;
    const opened = await openRepository({ home, project: root, repairs: false });
    if (opened.type === 'refused') throw new Refused({ code: 'git', failure: opened.failure });
    const { repository } = opened;
    return openGitGate({ home, repository, isRun: (run) => store.find(run) !== undefined, holdsClaim });
  };
  return {
    open: async (...call) => {
      gate ??= open();
      // The next call tries again.
      gate.catch(() => (gate = undefined));
      return await (await gate).open(...call);
    },
  };
}

/** The kinds of work that make commits on hosts. */
const CHECKPOINTED = ['step', 'resolve'] as const;
