// What git offers to other machines, and to whom: commits of a run by id, the checkpoint of a claim, published branches,
// the base of a run.
//
// git-gate/G1. A host writes one ref: the checkpoint of a claim that the log places on it at that moment. By name alone it
//     gets a commit that a ref of the run has, all of whose content was examined before; any other has to be pushed.
// git-gate/G2. It keeps nothing of its own between two requests, so several may stand before one repository.
import type { PackCommand } from '../../shell/git/serve/git-program.ts';
import {
  commitsEndpoint,
  publishedEndpoint,
  pushEndpoint,
  type GitEndpoint,
} from '../../shell/git/serve/git-endpoints.ts';
import type { Repository } from '../../shell/git/repository.ts';
import { REFS } from '../../shell/git/store/ref-names.ts';
import { knownOfProject, knownOfRun } from '../../shell/git/serve/known-commits.ts';

export { isPackCommand, type PackCommand } from '../../shell/git/serve/git-program.ts';
export type { GitEndpoint as GitDoor } from '../../shell/git/serve/git-endpoints.ts';

/** Who calls, as the token says. */
export interface GitCaller {
  readonly name: string;
  readonly role: 'host' | 'operator' | 'reader';
}

export interface CheckpointClaim {
  readonly task: string;
  readonly step: string;
  readonly attempt: number;
}

/** What an address names. */
export type GitPlace =
  | { readonly type: 'commits'; readonly run: string }
  | { readonly type: 'checkpoint'; readonly run: string; readonly claim: CheckpointClaim }
  | { readonly type: 'published' }
  | { readonly type: 'bases'; readonly commit: string };

export interface GitGateOptions {
  /** Heddle's folder. */
  readonly home: string;
  readonly repository: Repository;
  readonly isRun: (run: string) => boolean | Promise<boolean>;
  /** Whether the log places the claim on the host. */
  readonly holdsClaim: (run: string, claim: CheckpointClaim, host: string) => boolean | Promise<boolean>;
  /** The most that one push may bring. */
  readonly bytesMax?: number;
}

export type GateCode = 'git-not-allowed' | 'git-not-yours' | 'git-unknown';

export type Gate =
  | { readonly type: 'open'; readonly door: GitEndpoint }
  | { readonly type: 'shut'; readonly code: GateCode };

/** A commit that came from here, as the checkpoint of a claim that has changed nothing. */
export interface CheckpointAt {
  readonly run: string;
  readonly claim: CheckpointClaim;
  readonly commit: string;
}

export interface GitGate {
  readonly open: (caller: GitCaller, place: GitPlace, command: PackCommand) => Promise<Gate>;
  /** Undefined when the checkpoint is there. */
  readonly name: (caller: GitCaller, checkpoint: CheckpointAt) => Promise<GateCode | undefined>;
}

const BYTES_MAX = 1024 ** 3;

export const openGitGate = (options: GitGateOptions): GitGate => ({
  open: async (caller, place, command) => {
    if (!MAY[place.type].includes(caller.role)) return shut('git-not-allowed');
    const door = await doorOf(options, caller, place);
    if (typeof door === 'string') return shut(door);
    return door.command === command ? { type: 'open', door } : shut('git-unknown');
  },
  name: async (caller, checkpoint) => {
    if (!MAY.checkpoint.includes(caller.role)) return 'git-not-allowed';
    return (await refusalOf(options, caller, checkpoint)) ?? (await nameCheckpoint(options, checkpoint));
  },
});

const shut = (code: GateCode): Gate => ({ type: 'shut', code });

const MAY: Readonly<Record<GitPlace['type'], readonly GitCaller['role'][]>> = {
  commits: ['host', 'operator'],
  checkpoint: ['host'],
  published: ['operator', 'reader'],
  bases: ['operator'],
};

async function doorOf(options: GitGateOptions, caller: GitCaller, place: GitPlace): Promise<GitEndpoint | GateCode> {
  switch (place.type) {
    case 'published':
      return publishedEndpoint(options);
    case 'bases':
      return basesEndpoint(options, place.commit);
    case 'commits':
      return (await options.isRun(place.run)) ? commitsEndpoint(options) : 'git-unknown';
    case 'checkpoint':
      return checkpointEndpoint(options, caller, place);
  }
}

/** Of a checkpoint, whose host does not hold the claim. */
async function refusalOf(
  { isRun, holdsClaim }: GitGateOptions,
  { name }: GitCaller,
  { run, claim }: Omit<CheckpointAt, 'commit'>,
): Promise<GateCode | undefined> {
  if (!(await isRun(run))) return 'git-unknown';
  return (await holdsClaim(run, claim, name)) ? undefined : 'git-not-yours';
}

async function checkpointEndpoint(
  options: GitGateOptions,
  caller: GitCaller,
  place: Extract<GitPlace, { readonly type: 'checkpoint' }>,
): Promise<GitEndpoint | GateCode> {
  const { repository, bytesMax = BYTES_MAX } = options;
  const { run, claim } = place;
  const refusal = await refusalOf(options, caller, place);
  if (refusal !== undefined) return refusal;
  const base = await repository.read(REFS.base(run));
  if (base === undefined) return 'git-unknown';
  const known = await knownOfRun(repository, run);
  return pushEndpoint(options, { ref: REFS.checkpoint(run, claim), base, known: [base, ...known], bytesMax });
}

async function nameCheckpoint(
  { repository }: GitGateOptions,
  { run, claim, commit }: CheckpointAt,
): Promise<GateCode | undefined> {
  if (!(await isOfRun(repository, run, commit))) return 'git-unknown';
  const swapped = await repository.swap({ ref: REFS.checkpoint(run, claim), from: undefined, to: commit });
  // Other work that is there already is for a push to refuse.
  return swapped.type === 'swapped' ? undefined : 'git-unknown';
}

async function isOfRun(repository: Repository, run: string, commit: string): Promise<boolean> {
  if ((await repository.read(REFS.base(run))) === commit) return true;
  return (await repository.listAt(commit, [REFS.ofRun(run), REFS.runBranch(run)])).length > 0;
}

async function basesEndpoint(options: GitGateOptions, commit: string): Promise<GitEndpoint> {
  const { repository, bytesMax = BYTES_MAX } = options;
  const known = await knownOfProject(repository);
  return pushEndpoint(options, { ref: REFS.sentBase(commit), base: undefined, commit, known, bytesMax });
}
