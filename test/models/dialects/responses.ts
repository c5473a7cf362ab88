// OpenAI Responses.
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

function partsOf(item: Fields): readonly Part[] {
  const type = item['type'];
  // To wait for a command is no move of the script.
  if (item['name'] === 'write_stdin') return [];
  if (type === 'function_call' || type === 'custom_tool_call' || type === 'local_shell_call')
    return [{ type: 'called' }];
  if (type !== 'message' && type !== undefined) return [];
  if (item['role'] === 'assistant') return [{ type: 'answered' }];
  return item['role'] === 'user' ? [{ type: 'asked', text: contentText(item) }] : [];
}

function runningIn(items: readonly Fields[]): number | undefined {
  const last = items.at(-1);
  const said = last?.['type'] === 'function_call_output' ? JSON.stringify(last['output']) : '';
  const number = /running with session ID (\d+)/i.exec(said)?.[1];
  return number === undefined ? undefined : Number(number);
}

function itemOf(reply: Reply): Fields {
  switch (reply.type) {
    case 'say':
      return messageItem([{ type: 'output_text', text: reply.text, annotations: [] }]);
    case 'refuse':
      return messageItem([{ type: 'refusal', refusal: 'I will not do that.' }]);
    case 'call':
      return {
        type: 'function_call',
        id: `fc_${reply.id}`,
        call_id: reply.id,
        ...namedIn(reply.tool),
        arguments: JSON.stringify(reply.input),
        status: 'completed',
      };
  }
}

/** Codex puts the tools of each MCP server into a namespace. */
function namedIn(tool: string): Fields {
  const [, namespace, name] = /^(mcp__.+)__(.+?)$/u.exec(tool) ?? [];
  return namespace === undefined ? { name: tool } : { namespace, name };
}

const toolsOf = (tool: Fields): readonly string[] =>
  tool['type'] === 'namespace'
    ? listAt(tool, 'tools').map((inner) => `${textAt(tool, 'name')}__${textAt(inner, 'name')}`)
    : [textAt(tool, 'name')];

const messageItem = (content: readonly unknown[]): Fields => ({
  type: 'message',
  id: nextId('msg'),
  role: 'assistant',
  status: 'completed',
  content,
});

// Here what was read from a cache is part of the input.
const usage = {
  input_tokens: USAGE.input + USAGE.cached,
  input_tokens_details: { cached_tokens: USAGE.cached },
  output_tokens: USAGE.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: USAGE.input + USAGE.cached + USAGE.output,
};

const responseOf = ({ model }: Asked, output: readonly unknown[], status: string): Fields => ({
  id: nextId('resp'),
  object: 'response',
  created_at: 0,
  model,
  status,
  output,
  usage: status === 'completed' ? usage : null,
});

const event = (data: Fields & { readonly type: string }) => ({ name: data.type, data });

function begun(text: string) {
  const item = messageItem([]);
  return [
    event({ type: 'response.created', response: responseOf(EMPTY, [], 'in_progress') }),
    event({ type: 'response.output_item.added', output_index: 0, item }),
    event({ type: 'response.output_text.delta', item_id: item['id'], output_index: 0, content_index: 0, delta: text }),
  ];
}

export const responses: Dialect = {
  read: (_, body) => ({
    parts:
      typeof body['input'] === 'string'
        ? [{ type: 'asked', text: body['input'] }]
        : listAt(body, 'input').flatMap(partsOf),
    tools: listAt(body, 'tools').flatMap(toolsOf),
    model: textAt(body, 'model'),
    streams: body['stream'] === true,
    text: JSON.stringify(body),
    running: runningIn(listAt(body, 'input')),
  }),
  stream: (asked, reply) => {
    const item = itemOf(reply);
    return [
      event({ type: 'response.created', response: responseOf(asked, [], 'in_progress') }),
      event({ type: 'response.output_item.added', output_index: 0, item }),
      event({ type: 'response.output_item.done', output_index: 0, item }),
      event({ type: 'response.completed', response: responseOf(asked, [item], 'completed') }),
    ];
  },
  whole: (asked, reply) => responseOf(asked, [itemOf(reply)], 'completed'),
  end: '',
  begin: (text) => begun(text),
  overload: eventText(
    event({
      type: 'response.failed',
      response: {
        id: nextId('resp'),
        status: 'failed',
        error: { code: 'server_is_overloaded', message: 'Our servers are currently overloaded.' },
      },
    }),
  ),
  fail: ({ status, kind, resetSeconds }, now) => ({
    status,
    headers: retryAfter(resetSeconds),
    body: { error: { ...errorOf(status, kind), ...resetOf(kind, resetSeconds, now) } },
  }),
};

/** A plan's own limit, not the interface's, says when it is lifted in the body. */
const resetOf = (kind: string, resetSeconds: number | undefined, now: number): Fields =>
  kind === 'quota' && resetSeconds !== undefined
    ? { resets_at: Math.round(now / 1000) + resetSeconds, resets_in_seconds: resetSeconds, plan_type: 'plus' }
    : {};

export function errorOf(status: number, kind: string): Fields {
  if (kind === 'context')
    return {
      message: 'Your input exceeds the context window of this model.',
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      param: 'input',
    };
  if (kind === 'quota') return { message: 'The usage limit has been reached', type: 'usage_limit_reached', code: null };
  if (kind === 'credit') return { message: CREDIT, type: 'insufficient_quota', code: 'billing_not_active' };
  return {
    message: STATUS_TEXTS[status] ?? 'Unknown.',
    type: TYPES[status] ?? 'server_error',
    code: CODES[status] ?? null,
  };
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'invalid_request_error',
  429: 'requests',
};
const CODES: Readonly<Record<number, string>> = { 401: 'invalid_api_key', 429: 'rate_limit_exceeded' };
