// Speaks the Agent Client Protocol with one agent, for one turn: version 1, one object of JSON-RPC a line. It reads its
// order from its standard input and prints what comes of it; the agent is its child and in its group.
//
// A1. Nothing that the agent asks for is left without an answer; what is not known is refused by its number.
// A2. Permissions are given once, never for good; where only denying is offered, it is denied.
// A3. What is asked of a person ends the turn: the agent is told that it is cancelled, and nothing more is granted.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import {
  aboutCall,
  amountAt,
  fieldsIn,
  isFields,
  listAt,
  objectAt,
  oneLine,
  subjectOf,
  textAt,
  withoutFolder,
  type Fields,
} from '../turn/fields.ts';
import { permissionFor, ruleOn, type Wanted } from '../turn/permission.ts';
import type { AcpOrder, AcpSaid } from './said.ts';

const UNKNOWN_METHOD = -32_601;
const CANCELLING_MS = 5_000;

// The adapter has written it.
const order = JSON.parse(await text(process.stdin)) as AcpOrder;
const [program = '', ...args] = order.words;
const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map<number, (answer: Fields) => void>();
/** What it has told of each of its calls. */
const calls = new Map<string, Fields>();
let isPrompted = false;
/** It waits for a person, so nothing more of this turn counts. */
let isOver = false;
let sessionId = '';
let sent = 0;

const say = (said: AcpSaid): void => void process.stdout.write(`${JSON.stringify(said)}\n`);
const write = (message: Fields): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

function leave(code: number): void {
  process.exitCode = code;
  child.stdin.end();
  setTimeout(() => child.kill('SIGTERM'), order.leavingMs);
}

/** The answer, whole: with a `result` or an `error`. */
function request(method: string, params: Fields): Promise<Fields> {
  sent += 1;
  const id = sent;
  write({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

class Refused extends Error {
  readonly error: Fields;
  constructor(error: Fields) {
    super(textAt(error, 'message'));
    this.error = error;
  }
}

async function ask(method: string, params: Fields): Promise<Fields> {
  const answer = await request(method, params);
  if (isFields(answer['error'])) throw new Refused(answer['error']);
  return objectAt(answer, 'result');
}

async function takeTurn(): Promise<void> {
  const capabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
  await ask('initialize', {
    protocolVersion: 1,
    clientCapabilities: capabilities,
    clientInfo: { name: 'heddle', version: '1' },
  });
  const place = { cwd: process.cwd(), mcpServers: [] };
  sessionId = order.conversation ?? textAt(await ask('session/new', place), 'sessionId');
  if (order.conversation !== undefined) await ask('session/load', { sessionId, ...place });
  say({ type: 'conversation', id: sessionId });
  // A program that has no such mode asks for permissions instead, which are given.
  if (order.mode !== undefined) await request('session/set_mode', { sessionId, modeId: order.mode });
  isPrompted = true;
  const ended = await ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: order.prompt }] });
  say({ type: 'end', stop: textAt(ended, 'stopReason'), usage: ended['usage'] });
}

const STATUS_MIN = 400;

function tell({ error }: Refused): void {
  const data = objectAt(error, 'data');
  const code = amountAt(error, 'code');
  const kind = ['errorKind', 'errorName', 'code'].map((name) => textAt(data, name)).find((word) => word !== '');
  const words = [textAt(error, 'message'), textAt(data, 'message'), textAt(data, 'details')];
  say({
    type: 'trouble',
    status: code !== undefined && code >= STATUS_MIN ? code : undefined,
    kind: kind ?? '',
    message: words.filter((word) => word !== '').join(': '),
  });
}

/** What the agent tells while it works; what it tells before the prompt is of earlier turns. */
function hearUpdate(update: Fields): void {
  if (!isPrompted) return;
  const id = textAt(update, 'toolCallId');
  if (id !== '') calls.set(id, { ...calls.get(id), ...update });
  const status = textAt(update, 'status');
  const hasEnded = status === 'completed' || status === 'failed';
  switch (textAt(update, 'sessionUpdate')) {
    case 'agent_message_chunk':
      say({ type: 'text', text: textAt(objectAt(update, 'content'), 'text'), message: textAt(update, 'messageId') });
      return;
    case 'tool_call': {
      const about = aboutCall(inputOf(update)) || oneLine(textAt(update, 'title'));
      say({ type: 'tool.called', id, tool: textAt(update, 'kind') || 'tool', about });
      if (hasEnded) say({ type: 'tool.ended', id, ok: status === 'completed' });
      return;
    }
    case 'tool_call_update':
      if (hasEnded) say({ type: 'tool.ended', id, ok: status === 'completed' });
      return;
    default:
  }
}

