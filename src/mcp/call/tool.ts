// One tool: its description for models, its arguments, and what it does. Everything that tools have in common is here.
import type { CallToolResult, InputRequiredResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { askPerson, type PersonAnswer, type PersonQuestion } from './confirmation.ts';
import type { McpContext } from './mcp-context.ts';
import { failed, said, sentenceOf } from './tool-reply.ts';

export interface ToolCall {
  readonly mcp: McpContext;
  readonly signal: AbortSignal;
  /** Tells a client that wants to know how far the call is. */
  readonly tell: (progress: { readonly done: number; readonly of: number; readonly message: string }) => void;
  readonly ask: (question: PersonQuestion) => Promise<PersonAnswer>;
}

/** A text is a success; tools refuse by throwing, or with a result of their own. */
type ToolReply = string | CallToolResult | InputRequiredResult;

interface ToolOptions<Arguments extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Arguments;
  /** Whether it can change anything besides its reply. Such a tool asks the person first. */
  readonly changes: boolean;
  readonly run: (given: z.infer<Arguments>, call: ToolCall) => ToolReply | Promise<ToolReply>;
}

export interface McpTool extends Pick<ToolOptions<z.ZodObject>, 'name' | 'changes'> {
  readonly addTo: (server: McpServer, mcp: McpContext) => void;
}

export const makeTool = <Arguments extends z.ZodObject>(options: ToolOptions<Arguments>): McpTool => ({
  name: options.name,
  changes: options.changes,
  addTo: (server, mcp) => addTool(server, mcp, options),
});

/** A plan that is pasted fits; a flood does not. The web server reads as much. */
const ARGUMENT_BYTES_MAX = 4 * 1024 * 1024;

function addTool<Arguments extends z.ZodObject>(
  server: McpServer,
  mcp: McpContext,
  { name, description, input, changes, run }: ToolOptions<Arguments>,
): void {
  const annotations = { readOnlyHint: !changes, destructiveHint: changes, openWorldHint: false };
  const handle = async (
    given: z.infer<Arguments>,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> => {
    try {
      const bytes = Buffer.byteLength(JSON.stringify(given));
      if (bytes > ARGUMENT_BYTES_MAX) return failed(tooLargeText(bytes));
      const reply = await run(given, callOf(server, mcp, context));
      return typeof reply === 'string' ? said(reply) : reply;
    } catch (cause) {
      const sentence = sentenceOf(cause);
      // The client would show a bug of ours without its place.
      if (sentence === undefined) process.stderr.write(`heddle mcp: ${stackOf(cause)}\n`);
      return failed(sentence ?? 'This is a bug of Heddle, and nothing was lost. Its place is on standard error.');
    }
  };
  // The library infers from a schema that it knows; this one is any.
  const inputSchema = input as z.ZodObject;
  server.registerTool(name, { description, inputSchema, annotations }, (given, context) =>
    // The library has parsed the arguments by the same schema.
    handle(given as z.infer<Arguments>, context),
  );
}

const MB = 1024 * 1024;

const tooLargeText = (bytes: number): string =>
  `The arguments have ${(bytes / MB).toFixed(1)} MB; at most ${ARGUMENT_BYTES_MAX / MB} MB are read. ` +
  'Write a plan as large as that to a file of the project, and name the file.';

const stackOf = (cause: unknown): string => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));

function callOf(server: McpServer, mcp: McpContext, context: ServerContext): ToolCall {
  const { mcpReq: request } = context;
  const { _meta: meta } = request;
  const token = meta?.progressToken;
  return {
    mcp,
    signal: request.signal,
    tell: ({ done, of, message }) => {
      if (token === undefined) return;
      const params = { progressToken: token, progress: done, total: of, message };
      // A client that has gone needs to know nothing.
      request.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
    ask: (question) =>
      askPerson(
        { context, confirmations: mcp.confirmations, capabilities: server.server.getClientCapabilities() },
        question,
      ),
  };
}
