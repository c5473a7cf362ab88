// Reads the output of `codex exec --json`. A line of type `error` may be a retry, and an item of that type a warning:
// only `turn.failed` is final, and without a network it never comes. Its usage is that of the whole conversation,
// cached tokens included.
import type { Usage } from '../../core/protocol/result.ts';
import type { Adapter, TurnEvent } from '../ports/agents.ts';
import { amountAt, fieldsIn, objectAt, oneLine, textAt, type Fields } from './turn/fields.ts';
import { makeReader, spent, type TurnFacts } from './turn/turn-reader.ts';
import { since } from './turn/usage.ts';
import { timeIn } from './time-in.ts';

/**
 * Without a network it waits for ever, and reports each try. After this many tries, about two minutes, the turn is
 * ended, to be retried.
 */
const NETWORK_WAITS_MAX = 6;
const NETWORK = /^Reconnecting\.* waiting for network(?: \((.*)\))?/u;

export const readCodex: Adapter['reader'] = (request, priceOf) => {
  const { conversation, agent } = request;
  let waits = 0;
  let waited: TurnFacts['error'];
  const readError = (message: string): readonly TurnEvent[] => {
    if (!message.startsWith('Reconnecting')) return [];
    const retrying = { type: 'retrying', why: oneLine(message), afterMs: undefined } as const;
    const network = NETWORK.exec(message);
    if (network === null) return [retrying];
    waits += 1;
    waited = errorIn(network[1] ?? 'It has no connection to its provider.');
    return waits < NETWORK_WAITS_MAX ? [retrying] : [retrying, { type: 'stuck' }];
  };
  return makeReader({
    request,
    read: (printed, facts) => {
      if (textAt(printed, 'type') !== 'error') waits = 0;
      switch (textAt(printed, 'type')) {
        case 'thread.started':
          facts.conversation = textAt(printed, 'thread_id') || facts.conversation;
          return [];
        case 'item.started':
          return begun(objectAt(printed, 'item'));
        case 'item.completed':
          return completed(objectAt(printed, 'item'), facts);
        case 'error':
          return readError(textAt(printed, 'message'));
        case 'turn.failed':
          facts.hasEnded = true;
          facts.error = errorIn(textAt(objectAt(printed, 'error'), 'message'));
          return [];
        case 'turn.completed': {
          facts.hasEnded = true;
          const counter = counterIn(objectAt(printed, 'usage'));
          if (counter === undefined) return [];
          facts.reading = counter;
          const usage = since(counter, conversation?.reading);
          return spent(facts, { ...usage, usd: priceOf(agent.model ?? '', usage) });
        }
        default:
          return [];
      }
    },
    complete: (facts, { isOurs }) => {
      if (isOurs) facts.error ??= waited;
    },
  });
};

const TOOLS: ReadonlySet<string> = new Set([
  'command_execution',
  'file_change',
  'mcp_tool_call',
  'web_search',
  'collab_tool_call',
]);

function begun(item: Fields): readonly TurnEvent[] {
  const type = textAt(item, 'type');
  if (!TOOLS.has(type)) return [];
  const about = oneLine(textAt(item, 'command') || textAt(item, 'tool') || textAt(item, 'query'));
  return [{ type: 'tool.called', id: textAt(item, 'id'), tool: type, about }];
}

function completed(item: Fields, facts: TurnFacts): readonly TurnEvent[] {
  const type = textAt(item, 'type');
  if (type !== 'error') facts.hasAnswered = true;
  if (type === 'agent_message') {
    facts.response = textAt(item, 'text');
    return [{ type: 'text', text: facts.response }];
  }
  if (!TOOLS.has(type)) return [];
  const isDeclined = textAt(item, 'status') === 'declined';
  if (isDeclined) facts.denied.push(type);
  return [
    { type: 'tool.ended', id: textAt(item, 'id'), ok: textAt(item, 'status') === 'completed' },
    ...(isDeclined ? [{ type: 'permission', tool: type, isAllowed: false } as const] : []),
  ];
}

function counterIn(usage: Fields): Usage | undefined {
  const input = amountAt(usage, 'input_tokens');
  if (input === undefined) return undefined;
  const cached = amountAt(usage, 'cached_input_tokens') ?? 0;
  return { input: Math.max(0, input - cached), cached, output: amountAt(usage, 'output_tokens') ?? 0, usd: undefined };
}

/** A sentence, which may contain the provider's answer or a status. */
function errorIn(message: string): TurnFacts['error'] {
  const answer = message.startsWith('{') ? objectAt(fieldsIn(message) ?? {}, 'error') : {};
  const status = /\bstatus:? (\d{3})\b/.exec(message)?.[1];
  return {
    status: status === undefined ? undefined : Number(status),
    kind: [textAt(answer, 'code'), textAt(answer, 'type')].filter((word) => word !== '').join(' '),
    message: textAt(answer, 'message') || message,
    until: timeIn(message, Date.now()),
  };
}
