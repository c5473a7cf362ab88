// Reads the `stream-json` output of Gemini CLI. It may exit with 0 after an error; otherwise its exit code is the HTTP
// status, truncated to a byte.
import type { Adapter, TurnEnding, TurnEvent } from '../ports/agents.ts';
import { aboutCall, amountAt, fieldsIn, objectAt, oneLine, textAt, type Fields } from './turn/fields.ts';
import { makeReader, spent, type TurnFacts } from './turn/turn-reader.ts';

export const readGemini: Adapter['reader'] = ({ agent }, priceOf) => {
  let complained = '';
  return makeReader({
    hear: (said, facts) => {
      switch (textAt(said, 'type')) {
        case 'init':
          facts.conversation = textAt(said, 'session_id') || facts.conversation;
          facts.model = textAt(said, 'model') || agent.model;
          return [];
        case 'message':
          return hearMessage(said, facts);
        case 'tool_use':
          // Text after a tool call begins a new response.
          facts.response = '';
          return [called(said)];
        case 'tool_result':
          return [{ type: 'tool.ended', id: textAt(said, 'tool_id'), ok: textAt(said, 'status') === 'success' }];
        case 'error':
          complained = textAt(said, 'message');
          return [];
        case 'result': {
          facts.hasEnded = true;
          if (textAt(said, 'status') !== 'success') facts.trouble = troubleIn(objectAt(said, 'error'), complained);
          const usage = usageIn(objectAt(said, 'stats'));
          return [spent(facts, { ...usage, usd: priceOf(facts.model ?? '', usage) })];
        }
        default:
          return [];
      }
    },
    hearComplaint: (line) =>
      /^Attempt \d+ failed/.test(line) ? [{ type: 'retrying', why: oneLine(line), afterMs: undefined }] : [],
    complete: (facts, ending) => {
      const status = statusOf(ending);
      if (facts.trouble !== undefined) facts.trouble = { ...facts.trouble, status: facts.trouble.status ?? status };
    },
  });
};

function hearMessage(said: Fields, facts: TurnFacts): readonly TurnEvent[] {
  if (textAt(said, 'role') !== 'assistant') return [];
  const text = textAt(said, 'content');
  facts.response = said['delta'] === true ? `${facts.response}${text}` : text;
  return [{ type: 'text', text }];
}

const called = (said: Fields): TurnEvent => ({
  type: 'tool.called',
  id: textAt(said, 'tool_id'),
  tool: textAt(said, 'tool_name'),
  about: aboutCall(objectAt(said, 'parameters')),
});

const usageIn = (stats: Fields) => ({
  input: amountAt(stats, 'input') ?? 0,
  cached: amountAt(stats, 'cached') ?? 0,
  output: amountAt(stats, 'output_tokens') ?? 0,
  usd: undefined,
});

const CODES = 256;
const STATUS_MIN = 400;

/** The exit code is the HTTP status truncated to a byte. */
function statusOf({ exit }: TurnEnding): number | undefined {
  const status = CODES + (exit.code ?? 0);
  return status >= STATUS_MIN ? status : undefined;
}

/** `[API Error: …]` around the provider's answer, or around its message. */
function troubleIn(error: Fields, complained: string): TurnFacts['trouble'] {
  const message = textAt(error, 'message') || complained;
  const answer = objectAt(fieldsIn(message.replace(/\]\s*$/, '').replace(/\}\][^}]*$/, '}')) ?? {}, 'error');
  const seconds = /retry after (\d+(?:\.\d+)?)s/.exec(message)?.[1];
  return {
    status: amountAt(answer, 'code'),
    kind: textAt(answer, 'status'),
    message: textAt(answer, 'message') || message,
    until: seconds === undefined ? undefined : Date.now() + Number(seconds) * 1000,
  };
}
