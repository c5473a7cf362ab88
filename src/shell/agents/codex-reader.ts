// Reads the output of `codex exec --json`. A line of type `error` may be a retry, and an item of that type a warning:
// only `turn.failed` is final, and without a network it never comes. Its usage is that of the whole conversation,
// cached tokens included. It prints that at the end of a turn alone, and writes it to its session file after each answer.
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Usage } from '../../core/protocol/result.ts';
import type { Adapter, TurnEvent, TurnRequest } from '../ports/agents.ts';
import { amountAt, fieldsIn, objectAt, oneLine, textField } from './turn/fields.ts';
import { type Fields } from '../../core/plan/json-fields.ts';
import { makeReader, spent, type TurnFacts } from './turn/turn-reader.ts';
import { followSession, newestFile } from './turn/session-file.ts';
import { larger, since } from './turn/usage.ts';
import { timeIn } from './time-in.ts';

/**
 * Without a network it waits for ever, and reports each try. After this many tries, about two minutes, the turn is
 * ended, to be retried.
 */
const NETWORK_WAITS_MAX = 6;
const NETWORK = /^Reconnecting\.* waiting for network(?: \((.*)\))?/u;

export const readCodex: Adapter['reader'] = (request, priceOf) => {
  const { conversation, agent } = request;
  const retries = followRetries();
  const priced = (facts: TurnFacts, counter: Usage): readonly TurnEvent[] => {
    const usage = since(counter, conversation?.reading);
    return spent(facts, { ...usage, usd: priceOf(agent.model ?? '', usage) });
  };
  let session: ReturnType<typeof followSession> | undefined;
  return makeReader({
    request,
    poll: (facts, home) => {
      const { conversation: id } = facts;
      if (id === undefined) return [];
      session ??= followSession(() => newestFile(sessionsOf(request, home), `${id}.jsonl`, DATE_FOLDERS));
      const counter = session()
        .map(totalIn)
        .findLast((each) => each !== undefined);
      if (counter === undefined || isBehind(counter, conversation?.reading)) return [];
      facts.isPartial = true;
      // A turn that fails prints no counter, and the next must not count this one's answers again.
      facts.reading = counter;
      return priced(facts, counter);
    },
    read: (printed, facts) => {
      if (textField(printed, 'type') !== 'error') retries.end();
      switch (textField(printed, 'type')) {
        case 'thread.started':
          facts.conversation = textField(printed, 'thread_id') || facts.conversation;
          return [];
        case 'item.started':
          return begun(objectAt(printed, 'item'));
        case 'item.completed':
          return completed(objectAt(printed, 'item'), facts);
        case 'error':
          return retries.read(textField(printed, 'message'));
        case 'turn.failed':
          facts.error = errorIn(textField(objectAt(printed, 'error'), 'message'));
          return [];
        case 'turn.completed': {
          facts.hasEnded = true;
          const counter = counterIn(objectAt(printed, 'usage'));
          if (counter === undefined) return [];
          facts.reading = counter;
          facts.isPartial = false;
          return priced(facts, counter);
        }
        default:
          return [];
      }
    },
    complete: (facts, { isOurs }) => {
      if (isOurs) retries.conclude(facts);
    },
  });
};

/** Requests that it makes again. One that broke off, unlike a wait for the network, has come to the provider. */
function followRetries() {
  let waits = 0;
  let waited: TurnFacts['error'];
  let hasBrokenOff = false;
  return {
    end: (): void => {
      waits = 0;
    },
    read: (message: string): readonly TurnEvent[] => {
      if (!message.startsWith('Reconnecting')) return [];
      const retrying = { type: 'retrying', why: oneLine(message), afterMs: undefined } as const;
      const network = NETWORK.exec(message);
      hasBrokenOff ||= network === null;
      if (network === null) return [retrying];
      waits += 1;
      waited = errorIn(network[1] ?? 'It has no connection to its provider.');
      return waits < NETWORK_WAITS_MAX ? [retrying] : [retrying, { type: 'stuck' }];
    },
    /** The turn was ended because it waited. */
    conclude: (facts: TurnFacts): void => {
      facts.error ??= waited;
      facts.isUnreached = waited !== undefined && !hasBrokenOff;
    },
  };
}

/** By year, month and day. */
const DATE_FOLDERS = 3;

function sessionsOf({ environment }: TurnRequest, home: string | undefined): string {
  const own = environment['CODEX_HOME'] ?? join(environment['HOME'] ?? homedir(), '.codex');
  return join(home === undefined ? own : join(home, '.codex'), 'sessions');
}

const totalIn = (line: Fields): Usage | undefined =>
  counterIn(objectAt(objectAt(objectAt(line, 'payload'), 'info'), 'total_token_usage'));

/** A reading of an earlier turn of the same conversation. */
const isBehind = (counter: Usage, reading: Usage | undefined): boolean => {
  if (reading === undefined) return false;
  const { input, cached, output } = larger(counter, reading);
  return input > counter.input || cached > counter.cached || output > counter.output;
};

const TOOLS: ReadonlySet<string> = new Set([
  'command_execution',
  'file_change',
  'mcp_tool_call',
  'web_search',
  'collab_tool_call',
]);

function begun(item: Fields): readonly TurnEvent[] {
  const type = textField(item, 'type');
  if (!TOOLS.has(type)) return [];
  const about = oneLine(textField(item, 'command') || textField(item, 'tool') || textField(item, 'query'));
  return [{ type: 'tool.called', id: textField(item, 'id'), tool: type, about }];
}

function completed(item: Fields, facts: TurnFacts): readonly TurnEvent[] {
  const type = textField(item, 'type');
  if (type !== 'error') facts.hasAnswered = true;
  if (type === 'agent_message') {
    facts.response = textField(item, 'text');
    return [{ type: 'text', text: facts.response }];
  }
  if (!TOOLS.has(type)) return [];
  const isDeclined = textField(item, 'status') === 'declined';
  if (isDeclined) facts.denied.push(type);
  return [
    { type: 'tool.ended', id: textField(item, 'id'), ok: textField(item, 'status') === 'completed' },
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
    kind: [textField(answer, 'code'), textField(answer, 'type')].filter((word) => word !== '').join(' '),
    message: textField(answer, 'message') || message,
    until: timeIn(message, Date.now()),
  };
}
