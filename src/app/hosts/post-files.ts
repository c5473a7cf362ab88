// Files of attempts on their way from this host to its server, and conversations on their way here.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Assignment } from '../../core/protocol/assignment.ts';
import type { TransferFailure } from '../../core/protocol/transfer-failure.ts';
import { ATTEMPT_FILES, attemptFolder, inFolder } from '../../shell/host/attempt-folder.ts';
import type { PostFile } from '../../shell/host/copies/host-output.ts';
import type { ServerClient } from '../../shell/link/server-client.ts';
import type { ObjectTransfer } from '../../shell/ports/object-transfer.ts';

/** For one file on a slow line. */
const FILE_WITHIN_MS = 120_000;

/** Statuses after which the same file may be taken later: the server is busy, or cannot write at this moment. */
const isPassing = (status: number): boolean => status >= 500 || status === 408 || status === 429;

/** Of several servers the one that has the run takes the file; the others refuse it. */
export const postFiles =
  (clients: readonly ServerClient[]): PostFile =>
  async (path, body, signal) => {
    const contentType = 'application/octet-stream';
    let isOneAway = false;
    for (const client of clients) {
      const answer = await client.post({ path, body, contentType, timeoutMs: FILE_WITHIN_MS, signal });
      if (answer.type === 'away' || isPassing(answer.status)) isOneAway = true;
      else if (answer.status === 200) return 'taken';
    }
    return isOneAway ? 'away' : 'refused';
  };

export interface Bringing {
  /** The folder of this host. */
  readonly home: string;
  readonly url: URL;
  readonly client: ServerClient;
}

/** Brings the conversation of a claim with its commits, where it goes on with one of another machine. */
export const bringingConversations = (transfer: ObjectTransfer, bringing: Bringing): ObjectTransfer => ({
  ...transfer,
  bring: async (run, assignment) =>
    (await transfer.bring(run, assignment)) ?? (await bringConversation(bringing, run, assignment)),
});

async function bringConversation(
  { home, url, client }: Bringing,
  run: string,
  { claim, work }: Assignment,
): Promise<TransferFailure | undefined> {
  const carried = work.type === 'turn' ? work.conversation?.carried : undefined;
  if (carried === undefined) return undefined;
  const body = JSON.stringify({ run, claim });
  const call = { path: 'hosts/conversation', body, contentType: 'application/json', timeoutMs: FILE_WITHIN_MS };
  const answer = await client.post(call);
  if (answer.type === 'away') return { code: 'link-away', address: url.href, cause: answer.code };
  if (isPassing(answer.status)) return { code: 'link-away', address: url.href, cause: String(answer.status) };
  // The program of the turn says that it has no such conversation, and the next turn begins anew.
  if (answer.status === 200) keep(join(attemptFolder(home, run, carried), ATTEMPT_FILES.conversation), answer.text);
  return undefined;
}

function keep(file: string, text: string): void {
  try {
    inFolder(`${file}.part`, (path) => writeFileSync(path, text));
    renameSync(`${file}.part`, file);
  } catch {
    // As if it had not come.
    return;
  }
}
