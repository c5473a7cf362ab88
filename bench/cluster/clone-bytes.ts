// What crosses the wire before 32 claims can begin on a host that has nothing yet, beside one plain clone of the same history
// from the same server.
import { mkdirSync } from 'node:fs';
import * as http from 'node:http';
import { join } from 'node:path';
import type { Assignment } from '../../src/core/protocol/assignment.ts';
import { openGitGate, type GitCaller } from '../../src/app/serve/git-gate.ts';
import { openGitRoute } from '../../src/server/git-routes.ts';
import { makeHostProject } from '../../src/shell/git/remote/host-project.ts';
import { openHostTransfers } from '../../src/shell/git/remote/host-transfers.ts';
import { httpFarSide } from '../../src/shell/git/remote/http-far-side.ts';
import { openRepository, type Repository } from '../../src/shell/git/repository.ts';
import { generatedProject, gitAtOnce, removeProject, type Project } from '../git/sample-project.ts';
import { timed } from '../git/print-figures.ts';

const FILES = 25_000;
const CLAIMS = 32;
const RUN = 'bench-1';
const RATIO_MAX = 1.1;

interface Transfer {
  readonly what: string;
  readonly bytes: number;
  readonly requests: number;
  readonly ms: number;
}

export async function benchCloneBytes(): Promise<readonly Transfer[]> {
  const project = generatedProject(FILES);
  try {
    return await measure(project);
  } finally {
    await removeProject(project);
  }
}

export function printCloneBytes(transfers: readonly Transfer[]): void {
  console.log('\n## Bytes on the wire: 32 claims on a fresh host\n');
  console.log('| what | bytes | requests | time |');
  console.log('|---|---|---|---|');
  for (const { what, bytes, requests, ms } of transfers)
    console.log(`| ${what} | ${bytes} | ${requests} | ${ms.toFixed(0)} ms |`);
  const [clone, host] = transfers;
  const ratio = (host?.bytes ?? 0) / (clone?.bytes ?? 1);
  console.log(`\nRatio: ${ratio.toFixed(3)} (bound ≤ ${RATIO_MAX}: ${ratio <= RATIO_MAX ? 'met' : 'NOT met'}).`);
}

async function measure({ root, folder, base, files }: Project): Promise<readonly Transfer[]> {
  const home = join(folder, '.heddle');
  const repository = await mustOpen(home, folder);
  await repository.pin(RUN, base);
  await repository.publish(RUN, base);
  const server = await startServer(home, repository);
  try {
    const clone = await counted(server, `git clone of ${files} files`, async () => {
      const header = 'http.extraHeader=Authorization: Bearer operator';
      const from = `${server.url.origin}/git/published`;
      const branch = ['--single-branch', '--branch', `heddle/${RUN}`];
      await gitAtOnce(root, '-c', header, 'clone', '--quiet', '--bare', ...branch, from, join(root, 'clone'));
    });
    const host = await openHost(join(root, 'host'), server.url);
    const brought = await counted(server, `${CLAIMS} claims at once on a fresh host`, async () => {
      await Promise.all(Array.from({ length: CLAIMS }, async () => host(base)));
    });
    return [clone, brought];
  } finally {
    server.close();
  }
}

async function mustOpen(home: string, project: string): Promise<Repository> {
  const opened = await openRepository({ home, project, repairs: false });
  if (opened.type === 'refused') throw new Error(opened.failure.code);
  return opened.repository;
}

async function openHost(home: string, url: URL): Promise<(base: string) => Promise<void>> {
  mkdirSync(home);
  const made = await makeHostProject({ home, objectFormat: 'sha1' });
  if (made.type === 'failed') throw new Error(made.failure.code);
  const repository = await mustOpen(home, made.project);
  const { bring } = openHostTransfers({ repository, far: httpFarSide({ url, token: 'host' }) });
  return async (base) => {
    const failure = await bring(RUN, assignmentOn(base));
    if (failure !== undefined) throw new Error(failure.code);
  };
}

const assignmentOn = (base: string): Assignment => ({
  claim: { work: 'step', task: 'a', step: 'a', attempt: 1 },
  work: { type: 'command', command: 'true', environment: {} },
  limits: { timeoutMs: 1_000, idleTimeoutMs: 1_000 },
  output: undefined,
  // A transfer reads the commits alone.
  sandbox: { base, needs: [], from: undefined, onto: undefined, settings: {} as never, at: 0 },
});

interface Server {
  readonly url: URL;
  /** Since the start, of connections that are open and of those that are not. */
  readonly bytes: () => number;
  readonly requests: () => number;
  readonly close: () => void;
}

async function startServer(home: string, repository: Repository): Promise<Server> {
  const gate = openGitGate({ home, repository, isRun: () => true, holdsClaim: () => false });
  const route = openGitRoute(gate);
  let [closed, requests] = [0, 0];
  const sockets = new Set<NonNullable<http.IncomingMessage['socket']>>();
  const server = http.createServer((request, response) => {
    requests += 1;
    const role: GitCaller['role'] = request.headers.authorization === 'Bearer operator' ? 'operator' : 'host';
    const url = new URL(request.url ?? '/', 'http://localhost');
    route.reply({ request, response }, { name: role, role }, url).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      closed += socket.bytesRead + socket.bytesWritten;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    bytes: () => [...sockets].reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, closed),
    requests: () => requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function counted(server: Server, what: string, action: () => Promise<void>): Promise<Transfer> {
  const [bytes, requests] = [server.bytes(), server.requests()];
  const { ms } = await timed(action);
  return { what, bytes: server.bytes() - bytes, requests: server.requests() - requests, ms };
}
