// Anthropic Messages.
import type { Part } from '../model-script.ts';
import {
  contentText,
  CREDIT,
  EMPTY,
  eventText,
  listAt,
  nextId,
  retryAfter,
  STATUS_TEXTS,
  textAt,
  USAGE,
  type Asked,
  type Dialect,
  type Fields,
  type Reply,
} from './dialect.ts';

function partsOf(message: Fields): readonly Part[] {
  const blocks = listAt(message, 'content');
  if (message['role'] === 'assistant') {
    const isCall = blocks.some((block) => block['type'] === 'tool_use');
    return [isCall ? { type: 'called' } : { type: 'answered' }];
  }
  const text = contentText(message);
  return text === '' ? [] : [{ type: 'asked', text }];
}

const usage = {
  input_tokens: USAGE.input,
  cache_read_input_tokens: USAGE.cached,
  cache_creation_input_tokens: 0,
  output_tokens: USAGE.output,
};

function blockOf(reply: Reply): Fields {
  switch (reply.type) {
    case 'say':
      return { type: 'text', text: reply.text };
    case 'refuse':
      return { type: 'text', text: '' };
    case 'call':
      return { type: 'tool_use', id: reply.id, name: reply.tool, input: reply.input };
  }
}

const STOPS = { say: 'end_turn', refuse: 'refusal', call: 'tool_use' } as const;

const messageOf = (asked: Asked, content: readonly unknown[], stop: string | null): Fields => ({
  id: nextId('msg'),
  type: 'message',
  role: 'assistant',
  model: asked.model,
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage,
});

const event = (data: Fields & { readonly type: string }) => ({ name: data.type, data });

/** The block as it begins, empty, and what then comes of it. */
function blockEvents(reply: Reply) {
  const block = blockOf(reply);
  const [begun, delta] =
    reply.type === 'call'
      ? [
          { ...block, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(reply.input) },
        ]
      : [
          { ...block, text: '' },
          { type: 'text_delta', text: textAt(block, 'text') },
        ];
  return [
    event({ type: 'content_block_start', index: 0, content_block: begun }),
    event({ type: 'content_block_delta', index: 0, delta }),
    event({ type: 'content_block_stop', index: 0 }),
  ];
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

/** Of the output only the first token is known when an answer begins. */
const startOf = (asked: Asked) =>
  event({ type: 'message_start', message: { ...messageOf(asked, [], null), usage: { ...usage, output_tokens: 1 } } });

export const anthropic: Dialect = {
  read: (_, body) => ({
    parts: listAt(body, 'messages').flatMap(partsOf),
    tools: listAt(body, 'tools').map((tool) => textAt(tool, 'name')),
    model: textAt(body, 'model'),
    streams: body['stream'] === true,
    text: JSON.stringify(body),
  }),
  stream: (asked, reply) => [
    startOf(asked),
    ...blockEvents(reply),
    event({ type: 'message_delta', delta: { stop_reason: STOPS[reply.type], stop_sequence: null }, usage }),
    event({ type: 'message_stop' }),
  ],
  whole: (asked, reply) => messageOf(asked, [blockOf(reply)], STOPS[reply.type]),
  end: '',
  begin: (text) => [startOf(EMPTY), ...blockEvents({ type: 'say', text }).slice(0, 2)],
  overload: eventText(event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })),
  fail: ({ status, kind, resetSeconds }, now) => ({
    status,
    headers: {
      'request-id': 'req_stand_in',
      ...retryAfter(resetSeconds),
      ...(kind === 'quota' && resetSeconds !== undefined ? quotaHeaders(Math.round(now / 1000) + resetSeconds) : {}),
    },
    body: {
      type: 'error',
      error: { type: TYPES[status] ?? 'api_error', message: messages[kind] ?? STATUS_TEXTS[status] ?? 'Unknown.' },
    },
  }),
};

const quotaHeaders = (resetsAt: number): Readonly<Record<string, string>> => ({
  'anthropic-ratelimit-unified-status': 'rejected',
  'anthropic-ratelimit-unified-representative-claim': 'five_hour',
  'anthropic-ratelimit-unified-reset': String(resetsAt),
});

const messages: Readonly<Record<string, string>> = {
  quota: "This request would exceed your account's rate limit.",
  context: 'prompt is too long: 250000 tokens > 200000 maximum',
  credit: CREDIT,
};
