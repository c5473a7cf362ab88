// The commands of a person from the page: the same that the command line posts, answered by their coded replies.
import type { OpenProject, RunRecord } from '../app/open-project.ts';
import { Refused, type Refusal } from '../app/refusal.ts';
import { sendCommand } from '../app/web/send-command.ts';
import { commandIn } from '../core/engine/events/command-format.ts';
import type { Fields } from '../core/plan/json-fields.ts';
import { RefusedRequest } from './refused-request.ts';
import { sendJson, type Exchange } from './send.ts';

export interface RunPost {
  readonly exchange: Exchange;
  readonly open: OpenProject;
  readonly record: RunRecord;
  readonly body: Fields;
}

type Reply = (post: RunPost) => Promise<void>;

export const RUN_POSTS: ReadonlyMap<string, Reply> = new Map<string, Reply>([['commands', postCommand]]);

async function postCommand({ exchange, open, record, body }: RunPost): Promise<void> {
  const command = commandIn(body);
  // A plan is amended by its own calls, which prove it first.
  if (command === undefined || command.type === 'amend') throw new RefusedRequest(400, { code: 'unknown-command' });
  const hasGone = (): boolean => exchange.response.destroyed;
  await sendJson(
    exchange,
    await refusable(() => sendCommand(open, { record, command, starts: body['start'] === true, hasGone })),
  );
}

interface RefusedCommand {
  readonly type: 'refused';
  readonly refusal: Refusal;
}

/** A refusal is a reply to a command like another. */
async function refusable<Result>(work: () => Promise<Result>): Promise<Result | RefusedCommand> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof Refused) return { type: 'refused', refusal: cause.refusal };
    throw cause;
  }
}
