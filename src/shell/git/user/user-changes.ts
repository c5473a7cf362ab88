// Uncommitted changes in the user's checkout. Reading them writes nothing and runs no filter of the user's, so a file
// that a filter would normalise to unchanged may be counted.
import { gitAt, partsOf } from '../run/git.ts';
import type { UserRepository } from './describe-user.ts';

export interface UserChanges {
  readonly changed: number;
  readonly untracked: number;
}

export async function userChanges({ gitDir, workTree, filters }: UserRepository): Promise<UserChanges> {
  if (workTree === undefined) return { changed: 0, untracked: 0 };
  const off = filters.flatMap((name) => ['clean', 'smudge', 'process'].map((verb) => `filter.${name}.${verb}=`));
  const notRequired = filters.map((name) => `filter.${name}.required=false`);
  const args = [
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--ignore-submodules=all',
    '--untracked-files=normal',
  ];
  const settings = [...off, ...notRequired, 'status.showUntrackedFiles=normal'];
  const parts = partsOf(await gitAt(gitDir, 'users').must(args, { workTree, settings }));
  const untracked = parts.filter((part) => part.startsWith('??')).length;
  return { changed: parts.length - untracked, untracked };
}

/** What a person should know of the repository before a run. */
export type RepositoryNote =
  | { readonly code: 'no-commit' | 'shallow' | 'sparse' | 'lfs' }
  | { readonly code: 'submodules' | 'filters' | 'hooks'; readonly names: readonly string[] };

export function repositoryNotes(user: UserRepository): readonly RepositoryNote[] {
  const about = (code: 'submodules' | 'filters' | 'hooks', names: readonly string[]): readonly RepositoryNote[] =>
    names.length === 0 ? [] : [{ code, names }];
  return [
    ...(user.head === undefined ? [{ code: 'no-commit' } as const] : []),
    ...(user.isShallow ? [{ code: 'shallow' } as const] : []),
    ...(user.isSparse ? [{ code: 'sparse' } as const] : []),
    ...about('submodules', user.submodules),
    ...(user.usesLfs ? [{ code: 'lfs' } as const] : []),
    ...about(
      'filters',
      user.filters.filter((name) => name !== 'lfs'),
    ),
    ...about('hooks', user.hooks),
  ];
}
