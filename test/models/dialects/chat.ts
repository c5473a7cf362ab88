// OpenAI Chat Completions.
import type { Part } from '../model-script.ts';
import {
  contentText,
  eventText,
  isFields,
  listAt,
  nextId,
  retryAfter,
  textAt,
  USAGE,
  type Dialect,
  type Fields,
  type Reply,
} from './dialect.ts';
import { errorOf } from './responses.ts';

function partsOf(message: Fields): readonly Part[] {
  if (message['role'] === 'assistant')
    return [listAt(message, 'tool_calls').length > 0 ? { type: 'called' } : { type: 'answered' }];
  return message['role'] === 'user' ? [{ type: 'asked', text: contentText(message) }] : [];
}

// Here what was read from a cache is part of the input.
const usage = {
  prompt_tokens: USAGE.input + USAGE.cached,
  completion_tokens: USAGE.output,
  total_tokens: USAGE.input + USAGE.cached + USAGE.output,
  prompt_tokens_details: { cached_tokens: USAGE.cached },
};

function messageOf(reply: Reply): Fields {
  switch (reply.type) {
    case 'say':
      return { role: 'assistant', content: reply.text };
    case 'refuse':
      return { role: 'assistant', content: '', refusal: 'I will not do that.' };
    case 'call': {
      const call = { name: reply.tool, arguments: JSON.stringify(reply.input) };
      return {
        role: 'assistant',
        content: null,
        tool_calls: [{ index: 0, id: reply.id, type: 'function', function: call }],
      };
    }
  }
}

const STOPS = { say: 'stop', refuse: 'content_filter', call: 'tool_calls' } as const;

const chunk = (model: string, choices: readonly unknown[], more: Fields = {}) => ({
  name: undefined,
  data: { id: nextId('chat'), object: 'chat.completion.chunk', created: 0, model, choices, ...more },
});

export const chat: Dialect = {
  read: (_, body) => ({
    parts: listAt(body, 'messages').flatMap(partsOf),
    tools: listAt(body, 'tools').map((tool) => (isFields(tool['function']) ? textAt(tool['function'], 'name') : '')),
    model: textAt(body, 'model'),
    streams: body['stream'] === true,
    text: JSON.stringify(body),
  }),
  stream: ({ model }, reply) => [
    chunk(model, [{ index: 0, delta: messageOf(reply), finish_reason: null }]),
    chunk(model, [{ index: 0, delta: {}, finish_reason: STOPS[reply.type] }]),
    chunk(model, [], { usage }),
  ],
  whole: ({ model }, reply) => ({
    id: nextId('chat'),
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, message: messageOf(reply), finish_reason: STOPS[reply.type] }],
    usage,
  }),
  end: 'data: [DONE]\n\n',
  begin: (text) => [chunk('stand-in', [{ index: 0, delta: messageOf({ type: 'say', text }), finish_reason: null }])],
  overload: eventText({
    name: undefined,
    data: { error: { message: 'Overloaded', type: 'server_error', code: 'overloaded' } },
  }),
  fail: ({ status, kind, resetSeconds }) => ({
    status,
    headers: retryAfter(resetSeconds),
    body: { error: kind === 'quota' ? QUOTA : errorOf(status, kind) },
  }),
};

const QUOTA = {
  message: 'You exceeded your current quota, please check your plan and billing details.',
  type: 'insufficient_quota',
  code: 'insufficient_quota',
};
