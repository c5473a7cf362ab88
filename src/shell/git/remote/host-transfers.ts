// Commits of runs on a host: brought before a claim begins, kept by refs, delivered before its outcome is reported.
//
// host-transfers/H1. A commit counts as here when a ref of ours holds it: git writes that ref when all that the commit
//     reaches is here, and a killed fetch leaves none.
// host-transfers/H2. What was made here is kept by a ref of its own until the other side has it; only then may it be
//     forgotten (P4).
// host-transfers/H3. The project here is complete in itself: it borrows no objects.
import type { Assignment, ClaimRef } from '../../../core/protocol/assignment.ts';
import type { TransferFailure } from '../../../core/protocol/transfer-failure.ts';
import type { ObjectTransfer } from '../../ports/object-transfer.ts';
import type { Whose } from '../run/git-environment.ts';
import { GitError } from '../run/git-error.ts';
import { gitAt, TRANSFER_TIME_MAX_MS, type GitExit, type Git, type GitCallOptions } from '../run/git.ts';
import type { Repository } from '../repository.ts';
import { REFS } from '../store/ref-names.ts';
import { DURABLE, readRef } from '../store/refs.ts';
import { forgetRun } from './forget-run.ts';
import { shareRounds } from './share-rounds.ts';
import { transferFailureOf, transferFailureOfError } from './transfer-error.ts';

/** The other side of transfers. */
export interface FarSide {
  /** For people. */
  readonly address: string;
  /** What git fetches a run's commits from. */
  readonly fetchFrom: (run: string) => string;
  /** What git pushes the checkpoint of a claim to. */
  readonly pushTo: (run: string, claim: CheckpointOf) => string;
  /**
   * Has the other side take a commit that came from it for the checkpoint of a claim. False where it has to be pushed, for
   * whatever reason.
   */
  readonly name?: (run: string, claim: CheckpointOf, commit: string) => Promise<boolean>;
  /** Whose settings git uses, and with what besides. */
  readonly whose: Whose;
  readonly how: Pick<GitCallOptions, 'environment' | 'settings'>;
}

export interface CheckpointOf {
  readonly task: string;
  readonly step: string;
  readonly attempt: number;
}

export interface HostTransfersOptions {
  /** The host's, over its own project. */
  readonly repository: Repository;
  readonly far: FarSide;
}

interface World extends HostTransfersOptions {
  readonly project: Git;
  readonly closing: AbortSignal;
}

interface Want {
  readonly run: string;
  readonly commit: string;
}

export interface HostTransfers extends ObjectTransfer {
  /** Ends the transfers that are under way; they fail as if the link were away. */
  readonly close: () => void;
}

export function openHostTransfers(options: HostTransfersOptions): HostTransfers {
  const { repository, far } = options;
  const closing = new AbortController();
  const world: World = { ...options, project: gitAt(repository.user.gitDir, far.whose), closing: closing.signal };
  const fetchOnce = shareRounds((wants: readonly Want[]) => asFailure(world, () => fetchMissing(world, wants)));
  return {
    bring: async (run, assignment) => asFailure(world, () => bring(world, { run, assignment, fetchOnce })),
    deliver: async (run, claim, commit) => asFailure(world, () => deliver(world, { run, claim, commit })),
    forget: async (run) => forgetRun(repository, run),
    close: () => closing.abort(),
  };
}

async function asFailure(
  { far }: World,
  action: () => Promise<TransferFailure | undefined>,
): Promise<TransferFailure | undefined> {
  try {
    return await action();
  } catch (error) {
    return transferFailureOfError(error, far.address);
  }
}

interface Bringing {
  readonly run: string;
  readonly assignment: Assignment;
  readonly fetchOnce: (wants: readonly Want[]) => Promise<TransferFailure | undefined>;
}

async function bring(world: World, { run, assignment, fetchOnce }: Bringing): Promise<TransferFailure | undefined> {
  const { sandbox } = assignment;
  if (sandbox === undefined) return undefined;
  const { base, needs, from, onto } = sandbox;
  const commits = [base, ...needs, from, onto].filter((commit) => commit !== undefined);
  const missing = await missingOf(
    world,
    [...new Set(commits)].map((commit) => ({ run, commit })),
  );
  const failure = missing.length === 0 ? undefined : await fetchOnce(missing);
  return failure ?? (await pinned(world, run, base));
}

