// Speaks the Agent Client Protocol with one agent, for one turn: version 1, one object of JSON-RPC a line.
//
// acp-dialogue/A1. Every request of the agent is answered; an unknown method is refused by its number.
// acp-dialogue/A2. Permissions are given once, never for good; where only denying is offered, it is denied.
// acp-dialogue/A3. A question to a person ends the turn: the agent is told that it is cancelled, and nothing more is granted.
import type { Dialogue, Peer, TurnEvent } from '../../ports/agents.ts';
import {
  aboutCall,
  amountAt,
  fieldsIn,
  listAt,
  objectAt,
  oneLine,
  toolSubjectOf,
  textField,
  withoutFolder,
} from '../turn/fields.ts';
import { isObject, type Fields } from '../../../core/plan/json-fields.ts';
import { permissionFor, questionsIn, ruleOn, type PermissionRules, type WantedTool } from '../turn/permission.ts';

export interface AcpTurn {
  readonly prompt: string;
  readonly conversation: string | undefined;
  /** The session mode to set, where the program has modes. */
  readonly mode: string | undefined;
  /** How long the agent has to exit once its input is closed. */
  readonly leavingMs: number;
  readonly rules: PermissionRules;
}

/** A line for the adapter's reader. */
export type AcpMessage =
  | Extract<TurnEvent, { type: 'conversation' | 'tool.called' | 'tool.ended' | 'asked' }>
  /** `message` is the id of the message that this is a chunk of, where the program gives ids. */
  | (Extract<TurnEvent, { type: 'text' }> & { readonly message: string })
  | (Extract<TurnEvent, { type: 'permission' }> & { readonly isByPerson: boolean })
  | { readonly type: 'end'; readonly stop: string; readonly usage: Fields }
  | {
      readonly type: 'error';
      readonly status: number | undefined;
      readonly kind: string;
      readonly message: string;
    };

const UNKNOWN_METHOD = -32_601;
const CANCELLING_MS = 5_000;
/** Codes below are the protocol's own and no status of HTTP. */
const STATUS_MIN = 400;
const CAPABILITIES = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
/** Titles of tools by which a model asks a person. */
const ASKS = /^ask\W?user/i;
const ALLOWING = ['allow_once', 'allow_always'];
const DENYING = ['reject_once', 'reject_always'];
const CANCELLED: Fields = { outcome: { outcome: 'cancelled' } };

export class AcpDialogue implements Dialogue {
  readonly #turn: AcpTurn;
  readonly #waiting = new Map<number, (answer: Fields) => void>();
  /** The fields of each tool call so far. */
  readonly #calls = new Map<string, Fields>();
  #peer: Peer | undefined;
  #messages: AcpMessage[] = [];
  #requests = 0;
  #sessionId = '';
  #isPrompted = false;
  /** The turn waits for a person; the rest of its output is ignored. */
  #isAsking = false;

  constructor(turn: AcpTurn) {
    this.#turn = turn;
  }

  begin(peer: Peer): void {
    this.#peer = peer;
    const params = {
      protocolVersion: 1,
      clientCapabilities: CAPABILITIES,
      clientInfo: { name: 'heddle', version: '1' },
    };
    this.#ask('initialize', params, () => this.#openSession());
  }

  receive(line: string): readonly string[] {
    this.#messages = [];
    // A line that is not JSON is not of the protocol.
    const message = fieldsIn(line) ?? {};
    const { id, method } = message;
    if (typeof method === 'string') this.#receiveCall(method, message);
    else if (typeof id === 'number') this.#receiveAnswer(id, message);
    return this.#messages.map((each) => JSON.stringify(each));
  }

  #openSession(): void {
    const { conversation } = this.#turn;
    const folder = { cwd: this.#cwd, mcpServers: [] };
    if (conversation === undefined)
      this.#ask('session/new', folder, (session) => this.#chooseMode(textField(session, 'sessionId')));
    else this.#ask('session/load', { sessionId: conversation, ...folder }, () => this.#chooseMode(conversation));
  }

