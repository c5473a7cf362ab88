// Runs whose commits are on a remote that the user names, as the machine with the log sees them.
//
// shared-runs/S1. What a host pushed counts when it was fetched from there and examined like everything that is imported.
// shared-runs/S2. Bringing a run drops nothing of ours: a ref that has other work than the remote's is kept under another
//     name first (P4).
import { isPassing, type TransferFailure } from '../../../core/protocol/transfer-failure.ts';
import type { Repository } from '../repository.ts';
import type { ObjectImport, ObjectsImported } from '../store/import-from.ts';
import { REFS, type CheckpointName } from '../store/ref-names.ts';
import type { Ref } from '../store/refs.ts';
import type { GitRemote, RemoteMoved } from './git-remote.ts';
import { FETCH } from './host-transfers.ts';
import { moveSharedBranch, type BranchMove } from './shared-branch.ts';
import { transferFailureOf } from './transfer-error.ts';

export interface SharedRuns {
  /** Makes the base of a run available to hosts. */
  readonly share: (run: string) => Promise<RemoteMoved>;
  /** The checkpoint that a host pushed; a failure when the remote has another commit there, or unsafe content. */
  readonly take: (run: string, claim: CheckpointName, commit: string) => Promise<TransferFailure | undefined>;
  readonly moveBranch: (move: BranchMove) => Promise<RemoteMoved>;
  /** All refs of a run that another coordinator had: base, run branch, checkpoints. */
  readonly bringRun: (run: string) => Promise<RunBrought>;
}

export type RunBrought =
  /** Refs whose content was refused were not taken. `there` is all that the remote has of the run. */
  | { readonly type: 'brought'; readonly refused: readonly RefusedRef[]; readonly there: readonly Ref[] }
  | { readonly type: 'failed'; readonly failure: TransferFailure };

export interface RefusedRef {
  readonly ref: string;
  readonly failure: TransferFailure;
}

export interface SharedRunsOptions {
  readonly repository: Repository;
  readonly remote: GitRemote;
}

export const openSharedRuns = (options: SharedRunsOptions): SharedRuns => ({
  share: async (run) => share(options, run),
  take: async (run, claim, commit) => take(options, { run, claim, commit }),
  moveBranch: async (move) => moveSharedBranch(options.remote, options.repository, move),
  bringRun: async (run) => bringRun(options, run),
});

async function share({ repository, remote }: SharedRunsOptions, run: string): Promise<RemoteMoved> {
  const ref = REFS.base(run);
  const base = await repository.read(ref);
  if (base === undefined) return { type: 'failed', failure: { code: 'commit-missing', commit: ref, address: run } };
  return remote.move([{ ref, from: undefined, to: base }]);
}

interface Taking {
  readonly run: string;
  readonly claim: CheckpointName;
  readonly commit: string;
}

async function take(options: SharedRunsOptions, { run, claim, commit }: Taking): Promise<TransferFailure | undefined> {
  const { repository, remote } = options;
  const ref = REFS.checkpoint(run, claim);
  if ((await repository.read(ref)) === commit) return undefined;
  const listed = await remote.list([ref]);
  if (listed.type === 'failed') return listed.failure;
  const there = listed.refs.find((each) => each.ref === ref);
  if (there?.commit !== commit) return { code: 'commit-missing', commit, address: remote.address };
  return fetchRefs(options, { refs: [ref], base: await repository.read(REFS.base(run)) });
}

async function bringRun(options: SharedRunsOptions, run: string): Promise<RunBrought> {
  const { repository, remote } = options;
  const listed = await remote.list([`refs/heddle/${run}/*`, REFS.runBranch(run)]);
  if (listed.type === 'failed') return listed;
  const base = listed.refs.find(({ ref }) => ref === REFS.base(run));
  if (base === undefined) return failed({ code: 'commit-missing', commit: REFS.base(run), address: remote.address });
  const failure = await bringBase(options, run, base.commit);
  if (failure !== undefined) return failed(failure);
  const changed: Ref[] = [];
  for (const each of listed.refs) if ((await repository.read(each.ref)) !== each.commit) changed.push(each);
  return bringRefs(options, { run, base: base.commit, refs: changed, there: listed.refs });
}

