// The routes of hosts on other machines: one line for each.
import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { HOST_BYTES_MAX, HOST_PROTOCOL, readHostMessage, type HostRefusal } from '../core/protocol/host-message.ts';
import { programVersion } from '../app/package-root.ts';
import type { Gateway } from '../app/serve/gateway.ts';
import { RefusedRequest } from './refused-request.ts';
import { readBytes } from './request-body.ts';
import type { Route, RouteCall } from './route-list.ts';
import { sendJson, type Exchange } from './send.ts';

export const hostRoutes = (gateway: Gateway): readonly Route[] => [
  { path: '/hosts/sync', ...FOR_HOSTS, reply: (exchange, call) => sync(exchange, call, gateway) },
];

const FOR_HOSTS = { methods: ['POST'], roles: ['host'], isForHosts: true } as const;

async function sync(exchange: Exchange, { caller }: RouteCall, gateway: Gateway): Promise<void> {
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
      const heard = await gateway.hear(caller.name, read.message, gone.signal);
      if (heard.type === 'replied') return await sendJson(exchange, heard.reply);
      return await refuse(exchange, 409, heard);
    }
  }
}

const refuse = (exchange: Exchange, status: number, refusal: HostRefusal): Promise<void> =>
  sendJson(exchange, refusal, status);

/** A small body may unpack to a very large one. */
async function readText({ request }: Exchange): Promise<string> {
  const bytes = await readBytes(request, HOST_BYTES_MAX);
  if (request.headers['content-encoding'] !== 'gzip') return bytes.toString('utf8');
  try {
    return (await promisify(gunzip)(bytes, { maxOutputLength: HOST_BYTES_MAX })).toString('utf8');
  } catch (cause) {
    const isTooLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge
      ? new RefusedRequest(413, { code: 'body-too-large', bytesMax: HOST_BYTES_MAX })
      : new RefusedRequest(400, { code: 'malformed-json' });
  }
}
