// Ends leftover processes of ended claims: daemons that left their group, and the steps of killed workers.
import { endTaggedProcesses } from '../exec/tagged-processes.ts';
import { claimInEnvironment, type ClaimTags } from './claim-tags.ts';

const GRACE_MS = 500;

export interface Reaping extends ClaimTags {
  readonly isOver: (key: string) => boolean;
  /** Processes that are never ended: this host's workers. */
  readonly spared: () => ReadonlySet<number>;
}

export interface Reaper {
  /**
   * Resolves when no leftover of a claim that had ended at the call is alive; never rejects. Concurrent calls share the
   * work.
   */
  readonly reap: () => Promise<void>;
}

export function openReaper(reaping: Reaping): Reaper {
  let current: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    current = reapOrphans(reaping).finally(() => {
      current = undefined;
    });
    return current;
  };
  const reap = (): Promise<void> => {
    if (current === undefined) return begin();
    // The current scan may have begun before this call; one more sees everything.
    following ??= current.then(() => {
      following = undefined;
      return begin();
    });
    return following;
  };
  return { reap };
}

function reapOrphans({ isOver, spared, ...tagged }: Reaping): Promise<void> {
  const claimIn = claimInEnvironment(tagged);
  const matches = (environment: Buffer): boolean => {
    const key = claimIn(environment);
    return key !== undefined && isOver(key);
  };
  return endTaggedProcesses({ matches, spared }, GRACE_MS);
}
