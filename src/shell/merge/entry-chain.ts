// The chain: each task's work merged in memory onto the entry before it, and the first onto the run branch.
//
// entry-chain/C1. An entry's commit is a function of its parent and its request, so a chain that is built again has the
//     same ids.
// entry-chain/C2. A conflict is reported only with work that has landed. Work that conflicts with pending entries waits
//     for their end: if it were resolved against them, it would land their changes even when they fail.
// entry-chain/C3. A remembered resolution must pass the checks of both sides. If it does not, the conflict is reported.
import type { GitFailed } from '../git/run/git-error.ts';
import type { MergeRequest } from '../ports/merge-request.ts';
import type { ConflictPath, MergeOutcome } from '../git/merge/merge-outcome.ts';
import { messageFor } from './merge-history.ts';
import type { MergeHistory, Merge, MergeQueueRepository } from './merge-history.ts';

export interface Entry {
  readonly request: MergeRequest;
  /** The commit of the run branch when it ends here. */
  readonly commit: string;
  readonly tree: string;
  /** Undefined when the chain contains the work already. */
  readonly merge: Merge | undefined;
  readonly checks: readonly string[];
  /** Whether a remembered resolution was used. */
  readonly isRecalled: boolean;
}

export interface Chain {
  /** The commit of the run branch; undefined when the branch does not exist yet. */
  readonly branch: string | undefined;
  /** The commit below the first entry: the branch, or the run's base. */
  readonly onto: string;
  readonly links: readonly Entry[];
}

export interface ChainWorld {
  readonly repository: MergeQueueRepository;
  readonly history: MergeHistory;
  /** The checks of another task; undefined when they are not known. */
  readonly checksOf: (request: MergeRequest, other: string) => readonly string[] | undefined;
  /** Whether remembered resolutions may be used for this request. */
  readonly trusts: (request: MergeRequest) => boolean;
}

export type Linked =
  | { readonly type: 'linked'; readonly link: Entry }
  /** The branch contains it already; by this commit, if it was merged as such. */
  | { readonly type: 'contained'; readonly commit: string | undefined }
  | Conflicted
  /** It conflicts with a pending entry. */
  | { readonly type: 'early' }
  | GitFailed;

export interface Conflicted {
  readonly type: 'conflict';
  readonly paths: readonly ConflictPath[];
  readonly with: readonly string[];
  readonly onto: string;
}

export interface Tipped extends MergeRequest {
  readonly tip: string;
  readonly base: string;
}

export async function linkTo(world: ChainWorld, chain: Chain, request: Tipped): Promise<Linked> {
  const last = chain.links.at(-1);
  const onto = last?.commit ?? chain.onto;
  const { outcome, checks, isRecalled } = await mergeChecked(world, { chain, onto, request });
  switch (outcome.type) {
    case 'merged': {
      const { commit, tree } = outcome;
      return {
        type: 'linked',
        link: {
          request,
          commit,
          tree,
          checks,
          isRecalled,
          merge: { task: request.task, tip: request.tip, commit, onto },
        },
      };
    }
    case 'unchanged': {
      const landed = await mergeOf(world, chain, request);
      if (onto === chain.onto || landed !== undefined) return { type: 'contained', commit: landed };
      const tree = last?.tree ?? (await world.repository.treeOf(onto));
      return { type: 'linked', link: { request, commit: onto, tree, checks, isRecalled, merge: undefined } };
    }
    case 'conflict':
      return onto === chain.onto
        ? conflicted(world, { onto: chain.onto, request, paths: outcome.paths })
        : meetLanded(world, chain, request);
    case 'failed':
      return outcome;
  }
}

/** The commit on the branch that merged exactly this work. */
export async function mergeOf(
  { history }: ChainWorld,
  { onto }: Pick<Chain, 'onto'>,
  { task, tip, base }: Tipped,
): Promise<string | undefined> {
  return (await history.at(onto, base)).findLast((merge) => merge.tip === tip && merge.task === task)?.commit;
}

async function meetLanded(world: ChainWorld, chain: Chain, request: Tipped): Promise<Linked> {
  const { outcome } = await mergeChecked(world, { chain: { ...chain, links: [] }, onto: chain.onto, request });
  if (outcome.type === 'conflict') return conflicted(world, { onto: chain.onto, request, paths: outcome.paths });
  return outcome.type === 'failed' ? outcome : { type: 'early' };
}

interface Conflicting {
  readonly onto: string;
  readonly request: Tipped;
  readonly paths: readonly ConflictPath[];
}

async function conflicted({ history }: ChainWorld, conflicting: Conflicting): Promise<Conflicted> {
  const { onto, request, paths } = conflicting;
  const { task, base } = request;
  const landed = await history.at(onto, base);
  const touching = await history.touching(
    landed,
    paths.map(({ path }) => path),
  );
  return { type: 'conflict', paths, with: touching.filter((other) => other !== task), onto };
}

interface Merging {
  readonly chain: Chain;
  readonly onto: string;
  readonly request: Tipped;
}

interface MergedChecked {
  readonly outcome: MergeOutcome;
  readonly checks: readonly string[];
  readonly isRecalled: boolean;
}

async function mergeChecked(world: ChainWorld, { chain, onto, request }: Merging): Promise<MergedChecked> {
  const { tip, at, checks, take } = request;
  const merge = (usesResolutions: boolean): Promise<MergeOutcome> =>
    world.repository.mergeOnto({ onto, tip, message: messageFor(request), at, usesResolutions, take });
  const outcome = await merge(world.trusts(request));
  if (outcome.type !== 'merged' || outcome.resolved.length === 0) return { outcome, checks, isRecalled: false };
  const others = await checksOfOthers(world, { chain, request, paths: outcome.resolved });
  if (others === undefined) return { outcome: await merge(false), checks, isRecalled: false };
  return { outcome, checks: [...new Set([...checks, ...others])], isRecalled: true };
}

async function checksOfOthers(
  { history, checksOf }: ChainWorld,
  { chain, request, paths }: { readonly chain: Chain; readonly request: Tipped; readonly paths: readonly string[] },
): Promise<readonly string[] | undefined> {
  const landed = await history.at(chain.onto, request.base);
  const inChain = chain.links.flatMap(({ merge }) => merge ?? []);
  const others = (await history.touching([...landed, ...inChain], paths)).filter((task) => task !== request.task);
  const known = others.map((other) => checksOf(request, other));
  return known.every((checks) => checks !== undefined) ? known.flat() : undefined;
}
