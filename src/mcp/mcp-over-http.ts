// The same server for requests of HTTP: a new one for each request, or for each session of an earlier version of the protocol,
// with the confirmations of all of them.
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Project } from '../app/project.ts';
import { openContext } from './call/mcp-context.ts';
import { openMcpSessions } from './mcp-sessions.ts';
import { makeMcpServer } from './mcp.ts';

export interface McpOverHttp {
  /** `body` is the JSON of the request, which the caller has read within a limit. */
  readonly handle: (request: Request, body: unknown) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** Who may call is the caller's business: nothing here looks at a token. */
export function openMcpOverHttp(project: Project, isReadOnly: boolean): McpOverHttp {
  const mcp = openContext(project, isReadOnly);
  const served = createMcpHandler(() => makeMcpServer(mcp));
  const sessions = openMcpSessions(() => makeMcpServer(mcp));
  return {
    handle: async (request, body) =>
      await (sessions.handle(request, body) ?? served.fetch(request, { parsedBody: body })),
    close: async () => {
      await sessions.close();
      await served.close();
    },
  };
}
