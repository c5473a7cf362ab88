// Takes up a run whose commits are on a remote that several servers share: its refs are brought before anything is decided.
import { setTimeout } from 'node:timers/promises';
import type { TransferFailure } from '../../core/protocol/transfer-failure.ts';
import { openGitRemote, type GitRemote } from '../../shell/git/remote/git-remote.ts';
import { openSharedRuns, type SharedRuns } from '../../shell/git/remote/shared-runs.ts';
import { REFS } from '../../shell/git/store/ref-names.ts';
import type { Ref } from '../../shell/git/store/refs.ts';
import type { Log } from '../../shell/ports/log.ts';
import { Refused } from '../refused.ts';
import type { Sharing } from '../run/coordinate.ts';
import { sharedLog } from './shared-log.ts';

export interface RunSharing {
  /** As the user wrote it. */
  readonly address: string;
  readonly onTrouble: (failure: TransferFailure | undefined) => void;
  readonly signal: AbortSignal;
}

const AGAIN_MS = 1_000;

/** The log to be used from now on. A remote that is away is waited for. */
export async function shareRun(sharing: Sharing, { address, onTrouble, signal }: RunSharing): Promise<Log> {
  const { run, base, repository, log } = sharing;
  const remote = openGitRemote({ gitDir: repository.gitDir, address, signal });
  const runs = openSharedRuns({ repository, remote });
  for (let isTold = false; !signal.aborted; isTold = true) {
    const answer = await join({ run, base, repository, runs, remote });
    if (answer.type === 'joined') {
      if (isTold) onTrouble(undefined);
      const { there } = answer;
      return sharedLog(log, { run, repository, remote, there, onTrouble, signal });
    }
    if (!isTold) onTrouble(answer.failure);
    await setTimeout(AGAIN_MS);
  }
  throw new Refused({ code: 'store', failure: { code: 'shared-unreached', run, remote: address } });
}

interface Joining extends Pick<Sharing, 'run' | 'base' | 'repository'> {
  readonly runs: SharedRuns;
  readonly remote: GitRemote;
}

type Joined =
  | { readonly type: 'joined'; readonly there: ReadonlyMap<string, string> }
  | { readonly type: 'failed'; readonly failure: TransferFailure };

async function join({ run, base, repository, runs, remote }: Joining): Promise<Joined> {
  const brought = await runs.bringRun(run);
  if (brought.type === 'brought') return joined(brought.there);
  if (brought.failure.code !== 'commit-missing') return brought;
  // Nobody has shared the run yet.
  const pinned = await repository.pin(run, base);
  if (pinned.type !== 'swapped') return failed({ code: 'commit-missing', commit: base, address: remote.address });
  const shared = await runs.share(run);
  if (shared.type === 'failed') return shared;
  if (shared.type === 'elsewhere')
    return failed({ code: 'remote-refused', remote: remote.address, said: `${REFS.base(run)} is of another run` });
  const listed = await remote.list([`refs/heddle/${run}/*`, REFS.runBranch(run)]);
  return listed.type === 'failed' ? listed : joined(listed.refs);
}

const joined = (refs: readonly Ref[]): Joined => ({
  type: 'joined',
  there: new Map(refs.map(({ ref, commit }) => [ref, commit])),
});

const failed = (failure: TransferFailure): Joined => ({ type: 'failed', failure });
