// `/api/answer`: the bearer of a ticket from a notification reads one question and answers it, once.
//
// answer-tickets/A1. A ticket opens nothing else: it is no token, and a token is no ticket.
// answer-tickets/A2. An answer is taken once: while the question is open, and not twice while the answer is on its way.
import { chooseRun } from '../app/open-project.ts';
import { readTicket, type AnswerTicket } from '../app/web/answer-ticket.ts';
import { sendCommand } from '../app/web/send-command.ts';
import type { Command } from '../core/engine/command.ts';
import type { InboxItem, TicketReply } from '../core/protocol/web.ts';
import { commandFor } from '../core/view/run/answer-command.ts';
import { RefusedRequest } from './refused-request.ts';
import { readBody } from './request-body.ts';
import { sendJson, type Exchange } from './send.ts';
import type { Served } from './web-routes.ts';

export const ANSWER_PATH = '/api/answer';

export type Tickets = (exchange: Exchange) => Promise<void>;

const TICKET_MAX = 4_096;

export function openTickets(served: Served, secret: string | undefined): Tickets {
  const used = new Set<string>();
  return async (exchange) => {
    const { request } = exchange;
    const signed = /^Ticket ([\w.-]+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const ticket = secret === undefined || signed.length > TICKET_MAX ? undefined : readTicket(signed, secret);
    if (ticket === undefined) throw new RefusedRequest(401, { code: 'wrong-ticket' });
    const item = await mustBeOpen(served, ticket, used.has(signed));
    const shown: TicketReply = { item };
    if (request.method === 'GET') return await sendJson(exchange, shown);
    if (request.method !== 'POST') throw new RefusedRequest(405, { code: 'wrong-method', methods: ['GET', 'POST'] });
    if (served.isReadOnly) throw new RefusedRequest(403, { code: 'read-only' });
    const command = commandOf(item, (await readBody(request))['answer']);
    // Again after the body was awaited: two answers may have arrived at once.
    await mustBeOpen(served, ticket, used.has(signed));
    if (used.has(signed)) throw new RefusedRequest(410, { code: 'ticket-used' });
    used.add(signed);
    await post(exchange, served, { ticket, command });
  };
}

async function mustBeOpen({ feeds }: Served, ticket: AnswerTicket, isUsed: boolean): Promise<InboxItem> {
  if (ticket.expiresAt < Date.now()) throw new RefusedRequest(410, { code: 'ticket-expired' });
  const { project, run, task, step, attempt } = ticket;
  const items = await feeds.inbox();
  const item = items.find(
    (each) =>
      each.project === project &&
      each.run === run &&
      each.task === task &&
      each.step === step &&
      each.attempt === attempt,
  );
  if (item === undefined || isUsed) throw new RefusedRequest(410, { code: 'ticket-used' });
  return item;
}

function commandOf(item: InboxItem, answer: unknown): Command {
  if (typeof answer !== 'string' || answer === '')
    throw new RefusedRequest(400, { code: 'missing-field', name: 'answer' });
  const command = commandFor(item, answer);
  if (command === undefined) throw new RefusedRequest(400, { code: 'not-an-answer', answers: item.answers });
  return command;
}

interface Posting {
  readonly ticket: AnswerTicket;
  readonly command: Command;
}

async function post(exchange: Exchange, { feeds }: Served, { ticket, command }: Posting): Promise<void> {
  const open = feeds.find(ticket.project)?.open('control');
  if (open === undefined) throw new RefusedRequest(410, { code: 'ticket-used' });
  try {
    const record = chooseRun(open.store, ticket.run);
    await sendJson(
      exchange,
      await sendCommand(open, { record, command, starts: false, hasGone: () => exchange.response.destroyed }),
    );
  } finally {
    open.store.close();
  }
}