  #chooseMode(sessionId: string): void {
    this.#sessionId = sessionId;
    this.#messages.push({ type: 'conversation', id: sessionId });
    const { mode } = this.#turn;
    // A program that has no such mode asks for permissions instead, which are given.
    if (mode === undefined) this.#prompt();
    else this.#request('session/set_mode', { sessionId, modeId: mode }, () => this.#prompt());
  }

  #prompt(): void {
    this.#isPrompted = true;
    const params = { sessionId: this.#sessionId, prompt: [{ type: 'text', text: this.#turn.prompt }] };
    this.#ask('session/prompt', params, (ended) => {
      this.#messages.push({ type: 'end', stop: textField(ended, 'stopReason'), usage: objectAt(ended, 'usage') });
      this.#leave();
    });
  }

  /** Like `#request`, for a request whose failure ends the turn. */
  #ask(method: string, params: Fields, onResult: (result: Fields) => void): void {
    this.#request(method, params, (answer) => {
      const { error } = answer;
      if (!isObject(error)) return onResult(objectAt(answer, 'result'));
      this.#messages.push(errorIn(error));
      this.#leave();
    });
  }

  /** `onAnswer` is given the answer whole, with a `result` or an `error`. */
  #request(method: string, params: Fields, onAnswer: (answer: Fields) => void): void {
    this.#requests += 1;
    this.#waiting.set(this.#requests, onAnswer);
    this.#write({ id: this.#requests, method, params });
  }

  #receiveAnswer(id: number, answer: Fields): void {
    const onAnswer = this.#waiting.get(id);
    this.#waiting.delete(id);
    onAnswer?.(answer);
  }

  #receiveCall(method: string, message: Fields): void {
    const { id } = message;
    const params = objectAt(message, 'params');
    if (method === 'session/update') this.#receiveUpdate(objectAt(params, 'update'));
    if (id === undefined) return;
    if (method === 'session/request_permission') {
      const wasAsking = this.#isAsking;
      this.#write({ id, result: this.#answerPermission(params) });
      if (this.#isAsking && !wasAsking) this.#cancel();
    } else this.#write({ id, error: { code: UNKNOWN_METHOD, message: `Heddle does not know ${method}.` } });
  }

  /** Updates before the prompt repeat earlier turns. */
  #receiveUpdate(update: Fields): void {
    if (!this.#isPrompted) return;
    const id = textField(update, 'toolCallId');
    if (id !== '') this.#calls.set(id, { ...this.#calls.get(id), ...update });
    // Some programs do not wait for an answer, because they assume that no person is present.
    if (this.#asks(update)) this.#cancel();
    const status = textField(update, 'status');
    const ended: readonly AcpMessage[] =
      status === 'completed' || status === 'failed' ? [{ type: 'tool.ended', id, ok: status === 'completed' }] : [];
    switch (textField(update, 'sessionUpdate')) {
      case 'agent_message_chunk': {
        const text = textField(objectAt(update, 'content'), 'text');
        this.#messages.push({ type: 'text', text, message: textField(update, 'messageId') });
        return;
      }
      case 'tool_call': {
        const about = aboutCall(inputOf(update)) || oneLine(textField(update, 'title'));
        this.#messages.push({ type: 'tool.called', id, tool: textField(update, 'kind') || 'tool', about }, ...ended);
        return;
      }
      case 'tool_call_update':
        this.#messages.push(...ended);
        return;
      default:
    }
  }

  /** Passes a question of the model on, and ends the turn with it; false for any other call of a tool. */
  #asks(call: Fields): boolean {
    const question = ASKS.test(textField(call, 'title')) ? questionsIn(objectAt(call, 'rawInput')) : undefined;
    if (question === undefined || this.#isAsking) return false;
    this.#messages.push({ type: 'asked', question });
    this.#isAsking = true;
    return true;
  }

  #answerPermission(params: Fields): Fields {
    const call = objectAt(params, 'toolCall');
    const wanted = this.#wantedIn(call);
    const tool = oneLine(textField(call, 'title') || wanted.about) || 'a tool';
    if (this.#asks(call)) return CANCELLED;
    const ruling = this.#isAsking ? ({ type: 'deny', isByPerson: true } as const) : ruleOn(this.#turn.rules, wanted);
    if (ruling.type === 'ask') {
      this.#messages.push({ type: 'asked', question: '', permission: permissionFor(wanted) });
      this.#isAsking = true;
      return CANCELLED;
    }
    const kinds = ruling.type === 'allow' ? [...ALLOWING, ...DENYING] : DENYING;
    const options = listAt(params, 'options');
    const chosen = kinds.flatMap((kind) => options.filter((option) => textField(option, 'kind') === kind))[0];
    const isAllowed = chosen !== undefined && textField(chosen, 'kind').startsWith('allow');
    this.#messages.push({ type: 'permission', tool, isAllowed, isByPerson: ruling.isByPerson });
    if (chosen === undefined) return CANCELLED;
    return { outcome: { outcome: 'selected', optionId: textField(chosen, 'optionId') } };
  }

  /** In the agent's terms: a command, a path or a title, which is often the command itself, and a kind such as `edit`. */
  #wantedIn(call: Fields): WantedTool {
    const known = this.#calls.get(textField(call, 'toolCallId')) ?? {};
    const input = { ...inputOf(known), ...inputOf(call) };
    const named = [call, known].map((each) => textField(each, 'kind')).find((each) => each !== '' && each !== 'other');
    const kind = named ?? (isCommand(input) ? 'execute' : 'other');
    const about = toolSubjectOf(input) || textField(call, 'title') || textField(known, 'title');
    return { tool: kind === 'other' ? 'a tool' : kind, kind, about: withoutFolder(about, this.#cwd) };
  }

  /** A person has to decide. An agent that does not end its turn by itself is ended. */
  #cancel(): void {
    this.#write({ method: 'session/cancel', params: { sessionId: this.#sessionId } });
    setTimeout(() => this.#leave(), CANCELLING_MS).unref();
  }

  #leave(): void {
    this.#peer?.leave(this.#turn.leavingMs);
  }

  get #cwd(): string {
    return this.#peer?.cwd ?? '';
  }

  #write(message: Fields): void {
    this.#peer?.write(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }
}

function errorIn(error: Fields): AcpMessage {
  const data = objectAt(error, 'data');
  const code = amountAt(error, 'code');
  const kind = ['errorKind', 'errorName', 'code'].map((name) => textField(data, name)).find((word) => word !== '');
  const words = [textField(error, 'message'), textField(data, 'message'), textField(data, 'details')];
  return {
    type: 'error',
    status: code !== undefined && code >= STATUS_MIN ? code : undefined,
    kind: kind ?? '',
    message: words.filter((word) => word !== '').join(': '),
  };
}

/** The arguments of a tool call. Some programs first give them only as content to display. */
function inputOf(call: Fields): Fields {
  const input = objectAt(call, 'rawInput');
  if (Object.keys(input).length > 0) return input;
  const [shown = {}] = listAt(call, 'content');
  return fieldsIn(textField(objectAt(shown, 'content'), 'text')) ?? {};
}

/** Some programs do not name the kind of a tool. A tool that edits files may also take a command and a path. */
const isCommand = (input: Fields): boolean => textField(input, 'command') !== '' && textField(input, 'path') === '';
