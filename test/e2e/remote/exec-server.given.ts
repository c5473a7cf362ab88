// A server that takes commands and git of other machines, as a process of its own: its address is its first line of output.
import * as http from 'node:http';
import { join } from 'node:path';
import { openGitGate } from '../../../src/app/serve/git-gate.ts';
import { isOfExec, openExecRoute } from '../../../src/server/exec-route.ts';
import { isOfGit, openGitRoute } from '../../../src/server/git-routes.ts';
import { refusedRequestOf } from '../../../src/server/refused-request.ts';
import { sendError, type Exchange } from '../../../src/server/send.ts';
import { tokenOf } from './token-of.given.ts';
import { openRepository } from '../../../src/shell/git/repository.ts';

const [root = '.'] = process.argv.slice(2);
const home = join(root, '.heddle');
const exec = openExecRoute({ root });
const opened = await openRepository({ home, project: root, repairs: false });
if (opened.type === 'refused') throw new Error(opened.failure.code);
const { repository } = opened;
const gate = openGitGate({ home, repository, isRun: () => true, holdsClaim: () => false });
const git = openGitRoute(gate);

async function reply(exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const url = new URL(request.url ?? '', 'http://localhost');
  const role = (['operator', 'reader'] as const).find(
    (word) => request.headers.authorization === `Bearer ${tokenOf(word)}`,
  );
  try {
    if (role === undefined) return await sendError(exchange, 401, { code: 'wrong-token' });
    if (isOfGit(url.pathname)) return await git.reply(exchange, { name: 'ada', role }, url);
    if (isOfExec(url.pathname)) return await exec.reply(exchange, url.pathname, role);
    await sendError(exchange, 404, { code: 'unknown-route' });
  } catch (cause) {
    const refused = refusedRequestOf(cause);
    if (refused === undefined) console.error(cause);
    if (response.headersSent) response.destroy();
    else await sendError(exchange, refused?.status ?? 500, refused?.error ?? { code: 'bug' });
  }
}

const server = http.createServer((request, response) => void reply({ request, response }));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
