// Gemini generateContent.
import type { Part } from '../model-script.ts';
import {
  CREDIT,
  isFields,
  listAt,
  STATUS_TEXTS,
  textAt,
  USAGE,
  type Dialect,
  type Fields,
  type Reply,
} from './dialect.ts';

function partsOf(content: Fields): readonly Part[] {
  const parts = listAt(content, 'parts');
  if (content['role'] === 'model')
    return [parts.some((part) => isFields(part['functionCall'])) ? { type: 'called' } : { type: 'answered' }];
  const text = parts.map((part) => textAt(part, 'text')).join('\n');
  return text.trim() === '' ? [] : [{ type: 'asked', text }];
}

function partOf(reply: Reply): Fields {
  switch (reply.type) {
    case 'say':
      return { text: reply.text };
    case 'refuse':
      return { text: '' };
    case 'call':
      return { functionCall: { id: reply.id, name: reply.tool, args: reply.input } };
  }
}

const bodyOf = (model: string, reply: Reply): Fields => ({
  candidates: [
    {
      index: 0,
      content: { role: 'model', parts: [partOf(reply)] },
      finishReason: reply.type === 'refuse' ? 'SAFETY' : 'STOP',
    },
  ],
  usageMetadata: {
    promptTokenCount: USAGE.input + USAGE.cached,
    cachedContentTokenCount: USAGE.cached,
    candidatesTokenCount: USAGE.output,
    totalTokenCount: USAGE.input + USAGE.cached + USAGE.output,
  },
  modelVersion: model,
});

const STATES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

export const gemini: Dialect = {
  read: (path, body) => ({
    parts: listAt(body, 'contents').flatMap(partsOf),
    tools: listAt(body, 'tools').flatMap((tool) =>
      listAt(tool, 'functionDeclarations').map((each) => textAt(each, 'name')),
    ),
    model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
    streams: path.includes(':streamGenerateContent'),
    text: JSON.stringify(body),
  }),
  stream: ({ model }, reply) => [{ name: undefined, data: bodyOf(model, reply) }],
  whole: ({ model }, reply) => bodyOf(model, reply),
  end: '',
  begin: (text) => [
    {
      name: undefined,
      data: { candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }], modelVersion: 'stand-in' },
    },
  ],
  // It breaks off its stream of events for this.
  overload: JSON.stringify({
    error: { code: 503, message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' },
  }),
  fail: ({ status, kind, resetSeconds }) => ({
    status,
    headers: {},
    body: {
      error: {
        code: status,
        message: messages[kind] ?? STATUS_TEXTS[status] ?? 'Unknown.',
        status: STATES[status] ?? 'INTERNAL',
        details: resetSeconds === undefined ? [] : [retryInfo(resetSeconds)],
      },
    },
  }),
};

const retryInfo = (seconds: number): Fields => ({
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay: `${seconds}s`,
});

const messages: Readonly<Record<string, string>> = {
  quota: 'You exceeded your current quota, please check your plan and billing details.',
  context: 'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).',
  credit: CREDIT,
};
