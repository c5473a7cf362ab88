// The web server of the dashboard: HTTP over the use cases of `app`, and one stream per tab.
//
// web-server/W1. Nothing is read or done for a request before the guard has passed it.
// web-server/W2. The token is made here, or by the coordinator that started this process, and kept in memory. It is given to
//     the caller, and once to the browser that redeems a code: it is in no file, no environment and no list of arguments.
// web-server/W3. A client that goes away leaves nothing behind: no timer, no open store, no listener.
import { X509Certificate } from 'node:crypto';
import * as http from 'node:http';
import * as https from 'node:https';
import { hostname } from 'node:os';
import type { ServedProject } from '../app/web/served-project.ts';
import { TOKEN_IN_FRAGMENT } from '../core/protocol/web.ts';
import { keepEtas } from './eta-cache.ts';
import { openFeeds } from './feeds.ts';
import type { TokenBook } from '../app/serve/token-book.ts';
import { openCallers, type Callers } from './callers.ts';
import { bearerIn, guardSite, isSameSecret, type Guarded, type GuardSettings } from './guard.ts';
import { POLICY_HEADERS } from './policy-headers.ts';
import { RefusedRequest, refusedRequestOf } from './refused-request.ts';
import { hostRefusalOf, mustBeOfRoute, routeFor, type Route } from './route-list.ts';
import { sendError, sendJson, type Exchange } from './send.ts';
import { ANSWER_PATH, openTickets, type Tickets } from './answer-tickets.ts';
import { isOfMcp, openMcpRoute, type McpRoute } from './mcp-route.ts';
import { makeSessionToken, type SessionToken } from './session-token.ts';
import { isOfApi, METRICS_PATH, replyWithData, replyWithMetrics, replyWithPage, type Served } from './web-routes.ts';

export interface WebServerOptions {
  readonly projects: () => readonly ServedProject[];
  /** The folder of the built page. */
  readonly page: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** The address under which others reach the server, through a proxy or a tunnel. */
  readonly publicUrl: URL | undefined;
  readonly isReadOnly: boolean;
  /** With which tickets in the links of notifications are signed; undefined where there are no such links. */
  readonly ticketSecret: string | undefined;
  /** The session's token; undefined makes one. */
  readonly token?: string | undefined;
  /** A token that opens the metrics and nothing else; undefined where there is none besides the session's. */
  readonly metricsToken: string | undefined;
  /** The tokens of the project; undefined where the session's is the only one. */
  readonly book?: TokenBook | undefined;
  readonly routes?: readonly Route[] | undefined;
  /** The token was replaced: the addresses given before do not work any more. */
  readonly onReplaced: () => void;
  /** A bug of ours; the server goes on. */
  readonly onBug: (bug: unknown) => void;
}

export interface WebServer {
  readonly port: number;
  /** With the token in its fragment. */
  readonly url: () => string;
  /** The same address with a code that works once, for the arguments of a program. */
  readonly urlToOpen: () => string;
  readonly close: () => Promise<void>;
}

export type WebServerStarted =
  | { readonly type: 'started'; readonly server: WebServer }
  | { readonly type: 'failed'; readonly code: string; readonly message: string };

/** How long open requests may take once the server is closing. */
const CLOSES_WITHIN_MS = 2_000;

const OPEN_PATH = '/open/';

export async function startWebServer(options: WebServerOptions): Promise<WebServerStarted> {
  const feeds = openFeeds(options.projects, options.onBug);
  const served: Served = { feeds, etas: keepEtas(), page: options.page, isReadOnly: options.isReadOnly };
  const tickets = openTickets(served, options.ticketSecret);
  const mcps = { operator: openMcpRoute(served), reader: openMcpRoute({ ...served, isReadOnly: true }) };
  const streams = new Set<http.ServerResponse>();
  const tokens = makeSessionToken(options.token, () => {
    for (const response of streams) if (response.headersSent) response.destroy();
    options.onReplaced();
  });
  const callers = openCallers({ session: tokens.current, book: options.book });
  const certificate = options.tls === undefined ? undefined : new X509Certificate(options.tls.cert);
  const server = serverFor(options, (request, response) => {
    streams.add(response);
    response.on('close', () => streams.delete(response));
    const guards = guardsFor(options, { port: portOf(server) ?? options.port, certificate });
    void reply({ request, response }, { served, tokens, tickets, mcps, callers, guards, options });
  });
  const listening = await listen(server, options);
  if (listening.type === 'failed') {
    feeds.close();
    callers.close();
    return listening;
  }
  const { port } = listening;
  const base = baseOf(options, port);
  return {
    type: 'started',
    server: {
      port,
      url: () => `${base}/#${TOKEN_IN_FRAGMENT}=${tokens.current()}`,
      urlToOpen: () => `${base}${OPEN_PATH}${tokens.makeCode()}`,
      close: async () => {
        feeds.close();
        callers.close();
        for (const mcp of Object.values(mcps)) await mcp.close();
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeIdleConnections();
        // A reply to the command that ended the run is still on its way.
        const timer = setTimeout(() => server.closeAllConnections(), CLOSES_WITHIN_MS);
        await closed;
        clearTimeout(timer);
      },
    },
  };
}

const serverFor = ({ tls }: WebServerOptions, listener: http.RequestListener): http.Server | https.Server =>
  tls === undefined ? http.createServer(LIMITS, listener) : https.createServer({ ...tls, ...LIMITS }, listener);

