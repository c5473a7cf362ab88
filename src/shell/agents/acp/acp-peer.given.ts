// An agent that speaks the Agent Client Protocol, for tests: the first word of its prompt selects its behaviour.
import { createInterface } from 'node:readline';

type Fields = Readonly<Record<string, unknown>>;

const write = (message: Fields): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (fields: Fields): void =>
  write({ method: 'session/update', params: { sessionId: 's-1', update: fields } });
const say = (text: string): void => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

let promptId: unknown;
/** It ignores the cancellation of its turn. */
let isDeaf = false;

function end(stopReason: string): void {
  write({ id: promptId, result: { stopReason, usage: { inputTokens: 7, outputTokens: 3, cachedReadTokens: 2 } } });
}

function fail(error: Fields): void {
  write({ id: promptId, error });
}

/** Sends two requests at the same time, as some programs do. */
function askTwice(word: string): void {
  [awaited, isOfTwo] = [2, true];
  isDeaf = word === 'deaf';
  update({
    sessionUpdate: 'tool_call',
    toolCallId: 'w',
    kind: 'execute',
    title: 'Shell',
    rawInput: { command: 'make ship' },
  });
  write({
    id: 'p-1',
    method: 'session/request_permission',
    params: { toolCall: { toolCallId: 'w', title: 'Shell' }, options: OPTIONS },
  });
  write({
    id: 'p-2',
    method: 'session/request_permission',
    params: { toolCall: { toolCallId: 'v', kind: 'edit', title: 'another' }, options: OPTIONS },
  });
}

function useTools(): void {
  update({
    sessionUpdate: 'tool_call',
    toolCallId: 't',
    kind: 'execute',
    title: 'ls',
    rawInput: { command: 'ls' },
  });
  update({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' });
  update({ sessionUpdate: 'tool_call', toolCallId: 'u', title: 'read a file', status: 'failed' });
  update({ sessionUpdate: 'plan', entries: [] });
  say('Used it.');
  end('end_turn');
}

/** The command is only in the displayed content of the tool call, and the kind of the tool is unknown. */
function askBySight(): void {
  update({
    sessionUpdate: 'tool_call',
    toolCallId: 'w',
    title: 'Shell',
    content: [{ type: 'content', content: { type: 'text', text: '{"command":"make ship"}' } }],
  });
  write({
    id: 'p-1',
    method: 'session/request_permission',
    params: { toolCall: { toolCallId: 'w', kind: 'other', title: 'Shell' }, options: OPTIONS },
  });
}

function doAs(word: string): void {
  switch (word) {
    case 'tool':
      return useTools();
    case 'permission':
      write({
        id: 'p-1',
        method: 'session/request_permission',
        params: {
          toolCall: { title: 'rm' },
          options: [
            { optionId: 'always', kind: 'allow_always' },
            { optionId: 'once', kind: 'allow_once' },
          ],
        },
      });
      return;
    case 'deaf':
    case 'wants':
      return askTwice(word);
    case 'shows':
      return askBySight();
    case 'numbered':
      return fail({ code: -32_603, message: 'Internal error', data: { details: '400 This will not do.' } });
    case 'deny':
      write({
        id: 'p-1',
        method: 'session/request_permission',
        params: { toolCall: {}, options: [{ optionId: 'no', kind: 'reject_once' }] },
      });
      return;
    case 'unasked':
      write({ id: 'p-1', method: 'session/request_permission', params: { toolCall: { title: 'x' }, options: [] } });
      return;
    case 'unknown':
      write({ id: 'x-1', method: 'vendor/something', params: {} });
      return;
    case 'status':
      return fail({ code: 429, message: 'Too many requests' });
    case 'kind':
      return fail({
        code: -32_603,
        message: 'Internal error',
        data: { errorKind: 'authentication_failed', details: 'Log in.' },
      });
    case 'refuse':
      return end('refusal');
    case 'error-text':
      say('Ran into this error: 401 no');
      return end('end_turn');
    case 'stays':
      setInterval(() => undefined, 1_000);
      say(`I heard ${word}.`);
      return end('end_turn');
    case 'leave':
      process.exit(0);
    case 'crash':
      process.stderr.write('It broke.\n');
      process.exit(3);
    default:
      say(`I heard ${word}.`);
      return end('end_turn');
  }
}

const OPTIONS = [
  { optionId: 'once', kind: 'allow_once' },
  { optionId: 'no', kind: 'reject_once' },
];
let awaited = 1;
let isOfTwo = false;
let told = '';

/** It says what it was told when all that it asked is answered, and ends its turn unless that is to be cancelled. */
function readAnswer(answered: unknown): void {
  told = `${told}${JSON.stringify(answered)}`;
  awaited -= 1;
  if (awaited > 0) return;
  say(told);
  if (!isOfTwo || !told.includes('cancelled')) end('end_turn');
}

function answer({ id, method, params, result, error }: Fields): void {
  const given =
    typeof params === 'object' && params !== null ? new Map(Object.entries(params)) : new Map<string, unknown>();
  switch (method) {
    case 'initialize':
      return write({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } });
    case 'session/new':
      return write({ id, result: { sessionId: 's-1' } });
    case 'session/load':
      say('Something of old.');
      return write({ id, result: {} });
    case 'session/set_mode':
      return write({ id, error: { code: -32_601, message: 'There are no modes.' } });
    case 'session/cancel':
      if (!isDeaf) end('cancelled');
      return;
    case 'session/prompt': {
      promptId = id;
      return doAs(/"text":"(\S+)/.exec(JSON.stringify(given.get('prompt')))?.[1]?.replace(/".*/, '') ?? '');
    }
    default:
      // It is a response to our request.
      readAnswer(result ?? error);
  }
}

process.stdout.write('A greeting that is no JSON.\n');
createInterface({ input: process.stdin }).on('line', (line) => {
  // The other end is always our own program.
  answer(JSON.parse(line) as Fields);
});
