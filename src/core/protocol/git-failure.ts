// Why git did not do something: for each code the facts that come with it, and their sentence for people.
//
// The sentences stand beside the codes and not in a view, because a failure in a worker becomes part of the log, and of
// the prompt of the next attempt. No code reads them.

/** Facts of a failure that are texts. */
export type Facts<Name extends string> = Readonly<Record<Name, string>>;

/** A union of the codes of a table, each with the facts that its sentence takes. */
export type FailureOf<Table> = {
  readonly [Code in keyof Table]: { readonly code: Code } & (Table[Code] extends (facts: infer Given) => string
    ? Given
    : never);
}[keyof Table];

const ofCommands = {
  'git-failed': ({ command, gitDir, stderr }: Facts<'command' | 'gitDir' | 'stderr'>) =>
    `\`git ${command}\` failed on ${gitDir}: ${stderr}`,
  'git-unstarted': ({ cwd, cause }: Facts<'cwd' | 'cause'>) => `git could not be started in ${cwd}: ${cause}`,
  'git-killed': ({ command, cwd, signal }: Facts<'command' | 'cwd' | 'signal'>) =>
    `\`git ${command}\` in ${cwd} was ended by ${signal}.`,
  'git-timeout': ({ command, cwd, limitMs }: Facts<'command' | 'cwd'> & { readonly limitMs: number }) =>
    `\`git ${command}\` in ${cwd} was ended: it took longer than ${limitMs} ms.`,
  'repository-not-made': ({ folder, cause }: Facts<'folder' | 'cause'>) =>
    `The git directory ${folder} could not be made: ${cause}`,
  'commit-not-written': ({ folder, cause }: Facts<'folder' | 'cause'>) =>
    `A commit could not be written to ${folder}: ${cause}`,
  'not-a-tree': ({ id }: Facts<'id'>) => `"${id}" is no id of a tree, so no commit can be made of it.`,
  'commit-not-copied': ({ commit, gitDir, stderr }: Facts<'commit' | 'gitDir' | 'stderr'>) =>
    `${commit} could not be carried into ${gitDir}: ${stderr}`,
};

const ofUsers = {
  'project-missing': ({ folder }: Facts<'folder'>) => `${folder} does not exist.`,
  'project-line-break': ({ folder }: Facts<'folder'>) =>
    `The path ${JSON.stringify(folder)} has a line break in it; rename the folder.`,
  'not-a-repository': ({ folder }: Facts<'folder'>) =>
    `${folder} is not in a git repository. Run \`git init\` there and commit once.`,
  'not-trusted': ({ folder }: Facts<'folder'>) =>
    `git does not trust ${folder}, because it belongs to another user. If you do, say so with \`git config --global --add safe.directory ${folder}\`.`,
  'repository-unreadable': ({ folder, stderr }: Facts<'folder' | 'stderr'>) =>
    `git does not work on ${folder}: ${stderr}`,
  'partial-clone': ({ folder }: Facts<'folder'>) =>
    `${folder} is a partial clone, and sandboxes cannot fetch the objects that it lacks. Run Heddle in a full clone.`,
  'ref-in-the-way': ({ ref }: Facts<'ref'>) =>
    ref === 'refs/heads/heddle'
      ? 'There is a branch heddle here, and git can have no heddle/RUN beside it; give it another name first (`git branch -m heddle ANOTHER-NAME`).'
      : `There is a ref ${ref} here, and git can have no heddle/RUN beside it; give it another name first (\`git update-ref -d ${ref}\`).`,
};

const ofRefs = {
  'only-ref': ({ ref, commit }: Facts<'ref' | 'commit'>) =>
    `${ref} is the only ref that holds ${commit}; keep that commit under a salvage ref first.`,
  'ref-moved': ({ ref }: Facts<'ref'>) => `${ref} was moved by somebody else meanwhile.`,
  'ref-elsewhere': ({ ref, at }: Facts<'ref'> & { readonly at: string | undefined }) =>
    `${ref} is at ${at ?? 'nothing'}, where Heddle did not put it; remove that ref, or start another run.`,
  'queues-compete': ({ run, ref }: Facts<'run' | 'ref'>) =>
    `Other merge queues of ${run} keep moving ${ref}; end all but one of them.`,
};

