import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { openGitRemote } from '../../../src/shell/git/remote/git-remote.ts';
import { remoteFarSide } from '../../../src/shell/git/remote/remote-far-side.ts';
import { openSharedRuns } from '../../../src/shell/git/remote/shared-runs.ts';
import { gitIn, temporaryFolder } from '../git-project.given.ts';
import { CLAIM, givenHome, givenHost, RUN } from './far-side.given.ts';
import { objectTransferContract } from './object-transfer-contract.given.ts';

objectTransferContract('a remote', async () => {
  const server = await givenHome();
  const address = join(temporaryFolder(), 'remote.git');
  gitIn('.', 'init', '--quiet', '--bare', address);
  const remote = openGitRemote({ gitDir: server.repository.gitDir, address });
  const runs = openSharedRuns({ repository: server.repository, remote });
  await runs.share(RUN);
  return {
    server,
    host: async (name = 'one') => {
      const far = remoteFarSide(remote);
      return givenHost(far, name);
    },
    offer: async (commit) => {
      gitIn(server.repository.gitDir, 'push', '--quiet', address, `${commit}:refs/heddle/${RUN}/offered/${commit}`);
    },
    accept: async (commit) => runs.take(RUN, CLAIM, commit),
    cut: async () => renameSync(address, `${address}.away`),
    mend: async () => renameSync(`${address}.away`, address),
  };
});
