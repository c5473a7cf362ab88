// Remarks on a repository that a person should read before a run.

export interface Told {
  readonly head: string | undefined;
  readonly isShallow: boolean;
  readonly isSparse: boolean;
  readonly submodules: readonly string[];
  readonly usesLfs: boolean;
  readonly filters: readonly string[];
  readonly hooks: readonly string[];
}

export function wordsForUser(told: Told): readonly string[] {
  const { head, isShallow, isSparse, submodules, usesLfs, filters, hooks } = told;
  const others = filters.filter((name) => name !== 'lfs');
  return [
    head === undefined ? 'There is no commit yet, so a run has nothing to start from: commit once.' : undefined,
    isShallow ? 'The clone is shallow: history before its edge is not seen, which is enough for runs.' : undefined,
    isSparse ? 'The checkout is sparse; sandboxes hold all files.' : undefined,
    submodules.length > 0
      ? `Submodules are empty folders in sandboxes (${submodules.join(', ')}); let \`setup\` fetch them if steps need them.`
      : undefined,
    usesLfs ? 'Files in LFS are pointers in sandboxes; let `setup` fetch them if steps need them.' : undefined,
    others.length > 0
      ? `Filters are not run in sandboxes (${others.join(', ')}): files are there as git stores them.`
      : undefined,
    hooks.length > 0 ? `Hooks are not run on Heddle's commits (${hooks.join(', ')}).` : undefined,
  ].filter((line) => line !== undefined);
}
