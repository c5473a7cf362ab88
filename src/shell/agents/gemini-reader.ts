// Reads the `stream-json` output of Gemini CLI. It may exit with 0 after an error; otherwise its exit code is the HTTP
// status, truncated to a byte. It prints its usage at the end of a turn alone, and writes it to its session file after each
// answer.
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Usage } from '../../core/protocol/result.ts';
import type { Adapter, TurnEnding, TurnEvent, TurnRequest } from '../ports/agents.ts';
import { aboutCall, amountAt, fieldsIn, objectAt, oneLine, textField } from './turn/fields.ts';
import { type Fields } from '../../core/plan/json-fields.ts';
import { followSession, newestFile } from './turn/session-file.ts';
import { makeReader, spent, type TurnFacts } from './turn/turn-reader.ts';
import { NO_USAGE, plus } from './turn/usage.ts';

export const readGemini: Adapter['reader'] = (request, priceOf) => {
  const { agent } = request;
  let reported = '';
  let begunAt = '';
  let session: ReturnType<typeof followSession> | undefined;
  /** By message: one is written again when its tools have ended. */
  const answers = new Map<string, Usage>();
  return makeReader({
    request,
    poll: (facts, home) => {
      const { conversation: id } = facts;
      if (id === undefined) return [];
      const ending = `-${id.slice(0, ID_LETTERS)}.jsonl`;
      session ??= followSession(() => newestFile(projectsOf(request, home), ending, 2));
      for (const line of session()) {
        const tokens = objectAt(line, 'tokens');
        const isOfTurn = textField(line, 'type') === 'gemini' && textField(line, 'timestamp') > begunAt;
        if (isOfTurn && amountAt(tokens, 'input') !== undefined) answers.set(textField(line, 'id'), answerIn(tokens));
      }
      const usage = [...answers.values()].reduce(plus, NO_USAGE);
      facts.isPartial = true;
      return spent(facts, { ...usage, usd: priceOf(facts.model ?? '', usage) });
    },
    read: (printed, facts) => {
      switch (textField(printed, 'type')) {
        case 'init':
          facts.conversation = textField(printed, 'session_id') || facts.conversation;
          facts.model = textField(printed, 'model') || agent.model;
          begunAt = textField(printed, 'timestamp');
          return [];
        case 'message':
          return readMessage(printed, facts);
        case 'tool_use':
          // Text after a tool call begins a new response.
          facts.response = '';
          return [called(printed)];
        case 'tool_result':
          return [
            { type: 'tool.ended', id: textField(printed, 'tool_id'), ok: textField(printed, 'status') === 'success' },
          ];
        case 'error':
          reported = textField(printed, 'message');
          return [];
        case 'result': {
          facts.hasEnded = true;
          if (textField(printed, 'status') !== 'success') facts.error = errorIn(objectAt(printed, 'error'), reported);
          facts.isPartial = false;
          const usage = usageIn(objectAt(printed, 'stats'));
          return spent(facts, { ...usage, usd: priceOf(facts.model ?? '', usage) });
        }
        default:
          return [];
      }
    },
    readStderr: (line) =>
      /^Attempt \d+ failed/.test(line) ? [{ type: 'retrying', why: oneLine(line), afterMs: undefined }] : [],
    complete: (facts, ending) => {
      const status = statusOf(ending);
      if (facts.error !== undefined) facts.error = { ...facts.error, status: facts.error.status ?? status };
    },
  });
};

/** Of the conversation's id, in the name of its file. */
const ID_LETTERS = 8;

function projectsOf({ environment }: TurnRequest, home: string | undefined): string {
  return join(home ?? environment['GEMINI_CLI_HOME'] ?? environment['HOME'] ?? homedir(), '.gemini', 'tmp');
}

/** Cached tokens are part of its input there. */
function answerIn(tokens: Fields): Usage {
  const cached = amountAt(tokens, 'cached') ?? 0;
  const input = Math.max(0, (amountAt(tokens, 'input') ?? 0) - cached);
  return { input, cached, output: amountAt(tokens, 'output') ?? 0, usd: undefined };
}

function readMessage(printed: Fields, facts: TurnFacts): readonly TurnEvent[] {
  if (textField(printed, 'role') !== 'assistant') return [];
  const text = textField(printed, 'content');
  facts.hasAnswered = true;
  facts.response = printed['delta'] === true ? `${facts.response}${text}` : text;
  return [{ type: 'text', text }];
}

const called = (printed: Fields): TurnEvent => ({
  type: 'tool.called',
  id: textField(printed, 'tool_id'),
  tool: textField(printed, 'tool_name'),
  about: aboutCall(objectAt(printed, 'parameters')),
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

/** It does not report the provider's message inside a stream, only that the stream closed without an answer. */
const UNFINISHED = /^Model stream ended (without a finish reason|with empty response)/;

/** `[API Error: …]` around the provider's answer, or around its message. */
function errorIn(error: Fields, reported: string): TurnFacts['error'] {
  const message = textField(error, 'message') || reported;
  const answer = objectAt(fieldsIn(message.replace(/\]\s*$/, '').replace(/\}\][^}]*$/, '}')) ?? {}, 'error');
  const seconds = /retry after (\d+(?:\.\d+)?)s/.exec(message)?.[1];
  return {
    status: amountAt(answer, 'code'),
    kind: textField(answer, 'status'),
    message: textField(answer, 'message') || message,
    ...(UNFINISHED.test(message) ? { kind: 'overloaded' } : {}),
    until: seconds === undefined ? undefined : Date.now() + Number(seconds) * 1000,
  };
}
