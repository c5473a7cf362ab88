// Links in notifications: one question, once, for a while, and nothing else.
import { expect, test } from 'vitest';
import { signTicket, type AnswerTicket } from '../app/web/answer-ticket.ts';
import { eventsOf, givenRun, ownGivenRun, projectOnDisk } from '../app/web/served-project.given.ts';
import { call, givenWebServer, type Called, type GivenWebServer } from './web-client.given.ts';

const SECRET = 'a secret of the coordinator';

interface Asking extends GivenWebServer {
  readonly ticket: AnswerTicket;
  readonly ask: (signed: string, answer?: string) => Promise<Called>;
}

async function givenQuestion(): Promise<Asking> {
  const project = projectOnDisk();
  const log = eventsOf('ship: { gate: "Ship it?" }\nother: { gate: "And this?" }');
  const record = givenRun(project, log);
  const writer = ownGivenRun(project, record);
  writer.append(log.slice(1), []);
  writer.release();
  const given = await givenWebServer([project.served], { ticketSecret: SECRET });
  const { json } = await given.call('/api/inbox');
  expect(json).toMatchObject({ items: [{ task: 'ship', attempt: 1 }, { task: 'other' }] });
  const ticket = { project: project.served.id, run: record.run, task: 'ship', step: undefined, attempt: 1 };
  return {
    ...given,
    ticket: { ...ticket, expiresAt: Date.now() + 60_000 },
    ask: (signed, answer) =>
      call(given.server.port, '/api/answer', {
        method: answer === undefined ? 'GET' : 'POST',
        headers: { authorization: `Ticket ${signed}` },
        ...(answer === undefined ? {} : { body: { answer } }),
      }),
  };
}

test('a ticket shows its question in full and answers it once', async () => {
  const { ticket, ask } = await givenQuestion();
  const signed = signTicket(ticket, SECRET);
  expect((await ask(signed)).json).toMatchObject({ item: { task: 'ship', text: 'Ship it?' } });
  expect((await ask(signed, 'maybe')).json).toMatchObject({ code: 'not-an-answer', answers: ['approve', 'reject'] });
  expect((await ask(signed, 'approve')).json).toEqual({ type: 'posted' });
  const again = await ask(signed, 'reject');
  expect([again.status, again.json]).toEqual([410, { code: 'ticket-used' }]);
  expect((await ask(signed)).json).toEqual({ code: 'ticket-used' });
});

test('a ticket that was changed, is old, or is of another question is refused', async () => {
  const { ticket, ask, call: asPerson, token } = await givenQuestion();
  const signed = signTicket(ticket, SECRET);
  const [body = '', signature = ''] = signed.split('.');
  const other = signTicket({ ...ticket, task: 'other' }, 'another secret');
  for (const wrong of [other, `${body}.x`, `${body}.${signature}.x`, `${other.split('.')[0]}.${signature}`, token])
    expect([wrong, (await ask(wrong)).status]).toEqual([wrong, 401]);
  expect((await ask(signTicket({ ...ticket, expiresAt: 1 }, SECRET))).json).toEqual({ code: 'ticket-expired' });
  expect((await ask(signTicket({ ...ticket, attempt: 2 }, SECRET))).json).toEqual({ code: 'ticket-used' });
  expect((await asPerson('/api/answer')).json).toEqual({ code: 'wrong-ticket' });
});

test('a ticket is no token', async () => {
  const { ticket, server } = await givenQuestion();
  const signed = signTicket(ticket, SECRET);
  for (const scheme of ['Ticket', 'Bearer']) {
    const { status } = await call(server.port, '/api/runs', { headers: { authorization: `${scheme} ${signed}` } });
    expect(status).toBe(401);
  }
});
