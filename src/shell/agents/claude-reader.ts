// Reads the `stream-json` output of Claude Code. Its `subtype` may say success for a failed turn: `is_error` and the
// HTTP status decide. Its totals continue over all turns of a conversation, forks included. A message reports its whole
// output when it is complete; the final record leaves out a message that was broken off.
import type { Usage } from '../../core/protocol/result.ts';
import type { Adapter, PriceOf, TurnEvent, TurnReader } from '../ports/agents.ts';
import { aboutCall, amountAt, jsonAt, listAt, objectAt, textField } from './turn/fields.ts';
import { isObject, type Fields } from '../../core/plan/json-fields.ts';
import { readPermission, makeReader, spent, type TurnFacts } from './turn/turn-reader.ts';
import { exactUsd, isNothing, larger, NO_USAGE, plus, spendOf, usdSince } from './turn/usage.ts';

export const readClaude: Adapter['reader'] = (request, priceOf): TurnReader => {
  const { conversation, permissions } = request;
  const messages = new Map<string, MessageUsage>();
  return makeReader({
    request,
    read: (printed, facts) => {
      const id = textField(printed, 'session_id');
      // A turn that did not begin, as with a missing conversation, prints nothing but a result.
      if (id !== '' && textField(printed, 'type') !== 'result') facts.conversation = id;
      switch (textField(printed, 'type')) {
        case 'system':
          return readSystem(printed, facts);
        case 'stream_event':
          return readMessage(objectAt(printed, 'event'), textField(printed, 'api_message_id'), {
            facts,
            messages,
            priceOf,
          });
        case 'assistant':
          return readAssistant(printed, { facts, messages, priceOf });
        case 'user':
          return readResults(printed);
        case 'rate_limit_event':
          return readLimit(printed, facts);
        case 'result':
          // Denials by the dialogue are known already.
          if (permissions === undefined && facts.denied.length === 0) facts.denied.push(...deniedIn(printed));
          return readResult(printed, { facts, messages }, conversation?.reading);
        // A line of the dialogue.
        case 'permission':
        case 'asked':
          return readPermission(printed, facts);
        default:
          return [];
      }
    },
  });
};

const WORKING: ReadonlySet<string> = new Set(['connected', 'pending', 'disabled']);

/** MCP servers of the user that did not start here, for people who read the output. */
function missingServers(printed: Fields): readonly TurnEvent[] {
  const missing = listAt(printed, 'mcp_servers').filter((server) => !WORKING.has(textField(server, 'status')));
  const names = missing.map((server) => `${textField(server, 'name')} (${textField(server, 'status')})`);
  if (names.length === 0) return [];
  const why = 'what they need may be hidden by sandbox.isolation or sandbox.network';
  return [{ type: 'text', text: `[heddle: MCP servers that do not work in this turn: ${names.join(', ')}; ${why}]` }];
}

function readSystem(printed: Fields, facts: TurnFacts): readonly TurnEvent[] {
  switch (textField(printed, 'subtype')) {
    case 'init':
      facts.model = textField(printed, 'model') || facts.model;
      return missingServers(printed);
    case 'api_retry': {
      const afterMs = amountAt(printed, 'retry_delay_ms');
      if (afterMs !== undefined) facts.retryAt = Date.now() + afterMs;
      return [{ type: 'retrying', why: textField(printed, 'error') || 'unknown', afterMs }];
    }
    default:
      return [];
  }
}

interface Counting {
  readonly facts: TurnFacts;
  /** The usage of each message of the model, as far as it is known. */
  readonly messages: Map<string, MessageUsage>;
  readonly priceOf: PriceOf;
}

interface MessageUsage {
  readonly model: string;
  readonly usage: Usage;
  /** The message has begun, and its end has not come. */
  readonly isOpen: boolean;
}

function readAssistant(printed: Fields, counting: Counting): readonly TurnEvent[] {
  const message = objectAt(printed, 'message');
  const events = listAt(message, 'content').flatMap((block): readonly TurnEvent[] => {
    if (textField(block, 'type') === 'text') return [{ type: 'text', text: textField(block, 'text') }];
    if (textField(block, 'type') !== 'tool_use') return [];
    const about = aboutCall(objectAt(block, 'input'));
    return [{ type: 'tool.called', id: textField(block, 'id'), tool: textField(block, 'name'), about }];
  });
  return [...events, ...countMessage(message, counting, undefined)];
}

/** Counts the usage that a message reports at its start and, when it is complete, at its end. */
function readMessage(event: Fields, id: string, counting: Counting): readonly TurnEvent[] {
  if (textField(event, 'type') === 'message_start') return countMessage(objectAt(event, 'message'), counting, true);
  if (textField(event, 'type') !== 'message_delta') return [];
  const { model = '' } = counting.messages.get(id) ?? {};
  return countMessage({ id, model, usage: event['usage'] }, counting, false);
}

function countMessage(
  message: Fields,
  { facts, messages, priceOf }: Counting,
  isOpen: boolean | undefined,
): readonly TurnEvent[] {
  const usage = usageIn(objectAt(message, 'usage'));
  const model = textField(message, 'model');
  // A synthetic message is the program's own.
  if (usage === undefined || model === '<synthetic>') return [];
  const id = textField(message, 'id');
  facts.hasAnswered = true;
  facts.isPartial = true;
  const known = messages.get(id);
  messages.set(id, { model, usage: larger(usage, known?.usage ?? usage), isOpen: isOpen ?? known?.isOpen ?? false });
  return spent(facts, streamed({ messages, priceOf }));
}

