// The egress proxy of a sandbox: lets its programs reach the hosts that the plan allows, and no others.
//
// egress-proxy/D1. Names are looked up here and nowhere else, and the address that was checked is the one connected to; only
//     where the user's own proxy has to be used, that proxy looks up the names that this machine cannot.
// egress-proxy/D2. Nothing is passed on before its destination was found on the list.
import { lookup } from 'node:dns/promises';
import { createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { CONNECT_TIME_MAX_MS, destinationOf, isAllowed, mayLeadTo } from './allow-list.ts';
import type { Destination } from './allow-list.ts';
import { askingOf, wayThrough, type UpstreamOf } from './upstream-proxy.ts';

export interface EgressProxySettings {
  readonly allowed: readonly string[];
  /** How a name becomes an address. */
  readonly resolve: ((host: string) => Promise<string>) | undefined;
  /** The proxy of the user's own that leads to a destination, where one has to be used. */
  readonly upstreamOf: UpstreamOf;
  /** Told a sentence for each host that was refused or not found, once. */
  readonly say: (sentence: string) => void;
}

export interface EgressProxy {
  /** Serves a listening socket: programs that connect to it speak to the proxy, or are led to the one destination. */
  readonly serve: (socket: Server, destination: string) => void;
  readonly close: () => void;
}

const HTTP_PORT = 80;
const HTTPS_PORT = 443;
/** At a time; a program that wants more waits. */
const CONNECTIONS_MAX = 512;

export function openEgressProxy(settings: EgressProxySettings): EgressProxy {
  const judge = judgeOf(settings);
  const proxy = createServer((incoming, answer) => void passOn(judge, incoming, answer));
  proxy.on('connect', (incoming, socket, head) => void tunnel(judge, { incoming, socket, head }));
  const open = new Set<Duplex>();
  const sockets: Server[] = [];
  return {
    serve: (socket, destination) => {
      sockets.push(socket);
      socket.maxConnections = CONNECTIONS_MAX;
      socket.unref();
      socket.on('connection', (connection) => {
        open.add(connection);
        connection.once('close', () => open.delete(connection));
        if (destination === '') proxy.emit('connection', connection);
        else void leadTo(judge, connection, destination);
      });
    },
    close: () => {
      for (const socket of sockets) socket.close();
      for (const connection of open) connection.destroy();
    },
  };
}

type RequestDecision =
  | { readonly type: 'allowed'; readonly address: string; readonly port: number }
  | { readonly type: 'onwards'; readonly upstream: URL; readonly to: Destination }
  | Refused;

interface Refused {
  readonly type: 'refused';
  readonly code: number;
  readonly message: string;
}

type DecideRequest = (destination: Destination | undefined, way: 'plain' | 'tunnel') => Promise<RequestDecision>;

function judgeOf({ allowed, resolve = lookUp, upstreamOf, say }: EgressProxySettings): DecideRequest {
  const said = new Set<string>();
  const refuse = (host: string, message: string, code = FORBIDDEN): RequestDecision => {
    if (said.size < SAID_MAX && !said.has(host)) {
      said.add(host);
      say(message);
    }
    return { type: 'refused', code, message };
  };
  return async (destination, way) => {
    if (destination === undefined) return { type: 'refused', code: BAD_REQUEST, message: 'This is no destination.' };
    const { host, port } = destination;
    if (!isAllowed(allowed, destination))
      return refuse(
        host,
        `${host}:${port} may not be reached from this sandbox; sandbox.network of the plan says what may.`,
      );
    const upstream = upstreamOf(destination, way);
    try {
      const address = await resolve(host);
      if (!mayLeadTo(host, address))
        return refuse(host, `${host} leads to ${address}, which is this machine and may not be reached by that name.`);
      return upstream === undefined
        ? { type: 'allowed', address, port }
        : { type: 'onwards', upstream, to: destination };
    } catch (cause) {
      if (upstream !== undefined) return { type: 'onwards', upstream, to: destination };
      return refuse(host, `No connection to ${host}: ${String(cause)}.`, BAD_GATEWAY);
    }
  };
}

const SAID_MAX = 20;
const BAD_REQUEST = 400;
const FORBIDDEN = 403;
const BAD_GATEWAY = 502;

const lookUp = async (host: string): Promise<string> => (await lookup(host)).address;

interface Asked {
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** For encrypted traffic: bytes both ways, unread. */
async function tunnel(judge: DecideRequest, { incoming, socket, head }: Asked): Promise<void> {
  socket.on('error', () => socket.destroy());
  const way = await wayFor(judge, incoming.url ?? '');
  if (way.type === 'refused') return turnAway(socket, way);
  // The program may have gone while the way was being opened.
  if (socket.destroyed) return void way.outside.destroy();
  socket.write('HTTP/1.1 200 Connected\r\n\r\n');
  way.outside.write(head);
  join(socket, way.outside);
}

/** For a destination on this machine: programs connect to it without asking the proxy. */
async function leadTo(judge: DecideRequest, socket: Duplex, destination: string): Promise<void> {
  socket.on('error', () => socket.destroy());
  const way = await wayFor(judge, destination);
  if (way.type === 'refused') return void socket.destroy();
  if (socket.destroyed) return void way.outside.destroy();
  join(socket, way.outside);
}

async function wayFor(judge: DecideRequest, destination: string): Promise<Way> {
  const judged = await judge(destinationOf(destination, HTTPS_PORT), 'tunnel');
  return judged.type === 'refused' ? judged : openWay(judged);
}

function join(socket: Duplex, outside: Duplex): void {
  outside.on('error', () => socket.destroy());
  outside.once('close', () => socket.destroy());
  socket.once('close', () => outside.destroy());
  outside.pipe(socket).pipe(outside);
}

function turnAway(socket: Duplex, { code, message }: Refused): void {
  // Of a refusal most programs tell no more than this line.
  const line = `HTTP/1.1 ${code} ${message.replaceAll(/[^ -~]/g, ' ')}`;
  socket.end(`${line}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${message}\n`);
}

type Way = { readonly type: 'open'; readonly outside: Duplex } | Refused;

async function openWay(judged: Exclude<RequestDecision, Refused>): Promise<Way> {
  try {
    const outside = judged.type === 'allowed' ? await reach(judged) : await wayThrough(judged.upstream, judged.to);
    return { type: 'open', outside };
  } catch (cause) {
    return { type: 'refused', code: BAD_GATEWAY, message: cause instanceof Error ? cause.message : String(cause) };
  }
}

function reach({ address, port }: { readonly address: string; readonly port: number }): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const outside = connect({ host: address, port });
    const late = setTimeout(
      () => outside.destroy(new Error(`${address}:${port} did not answer.`)),
      CONNECT_TIME_MAX_MS,
    );
    outside.once('connect', () => resolve(outside));
    outside.once('error', reject);
    const stopWaiting = (): void => clearTimeout(late);
    outside.once('connect', stopWaiting).once('close', stopWaiting);
  });
}