/** A push of large files over a slow link takes its time; each transfer ends within this one as well. */
const LIMITS = { requestTimeout: 3_600_000 } as const;

type Listening = { readonly type: 'listening'; readonly port: number } | Extract<WebServerStarted, { type: 'failed' }>;

const listen = (server: http.Server | https.Server, { host, port }: WebServerOptions): Promise<Listening> =>
  new Promise((resolve) => {
    server.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ type: 'failed', code: error.code ?? 'unknown', message: error.message }),
    );
    server.listen(port, host, () => resolve({ type: 'listening', port: portOf(server) ?? port }));
  });

function portOf(server: http.Server | https.Server): number | undefined {
  const address = server.address();
  return typeof address === 'string' ? undefined : address?.port;
}

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';
const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

function baseOf({ host, tls, publicUrl }: WebServerOptions, port: number): string {
  if (publicUrl !== undefined) return publicUrl.href.replace(/\/$/, '');
  const named = isWildcard(host) ? hostname() : bracketed(host);
  return `${tls === undefined ? 'http' : 'https'}://${named}:${port}`;
}

type Bound = Pick<GuardSettings, 'port' | 'certificate'>;

function guardsFor({ host, publicUrl }: WebServerOptions, { port, certificate }: Bound): GuardSettings {
  const names = ['127.0.0.1', 'localhost', '[::1]', bracketed(host), ...(isWildcard(host) ? [hostname()] : [])];
  const hosts = new Set(names.map((name) => `${name}:${port}`.toLowerCase()));
  if (publicUrl !== undefined) hosts.add(publicUrl.host.toLowerCase());
  return { hosts, port, certificate, takesAddresses: isWildcard(host) };
}

interface Replying {
  readonly served: Served;
  readonly tokens: SessionToken;
  readonly tickets: Tickets;
  readonly mcps: Readonly<Record<'operator' | 'reader', McpRoute>>;
  readonly callers: Callers;
  readonly guards: GuardSettings;
  readonly options: WebServerOptions;
}

async function reply(exchange: Exchange, replying: Replying): Promise<void> {
  const { served, tokens, tickets, mcps, callers, guards, options } = replying;
  const { request, response } = exchange;
  let route: Route | undefined;
  try {
    mustPass(guardSite(request.headers, guards));
    const url = urlOf(request);
    route = routeFor(options.routes ?? [], url.pathname);
    if (route !== undefined) {
      const caller = callers.mustBe(exchange, route.roles);
      mustBeOfRoute(exchange, route);
      return await route.reply(exchange, { url, caller });
    }
    if (url.pathname.startsWith(OPEN_PATH))
      return redirect(exchange, tokens.redeem(url.pathname.slice(OPEN_PATH.length)));
    if (url.pathname === METRICS_PATH) {
      if (!isForMetrics(request, options)) callers.mustBe(exchange, PEOPLE);
      return await replyWithMetrics(exchange, served);
    }
    if (isOfMcp(url.pathname)) {
      const { role } = callers.mustBe(exchange, PEOPLE);
      return await mcps[role === 'operator' ? role : 'reader'].reply(exchange, url.pathname);
    }
    if (!isOfApi(url.pathname)) return await replyWithPage(exchange, url.pathname, served);
    if (url.pathname === ANSWER_PATH) return await tickets(exchange);
    const { role } = callers.mustBe(exchange, PEOPLE);
    await replyWithData(exchange, url, role === 'operator' ? served : { ...served, isReadOnly: true });
  } catch (cause) {
    const refused = refusedRequestOf(cause);
    if (refused === undefined && !hasHungUp(exchange)) options.onBug(cause);
    const toHost = refused === undefined || route?.isForHosts !== true ? undefined : hostRefusalOf(refused);
    if (response.headersSent) response.destroy();
    else if (toHost !== undefined) await sendJson(exchange, toHost, refused?.status);
    else await sendError(exchange, refused?.status ?? 500, refused?.error ?? { code: 'bug' });
  }
}

/** In the middle of its request, which cannot be read then. */
const hasHungUp = ({ request }: Exchange): boolean => request.destroyed && !request.complete;

/** Whoever may see runs; only operators may change them. */
const PEOPLE = ['operator', 'reader'] as const;

function isForMetrics({ headers }: http.IncomingMessage, { metricsToken }: WebServerOptions): boolean {
  const given = bearerIn(headers);
  return given !== undefined && metricsToken !== undefined && isSameSecret(given, metricsToken);
}

function mustPass(guarded: Guarded): void {
  if (guarded.type === 'refused') throw new RefusedRequest(guarded.status, { code: guarded.code });
}

function urlOf({ url }: http.IncomingMessage): URL {
  const base = 'http://localhost';
  if (url?.startsWith('/') === true && URL.canParse(url, base) && !url.startsWith('//')) return new URL(url, base);
  throw new RefusedRequest(400, { code: 'malformed-path' });
}

function redirect({ response }: Exchange, token: string | undefined): void {
  if (token === undefined) throw new RefusedRequest(403, { code: 'code-used' });
  response.writeHead(303, {
    ...POLICY_HEADERS,
    'cache-control': 'no-store',
    location: `/#${TOKEN_IN_FRAGMENT}=${token}`,
  });
  response.end();
}
