// Any agent that speaks the Agent Client Protocol.
import type { Usage } from '../../../core/protocol/result.ts';
import type { Adapter, TurnEvent, TurnRequest } from '../../ports/agents.ts';
import { amountAt, objectAt, textField } from '../turn/fields.ts';
import { type Fields } from '../../../core/plan/json-fields.ts';
import { adapterOf, hasFlag } from '../turn/agent-kind.ts';
import { namedVariables } from '../turn/named-variables.ts';
import { rulesOf } from '../turn/permission.ts';
import { readPermission, makeReader, spent, type TurnFacts } from '../turn/turn-reader.ts';
import { AcpDialogue } from './acp-dialogue.ts';
import { presetFor, type Preset } from './acp-presets.ts';

export const acpAdapter: Adapter = {
  launch: (request) => kindFor(request).launch(request),
  reader: (request, priceOf) => kindFor(request).reader(request, priceOf),
  conversations: { forks: false, folder: 'same' },
};

/** Flags of many programs that turn permission requests off. */
const UNASKING = /^--?(yolo|y|allow-all(-tools)?|always-approve|auto-approve|dangerously-.*)$|=yolo$|bypassPermissions/;

const kindFor = ({ agent }: TurnRequest): Adapter => {
  const preset = presetFor(agent.command ?? '');
  return adapterOf({
    environment: preset.environment,
    named: (request) => (preset.settings === undefined ? [] : namedVariables(preset.settings, request)),
    defaults: preset.defaults,
    launch: (request) => {
      const rules = rulesOf(request);
      // With policy `ask` or `deny` the program must be started in a mode in which it asks.
      const { args, mode, environment } = rules.policy === 'allow' ? preset.unasking : preset.asking;
      const [program = '', ...words] = (agent.command ?? '').split(/\s+/).filter((word) => word !== '');
      // A command with its own arguments defines how the program starts.
      const isOurs = words.length === 0 && !hasFlag(agent.args, ...preset.args.slice(0, 1));
      const own = isOurs ? [...preset.args, ...args] : [];
      const { prompt, conversation } = request;
      const turn = { prompt, conversation: conversation?.id, mode, leavingMs: preset.leavingMs, rules };
      return {
        program,
        args: [...words, ...own, ...agent.args],
        input: undefined,
        dialogue: new AcpDialogue(turn),
        environment,
      };
    },
    unasking: UNASKING,
    reader: (request, priceOf) => {
      const flow = { preset, priceOf: (usage: Usage) => priceOf(agent.model ?? '', usage), errorFrom: undefined };
      return makeReader({ request, read: (printed, facts) => read(printed, facts, flow) });
    },
    conversations: { forks: false, folder: 'same' },
  });
};

interface TextFlow {
  readonly preset: Preset;
  readonly priceOf: (usage: Usage) => number | undefined;
  /** The start of an error in the response that the program printed as the model's text. */
  errorFrom: number | undefined;
}

function read(printed: Fields, facts: TurnFacts, flow: TextFlow): readonly TurnEvent[] {
  const id = textField(printed, 'id');
  switch (textField(printed, 'type')) {
    case 'conversation':
      facts.conversation = id || facts.conversation;
      return [];
    case 'text': {
      const text = textField(printed, 'text');
      const word = wordOf(printed, flow.preset);
      if (word === 'remark') return [{ type: 'text', text }];
      flow.errorFrom = word === 'error' ? facts.response.length : undefined;
      const isOwn = flow.preset.ownMessages?.test(textField(printed, 'message')) === true;
      facts.hasAnswered ||= word === 'answer' && !isOwn;
      facts.response += text;
      return [{ type: 'text', text }];
    }
    case 'tool.called':
      // Text after a tool call begins a new response.
      facts.response = '';
      flow.errorFrom = undefined;
      return [{ type: 'tool.called', id, tool: textField(printed, 'tool'), about: textField(printed, 'about') }];
    case 'tool.ended':
      return [{ type: 'tool.ended', id, ok: printed['ok'] === true }];
    case 'permission':
    case 'asked':
      return readPermission(printed, facts);
    case 'error':
      facts.error = providerError(
        textField(printed, 'kind'),
        textField(printed, 'message'),
        amountAt(printed, 'status'),
      );
      return [];
    case 'end':
      return readEnd(printed, facts, flow);
    default:
      return [];
  }
}

/** The author of a text: the model, or the program as a note or an error. */
function wordOf(printed: Fields, { numbersMessages, remarkText, errorText }: Preset): 'answer' | 'remark' | 'error' {
  const text = textField(printed, 'text');
  if (numbersMessages && textField(printed, 'message') !== '') return 'answer';
  if (remarkText?.test(text) === true) return 'remark';
  return errorText?.test(text) === true ? 'error' : 'answer';
}

const BAD_STOPS: Readonly<Record<string, string>> = {
  refusal: 'refusal',
  max_turn_requests: 'turn limit',
  cancelled: 'aborted',
};

function readEnd(printed: Fields, facts: TurnFacts, { preset, priceOf, errorFrom }: TextFlow): readonly TurnEvent[] {
  facts.hasEnded = true;
  const stop = BAD_STOPS[textField(printed, 'stop')];
  const { response } = facts;
  // The error may follow the beginning of a response that broke off.
  const error = errorFrom === undefined ? undefined : response.slice(errorFrom);
  const isEmpty = preset.isSilentOnError && response === '' && facts.calls === 0;
  if (stop !== undefined) facts.error = providerError(stop, `The agent stopped: ${textField(printed, 'stop')}.`);
  else if (error !== undefined) facts.error = providerError('', error.trim());
  else if (isEmpty)
    facts.error = providerError('', 'The agent ended its turn without a word, as it does when its provider fails.');
  const usage = preset.countsTurns ? usageIn(objectAt(printed, 'usage')) : undefined;
  return usage === undefined ? [] : spent(facts, { ...usage, usd: priceOf(usage) });
}

/** A status often appears only in prose: `API Error: 400`, `last status: 429`, `Bad request (400)`. */
const STATUS = /(?:\b(?:error|status|http|code)\b[^\d\n]{0,12}|\()([45]\d{2})\b/i;

function providerError(kind: string, message: string, status?: number): TurnFacts['error'] {
  const told = STATUS.exec(message)?.[1];
  return { status: status ?? (told === undefined ? undefined : Number(told)), kind, message, until: undefined };
}

function usageIn(usage: Fields): Usage | undefined {
  const input = amountAt(usage, 'inputTokens');
  if (input === undefined) return undefined;
  const cached = amountAt(usage, 'cachedReadTokens') ?? 0;
  return { input, cached, output: amountAt(usage, 'outputTokens') ?? 0, usd: undefined };
}