/** What a tool is called with. Some tell it at first as what there is to see of the call. */
function inputOf(call: Fields): Fields {
  const input = objectAt(call, 'rawInput');
  if (Object.keys(input).length > 0) return input;
  const [seen = {}] = listAt(call, 'content');
  return fieldsIn(textAt(objectAt(seen, 'content'), 'text')) ?? {};
}

/** Some do not say what kind of tool it is. What edits files may take commands as well, and a path besides. */
const isCommand = (input: Fields): boolean => textAt(input, 'command') !== '' && textAt(input, 'path') === '';

const ALLOWING = ['allow_once', 'allow_always'];
const DENYING = ['reject_once', 'reject_always'];

const CANCELLED: Fields = { outcome: { outcome: 'cancelled' } };

/** By what the agent calls it: a command, a path or a title, which is often the command itself, and a kind such as `edit`. */
function wantedIn(call: Fields): Wanted {
  const known = calls.get(textAt(call, 'toolCallId')) ?? {};
  const input = { ...inputOf(known), ...inputOf(call) };
  const told = [call, known].map((each) => textAt(each, 'kind')).find((each) => each !== '' && each !== 'other');
  const kind = told ?? (isCommand(input) ? 'execute' : 'other');
  const about = subjectOf(input) || textAt(call, 'title') || textAt(known, 'title');
  return { tool: kind === 'other' ? 'a tool' : kind, kind, about: withoutFolder(about, process.cwd()) };
}

function answerPermission(params: Fields): Fields {
  const options = listAt(params, 'options');
  const call = objectAt(params, 'toolCall');
  const wanted = wantedIn(call);
  const tool = oneLine(textAt(call, 'title') || wanted.about) || 'a tool';
  const ruling = isOver ? ({ type: 'deny', isByPerson: true } as const) : ruleOn(order.rules, wanted);
  if (ruling.type === 'ask') {
    const permission = permissionFor(wanted);
    say({ type: 'asked', question: '', permission });
    isOver = true;
    return CANCELLED;
  }
  const kinds = ruling.type === 'allow' ? [...ALLOWING, ...DENYING] : DENYING;
  const chosen = kinds.flatMap((kind) => options.filter((option) => textAt(option, 'kind') === kind))[0];
  const isAllowed = chosen !== undefined && textAt(chosen, 'kind').startsWith('allow');
  say({ type: 'permission', tool, isAllowed, isByPerson: ruling.isByPerson });
  if (chosen === undefined) return CANCELLED;
  return { outcome: { outcome: 'selected', optionId: textAt(chosen, 'optionId') } };
}

/** The turn is for a person to go on with. An agent that does not leave it by itself is left. */
function giveUp(): void {
  write({ method: 'session/cancel', params: { sessionId } });
  setTimeout(() => leave(0), CANCELLING_MS).unref();
}

function hear(message: Fields): void {
  const { id, method } = message;
  const params = objectAt(message, 'params');
  if (typeof method !== 'string') {
    const resolve = typeof id === 'number' ? waiting.get(id) : undefined;
    resolve?.(message);
    return;
  }
  if (method === 'session/update') hearUpdate(objectAt(params, 'update'));
  if (id === undefined) return;
  if (method === 'session/request_permission') {
    const wasOver = isOver;
    write({ id, result: answerPermission(params) });
    if (isOver && !wasOver) giveUp();
  } else write({ id, error: { code: UNKNOWN_METHOD, message: `Heddle does not know ${method}.` } });
}

createInterface({ input: child.stdout }).on('line', (line) => {
  const message = fieldsIn(line);
  if (message !== undefined) hear(message);
});
child.stdin.on('error', () => undefined);
child.on('error', (error) => {
  say({
    type: 'trouble',
    status: undefined,
    kind: 'unstarted',
    message: `${program} cannot be started: ${error.message}`,
  });
  process.exitCode = 1;
});
child.on('exit', (code, signal) => {
  // An agent that goes before its turn is over has been cut off, whatever its code.
  if (process.exitCode === undefined) process.exitCode = code === 0 ? 1 : (code ?? 1);
  if (signal !== null && process.exitCode === 1) process.stderr.write(`The agent was ended by ${signal}.\n`);
  process.exit();
});
try {
  await takeTurn();
  leave(0);
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  tell(error);
  leave(1);
}
