// The log of a run whose commits are on a remote that several servers share: what the log says of commits is there first.
//
// shared-log/N1. Push, then append: an event that names a commit is appended only when the remote has the refs of it.
// shared-log/N2. Refs there move by compare-and-swap from the values that were found when the run was taken up. A server that
//     wakes from a long sleep finds others, moves nothing, and starts from the log again, which fences it.
// shared-log/N3. A remote that is away, or refuses, holds the run up and ends nothing.
import { setTimeout } from 'node:timers/promises';
import type { TransferFailure } from '../../core/protocol/transfer-failure.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import type { GitRemote, RemoteSwap } from '../../shell/git/remote/git-remote.ts';
import type { Repository } from '../../shell/git/repository.ts';
import { REFS } from '../../shell/git/store/ref-names.ts';
import type { Log } from '../../shell/ports/log.ts';

export interface SharedLogOptions {
  readonly run: string;
  readonly repository: Pick<Repository, 'list' | 'read'>;
  readonly remote: Pick<GitRemote, 'address' | 'move'>;
  /** The refs of the run on the remote when this server took the run up. */
  readonly there: ReadonlyMap<string, string>;
  /** Undefined when the trouble is over. */
  readonly onTrouble: (failure: TransferFailure | undefined) => void;
  /** Ends the wait for a remote that is away. */
  readonly signal: AbortSignal;
}

export function sharedLog(log: Log, options: SharedLogOptions): Log {
  const there = new Map(options.there);
  return {
    ...log,
    append: async (events, answers) => {
      if (events.some(isAboutCommits)) {
        const shared = await shareAll(options, there);
        if (shared !== undefined) return { type: 'failed', failure: shared };
      }
      return await log.append(events, answers);
    },
  };
}

const isAboutCommits = ({ type }: RunEvent): boolean => type === 'claim.ended' || type === 'task.resolved';

const AGAIN_MS = 1_000;

/** Why the refs are not there; undefined when they are. */
async function shareAll(options: SharedLogOptions, there: Map<string, string>) {
  const { run, remote, onTrouble, signal } = options;
  for (let isTold = false; ; isTold = true) {
    const swaps = await swapsFor(options, there);
    const moved = swaps.length === 0 ? { type: 'moved' as const } : await remote.move(swaps);
    if (moved.type === 'moved') {
      for (const { ref, to } of swaps) there.set(ref, to);
      if (isTold) onTrouble(undefined);
      return undefined;
    }
    if (moved.type === 'elsewhere')
      return { code: 'shared-elsewhere', run, remote: remote.address, ref: moved.ref } as const;
    if (!isTold) onTrouble(moved.failure);
    if (signal.aborted) return { code: 'shared-unreached', run, remote: remote.address } as const;
    await setTimeout(AGAIN_MS);
  }
}

/** The fence of the merge queue is of one machine, and the base was shared when the run was taken up. */
async function swapsFor(
  { run, repository }: SharedLogOptions,
  there: ReadonlyMap<string, string>,
): Promise<readonly RemoteSwap[]> {
  const ours = new Set([REFS.base(run), REFS.mergeFence(run)]);
  const refs = (await repository.list(`refs/heddle/${run}`)).filter(({ ref }) => !ours.has(ref));
  const branch = await repository.read(REFS.runBranch(run));
  const all = branch === undefined ? refs : [...refs, { ref: REFS.runBranch(run), commit: branch }];
  return all
    .filter(({ ref, commit }) => there.get(ref) !== commit)
    .map(({ ref, commit }) => ({ ref, from: there.get(ref), to: commit }));
}
