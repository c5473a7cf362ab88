// A stand-in for the providers of models, on loopback alone: it speaks their interfaces and does what prompts tell it to.
//
// D1. It answers from the request alone, but for troubles that are to happen a number of times, which it counts.
// D2. Whatever hangs is let go when it closes.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { callFor, namedCall, valueCall, waitingCall } from './calls.ts';
import { anthropic } from './dialects/anthropic.ts';
import { chat } from './dialects/chat.ts';
import { eventText, isFields, type Asked, type Dialect, type Reply } from './dialects/dialect.ts';
import { gemini } from './dialects/gemini.ts';
import { responses } from './dialects/responses.ts';
import { isTrouble, nextMove, type Move, type Trouble } from './model-script.ts';

export interface Models {
  readonly url: string;
  readonly port: number;
  /** Paths that were asked for, in order, and the key each came with. */
  readonly requests: readonly Requested[];
  readonly close: () => Promise<void>;
}

interface Requested {
  readonly path: string;
  readonly key: string | undefined;
  readonly tools: readonly string[];
  /** All of it. */
  readonly text: string;
}

export async function startModels(port = 0): Promise<Models> {
  const requests: Requested[] = [];
  const troubles = new Map<string, number>();
  const server = createServer((request, response) => {
    answer({ request, response, requests, troubles }).catch((error: unknown) => {
      response.writeHead(400).end(JSON.stringify({ error: { message: String(error) } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requests: Requested[];
  readonly troubles: Map<string, number>;
}

function dialectOf(path: string): Dialect | undefined {
  if (path.endsWith('/v1/messages')) return anthropic;
  if (path.endsWith('/responses')) return responses;
  if (path.endsWith('/chat/completions')) return chat;
  return /:(streamG|g)enerateContent$/.test(path) ? gemini : undefined;
}

async function answer({ request, response, requests, troubles }: Exchange): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const dialect = request.method === 'POST' ? dialectOf(path) : undefined;
  if (dialect === undefined) return aside(path, response);
  const body: unknown = await json(request);
  const asked = dialect.read(path, isFields(body) ? body : {});
  requests.push({ path, key: keyOf(request), tools: asked.tools, text: asked.text });
  const waiting = waitingCall(asked);
  if (waiting !== undefined) {
    send({ dialect, asked, reply: waiting, response });
    return;
  }
  // What an agent asks on the side, for a title, say, comes without tools and is no part of the script.
  const move = nextMove(asked.tools.length > 0 ? asked.parts : [], (place, { times, on = '' }) => {
    if (!path.endsWith(on)) return true;
    const had = troubles.get(place) ?? 0;
    if (had < times) troubles.set(place, had + 1);
    return had >= times;
  });
  if (isTrouble(move)) misbehave(asked.streams ? move : unstreamed(move), dialect, response);
  else send({ dialect, asked, reply: replyFor(move, asked), response });
}

const keyOf = ({ headers }: IncomingMessage): string | undefined =>
  [headers['x-api-key'], headers['x-goog-api-key'], headers.authorization].flat().find((key) => key !== undefined);

/** Lists of models, counts of tokens and signs of life, which some agents want before they begin. */
function aside(path: string, response: ServerResponse): void {
  const body = /count_?tokens$/i.test(path) ? { input_tokens: 100, totalTokens: 100 } : { data: [], models: [] };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function replyFor(move: Exclude<Move, Trouble>, asked: Asked): Reply {
  switch (move.type) {
    case 'say':
    case 'refuse':
      return move;
    case 'long':
      return { type: 'say', text: longText(move.letters) };
    case 'value':
      return valueCall(move.text, asked) ?? { type: 'say', text: move.text };
    case 'count':
      return { type: 'say', text: '' };
    case 'call':
      return namedCall(move, asked) ?? { type: 'say', text: `There is no tool ${move.tool} here.` };
    case 'write':
    case 'run':
      return callFor(move, asked) ?? { type: 'say', text: `There is no tool here to ${move.type} with.` };
  }
}

/** Some agents end a turn whose model repeats itself. */
function longText(letters: number): string {
  const words: string[] = [];
  for (let length = 0; length < letters; length += words.at(-1)?.length ?? 1) words.push(`${words.length} `);
  return words
    .join('')
    .slice(0, letters - 1)
    .concat('.');
}

interface Sending {
  readonly dialect: Dialect;
  readonly asked: Asked;
  readonly reply: Reply;
  readonly response: ServerResponse;
}

function send({ dialect, asked, reply, response }: Sending): void {
  if (!asked.streams) {
    const whole = JSON.stringify(dialect.whole(asked, reply));
    response.writeHead(200, { 'content-type': 'application/json' }).end(whole);
    return;
  }
  beginStream(response);
  for (const event of dialect.stream(asked, reply)) response.write(eventText(event));
  response.end(dialect.end);
}

const beginStream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });

/** Where there is no stream, there is nothing to break off in the middle of. */
const unstreamed = (trouble: Trouble): Trouble =>
  trouble.type === 'overload'
    ? {
        type: 'error',
        status: OVERLOADED,
        kind: 'plain',
        resetSeconds: undefined,
        times: trouble.times,
        on: trouble.on,
      }
    : trouble;

const OVERLOADED = 529;
const APART_MS = 50;

function misbehave(trouble: Trouble, dialect: Dialect, response: ServerResponse): void {
  const begun = dialect.begin('I will ').map(eventText).join('');
  switch (trouble.type) {
    case 'stall':
      if (trouble.isMid) beginStream(response).write(begun);
      return;
    case 'cut':
      beginStream(response).write(begun, () => response.destroy());
      return;
    case 'overload':
      // Apart from what came before, as a provider's words come.
      beginStream(response).write(trouble.isMid ? begun : '', () =>
        setTimeout(() => response.end(dialect.overload), APART_MS),
      );
      return;
    case 'error': {
      const { status, headers, body } = dialect.fail(trouble, Date.now());
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    }
  }
}
