// A remote that the user names, reached as the user reaches it: with the settings, the keys and the helpers of the user.
//
// git-remote/M1. A ref there moves only from the value that the caller expects, by one push; several move together or not
//     at all.
// git-remote/M2. A move can be repeated: refs that have their new values count as moved.
import { gitAt, TRANSFER_TIME_MAX_MS, type Git, type GitCallOptions } from '../run/git.ts';
import type { Ref, Swap } from '../store/refs.ts';
import { PUSH } from './host-transfers.ts';
import { transferFailureOf, transferFailureOfError } from './transfer-error.ts';
import type { TransferFailure } from '../../../core/protocol/transfer-failure.ts';

export interface GitRemote {
  /** As the user wrote it. */
  readonly address: string;
  readonly list: (patterns: readonly string[]) => Promise<RefsListed>;
  readonly move: (swaps: readonly RemoteSwap[]) => Promise<RemoteMoved>;
  /** For a fetch or a push of another kind. */
  readonly git: Git;
  readonly how: GitCallOptions;
}

export type RemoteSwap = Pick<Swap, 'ref' | 'from' | 'to'>;

export type RefsListed = { readonly type: 'listed'; readonly refs: readonly Ref[] } | TransferFailed;

export interface TransferFailed {
  readonly type: 'failed';
  readonly failure: TransferFailure;
}

export type RemoteMoved =
  | { readonly type: 'moved' }
  /** Nothing was changed: this ref has another value than expected. */
  | { readonly type: 'elsewhere'; readonly ref: string; readonly at: string | undefined }
  | TransferFailed;

export interface GitRemoteOptions {
  /** The repository from which and into which objects go. */
  readonly gitDir: string;
  readonly address: string;
  readonly signal?: AbortSignal;
}

export function openGitRemote({ gitDir, address, signal = NEVER }: GitRemoteOptions): GitRemote {
  const git = gitAt(gitDir, 'users');
  const how: GitCallOptions = { environment: environmentOfUser(), timeoutMs: TRANSFER_TIME_MAX_MS, signal };
  const list = async (patterns: readonly string[]): Promise<RefsListed> =>
    asFailed(address, async () => listRemote({ git, how, address }, patterns));
  return {
    address,
    git,
    how,
    list,
    move: async (swaps) => asFailed(address, async () => moveRemote({ git, how, address }, swaps)),
  };
}

const NEVER = new AbortController().signal;

/** Variables of git by which people say how a remote is reached; the others are about a repository. */
const OF_LINKS =
  /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|PROXY_.*|SSL_.*|HTTP_.*|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+))$/;

const environmentOfUser = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      OF_LINKS.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );

interface Reached {
  readonly git: Git;
  readonly how: GitCallOptions;
  readonly address: string;
}

async function asFailed<Outcome>(address: string, action: () => Promise<Outcome>): Promise<Outcome | TransferFailed> {
  try {
    return await action();
  } catch (error) {
    return { type: 'failed', failure: transferFailureOfError(error, address) };
  }
}

async function listRemote({ git, how, address }: Reached, patterns: readonly string[]): Promise<RefsListed> {
  const args = ['ls-remote', '--refs', '--quiet', '--end-of-options', address, ...patterns];
  const answer = await git.ask(args, how);
  if (answer.code !== 0) {
    return {
      type: 'failed',
      failure: transferFailureOf({ address, whose: 'users', gitDir: git.gitDir, args, answer }),
    };
  }
  const lines = answer.output.toString('utf8').split('\n');
  return {
    type: 'listed',
    refs: lines.flatMap((line) => {
      const [commit = '', ref = ''] = line.split('\t');
      return ref === '' ? [] : [{ commit, ref }];
    }),
  };
}

async function moveRemote(reached: Reached, swaps: readonly RemoteSwap[]): Promise<RemoteMoved> {
  const { git, how, address } = reached;
  const leases = swaps.map(({ ref, from = '' }) => `--force-with-lease=${ref}:${from}`);
  const together = swaps.length > 1 ? ['--atomic'] : [];
  const specs = swaps.map(({ ref, to }) => `${to}:${ref}`);
  const args = [...PUSH, ...together, ...leases, '--end-of-options', address, ...specs];
  const answer = await git.ask(args, how);
  if (answer.code === 0) return { type: 'moved' };
  const listed = await listRemote(
    reached,
    swaps.map(({ ref }) => ref),
  );
  if (listed.type === 'failed') return listed;
  const at = new Map(listed.refs.map(({ ref, commit }) => [ref, commit]));
  if (swaps.every(({ ref, to }) => at.get(ref) === to)) return { type: 'moved' };
  const other = swaps.find(({ ref, from, to }) => at.get(ref) !== from && at.get(ref) !== to);
  if (other !== undefined) return { type: 'elsewhere', ref: other.ref, at: at.get(other.ref) };
  const failure = transferFailureOf({ address, whose: 'users', gitDir: git.gitDir, args, answer });
  return { type: 'failed', failure };
}
