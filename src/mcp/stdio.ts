// The server on standard input and output, until the client closes them.
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Project } from '../app/project.ts';
import { makeMcpServer } from './mcp.ts';
import { openContext } from './call/mcp-context.ts';

/** A message that is larger ends the connection; an argument that is too large is refused before. */
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;

export interface ServeOptions {
  readonly project: Project;
  readonly isReadOnly: boolean;
  readonly onError: (message: string) => void;
}

/** Resolves when the client has gone; calls that were under way are aborted then. */
export async function serveOnStdio({ project, isReadOnly, onError }: ServeOptions): Promise<void> {
  const mcp = openContext(project, isReadOnly);
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MESSAGE_BYTES_MAX });
  const gone = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => resolve());
    process.stdout.once('error', () => resolve());
  });
  const serving = serveStdio(() => makeMcpServer(mcp), { transport, onerror: ({ message }) => onError(message) });
  await gone;
  await serving.close();
}
