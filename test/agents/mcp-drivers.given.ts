// Real agent programs as clients of `heddle mcp`: each with the settings that `heddle mcp install` writes, a prompt for its
// stand-in model, and a person who is asked through the program's own channel.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { PATIENCE_MS } from '../patience.given.ts';
import { programAt } from './programs.given.ts';

export interface Asked {
  readonly message: string;
  /** The names of the fields of the form. */
  readonly fields: readonly string[];
}

/** Undefined declines. */
export type Person = (asked: Asked) => Readonly<Record<string, string | boolean>> | undefined;

export interface Driving {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly prompt: string;
  readonly person: Person;
}

/** Everything that the program printed, when its turn is over. */
export type Driver = (driving: Driving) => Promise<string>;

type Child = ChildProcessByStdio<Writable, Readable, null>;

function start(program: string, words: readonly string[], { folder, env }: Driving): Child {
  return spawn(programAt(program), words, {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

/** Hears every line as JSON until the program ends. */
function hearing(child: Child, hear: (line: Fields) => void): Promise<string> {
  let out = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    out += `${line}\n`;
    // What the programs print is read here and nowhere else.
    if (line.startsWith('{')) hear(JSON.parse(line) as Fields);
  });
  return new Promise((resolve) => void child.once('close', () => resolve(out)));
}

type Fields = Readonly<Record<string, unknown>>;

const at = (fields: Fields, ...way: readonly string[]): unknown =>
  way.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).find(([key]) => key === name)?.[1]
        : undefined,
    fields,
  );

const answerOf = (person: Person, message: unknown, properties: unknown) => {
  const fields = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  const content = person({ message: String(message), fields });
  return content === undefined ? { action: 'decline' } : { action: 'accept', content };
};

/** By the control channel of its JSON stream, which editors use too. */
export const driveClaude: Driver = async (driving) => {
  const words = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  const allowed = ['--allowedTools', 'mcp__heddle', '--permission-prompt-tool', 'stdio'];
  const child = start('claude', [...words, ...allowed], driving);
  const send = (value: unknown): void => void child.stdin.write(`${JSON.stringify(value)}\n`);
  const over = hearing(child, (line) => {
    if (line['type'] === 'result') child.stdin.end();
    if (line['type'] !== 'control_request' || at(line, 'request', 'subtype') !== 'elicitation') return;
    const schema = at(line, 'request', 'requested_schema', 'properties');
    const response = answerOf(driving.person, at(line, 'request', 'message'), schema);
    const request = line['request_id'];
    send({ type: 'control_response', response: { subtype: 'success', request_id: request, response } });
  });
  send({ type: 'control_request', request_id: 'first', request: { subtype: 'initialize' } });
  send({ type: 'user', message: { role: 'user', content: driving.prompt } });
  return await over;
};

/** By its app server, which editors use too. It asks for leave to call a tool first, with an empty form. */
export const driveCodex: Driver = async (driving) => {
  // It gives a server ten seconds, which is little on a busy machine.
  const patient = `mcp_servers.heddle.startup_timeout_sec=${PATIENCE_MS / 1000}`;
  const child = start('codex', ['app-server', '-c', patient], driving);
  const replies = new Map<unknown, (result: unknown) => void>();
  const send = (value: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...value })}\n`);
  const call = (id: number, method: string, params: object): Promise<unknown> =>
    new Promise((resolve) => {
      replies.set(id, resolve);
      send({ id, method, params });
    });
  const ready = Promise.withResolvers<undefined>();
  const over = hearing(child, (line) => {
    const { id, method, result } = line;
    if (method === 'turn/completed') child.kill();
    if (at(line, 'params', 'name') === 'heddle' && at(line, 'params', 'status') === 'ready') ready.resolve(undefined);
    if (method === undefined) return replies.get(id)?.(result);
    if (id === undefined) return;
    const properties = at(line, 'params', 'requestedSchema', 'properties');
    const isLeave = at(line, 'params', '_meta', 'codex_approval_kind') !== undefined;
    const leave = { action: 'accept', content: {} };
    send({ id, result: isLeave ? leave : answerOf(driving.person, at(line, 'params', 'message'), properties) });
  });
  await call(1, 'initialize', { clientInfo: { name: 'test', version: '1' }, capabilities: { experimentalApi: true } });
  send({ method: 'initialized' });
  const started = await call(2, 'thread/start', { cwd: driving.folder });
  const threadId = at({ started }, 'started', 'thread', 'id');
  // A turn that begins before a server is ready has none of its tools.
  await Promise.race([ready.promise, over]);
  await call(3, 'turn/start', { threadId, input: [{ type: 'text', text: driving.prompt, text_elements: [] }] });
  return await over;
};

/** It cannot ask its user for a server. */
export const driveGemini: Driver = async (driving) => {
  const words = ['--model', 'gemini-2.5-flash', '--skip-trust', '--yolo', '-o', 'stream-json', '-p', driving.prompt];
  const child = start('gemini', words, driving);
  child.stdin.end();
  return await hearing(child, () => undefined);
};
