// The repository that a host has in place of a checkout of the user's: bare, ours, and complete in itself.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorAsValue, type GitFailed } from '../run/git-error.ts';
import { TRANSFER_TIME_MAX_MS } from '../run/git.ts';
import { makeBareRepository } from '../store/integration-repository.ts';

export interface HostProjectOptions {
  /** The folder of the host program for one server. */
  readonly home: string;
  /** As the server's: git cannot mix them. */
  readonly objectFormat: string;
}

export type HostProject = { readonly type: 'made'; readonly project: string } | GitFailed;

const PROJECT_FOLDER = 'project.git';

/** Makes it where it is not there yet. */
export const makeHostProject = async ({ home, objectFormat }: HostProjectOptions): Promise<HostProject> =>
  errorAsValue(async () => {
    const project = join(home, PROJECT_FOLDER);
    await makeBareRepository({ home, gitDir: project, objectFormat });
    await removeBrokenPacks(join(project, 'objects', 'pack'));
    return { type: 'made', project };
  });

/** What a killed fetch had received of a pack: no fetch that is older than the longest one is still going on. */
async function removeBrokenPacks(folder: string): Promise<void> {
  const before = Date.now() - TRANSFER_TIME_MAX_MS;
  const broken = (await readdir(folder)).filter((name) => name.startsWith('tmp_')).map((name) => join(folder, name));
  for (const file of broken) {
    const found = await stat(file).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < before) await rm(file, { force: true });
  }
}
