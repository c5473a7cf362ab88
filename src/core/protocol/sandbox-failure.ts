// Why a sandbox, its isolation or a check in it could not be had: codes with facts, and their sentences, as in git-failure.
import {
  GIT_FAILURES,
  gitFailureText,
  failureTextIn,
  type Facts,
  type FailureOf,
  type GitFailure,
} from './git-failure.ts';

/** What is missing in a proposed resolution of a conflict. */
export type Unresolved =
  | { readonly code: 'markers' | 'side-names' | 'deleted'; readonly paths: readonly string[] }
  | { readonly code: 'note'; readonly note: string }
  | { readonly code: 'dropped'; readonly side: 'ours' | 'theirs'; readonly paths: readonly string[] }
  | { readonly code: 'nothing-left'; readonly side: 'ours' | 'theirs' };

/** Why a kind of tree does not work here. */
export type TreeCause =
  | { readonly code: 'not-linux' }
  | { readonly code: 'overlay'; readonly mounter: 'root' | 'user'; readonly stderr: string }
  | { readonly code: 'snapshot'; readonly stderr: string };

const ofIsolation = {
  'isolation-missing': ({ why }: { readonly why: keyof typeof MISSING }) =>
    `The run requires isolation by the system (isolation: os), which does not work here: ${MISSING[why]}.`,
  'bubblewrap-fails': ({ program, stderr }: Facts<'program' | 'stderr'>) =>
    `Bubblewrap is installed (${program}) and does not work: ${stderr === '' ? 'it does not hide what it should' : stderr.replace(/\.+$/u, '')}. Try again or repair it; to run without protection, write isolation: none under sandbox in the plan.`,
};

const MISSING = {
  'not-linux': 'it takes Linux',
  'not-installed': 'bubblewrap is not installed; install it, for instance with apt install bubblewrap',
  'no-user-namespaces': 'this user may not make user namespaces; allow that, or run as another user',
};

const ofTrees = {
  'tree-unavailable': ({ tree, causes }: Facts<'tree'> & { readonly causes: readonly TreeCause[] }) =>
    `sandbox.tree is ${tree}, which does not work here: ${causes.map(treeCauseText).join(' ')} Use auto or checkout.`,
  'btrfs-failed': ({ command, stderr }: Facts<'command' | 'stderr'>) => `\`btrfs ${command}\` failed: ${stderr}`,
  'not-checked-out': ({ commit, failure }: Facts<'commit'> & { readonly failure: GitFailure }) =>
    `The files of ${commit} could not be checked out: ${gitFailureText(failure)}`,
  'not-advanced': ({ commit, folder, stderr }: Facts<'commit' | 'folder' | 'stderr'>) =>
    `${commit} could not be put into ${folder}: ${stderr}`,
  'template-removed': ({ name }: Facts<'name'>) => `The template ${name} was removed; try again.`,
  'layer-not-copied': ({ folder, stderr }: Facts<'folder' | 'stderr'>) =>
    `What set-up made could not be copied into ${folder}: ${stderr}`,
};

const ofSettings = {
  'link-outside': ({ path }: Facts<'path'>) =>
    `sandbox.link: ${path} is not a folder below the project; name one by its path in the repository.`,
  'link-tracked': ({ path }: Facts<'path'>) =>
    `sandbox.link: ${path} is part of the repository, so it cannot be a shared folder; leave it out.`,
  'link-missing': ({ path }: Facts<'path'>) => `sandbox.link: ${path} does not exist; create it or leave it out.`,
  'files-missing': ({ include, folder }: Facts<'include' | 'folder'>) =>
    `sandbox.include names ${include}, and this machine has no checkout of the project: put such files into ${folder}.`,
  'setup-failed': ({
    command,
    exitCode,
    output,
  }: Facts<'command' | 'output'> & { readonly exitCode: number | undefined }) =>
    `sandbox.setup failed with ${exitCode ?? 'a signal'}: ${command}\n${output}`,
  'setup-unlisted': ({ stderr }: Facts<'stderr'>) => `What set-up made could not be listed: ${stderr}`,
};

const UNCOMMITTABLE = {
  repository: 'is a git repository of its own, which cannot be committed; remove its .git or ignore it.',
  submodule: 'was put into the folder of a submodule, where git sees nothing; put it elsewhere.',
  name: 'has a name that git keeps to itself; give it another, or remove it.',
  permission: 'may not be read, so it cannot be committed; let it be read, or ignore it.',
};

