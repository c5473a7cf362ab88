// A repository that is opened once for many claims: describing that of the user starts seven processes of git.
//
// remembered-repository/O1. Only a success is remembered, and no longer than a coordinator does, which opens the repository
//     once for a run: workers are of one run.
import { openRepository, type OpenRepositoryOptions, type RepositoryOpened } from './repository.ts';

export function rememberedRepository(): typeof openRepository {
  const opened = new Map<string, RepositoryOpened>();
  return async (options: OpenRepositoryOptions) => {
    const key = JSON.stringify(options);
    const known = opened.get(key);
    if (known !== undefined) return known;
    const fresh = await openRepository(options);
    if (fresh.type === 'opened') opened.set(key, fresh);
    return fresh;
  };
}
