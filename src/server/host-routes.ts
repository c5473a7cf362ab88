// The routes of hosts on other machines: one line for each.
import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { claimField, safeName } from '../core/protocol/assignment-field.ts';
import type { ClaimRef } from '../core/protocol/assignment.ts';
import {
  HOST_BYTES_MAX,
  HOST_PROTOCOL,
  readHostMessage,
  withTimes,
  type HostRefusal,
} from '../core/protocol/host-message.ts';
import { programVersion } from '../app/package-root.ts';
import { object, WRONG } from '../core/plan/json-fields.ts';
import type { Gateway } from '../app/serve/gateway.ts';
import type { DeliveredWork } from '../app/serve/delivered-work.ts';
import type { HostFiles } from '../app/serve/host-files.ts';
import { RefusedRequest } from './refused-request.ts';
import { readBytes } from './request-body.ts';
import type { Route, RouteCall } from './route-list.ts';
import { sendBody, sendJson, type Exchange } from './send.ts';

export interface ForHosts {
  readonly gateway: Gateway;
  readonly files: HostFiles;
  readonly delivered: DeliveredWork;
}

export const hostRoutes = (given: ForHosts): readonly Route[] => [
  { path: '/hosts/sync', ...FOR_HOSTS, reply: (exchange, call) => sync(exchange, call, given) },
  { path: '/hosts/artifacts/', ...FOR_HOSTS, reply: (exchange, call) => takeFile(exchange, call, given) },
  { path: '/hosts/conversation', ...FOR_HOSTS, reply: (exchange, call) => sendConversation(exchange, call, given) },
];

const FOR_HOSTS = { methods: ['POST'], roles: ['host'], isForHosts: true } as const;

async function sync(exchange: Exchange, { caller }: RouteCall, given: ForHosts): Promise<void> {
  const { gateway, files, delivered } = given;
  const read = readHostMessage(await readText(exchange));
  switch (read.type) {
    case 'malformed':
    case 'too-large':
      return await refuse(exchange, 400, read);
    case 'protocol':
      return await refuse(exchange, 426, { type: 'protocol', protocol: HOST_PROTOCOL, version: programVersion() });
    case 'message': {
      const gone = new AbortController();
      exchange.response.on('close', () => gone.abort());
      const said = withTimes(read.message.runs, read.message.at - Date.now());
      const runs = await delivered(files.marked(caller.name, said));
      const message = { ...read.message, runs };
      const heard = await gateway.hear(caller.name, message, gone.signal);
      if (heard.type === 'replied') return await sendJson(exchange, heard.reply);
      return await refuse(exchange, 409, heard);
    }
  }
}

async function takeFile(exchange: Exchange, { caller, url }: RouteCall, { files }: ForHosts): Promise<void> {
  const taken = files.take(caller.name, url.pathname, await readPlain(exchange));
  switch (taken) {
    case 'taken':
      return await sendJson(exchange, {});
    case 'not-held':
      return await refuse(exchange, 403, { type: 'not-held' });
    case 'malformed':
      return await refuse(exchange, 400, { type: 'malformed' });
    case 'full':
      return await refuse(exchange, 413, { type: 'too-large', bytesMax: HOST_BYTES_MAX });
    case 'failed':
      // The disk may have room again before the host gives up.
      return await refuse(exchange, 503, { type: 'not-kept' });
  }
}

const conversationAsk = object<{ readonly run: string; readonly claim: ClaimRef }>({
  run: safeName,
  claim: claimField,
});

async function sendConversation(exchange: Exchange, { caller }: RouteCall, { files }: ForHosts): Promise<void> {
  const ask = conversationAsk(valueIn(await readText(exchange)));
  if (ask === WRONG) return await refuse(exchange, 400, { type: 'malformed' });
  const conversation = await files.conversationFor(caller.name, ask.run, ask.claim);
  if (conversation === undefined) return await refuse(exchange, 404, { type: 'not-held' });
  await sendBody(exchange, { status: 200, type: 'application/json', bytes: Buffer.from(conversation) });
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const refuse = (exchange: Exchange, status: number, refusal: HostRefusal): Promise<void> =>
  sendJson(exchange, refusal, status);

const readText = async (exchange: Exchange): Promise<string> => (await readPlain(exchange)).toString('utf8');

/** A small body may unpack to a very large one. */
async function readPlain({ request }: Exchange): Promise<Buffer> {
  const bytes = await readBytes(request, HOST_BYTES_MAX);
  if (request.headers['content-encoding'] !== 'gzip') return bytes;
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: HOST_BYTES_MAX });
  } catch (cause) {
    const isTooLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge
      ? new RefusedRequest(413, { code: 'body-too-large', bytesMax: HOST_BYTES_MAX })
      : new RefusedRequest(400, { code: 'malformed-json' });
  }
}
