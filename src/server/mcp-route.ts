// `/mcp` and `/mcp/PROJECT`: the Model Context Protocol by streamable HTTP, behind the same guards as everything else.
//
// mcp-route/M1. The library of the protocol is loaded with the first request.
import { findProject } from '../app/project.ts';
import { nearest } from '../core/plan/language/nearest-name.ts';
import type { McpOverHttp } from '../mcp/mcp-over-http.ts';
import type { Feeds } from './feeds.ts';
import { POLICY_HEADERS } from './policy-headers.ts';
import { RefusedRequest } from './refused-request.ts';
import { readBody } from './request-body.ts';
import type { Exchange } from './send.ts';
import type { Served } from './web-routes.ts';

export interface McpRoute {
  readonly reply: (exchange: Exchange, path: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export const isOfMcp = (path: string): boolean => path === '/mcp' || path.startsWith('/mcp/');

export function openMcpRoute({ feeds, isReadOnly }: Served): McpRoute {
  const servers = new Map<string, Promise<McpOverHttp>>();
  const serverFor = (folder: string): Promise<McpOverHttp> => {
    const known = servers.get(folder);
    if (known !== undefined) return known;
    const made = import('../mcp/mcp-over-http.ts').then(({ openMcpOverHttp }) =>
      openMcpOverHttp(findProject(folder), isReadOnly),
    );
    servers.set(folder, made);
    return made;
  };
  return {
    reply: async (exchange, path) => {
      const { request } = exchange;
      const server = await serverFor(folderOf(feeds, path));
      const body = request.method === 'POST' ? await readBody(request) : undefined;
      const gone = new AbortController();
      exchange.response.on('close', () => gone.abort());
      await send(exchange, await server.handle(asWebRequest(exchange, gone.signal), body));
    },
    close: async () => {
      for (const server of servers.values()) await (await server).close();
    },
  };
}

/** A server of one project needs no name of it. */
function folderOf(feeds: Feeds, path: string): string {
  const [, , named = ''] = path.split('/');
  const ids = feeds.ids();
  const id = named === '' && ids.length === 1 ? (ids[0] ?? '') : named;
  const found = feeds.find(id);
  if (found !== undefined) return found.folder;
  throw new RefusedRequest(404, { code: 'project-unknown', project: id, like: nearest(id, ids) });
}

function asWebRequest({ request }: Exchange, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    for (const each of [value ?? []].flat()) headers.append(name, each);
  const { method = 'GET', url = '/' } = request;
  // The body was read; its place is taken by the parsed one.
  return new Request(new URL(url, `http://${request.headers.host ?? 'localhost'}`), { method, headers, signal });
}

async function send({ response }: Exchange, reply: Response): Promise<void> {
  const headers = { ...POLICY_HEADERS, 'cache-control': 'no-store', ...Object.fromEntries(reply.headers) };
  response.writeHead(reply.status, headers);
  // A stream may have nothing to say for a while, and its client waits for the headers.
  response.flushHeaders();
  const reader = reply.body?.getReader();
  response.on('close', () => void reader?.cancel().catch(() => undefined));
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done || response.destroyed) break;
    if (!response.write(value))
      await new Promise((resolve) => void response.once('drain', resolve).once('close', resolve));
  }
  response.end();
}
