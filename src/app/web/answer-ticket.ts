// Tickets in the links of notifications: each lets its bearer answer one question, once, for a while.
//
// ticket/K1. A ticket is signed with a secret that only the coordinator and its web server have, and names the attempt: a
//     question that is asked again needs another ticket.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { number, object, text, WRONG, maybe } from '../../core/plan/json-fields.ts';

export interface AnswerTicket {
  /** The id of the project. */
  readonly project: string;
  readonly run: string;
  readonly task: string;
  readonly step: string | undefined;
  readonly attempt: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export const TICKET_VALID_MS = 24 * 60 * 60 * 1_000;

export function signTicket(ticket: AnswerTicket, secret: string): string {
  const body = Buffer.from(JSON.stringify(ticket)).toString('base64url');
  return `${body}.${signatureOf(body, secret)}`;
}

/** Undefined when it was not signed with the secret. */
export function readTicket(signed: string, secret: string): AnswerTicket | undefined {
  const [body = '', signature = '', ...more] = signed.split('.');
  const expected = Buffer.from(signatureOf(body, secret));
  const given = Buffer.from(signature);
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const read = ticketField(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')));
  return read === WRONG ? undefined : read;
}

const ticketField = object<AnswerTicket>({
  project: text,
  run: text,
  task: text,
  step: maybe(text),
  attempt: number,
  expiresAt: number,
});

const signatureOf = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('base64url');

/** The address of the page that answers one question. */
export const answerLink = (publicUrl: string, ticket: AnswerTicket, secret: string): string =>
  `${publicUrl.replace(/\/$/, '')}/answer#${signTicket(ticket, secret)}`;
