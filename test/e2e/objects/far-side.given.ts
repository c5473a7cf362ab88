// A server with a run, and hosts that fetch and push its commits, over real git on loopback.
import { mkdirSync } from 'node:fs';
import * as http from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Assignment, ClaimRef } from '../../../src/core/protocol/assignment.ts';
import { openGitGate, type CheckpointClaim, type GitCaller } from '../../../src/app/serve/git-gate.ts';
import { openGitRoute } from '../../../src/server/git-routes.ts';
import { refusedRequestOf } from '../../../src/server/refused-request.ts';
import { sendError } from '../../../src/server/send.ts';
import { makeHostProject } from '../../../src/shell/git/remote/host-project.ts';
import { openHostTransfers, type FarSide, type HostTransfers } from '../../../src/shell/git/remote/host-transfers.ts';
import { httpFarSide } from '../../../src/shell/git/remote/http-far-side.ts';
import { REFS } from '../../../src/shell/git/store/ref-names.ts';
import { openRepository, type Repository } from '../../../src/shell/git/repository.ts';
import { AT, gitIn, makeProject, temporaryFolder, type Files, type Project, writeFiles } from '../git-project.given.ts';

export const RUN = 'night-1';

export const CLAIM = { work: 'step', task: 'api', step: 'code', attempt: 1 } as const satisfies ClaimRef;

/** The integration repository of the server and the user's, with a run that has begun. */
export interface Home {
  readonly project: Project;
  readonly home: string;
  readonly repository: Repository;
  readonly base: string;
}

export async function givenHome(files: Files = { 'a.txt': 'a\n', 'src/b.txt': 'b\n' }): Promise<Home> {
  const project = makeProject(files);
  const home = join(project.folder, '.heddle');
  const repository = await opened(home, project.folder);
  const base = project.git('rev-parse', 'HEAD');
  await repository.pin(RUN, base);
  return { project, home, repository, base };
}

export async function opened(home: string, project: string): Promise<Repository> {
  const answer = await openRepository({ home, project, repairs: true });
  if (answer.type === 'refused') throw new Error(answer.failure.code);
  return answer.repository;
}

/** A commit of ours that no ref names, with some files beside its parent's. */
export async function commitIn({ repository, home }: Place, parent: string, files: Files): Promise<string> {
  const tree = await treeWith({ repository, home }, parent, files);
  return repository.commitTree({ tree, parents: [parent], message: 'work', at: AT });
}

type Place = Pick<Home, 'repository' | 'home'>;

export interface Host {
  readonly home: string;
  readonly repository: Repository;
  readonly transfers: HostTransfers;
}

export async function givenHost(far: FarSide, name = 'host'): Promise<Host> {
  const home = join(temporaryFolder(), name);
  mkdirSync(home);
  const made = await makeHostProject({ home, objectFormat: 'sha1' });
  if (made.type === 'failed') throw new Error(made.failure.code);
  const repository = await opened(home, made.project);
  const transfers = openHostTransfers({ repository, far });
  onTestFinished(() => transfers.close());
  return { home, repository, transfers };
}

/** A commit that a worker of the host made, under the checkpoint ref of a claim. */
export async function workOn(host: Host, parent: string, files: Files = { 'work.txt': 'done\n' }): Promise<string> {
  const commit = await commitIn(host, parent, files);
  await host.repository.swap({ ref: REFS.checkpoint(RUN, CLAIM), from: undefined, to: commit });
  return commit;
}

async function treeWith({ repository, home }: Place, parent: string, files: Files): Promise<string> {
  const [gitDir, workTree] = [repository.gitDir, join(home, 'tree')];
  mkdirSync(workTree, { recursive: true });
  const git = (...args: readonly string[]): string =>
    gitIn(workTree, '--git-dir', gitDir, '--work-tree', workTree, ...args);
  git('read-tree', parent);
  git('checkout-index', '--all', '--force');
  writeFiles(workTree, files);
  git('add', '--all');
  return git('write-tree');
}

export const assignmentFor = (base: string, more: Partial<NonNullable<Assignment['sandbox']>> = {}): Assignment => ({
  claim: CLAIM,
  work: { type: 'command', command: 'true', environment: {} },
  limits: { timeoutMs: 1_000, idleTimeoutMs: 1_000 },
  output: undefined,
  // A transfer reads the commits alone.
  sandbox: { base, needs: [], from: undefined, onto: undefined, at: AT, ...more } as unknown as NonNullable<
    Assignment['sandbox']
  >,
});

export interface Gateway {
  readonly url: URL;
  /** Claims that the log places on the host `one`; a test changes it. */
  readonly held: Set<string>;
  /** Every request, as `METHOD path`. */
  readonly seen: string[];
  /** Bytes of answers and of requests. */
  readonly counted: { bytes: number };
  readonly close: () => Promise<void>;
}

export const heldKey = ({ task, step, attempt }: CheckpointClaim): string => `${task}/${step}/${attempt}`;

const CALLERS: Readonly<Record<string, GitCaller>> = {
  'token-one': { name: 'one', role: 'host' },
  'token-two': { name: 'two', role: 'host' },
  'token-ops': { name: 'ada', role: 'operator' },
  'token-eye': { name: 'eve', role: 'reader' },
};

const callerOf = ({ headers }: http.IncomingMessage): GitCaller | undefined =>
  CALLERS[/^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1] ?? ''];

export interface GatewayOptions {
  readonly bytesMax?: number;
  /** Called before a request is answered. */
  readonly before?: (request: http.IncomingMessage, response: http.ServerResponse) => void;
}

export async function givenGateway({ home, repository }: Home, options: GatewayOptions = {}): Promise<Gateway> {
  const held = new Set<string>([heldKey(CLAIM)]);
  const seen: string[] = [];
  const counted = { bytes: 0 };
  const gate = openGitGate({
    home,
    repository,
    isRun: (run) => run === RUN,
    holdsClaim: (run, claim, host) => run === RUN && host === 'one' && held.has(heldKey(claim)),
    ...(options.bytesMax === undefined ? {} : { bytesMax: options.bytesMax }),
  });
  const route = openGitRoute(gate);
  const reply = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const exchange = { request, response };
    seen.push(`${request.method} ${request.url}`);
    options.before?.(request, response);
    const caller = callerOf(request);
    const url = new URL(request.url ?? '', 'http://localhost');
    try {
      if (caller === undefined || !url.pathname.startsWith('/git/'))
        await sendError(exchange, 401, { code: 'wrong-token' });
      else await route.reply(exchange, caller, url);
    } catch (cause) {
      const refused = refusedRequestOf(cause);
      if (response.headersSent) response.destroy();
      else await sendError(exchange, refused?.status ?? 500, refused?.error ?? { code: 'bug' });
    }
  };
  const server = http.createServer((request, response) => void reply(request, response));
  server.on('connection', (socket) => {
    socket.on('close', () => {
      counted.bytes += socket.bytesRead + socket.bytesWritten;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return { url: new URL(`http://127.0.0.1:${port}`), held, seen, counted, close };
}

export const farSideOf = ({ url }: Gateway, token = 'token-one'): FarSide => httpFarSide({ url, token });
