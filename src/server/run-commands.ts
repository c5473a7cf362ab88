// The commands of a person from the page: the same that the command line posts, answered by their coded replies.
import type { OpenProject, RunRecord } from '../app/open-project.ts';
import { Refused } from '../app/refused.ts';
import type { Refusal } from '../core/view/text/refusal.ts';
import { sendCommand } from '../app/web/send-command.ts';
import { amendAsShown, previewAmend } from '../app/web/amend-shown.ts';
import { landAsShown, previewLand } from '../app/web/land-shown.ts';
import { commandIn, expectedIn } from '../core/engine/events/command-format.ts';
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

export const RUN_POSTS: ReadonlyMap<string, Reply> = new Map<string, Reply>([
  ['commands', postCommand],
  ['amend/preview', previewChange],
  ['amend', postChange],
  ['land/preview', previewLanding],
  ['land', postLanding],
]);

const textIn = (body: Fields, name: string): string => {
  const value = body[name];
  if (typeof value === 'string') return value;
  throw new RefusedRequest(400, { code: 'missing-field', name });
};

async function previewChange({ exchange, open, record, body }: RunPost): Promise<void> {
  const text = textIn(body, 'text');
  await sendJson(exchange, await refusable(() => previewAmend(open, record, { text })));
}

async function postChange({ exchange, open, record, body }: RunPost): Promise<void> {
  const expects = expectedIn(body['expects']);
  if (expects === undefined) throw new RefusedRequest(400, { code: 'missing-field', name: 'expects' });
  const request = { text: textIn(body, 'text'), expects, starts: body['start'] === true };
  await sendJson(exchange, await refusable(() => amendAsShown(open, record, request)));
}

async function previewLanding({ exchange, open, record }: RunPost): Promise<void> {
  await sendJson(exchange, await refusable(() => previewLand(open, record)));
}

async function postLanding({ exchange, open, record, body }: RunPost): Promise<void> {
  const expects = textIn(body, 'expects');
  await sendJson(exchange, await refusable(() => landAsShown(open, record, expects)));
}

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
