// Clients of `heddle mcp` for tests: both years of the protocol with the present library, and its first line.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as first from '@modelcontextprotocol/sdk/client/index.js';
import * as firstHttp from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as firstStdio from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ROOT } from '../heddle.given.ts';

type Form = Readonly<Record<string, string | boolean>>;

/** What a person fills in; undefined declines. */
export type Person = (message: string) => Form | undefined | Promise<Form | undefined>;

export const YES: Form = { yes: true };
export const APPROVE: Form = { answer: 'approve' };

export interface Called {
  readonly text: string;
  readonly isError: boolean;
}

export interface McpClient {
  readonly tools: () => Promise<readonly { readonly name: string }[]>;
  readonly call: (name: string, given?: Readonly<Record<string, unknown>>) => Promise<Called>;
  readonly read: (uri: string) => Promise<string>;
  /** How far the last call that told it was, in words. */
  readonly progress: readonly string[];
  readonly pid: number;
  readonly close: () => Promise<void>;
}

export const YEARS = ['2026-07-28', '2025-11-25', 'first line'] as const;
export type Year = (typeof YEARS)[number];

export interface Connecting {
  readonly folder: string;
  readonly year?: Year;
  /** Undefined is a client that cannot ask. */
  readonly person?: Person | undefined;
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Words of a program that starts it, below a shell that stays. */
  readonly before?: readonly string[];
  /** By HTTP instead, at this address with this token. */
  readonly at?: { readonly url: string; readonly token: string };
}

export async function connect({
  folder,
  year = '2025-11-25',
  person,
  words = [],
  env = {},
  at,
  before = [],
}: Connecting): Promise<McpClient> {
  const call = [process.execPath, join(ROOT, 'bin', 'heddle.js'), 'mcp', ...words];
  const [command = '', ...args] = before.length === 0 ? call : ['sh', '-c', '"$@"; exit', 'sh', ...before, ...call];
  const server = {
    command,
    args,
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
  };
  const answer = async (message: string) => {
    const content = await person?.(message);
    return content === undefined
      ? { action: 'decline' as const }
      : { action: 'accept' as const, content: { ...content } };
  };
  const capabilities = person === undefined ? {} : { elicitation: { form: {} } };
  const progress: string[] = [];
  const onprogress = ({ message = '' }: { readonly message?: string | undefined }): void => void progress.push(message);
  const info = { name: 'test', version: '1' };
  if (year === 'first line') {
    const client = new first.Client(info, { capabilities });
    if (person !== undefined) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
    const transport =
      at === undefined
        ? new firstStdio.StdioClientTransport(server)
        : new firstHttp.StreamableHTTPClientTransport(new URL(at.url), requestInit(at));
    await client.connect(transport);
    return made(client, transport, { progress, onprogress });
  }
  const negotiated = year === '2026-07-28' ? { versionNegotiation: { mode: { pin: year } } } : {};
  const client = new Client(info, { capabilities, ...negotiated });
  if (person !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message));
  const transport =
    at === undefined
      ? new StdioClientTransport(server)
      : new StreamableHTTPClientTransport(new URL(at.url), requestInit(at));
  await client.connect(transport);
  return made(client, transport, { progress, onprogress });
}

const requestInit = ({ token }: NonNullable<Connecting['at']>) => ({
  requestInit: { headers: { authorization: `Bearer ${token}` } },
});

interface Told {
  readonly progress: readonly string[];
  readonly onprogress: (told: { readonly message?: string | undefined }) => void;
}

function made(client: Client | first.Client, transport: object, { progress, onprogress }: Told): McpClient {
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await client.close();
    isOpen = false;
  };
  onTestFinished(close);
  const call: McpClient['call'] = async (name, given = {}) => {
    const params = { name, arguments: { ...given } };
    const options = { onprogress, timeout: 120_000 };
    const result =
      client instanceof Client
        ? await client.callTool(params, options)
        : await client.callTool(params, undefined, options);
    const [block] = Array.isArray(result.content) ? result.content : [];
    return { text: textIn(block), isError: result.isError === true };
  };
  return {
    call,
    close,
    progress,
    pid: 'pid' in transport ? Number(transport.pid) : 0,
    tools: async () => (await client.listTools()).tools,
    read: async (uri) => textIn((await client.readResource({ uri })).contents[0]),
  };
}

const textIn = (block: unknown): string =>
  typeof block === 'object' && block !== null && 'text' in block ? String(block.text) : '';