/** For what is not. */
async function passOn(judge: DecideRequest, incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
  const url = URL.parse(incoming.url ?? '');
  const isPlain = url?.protocol === 'http:';
  const judged = await judge(isPlain ? destinationOf(url.host, HTTP_PORT) : undefined, 'plain');
  if (judged.type === 'refused' || url === null) {
    const refusal = judged.type === 'refused' ? judged : { code: BAD_REQUEST, message: '' };
    answer.writeHead(refusal.code, { 'Content-Type': 'text/plain', Connection: 'close' }).end(`${refusal.message}\n`);
    return;
  }
  const headers = Object.entries(incoming.headers).filter(([name]) => !name.startsWith('proxy-'));
  const { ask, to } = wayTo(judged, url);
  const outside = ask({
    ...to,
    method: incoming.method,
    // What is asked for by name is the host that was judged, whatever else was said.
    headers: { ...Object.fromEntries(headers), host: url.host, ...to.headers },
    timeout: CONNECT_TIME_MAX_MS,
  });
  outside.once('response', (response) => {
    answer.writeHead(response.statusCode ?? BAD_GATEWAY, response.headers);
    response.pipe(answer);
  });
  outside.on('error', (cause) => {
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(BAD_GATEWAY, { Connection: 'close' }).end(`${url.host} did not answer: ${cause.message}\n`);
  });
  answer.once('close', () => outside.destroy());
  incoming.pipe(outside);
}

/** A proxy is asked for the whole address, a server for what is on it. */
function wayTo(judged: Exclude<RequestDecision, Refused>, url: URL) {
  const path = `${url.pathname}${url.search}`;
  if (judged.type === 'onwards') return askingOf(judged.upstream, { path: `http://${url.host}${path}`, headers: {} });
  return { ask: request, to: { host: judged.address, port: judged.port, path, headers: {} } };
}
