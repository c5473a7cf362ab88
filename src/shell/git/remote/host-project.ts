// The repository that a host has in place of a checkout of the user's: bare, ours, and complete in itself.
import { join } from 'node:path';
import { errorAsValue, type GitFailed } from '../run/git-error.ts';
import { makeBareRepository } from '../store/integration-repository.ts';

export interface HostProjectOrder {
  /** The folder of the host program for one server. */
  readonly home: string;
  /** As the server's: git cannot mix them. */
  readonly objectFormat: string;
}

export type HostProject = { readonly type: 'made'; readonly project: string } | GitFailed;

const PROJECT_FOLDER = 'project.git';

/** Makes it where it is not there yet. */
export const makeHostProject = async ({ home, objectFormat }: HostProjectOrder): Promise<HostProject> =>
  errorAsValue(async () => {
    const project = join(home, PROJECT_FOLDER);
    await makeBareRepository({ home, gitDir: project, objectFormat });
    return { type: 'made', project };
  });
