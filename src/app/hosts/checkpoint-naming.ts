// Has the server take a commit of the run for the checkpoint of a claim that has changed nothing: one small request in the place
// of a push, with its two requests and its dozen of git processes.
import type { FarSide } from '../../shell/git/remote/host-transfers.ts';
import type { ServerClient } from '../../shell/link/server-client.ts';

/** A server that does not answer in this time is pushed to. */
const ANSWER_WITHIN_MS = 10_000;

export const checkpointNaming =
  ({ post }: Pick<ServerClient, 'post'>): NonNullable<FarSide['name']> =>
  async (run, { task, step, attempt }, commit) => {
    const path = ['git', run, task, step, String(attempt), 'at', commit].map(encodeURIComponent).join('/');
    const answer = await post({ path, body: '', contentType: 'application/json', timeoutMs: ANSWER_WITHIN_MS });
    return answer.type === 'answered' && answer.status === 200;
  };
