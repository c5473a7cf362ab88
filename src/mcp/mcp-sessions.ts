// Clients of the earlier versions of the protocol by HTTP: they shake hands once, and a session remembers it.
//
// mcp-sessions/E1. A question to the person goes to the stream of the call that asks it, and the answer comes as a request of its
//     own: so such clients can be asked as well, and a session is found again by a name that cannot be guessed.
// mcp-sessions/E2. A call whose stream is gone is cancelled, as nobody could be told its result.
// mcp-sessions/E3. Sessions are few: one that nobody used for an hour, and the one unused the longest where there are too many, is
//     forgotten. A client of a session that is gone shakes hands again.
import {
  isInitializeRequest,
  isJSONRPCRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
} from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';

export interface McpSessions {
  /** Undefined when the request is of no session and opens none. */
  readonly handle: (request: Request, body: unknown) => Promise<Response> | undefined;
  readonly close: () => Promise<void>;
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
}

const SESSIONS_MAX = 100;
const IDLE_MS_MAX = 3_600_000;
const SESSION_HEADER = 'mcp-session-id';

export function openMcpSessions(makeServer: () => McpServer): McpSessions {
  const sessions = new Map<string, Session>();
  const close = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.transport.close();
  };
  const makeRoom = async (): Promise<void> => {
    const now = performance.now();
    const byUse = [...sessions].toSorted(([, one], [, other]) => one.usedAt - other.usedAt);
    for (const [index, [id, { usedAt }]] of byUse.entries())
      if (now - usedAt > IDLE_MS_MAX || byUse.length - index >= SESSIONS_MAX) await close(id);
  };
  const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    await makeRoom();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { transport, usedAt: performance.now() }),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await makeServer().connect(transport);
    return transport;
  };
  return {
    handle: (request, body) => {
      const id = request.headers.get(SESSION_HEADER);
      if (id === null)
        return isInitializeRequest(body) ? open().then((opened) => serve(opened, request, body)) : undefined;
      const session = sessions.get(id);
      if (session === undefined) return Promise.resolve(unknownSession());
      session.usedAt = performance.now();
      return serve(session.transport, request, body);
    },
    close: async () => {
      for (const id of sessions.keys()) await close(id);
    },
  };
}

async function serve(
  transport: WebStandardStreamableHTTPServerTransport,
  request: Request,
  body: unknown,
): Promise<Response> {
  if (isJSONRPCRequest(body)) {
    const params = { requestId: body.id, reason: 'the client has gone' };
    const cancel = (): void => transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    request.signal.addEventListener('abort', cancel, { once: true });
  }
  return await transport.handleRequest(request, { parsedBody: body });
}

/** With this status a client knows that it has to shake hands again. */
const unknownSession = (): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_001, message: 'Session not found' }, id: null }, { status: 404 });