/** As in the repository of the server, where the base of a run bounds what is written to a pack. */
async function pinned({ repository }: World, run: string, base: string): Promise<TransferFailure | undefined> {
  const at = await repository.read(REFS.base(run));
  if (at === base) return undefined;
  const swapped = await repository.pin(run, base);
  if (swapped.type === 'swapped') return undefined;
  const failure = swapped.type === 'moved' ? ({ code: 'ref-moved', ref: REFS.base(run) } as const) : swapped.failure;
  return { code: 'git-here', failure };
}

async function missingOf({ project }: World, wants: readonly Want[]): Promise<readonly Want[]> {
  const isHere = await Promise.all(
    wants.map(async ({ run, commit }) => {
      const at =
        (await readRef(project, REFS.brought(run, commit))) ?? (await readRef(project, REFS.made(run, commit)));
      return at !== undefined;
    }),
  );
  return wants.filter((_, index) => isHere[index] === false);
}

export const FETCH: readonly string[] = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-prune',
  '--no-recurse-submodules',
  '--update-shallow',
  '--end-of-options',
];

/** One fetch for each run, whatever it lacks. Others may have brought it since it was asked for. */
async function fetchMissing(world: World, wants: readonly Want[]): Promise<TransferFailure | undefined> {
  const missing = Map.groupBy(await missingOf(world, wants), ({ run }) => run);
  for (const [run, those] of missing) {
    const commits = [...new Set(those.map(({ commit }) => commit))];
    const specs = commits.map((commit) => `${commit}:${REFS.brought(run, commit)}`);
    const failure = await transfer(world, [...FETCH, world.far.fetchFrom(run), ...specs]);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

async function transfer(
  { project, far, closing }: World,
  args: readonly string[],
  ref?: string,
): Promise<TransferFailure | undefined> {
  const answer = await project.ask(args, {
    environment: far.how.environment ?? {},
    settings: [...DURABLE, ...(far.how.settings ?? [])],
    timeoutMs: TRANSFER_TIME_MAX_MS,
    signal: closing,
  });
  if (answer.code === 0) return undefined;
  const { address, whose } = far;
  return transferFailureOf({ address, whose, gitDir: project.gitDir, args, answer, ref });
}

interface Delivery {
  readonly run: string;
  readonly claim: ClaimRef;
  readonly commit: string;
}

export const PUSH: readonly string[] = [
  'push',
  '--quiet',
  '--porcelain',
  '--no-verify',
  '--no-follow-tags',
  '--no-signed',
  '--recurse-submodules=no',
];

async function deliver(world: World, { run, claim, commit }: Delivery): Promise<TransferFailure | undefined> {
  const { task, step = '', attempt } = claim;
  const name = { task, step, attempt };
  if (await isNamed(world, { run, claim: name, commit })) return undefined;
  const [missing] = await missingOf(world, [{ run, commit }]);
  if (missing !== undefined) await copyToProject(world, missing);
  const ref = REFS.checkpoint(run, name);
  const args = [...PUSH, '--end-of-options', world.far.pushTo(run, name), `${commit}:${ref}`];
  const failure = await transfer(world, args, ref);
  if (failure === undefined) await noteDelivered(world, { run, commit });
  return failure;
}

interface Naming {
  readonly run: string;
  readonly claim: CheckpointOf;
  readonly commit: string;
}

/** Of a step that changed nothing: its commit is one that came from the other side, and nothing has to travel. */
async function isNamed({ project, far }: World, { run, claim, commit }: Naming): Promise<boolean> {
  if (far.name === undefined || (await readRef(project, REFS.brought(run, commit))) === undefined) return false;
  return far.name(run, claim, commit);
}

/** From the repository into which workers commit. */
async function copyToProject({ project, repository }: World, { run, commit }: Want): Promise<void> {
  const args = [...FETCH, repository.gitDir, `${commit}:${REFS.made(run, commit)}`];
  const settings = [...DURABLE, 'fetch.writeCommitGraph=false'];
  const answer: GitExit = await gitAt(project.gitDir).ask(args, { settings });
  if (answer.code === 0) return;
  const { gitDir } = project;
  throw new GitError({ code: 'commit-not-copied', commit, gitDir, stderr: answer.stderr.trim() });
}

async function noteDelivered({ project }: World, { run, commit }: Want): Promise<void> {
  const lines = [`update ${REFS.brought(run, commit)} ${commit}`, `delete ${REFS.made(run, commit)}`];
  await gitAt(project.gitDir).must(['update-ref', '--stdin'], { input: `${lines.join('\n')}\n`, settings: DURABLE });
}