const failed = (failure: TransferFailure): RunBrought => ({ type: 'failed', failure });

/** It is code of the user's own, so its content is not examined. */
async function bringBase(
  { repository, remote }: SharedRunsOptions,
  run: string,
  base: string,
): Promise<TransferFailure | undefined> {
  const ref = REFS.base(run);
  if ((await repository.commitOf(base)) === undefined) {
    const args = [...FETCH, remote.address, `${ref}:${REFS.sentBase(base)}`];
    const answer = await remote.git.ask(args, remote.how);
    const { gitDir } = repository;
    if (answer.code !== 0)
      return transferFailureOf({ address: remote.address, whose: 'users', gitDir, args, answer, ref });
  }
  const pinned = await repository.pin(run, base);
  if (pinned.type === 'swapped') return undefined;
  return {
    code: 'git-here',
    failure: pinned.type === 'moved' ? { code: 'ref-elsewhere', ref, at: pinned.at } : pinned.failure,
  };
}

interface Bringing {
  readonly run: string;
  readonly base: string;
  readonly refs: readonly Ref[];
}

interface BringingAll extends Bringing {
  readonly there: readonly Ref[];
}

/** All at once; one by one where one of them is refused. */
async function bringRefs(options: SharedRunsOptions, { run, base, refs, there }: BringingAll): Promise<RunBrought> {
  const names = refs.map(({ ref }) => ref);
  const whole = names.length === 0 ? undefined : await fetchRefs(options, { refs: names, base });
  if (whole === undefined) return { type: 'brought', refused: [], there };
  if (isPassing(whole)) return failed(whole);
  const refused: RefusedRef[] = [];
  for (const each of refs) {
    const failure = await bringRef(options, { run, base, refs: [each] });
    if (failure !== undefined && isPassing(failure)) return failed(failure);
    if (failure !== undefined) refused.push({ ref: each.ref, failure });
  }
  return { type: 'brought', refused, there };
}

async function bringRef(
  options: SharedRunsOptions,
  { run, base, refs }: Bringing,
): Promise<TransferFailure | undefined> {
  const { repository } = options;
  const [wanted] = refs;
  if (wanted === undefined) return undefined;
  const { ref } = wanted;
  const failure = await fetchRefs(options, { refs: [ref], base });
  if (failure?.code !== 'unsafe-content' || failure.failure.code !== 'import-drops') return failure;
  const { commit } = failure.failure;
  const kept = await repository.swap({ ref: REFS.salvage(run, OUTRUN, commit), from: undefined, to: commit });
  const removed = kept.type === 'swapped' ? await repository.remove({ ref, reason: OUTRUN }) : kept;
  if (removed.type === 'removed') return fetchRefs(options, { refs: [ref], base });
  return { code: 'git-here', failure: removed.type === 'moved' ? { code: 'ref-moved', ref } : removed.failure };
}

/** Work of a coordinator that another one has replaced since. */
const OUTRUN = 'outrun';

/** With the checks of everything that is imported. */
async function fetchRefs(
  { repository, remote }: SharedRunsOptions,
  { refs, base }: { readonly refs: readonly string[]; readonly base: string | undefined },
): Promise<TransferFailure | undefined> {
  const { address, git, how } = remote;
  const request: ObjectImport = {
    gitDir: address,
    refs: refs.map((ref) => ({ source: ref, target: ref })),
    base,
    uploadPack: undefined,
    reach: { git, how },
  };
  return failureIn(await repository.importFrom(request), { address, gitDir: repository.gitDir });
}

function failureIn(
  imported: ObjectsImported,
  { address, gitDir }: { readonly address: string; readonly gitDir: string },
): TransferFailure | undefined {
  if (imported.type === 'imported') return undefined;
  const { failure } = imported;
  if (imported.type === 'failed') return { code: 'git-here', failure };
  if (failure.code !== 'import-failed') return { code: 'unsafe-content', failure };
  const answer = { code: 1, output: Buffer.alloc(0), stderr: failure.stderr };
  const known = transferFailureOf({ address, whose: 'users', gitDir, args: ['fetch'], answer });
  return known.code === 'git-here' ? { code: 'unsafe-content', failure } : known;
}
