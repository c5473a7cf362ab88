// Puts a host program together: its home, its repository, the link to its server, and the hosts of its runs.
//
// Limit: repositories of SHA-1 alone. When others are in use, the server has to name the format before a home is made.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { assert } from '../../core/assert.ts';
import { openHostTransfers, type HostTransfers } from '../../shell/git/remote/host-transfers.ts';
import { httpFarSide } from '../../shell/git/remote/http-far-side.ts';
import { makeHostProject } from '../../shell/git/remote/host-project.ts';
import { openRepository } from '../../shell/git/repository.ts';
import { openHostOutput } from '../../shell/host/copies/host-output.ts';
import { localArtifacts } from '../../shell/host/local-artifacts.ts';
import { openServerClient, type ServerClient } from '../../shell/link/server-client.ts';
import { hasPrograms, kindsHere } from '../agent-parts.ts';
import { mustHaveGit } from '../git/git-here.ts';
import { stepEnvironment } from '../given-for.ts';
import { CLOCK, GRACE_MS, workerProgram } from '../local-parts.ts';
import { programVersion } from '../package-root.ts';
import { Refused } from '../refused.ts';
import { mustHaveDescriptors } from '../run/runnable.ts';
import { diskLackOf, mustHaveDisk } from './free-room.ts';
import { openFarCommits, type FarCommits } from './far-commits.ts';
import { takeHostHome } from './host-home.ts';
import { checkpointNaming } from './checkpoint-naming.ts';
import type { HostNote } from './host-note.ts';
import { openHostRuns, type HostRuns } from './host-runs.ts';
import { openLeases } from './leases.ts';
import { elapsedMs } from '../../shell/exec/elapsed.ts';
import { bringingConversations, postFiles } from './post-files.ts';
import { runHost, type HostProgram, type RunsContext } from './run-host.ts';
import { TOKEN_FILE_VARIABLE } from './read-token.ts';
import { trustedBy } from './trusted-by.ts';
import { openWarmBases } from './warm-bases.ts';

export interface JoinRequest {
  /** The servers: one, or those of a cluster. */
  readonly urls: readonly URL[];
  readonly token: string;
  /** A file of certificates to trust besides those of the system. */
  readonly authorities: string | undefined;
  /** Undefined for a folder below the user's own. */
  readonly home: string | undefined;
  readonly width: number;
  readonly labels: readonly string[];
  readonly onNote: (note: HostNote) => void;
}

export async function joinServer(request: JoinRequest): Promise<HostProgram> {
  mustHaveGit();
  mustHaveDescriptors();
  const { urls, token, authorities, width, labels, onNote } = request;
  const trusted = trustedBy(authorities);
  const home = takeHostHome({ url: firstOf(urls), token, named: request.home });
  try {
    mustHaveDisk(home.folder);
    const userAgent = `heddle/${programVersion()}`;
    const clients = urls.map((url) => openServerClient({ url, token, authorities: trusted, userAgent }));
    const { project, transfers } = await openTransfers(home.folder, request, clients);
    const agents = await kindsHere();
    if (!hasPrograms(agents)) onNote({ code: 'no-agents' });
    const post = postFiles(clients);
    const output = openHostOutput({ home: home.folder, artifacts: localArtifacts(home.folder), post });
    const whole = transfers.map((transfer, at) => {
      const [url, client] = [urls[at], clients[at]];
      assert(url !== undefined && client !== undefined, 'Each server has an address and a client.');
      return bringingConversations(transfer, { home: home.folder, url, client });
    });
    const openRuns = ({ onNews, isUp }: RunsContext): HostRuns => {
      const commits = openFarCommits({ transfers: whole, clock: CLOCK, onDelivered: () => onNews('urgent') });
      return openHostRuns({
        home: home.folder,
        cwd: project,
        environment: environmentOfSteps(),
        workerProgram: workerProgram(),
        width,
        clock: CLOCK,
        graceMs: GRACE_MS,
        commits,
        lacks: () => diskLackOf(home.folder),
        isUp,
        artifacts: output,
        warm: openWarmBases(home.folder, project),
        leases: openLeases(home, elapsedMs),
        onNews,
        clean: (run) => clean({ home: home.folder, project, commits }, run),
        onUnclean: (run, cause) => onNote({ code: 'unclean', run, message: messageOf(cause) }),
      });
    };
    const { folder, instance, follows } = home;
    const named = { urls, clients, home: folder, instance, follows };
    const program = runHost({ ...named, width, labels, agents, openRuns, output, onNote });
    const ended = program.ended.finally(() => {
      output.close();
      for (const each of [...transfers, ...clients]) each.close();
      home.release();
    });
    return { ...program, ended };
  } catch (cause) {
    home.release();
    throw cause;
  }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

function firstOf([url]: readonly URL[]): URL {
  assert(url !== undefined, 'A host joins a server.');
  return url;
}

/** Where the server is and how to become its host is nothing for steps. */
const OF_SERVER: ReadonlySet<string> = new Set(['HEDDLE_SERVER', 'HEDDLE_TLS_CA_FILE', TOKEN_FILE_VARIABLE]);

function environmentOfSteps(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(stepEnvironment()).filter(([name]) => !OF_SERVER.has(name)));
}

interface Opened {
  readonly project: string;
  /** One for each server. */
  readonly transfers: readonly HostTransfers[];
}

async function openTransfers(
  home: string,
  { urls, token, authorities }: JoinRequest,
  clients: readonly ServerClient[],
): Promise<Opened> {
  const made = await makeHostProject({ home, objectFormat: 'sha1' });
  if (made.type === 'failed') throw new Refused({ code: 'git', failure: made.failure });
  const { project } = made;
  const opened = await openRepository({ home, project, repairs: true });
  if (opened.type === 'refused') throw new Refused({ code: 'git', failure: opened.failure });
  const { repository } = opened;
  const far = urls.map((url, at) => {
    const client = clients[at];
    assert(client !== undefined, 'Each server has a client.');
    return { ...httpFarSide({ url, token, authorities }), name: checkpointNaming(client) };
  });
  return { project, transfers: far.map((each) => openHostTransfers({ repository, far: each })) };
}

interface Cleaning extends Pick<Opened, 'project'> {
  readonly home: string;
  readonly commits: FarCommits;
}

/** What could not be removed is found by the next cleaning, and costs no more than its room on the disk. */
async function clean({ home, project, commits }: Cleaning, run: string): Promise<void> {
  const [{ openIntegration }, { usual }] = await Promise.all([
    import('../sandbox-parts.ts'),
    import('../git/produced.ts'),
  ]);
  const integration = await openIntegration({ home, project, settings: usual(), repairs: false });
  if (integration.type === 'opened') await integration.sandboxes.recover({ isWanted: (found) => found.run !== run });
  await commits.forget(run);
  await rm(join(home, 'runs', run), { recursive: true, force: true });
}