const streamed = ({ messages, priceOf }: Omit<Counting, 'facts'>): Usage =>
  [...messages.values()].map(({ model, usage }) => ({ ...usage, usd: priceOf(model, usage) })).reduce(plus, NO_USAGE);

/** Tokens that are written to the cache count as input. */
function usageIn(usage: Fields): Usage | undefined {
  const input = amountAt(usage, 'input_tokens');
  if (input === undefined) return undefined;
  return {
    input: input + (amountAt(usage, 'cache_creation_input_tokens') ?? 0),
    cached: amountAt(usage, 'cache_read_input_tokens') ?? 0,
    output: amountAt(usage, 'output_tokens') ?? 0,
    usd: undefined,
  };
}

const readResults = (printed: Fields): readonly TurnEvent[] =>
  listAt(objectAt(printed, 'message'), 'content')
    .filter((block) => textField(block, 'type') === 'tool_result')
    .map((block) => ({ type: 'tool.ended', id: textField(block, 'tool_use_id'), ok: block['is_error'] !== true }));

/** For accounts with a subscription: when the limit is lifted, in seconds. */
function readLimit(printed: Fields, facts: TurnFacts): readonly TurnEvent[] {
  const resetsAt = amountAt(objectAt(printed, 'rate_limit_info'), 'resetsAt');
  if (resetsAt !== undefined) facts.retryAt = resetsAt * 1000;
  return [];
}

const deniedIn = (printed: Fields): readonly string[] =>
  listAt(printed, 'permission_denials').map((denial) => textField(denial, 'tool_name') || 'a tool');

function readResult(
  printed: Fields,
  { facts, messages }: Pick<Counting, 'facts' | 'messages'>,
  reading: Usage | undefined,
): readonly TurnEvent[] {
  facts.hasEnded = true;
  facts.response = textField(printed, 'result');
  facts.output = jsonAt(printed, 'structured_output');
  facts.error = errorIn(printed);
  const counter = counterIn(printed);
  facts.reading = counter ?? facts.reading;
  const turn = usageIn(objectAt(printed, 'usage'));
  if (turn === undefined || counter === undefined) return [];
  // The output of a message that was broken off is in no record; the program may have asked again, and then succeeded.
  const isBroken = textField(printed, 'terminal_reason') === 'aborted_streaming';
  facts.isPartial = facts.error !== undefined && (isBroken || [...messages.values()].some(({ isOpen }) => isOpen));
  const total = { ...turn, usd: usdOf(printed) ?? usdSince(counter.usd, reading?.usd) };
  const usage = facts.spent === undefined ? total : completed(total, facts.spent);
  // Of a turn that failed, zeros may be the lack of figures.
  if (facts.error !== undefined && isNothing(usage)) return [];
  facts.spent = usage;
  return [{ type: 'spent', spend: spendOf(usage), usage }];
}

/** The record is right, unless it leaves out messages that were seen. */
function completed(record: Usage, seen: Usage): Usage {
  const isWhole = record.input >= seen.input && record.output >= seen.output;
  return isWhole ? record : larger(record, seen);
}

/** Usage of all models since the conversation began. */
function counterIn(printed: Fields): Usage | undefined {
  const models = modelsIn(printed, 'modelUsage');
  const usd = amountAt(printed, 'total_cost_usd');
  return models === undefined && usd === undefined ? undefined : { ...(models ?? NO_USAGE), usd };
}

/** The cost that this result added; undefined when the price of a model is unknown, since its cost is then a guess. */
function usdOf(printed: Fields): number | undefined {
  const models = Object.values(objectAt(printed, 'model_usage_since_last_result')).filter(isObject);
  if (models.length === 0) return undefined;
  const isKnown = models.every((model) => textField(model, 'costBasis') !== 'unknown');
  return isKnown ? exactUsd(models.reduce((sum, model) => sum + (amountAt(model, 'costUSD') ?? 0), 0)) : undefined;
}

function modelsIn(printed: Fields, name: string): Usage | undefined {
  const models = Object.values(objectAt(printed, name)).filter(isObject);
  if (models.length === 0) return undefined;
  return models
    .map((model) => ({
      input: (amountAt(model, 'inputTokens') ?? 0) + (amountAt(model, 'cacheCreationInputTokens') ?? 0),
      cached: amountAt(model, 'cacheReadInputTokens') ?? 0,
      output: amountAt(model, 'outputTokens') ?? 0,
      usd: undefined,
    }))
    .reduce(plus, NO_USAGE);
}

function errorIn(printed: Fields): TurnFacts['error'] {
  const subtype = textField(printed, 'subtype');
  const isStopped = textField(printed, 'stop_reason') === 'refusal';
  if (printed['is_error'] !== true && subtype === 'success' && !isStopped) return undefined;
  const status = amountAt(printed, 'api_error_status');
  const reason = textField(printed, 'terminal_reason');
  const errors = printed['errors'];
  const told = Array.isArray(errors) ? errors.filter((error) => typeof error === 'string').join(' ') : '';
  const message = textField(printed, 'result') || told;
  const kinds = [isStopped ? 'refusal' : '', textField(printed, 'api_error'), textField(printed, 'api_error_type')];
  const kind = [...kinds, reason === 'api_error' ? '' : reason, subtype === 'success' ? '' : subtype];
  const until = /\|(\d{10})\b/.exec(message)?.[1];
  return {
    status,
    kind: kind.filter((word) => word !== '').join(' '),
    message,
    until: until === undefined ? undefined : Number(until) * 1000,
  };
}
