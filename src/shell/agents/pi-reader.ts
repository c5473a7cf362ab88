// Reads the JSON output of pi. It always exits with 0: the model's last message tells whether the turn failed.
import type { Usage } from '../../core/protocol/result.ts';
import type { Adapter, TurnEvent } from '../ports/agents.ts';
import { aboutCall, amountAt, fieldsIn, listAt, objectAt, oneLine, textField } from './turn/fields.ts';
import { type Fields } from '../../core/plan/json-fields.ts';
import { makeReader, spent, type TurnFacts } from './turn/turn-reader.ts';
import { isNothing, NO_USAGE, plus } from './turn/usage.ts';

export const readPi: Adapter['reader'] = (request) =>
  makeReader({
    request,
    read: (printed, facts) => {
      switch (textField(printed, 'type')) {
        case 'session':
          facts.conversation = textField(printed, 'id') || facts.conversation;
          return [];
        case 'message_start':
          if (textField(objectAt(printed, 'message'), 'role') === 'assistant') facts.isPartial = true;
          return [];
        case 'message_end':
          return readMessage(objectAt(printed, 'message'), facts);
        case 'tool_execution_start': {
          const tool = textField(printed, 'toolName');
          return [
            {
              type: 'tool.called',
              id: textField(printed, 'toolCallId'),
              tool,
              about: aboutCall(objectAt(printed, 'args')),
            },
          ];
        }
        case 'tool_execution_end':
          return [{ type: 'tool.ended', id: textField(printed, 'toolCallId'), ok: printed['isError'] !== true }];
        case 'auto_retry_start':
          return [
            {
              type: 'retrying',
              why: oneLine(textField(printed, 'errorMessage')),
              afterMs: amountAt(printed, 'delayMs'),
            },
          ];
        case 'agent_settled':
          facts.hasEnded = true;
          return [];
        default:
          return [];
      }
    },
  });

const BAD_STOPS: ReadonlySet<string> = new Set(['error', 'aborted']);

function readMessage(message: Fields, facts: TurnFacts): readonly TurnEvent[] {
  if (textField(message, 'role') !== 'assistant') return [];
  const texts = listAt(message, 'content').map((part) => textField(part, 'text'));
  const text = texts.filter((part) => part !== '').join('\n');
  const isBad = BAD_STOPS.has(textField(message, 'stopReason'));
  // A later retry may have succeeded.
  facts.error = isBad ? errorIn(textField(message, 'errorMessage')) : undefined;
  facts.response = text;
  const used = usageIn(objectAt(message, 'usage'));
  // An answer that broke off may have no figures.
  facts.isPartial = isBad && listAt(message, 'content').length > 0 && isNothing(used);
  facts.hasAnswered ||= listAt(message, 'content').length > 0;
  const events = isNothing(used) ? [] : spent(facts, plus(facts.spent ?? NO_USAGE, used));
  return text === '' ? events : [{ type: 'text', text }, ...events];
}

/** A cost of 0 for some tokens means that no price is set. */
function usageIn(usage: Fields): Usage {
  const amount = (name: string): number => amountAt(usage, name) ?? 0;
  return {
    input: amount('input') + amount('cacheWrite'),
    cached: amount('cacheRead'),
    output: amount('output'),
    usd: amountAt(objectAt(usage, 'cost'), 'total') || undefined,
  };
}

/** `429: {…}`, or prose. */
function errorIn(message: string): TurnFacts['error'] {
  const status = /^(\d{3}):? /.exec(message)?.[1];
  const answer = fieldsIn(message) ?? {};
  return {
    status: status === undefined ? undefined : Number(status),
    kind: [textField(answer, 'code'), textField(answer, 'type')].filter((word) => word !== '').join(' '),
    message: textField(answer, 'message') || message || 'It was aborted.',
    until: undefined,
  };
}