const ofSandboxes = {
  'no-ports': () => 'There are no free ports left for another sandbox.',
  'other-tree': ({ folder, made, wanted }: Facts<'folder' | 'made' | 'wanted'>) =>
    `${folder} was made as ${made} and this run uses ${wanted}; set sandbox.tree to ${made}, or remove it.`,
  'sandbox-missing': ({ folder }: Facts<'folder'>) => `There is no sandbox at ${folder}; open it again.`,
  'claim-in-place': () => 'This claim runs in place.',
  'not-committable': ({ path, folder, why }: Facts<'path' | 'folder'> & { readonly why: keyof typeof UNCOMMITTABLE }) =>
    `${path} in ${folder} ${UNCOMMITTABLE[why]}`,
  'not-committed': ({ folder, stderr }: Facts<'folder' | 'stderr'>) =>
    `What is in ${folder} could not be committed: ${stderr}`,
  'commits-unreadable': ({ folder, stderr }: Facts<'folder' | 'stderr'>) =>
    `Commits made in ${folder} could not be read: ${stderr}`,
  'needs-conflict': ({ task, paths }: Facts<'task'> & { readonly paths: readonly string[] }) =>
    `What ${task} needs does not fit together in ${paths.join(', ')}.`,
  unresolved: ({ reasons }: { readonly reasons: readonly Unresolved[] }) =>
    `The conflict is not resolved. ${reasons.map(unresolvedText).join(' ')}`,
};

const ofChecks = {
  'check-unstarted': ({ command, cause }: Facts<'command' | 'cause'>) =>
    `The check \`${command}\` cannot be started. ${cause}`,
  'check-killed': ({ command, signal }: Facts<'command' | 'signal'>) =>
    `The check \`${command}\` was ended by ${signal}, which Heddle did not send.`,
  'check-stopped': ({ command }: Facts<'command'>) => `The check \`${command}\` was stopped.`,
  'output-unwritable': ({ file, cause }: Facts<'file' | 'cause'>) =>
    `The output of a check cannot be kept in ${file}: ${cause}`,
};

const SANDBOX_FAILURES = { ...GIT_FAILURES, ...ofIsolation, ...ofTrees, ...ofSettings, ...ofSandboxes, ...ofChecks };

/** Git's failures are among them: a sandbox is a checkout. */
export type SandboxFailure = FailureOf<typeof SANDBOX_FAILURES>;

/** The failed variant of an outcome. */
export interface SandboxFailed {
  readonly type: 'failed';
  readonly failure: SandboxFailure;
}

export const failedBy = (failure: SandboxFailure): SandboxFailed => ({ type: 'failed', failure });

export const failureText = (failure: SandboxFailure): string =>
  failureTextIn<SandboxFailure>(SANDBOX_FAILURES, failure);

/** Most paths that one sentence names; more are counted. */
const NAMED_MAX = 10;

const named = (paths: readonly string[]): string =>
  paths.length <= NAMED_MAX
    ? paths.join(', ')
    : `${paths.slice(0, NAMED_MAX).join(', ')}, ${paths.length - NAMED_MAX} more`;

const SIDES = { ours: 'this task', theirs: 'the other side' };

export function unresolvedText(reason: Unresolved): string {
  switch (reason.code) {
    case 'markers':
      return `There are conflict markers in ${named(reason.paths)}.`;
    case 'side-names':
      return `${named(reason.paths)} still has the name that git gave it to keep both sides apart.`;
    case 'deleted':
      return `${named(reason.paths)} was deleted, though both sides have it: keep what both were to do.`;
    case 'note':
      return `${reason.note} is still there: decide what it lists, then delete it.`;
    case 'dropped':
      return `The work of ${SIDES[reason.side]} in ${named(reason.paths)} was dropped.`;
    case 'nothing-left':
      return `Nothing of the work of ${SIDES[reason.side]} is left.`;
  }
}

export function treeCauseText(cause: TreeCause): string {
  switch (cause.code) {
    case 'not-linux':
      return 'Overlays need Linux.';
    case 'overlay':
      return `An overlay cannot be mounted by ${cause.mounter === 'root' ? 'this user' : 'the root of a user namespace'}: ${cause.stderr}`;
    case 'snapshot':
      return `There are no snapshots here: ${cause.stderr}`;
  }
}
