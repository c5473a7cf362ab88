// What git offers to other machines, and to whom: commits of a run by id, the checkpoint of a claim, published branches,
// the base of a run.
//
// git-gate/G1. A host writes one ref: the checkpoint of a claim that the log places on it at that moment.
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

export interface GitGate {
  readonly open: (caller: GitCaller, place: GitPlace, command: PackCommand) => Promise<Gate>;
}

const BYTES_MAX = 1024 ** 3;

export const openGitGate = (options: GitGateOptions): GitGate => ({
  open: async (caller, place, command) => {
    if (!MAY[place.type].includes(caller.role)) return shut('git-not-allowed');
    const door = await doorOf(options, caller, place);
    if (typeof door === 'string') return shut(door);
    return door.command === command ? { type: 'open', door } : shut('git-unknown');
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

async function checkpointEndpoint(
  options: GitGateOptions,
  { name }: GitCaller,
  { run, claim }: Extract<GitPlace, { readonly type: 'checkpoint' }>,
): Promise<GitEndpoint | GateCode> {
  const { repository, bytesMax = BYTES_MAX } = options;
  if (!(await options.isRun(run))) return 'git-unknown';
  if (!(await options.holdsClaim(run, claim, name))) return 'git-not-yours';
  const base = await repository.read(REFS.base(run));
  if (base === undefined) return 'git-unknown';
  const known = await knownOfRun(repository, run);
  return pushEndpoint(options, { ref: REFS.checkpoint(run, claim), base, known: [base, ...known], bytesMax });
}

async function basesEndpoint(options: GitGateOptions, commit: string): Promise<GitEndpoint> {
  const { repository, bytesMax = BYTES_MAX } = options;
  const known = await knownOfProject(repository);
  return pushEndpoint(options, { ref: REFS.sentBase(commit), base: undefined, commit, known, bytesMax });
}
