// A repository that is opened once for many claims: describing that of the user starts seven processes of git.
//
// remembered-repository/O1. Only a success is remembered, and no longer than a coordinator does, which opens the repository
//     once for a run: workers are of one run.
// remembered-repository/O2. One that was removed, or made anew since, is opened again.
import { statSync } from 'node:fs';
import { openRepository, type OpenRepositoryOptions, type RepositoryOpened } from './repository.ts';

interface Remembered {
  readonly opened: Extract<RepositoryOpened, { readonly type: 'opened' }>;
  readonly folder: string | undefined;
}

export function rememberedRepository(): typeof openRepository {
  const remembered = new Map<string, Remembered>();
  return async (options: OpenRepositoryOptions) => {
    const key = JSON.stringify(options);
    const known = remembered.get(key);
    if (known?.folder !== undefined && known.folder === folderAt(known.opened)) return known.opened;
    const opened = await openRepository(options);
    if (opened.type === 'opened') remembered.set(key, { opened, folder: folderAt(opened) });
    return opened;
  };
}

/** Which folder it is, since a new one may get the number of the old; undefined when there is none. */
function folderAt({ repository }: Remembered['opened']): string | undefined {
  const found = statSync(repository.gitDir, { bigint: true, throwIfNoEntry: false });
  return found && `${found.ino} ${found.birthtimeNs}`;
}
