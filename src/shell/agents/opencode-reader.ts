// Reads the output of `opencode --format json`. There is no last line: the end is a step that finished with `stop`. It
// reports a tool after the call, and its retries, which may last minutes, only in its log.
import type { Usage } from '../../core/protocol/result.ts';
import type { Adapter, TurnEvent } from '../ports/agents.ts';
import { aboutCall, amountAt, objectAt, oneLine, textField } from './turn/fields.ts';
import { type Fields } from '../../core/plan/json-fields.ts';
import { makeReader, spent, type TurnFacts } from './turn/turn-reader.ts';
import { isLimit } from './turn/provider-error.ts';
import { NO_USAGE, plus } from './turn/usage.ts';

/** After this many retries of one request the turn is ended. */
const RETRIES_MAX = 1;

export const readOpencode: Adapter['reader'] = (request) => {
  let retries = 0;
  let retried: TurnFacts['error'];
  // Why the turn was ended early; it may have got an answer before that.
  let hopeless: TurnFacts['error'];
  return makeReader({
    request,
    isNamedFirst: false,
    read: (printed, facts) => {
      facts.conversation = textField(printed, 'sessionID') || facts.conversation;
      const part = objectAt(printed, 'part');
      switch (textField(printed, 'type')) {
        case 'step_start':
          facts.hasAnswered = true;
          facts.isPartial = true;
          return [{ type: 'busy', isBusy: true }];
        case 'step_finish':
          retries = 0;
          retried = undefined;
          facts.hasEnded = textField(part, 'reason') === 'stop';
          facts.isPartial = false;
          return [{ type: 'busy', isBusy: false }, ...spent(facts, plus(facts.spent ?? NO_USAGE, usageIn(part)))];
        case 'text':
          if (part['synthetic'] === true) return [];
          facts.response = textField(part, 'text');
          return [{ type: 'text', text: facts.response }];
        case 'tool_use':
          return readTool(part, facts);
        case 'error':
          facts.error = errorIn(objectAt(printed, 'error'));
          return [{ type: 'busy', isBusy: false }];
        default:
          return [];
      }
    },
    readStderr: (line) => {
      const why = retryIn(line);
      if (why === undefined) return [];
      retries += 1;
      const status = /\bstatus (\d{3})\b/.exec(why)?.[1];
      retried = {
        status: status === undefined ? undefined : Number(status),
        kind: '',
        message: why,
        until: undefined,
        // It retries only after errors of the server, whose status it does not log.
        otherwise: 'overloaded',
      };
      const isHopeless = retries > RETRIES_MAX || isLimit(retried);
      if (isHopeless) hopeless = retried;
      const retrying = { type: 'retrying', why, afterMs: undefined } as const;
      return isHopeless ? [retrying, { type: 'stuck' }] : [retrying];
    },
    complete: (facts, { isOurs }) => {
      facts.error ??= isOurs ? (retried ?? hopeless) : retried;
    },
  });
};

/** The reason, when a line of the log reports a failed request. */
function retryIn(line: string): string | undefined {
  if (!line.includes('message="stream error"') || line.includes('small=true')) return undefined;
  const [, quoted, word] = /error\.error(?:\.message)?=(?:"((?:[^"\\]|\\.)*)"|(\S+))/.exec(line) ?? [];
  return oneLine((quoted ?? word ?? 'no answer').replace(/^AI_APICallError: /, ''));
}

function readTool(part: Fields, facts: TurnFacts): readonly TurnEvent[] {
  const state = objectAt(part, 'state');
  const tool = textField(part, 'tool');
  const id = textField(part, 'callID');
  const ok = textField(state, 'status') === 'completed';
  const isDenied = !ok && /permission|rejected/i.test(textField(state, 'error'));
  if (isDenied) facts.denied.push(tool);
  return [
    { type: 'tool.called', id, tool, about: aboutCall(objectAt(state, 'input')) },
    ...(isDenied ? [{ type: 'permission', tool, isAllowed: false } as const] : []),
    { type: 'tool.ended', id, ok },
  ];
}

/** A cost of 0 means that no price is set. */
function usageIn(part: Fields): Usage {
  const tokens = objectAt(part, 'tokens');
  const cache = objectAt(tokens, 'cache');
  const amount = (fields: Fields, name: string): number => amountAt(fields, name) ?? 0;
  return {
    input: amount(tokens, 'input') + amount(cache, 'write'),
    cached: amount(cache, 'read'),
    output: amount(tokens, 'output') + amount(tokens, 'reasoning'),
    usd: amountAt(part, 'cost') || undefined,
  };
}

function errorIn(error: Fields): TurnFacts['error'] {
  const data = objectAt(error, 'data');
  return {
    status: amountAt(data, 'statusCode'),
    kind: textField(error, 'name') === 'APIError' ? '' : textField(error, 'name'),
    message: textField(data, 'message') || textField(error, 'name'),
    until: undefined,
  };
}
