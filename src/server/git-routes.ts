// Git's smart HTTP: `GET …/info/refs?service=…` and `POST …/git-upload-pack` or `…/git-receive-pack`.
//
//   /git/RUN                        fetching commits of a run, by id
//   /git/RUN/TASK/STEP/ATTEMPT      pushing the checkpoint of a claim
//   /git/RUN/TASK/STEP/ATTEMPT/at/COMMIT   taking a commit of the run for that checkpoint, where a step has changed nothing
//   /git/published                  fetching the branches heddle/RUN
//   /git/bases/COMMIT               pushing the commit that a run is to start from
//
// git-routes/R1. A caller that goes away, or does nothing for long, ends the git that answers it.
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import {
  isPackCommand,
  type CheckpointAt,
  type GateCode,
  type GitCaller,
  type GitDoor,
  type GitGate,
  type GitPlace,
  type PackCommand,
} from '../app/serve/git-gate.ts';
import { openTransferPlaces } from '../app/serve/transfer-places.ts';
import { POLICY_HEADERS } from './policy-headers.ts';
import { RefusedRequest } from './refused-request.ts';
import type { Route } from './route-list.ts';
import { sendBody, sendJson, type Exchange } from './send.ts';

export interface GitRoute {
  readonly reply: (exchange: Exchange, caller: GitCaller, url: URL) => Promise<void>;
}

const PREFIX = '/git/';

export function gitRoute(gate: GitGate): Route {
  const { reply } = openGitRoute(gate);
  const answer: Route['reply'] = (exchange, { caller, url }) => reply(exchange, caller, url);
  return { path: PREFIX, methods: ['GET', 'POST'], roles: ['host', 'operator', 'reader'], reply: answer };
}

export function openGitRoute(gate: GitGate): GitRoute {
  const places = openTransferPlaces();
  return {
    reply: async (exchange, caller, url) => {
      const checkpoint = checkpointIn(url);
      if (checkpoint !== undefined) return await name(exchange, () => gate.name(caller, checkpoint));
      const call = callIn(exchange.request, url);
      const opened = await gate.open(caller, call.place, call.command);
      if (opened.type === 'shut') throw new RefusedRequest(STATUSES[opened.code], { code: opened.code });
      const gone = goneOf(exchange);
      const place = await places.take(gone);
      if (place === undefined) throw new RefusedRequest(503, { code: 'git-busy' });
      try {
        if (call.isAdvertisement) await advertise(exchange, opened.door);
        else await answer(exchange, opened.door, gone);
      } catch (cause) {
        // What breaks when the caller has gone is no fault of ours.
        if (!gone.aborted) throw cause;
      } finally {
        place.release();
      }
    },
  };
}

/** While git works it sends something every few seconds; what follows, the examination of a large push, takes its time. */
const SILENCE_MAX_MS = 600_000;
const LOOK_MS = 15_000;

/** The end of the connection, by the caller or because nothing comes or goes. */
function goneOf({ response }: Exchange): AbortSignal {
  const gone = new AbortController();
  const { socket } = response;
  const countNow = (): number => (socket?.bytesRead ?? 0) + (socket?.bytesWritten ?? 0);
  let [count, movedAt] = [countNow(), performance.now()];
  const timer = setInterval(() => {
    if (countNow() !== count) [count, movedAt] = [countNow(), performance.now()];
    else if (performance.now() - movedAt > SILENCE_MAX_MS) response.destroy();
  }, LOOK_MS);
  response.once('close', () => {
    clearInterval(timer);
    gone.abort();
  });
  return gone.signal;
}

const STATUSES = { 'git-not-allowed': 403, 'git-not-yours': 409, 'git-unknown': 404 } as const;

interface Call {
  readonly place: GitPlace;
  readonly command: PackCommand;
  readonly isAdvertisement: boolean;
}

const wordsIn = ({ pathname }: URL): readonly string[] => pathname.slice(PREFIX.length).split('/').map(decoded);

function checkpointIn(url: URL): CheckpointAt | undefined {
  const words = wordsIn(url);
  const [at, commit = ''] = words.slice(-2);
  const place = placeIn(words.slice(0, -2));
  return at === 'at' && COMMIT.test(commit) && place?.type === 'checkpoint' ? { ...place, commit } : undefined;
}

async function name(exchange: Exchange, named: () => Promise<GateCode | undefined>): Promise<void> {
  if (exchange.request.method !== 'POST') throw new RefusedRequest(405, { code: 'wrong-method', methods: ['POST'] });
  const refusal = await named();
  if (refusal !== undefined) throw new RefusedRequest(STATUSES[refusal], { code: refusal });
  await sendJson(exchange, {});
}

function callIn({ method }: IncomingMessage, url: URL): Call {
  const words = wordsIn(url);
  const isAdvertisement = words.at(-2) === 'info' && words.at(-1) === 'refs';
  const command = isAdvertisement ? url.searchParams.get('service') : (words.at(-1) ?? '');
  const place = placeIn(words.slice(0, isAdvertisement ? -2 : -1));
  if (place === undefined || !isPackCommand(command)) throw new RefusedRequest(404, { code: 'git-unknown' });
  const wanted = isAdvertisement ? 'GET' : 'POST';
  if (method !== wanted) throw new RefusedRequest(405, { code: 'wrong-method', methods: [wanted] });
  return { place, command, isAdvertisement };
}

const COMMIT = /^[\da-f]{40}(?:[\da-f]{24})?$/;
const ATTEMPT = /^[1-9]\d{0,8}$/;

function placeIn([run = '', task, step, attempt, ...more]: readonly string[]): GitPlace | undefined {
  if (run === 'published') return task === undefined ? { type: 'published' } : undefined;
  if (run === 'bases') {
    const isOne = task !== undefined && COMMIT.test(task) && step === undefined;
    return isOne ? { type: 'bases', commit: task } : undefined;
  }
  if (task === undefined) return { type: 'commits', run };
  if (step === undefined || attempt === undefined || !ATTEMPT.test(attempt) || more.length > 0) return undefined;
  return { type: 'checkpoint', run, claim: { task, step, attempt: Number(attempt) } };
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    throw new RefusedRequest(400, { code: 'malformed-path' });
  }
}

async function advertise(exchange: Exchange, door: GitDoor): Promise<void> {
  const bytes = await door.advertise(protocolOf(exchange.request));
  await sendBody(exchange, { status: 200, type: `application/x-${door.command}-advertisement`, bytes });
}

async function answer({ request, response }: Exchange, door: GitDoor, signal: AbortSignal): Promise<void> {
  const body = await door.answer({ input: inputOf(request), protocol: protocolOf(request), signal });
  if (body === undefined) {
    response.destroy();
    return;
  }
  const type = `application/x-${door.command}-result`;
  response.writeHead(200, { ...POLICY_HEADERS, 'cache-control': 'no-store', 'content-type': type });
  await pipeline(Buffer.isBuffer(body) ? Readable.from([body]) : body, response);
}

const protocolOf = ({ headers }: IncomingMessage): string | undefined => headers['git-protocol']?.toString();

function inputOf(request: IncomingMessage): Readable {
  if (request.headers['content-encoding'] !== 'gzip') return request;
  const input = createGunzip();
  // The stream that reads it hears of a request that broke off.
  pipeline(request, input).catch(() => undefined);
  return input;
}