const ofImports = {
  'import-failed': ({ gitDir, stderr }: Facts<'gitDir' | 'stderr'>) =>
    `git did not take what came from ${gitDir}: ${stderr}`,
  'import-lost': ({ ref }: Facts<'ref'>) => `What was fetched for ${ref} is gone again; try once more.`,
  'import-not-a-commit': ({ ref, kind }: Facts<'ref' | 'kind'>) =>
    `What came for ${ref} is a ${kind} and not a commit.`,
  'import-drops': ({ ref, commit }: Facts<'ref' | 'commit'>) =>
    `${ref} holds ${commit}, which what came does not contain; keep that under a salvage ref first.`,
  'submodule-moved': ({ path }: Facts<'path'>) =>
    `The submodule at "${path}" was moved to another commit, which cannot be taken from a sandbox; put it back.`,
  'nested-repository': ({ path }: Facts<'path'>) =>
    `"${path}" is a repository inside the repository, which git would take for a submodule; remove its .git folder.`,
  'link-leaves': ({ path, target }: Facts<'path' | 'target'>) =>
    `The symbolic link "${path}" leaves the tree (it points to "${target}"); point it inside or remove it.`,
};

const ofBranches = {
  'branch-ahead': ({ ref, commit }: Facts<'ref' | 'commit'>) =>
    `${ref} of the user has commits that the run has not (${commit}); rename that branch first.`,
  'branch-checked-out': ({ ref, folder }: Facts<'ref' | 'folder'>) =>
    `${ref} is checked out at ${folder}; check out another branch there first.`,
  'branch-name': ({ branch }: Facts<'branch'>) => `"${branch}" cannot be the name of a branch; choose another.`,
  'branch-exists': ({ branch }: Facts<'branch'>) =>
    `There is a branch ${branch} already, with another commit; choose another name.`,
  'path-exists': ({ path }: Facts<'path'>) => `There is something at ${path} already; name a folder that is not there.`,
};

const ofLandings = {
  'target-missing': ({ target }: Facts<'target'>) => `There is no branch ${target} to land on; make it first.`,
  'target-ahead': ({ target }: Facts<'target'>) =>
    `${target} has commits that the run has not; land by a merge instead.`,
  'target-checked-out-twice': ({ target }: Facts<'target'>) => `${target} is checked out twice; leave it in one.`,
  'target-checked-out': ({ target, folder }: Facts<'target' | 'folder'>) =>
    `${target} is checked out at ${folder}, and its files would no longer fit it; ask for the checkout to be updated as well, or check out another branch there first.`,
  'target-moved': ({ ref, folder }: Facts<'ref' | 'folder'>) =>
    `${ref} moved while it was landed; run \`git status\` in ${folder}.`,
  'landing-runs': ({ ref, pid }: Facts<'ref'> & { readonly pid: number }) =>
    `Process ${pid} is landing on ${ref} at this moment; wait until it is done.`,
  'git-runs': ({ folder, pid }: Facts<'folder'> & { readonly pid: number }) =>
    `git is at work in ${folder} (process ${pid}); let it end first.`,
  'lock-held': ({ lock }: Facts<'lock'>) => `${lock} is held by a git that is still at work; let it end first.`,
  'landing-killed': ({ folder, path }: Facts<'folder' | 'path'>) =>
    `A landing was killed while it updated the checkout at ${folder}, and "${path}" has been changed there since; commit, stash or put back what is changed there, then land again.`,
  'checkout-not-restored': ({ folder, stderr }: Facts<'folder' | 'stderr'>) =>
    `The checkout at ${folder} could not be put back: ${stderr}`,
  'checkout-not-updated': ({ folder, stderr }: Facts<'folder' | 'stderr'>) =>
    `The checkout at ${folder} could not be brought along: ${stderr}`,
  'checkout-unfinished': ({ folder, file }: Facts<'folder' | 'file'>) =>
    `The checkout at ${folder} is in the middle of something (${file}); finish it first.`,
  'checkout-changed': ({ folder, path }: Facts<'folder' | 'path'>) =>
    `The checkout at ${folder} has changes that are not committed (${path}); commit or stash them first.`,
  'checkout-untracked': ({ folder, path }: Facts<'folder' | 'path'>) =>
    `The checkout at ${folder} has a file "${path}" that git does not track and that landing would overwrite; move it away first.`,
};

/** The sentence of each code. */
export const GIT_FAILURES = { ...ofCommands, ...ofUsers, ...ofRefs, ...ofImports, ...ofBranches, ...ofLandings };

export type GitFailure = FailureOf<typeof GIT_FAILURES>;

/** The sentence of a failure of any table. */
export function failureTextIn<Failure extends { readonly code: string }>(
  table: { readonly [Code in Failure['code']]: (failure: never) => string },
  failure: Failure,
): string {
  // The compiler does not see that the function under a code takes the facts of that code.
  const text = table[failure.code as Failure['code']] as (given: Failure) => string;
  return text(failure);
}

export const gitFailureText = (failure: GitFailure): string => failureTextIn<GitFailure>(GIT_FAILURES, failure);
