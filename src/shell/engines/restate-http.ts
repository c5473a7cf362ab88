// Calls of Restate over HTTP: the next node when one is away, and errors by what they mean for the caller.
import { causeOf, EngineError } from './engine-error.ts';

interface RestateCall {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

export interface RestateHttp {
  readonly call: (call: RestateCall) => Promise<unknown>;
  /** Undefined when there is no such thing. */
  readonly find: (path: string) => Promise<unknown>;
  /** Changes what is there; nothing, when it is gone or over. */
  readonly change: (path: string) => Promise<void>;
}

/** Answers that repeating may change: the service is not there yet, a call was ended, the node is starting. */
const PASSING = new Set([404, 408, 409, 429, 500, 502, 503, 504]);

export function restateHttp(nodes: readonly string[], answerMs: number): RestateHttp {
  let preferred = 0;
  const request = async ({ method, path, body }: RestateCall): Promise<Response> => {
    const given = body === undefined ? {} : { body: JSON.stringify(body), headers: JSON_HEADERS };
    try {
      const signal = AbortSignal.timeout(answerMs);
      return await fetch(`http://${nodes[preferred % nodes.length]}${path}`, {
        method,
        signal,
        headers: ACCEPT,
        ...given,
      });
    } catch (error) {
      preferred += 1;
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      throw isLate
        ? new EngineError('unanswered', `${answerMs / 1_000} s without an answer`)
        : new EngineError('away', reasonOf(error));
    }
  };
  return {
    call: async (call) => await valueIn(await request(call)),
    find: async (path) => await unless([404], await request({ method: 'GET', path })),
    change: async (path) => {
      await unless([404, 409], await request({ method: 'PATCH', path }));
    },
  };
}

async function unless(absent: readonly number[], response: Response): Promise<unknown> {
  if (!absent.includes(response.status)) return await valueIn(response);
  await response.body?.cancel();
  return undefined;
}

const ACCEPT = { accept: 'application/json' };
const JSON_HEADERS = { ...ACCEPT, 'content-type': 'application/json' };

/** What `fetch` itself says is that it failed. */
const reasonOf = (error: unknown): string => causeOf(error instanceof Error ? (error.cause ?? error) : error);

async function valueIn(response: Response): Promise<unknown> {
  const text = await textIn(response);
  if (response.ok) {
    const value: unknown = text === '' ? undefined : JSON.parse(text);
    return value;
  }
  throw new EngineError(
    PASSING.has(response.status) ? 'away' : 'refused',
    `HTTP ${response.status}: ${text.slice(0, 200)}`,
  );
}

async function textIn(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw new EngineError('away', reasonOf(error));
  }
}
