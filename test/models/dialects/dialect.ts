// How one provider's interface is spoken: what a request says, and how replies and errors are written.
import type { Move, Part, Trouble } from '../model-script.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly parts: readonly Part[];
  readonly tools: readonly string[];
  readonly model: string;
  readonly streams: boolean;
  /** All of the request as text, to look for the folder that the agent works in. */
  readonly text: string;
  /** By which number the agent knows a command that it says is still running. */
  readonly running?: number | undefined;
}

export type Reply = Extract<Move, { type: 'say' | 'refuse' }> | Call;

/** A call of one of the agent's tools. */
export interface Call {
  readonly type: 'call';
  readonly id: string;
  readonly tool: string;
  readonly input: Fields;
}

/** One event of a stream; the name is left out where the provider does. */
export interface StreamEvent {
  readonly name: string | undefined;
  readonly data: unknown;
}

export interface Failing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Dialect {
  readonly read: (path: string, body: Fields) => Asked;
  /** The events of a streamed reply, in order. */
  readonly stream: (asked: Asked, reply: Reply) => readonly StreamEvent[];
  readonly whole: (asked: Asked, reply: Reply) => unknown;
  /** What ends a stream besides its last event. */
  readonly end: string;
  /** The first events of an answer that goes on. */
  readonly begin: (text: string) => readonly StreamEvent[];
  /** As it stands in the stream. */
  readonly overload: string;
  readonly fail: (trouble: Extract<Trouble, { type: 'error' }>, now: number) => Failing;
}

export const eventText = ({ name, data }: StreamEvent): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

export const EMPTY: Asked = { parts: [], tools: [], model: 'stand-in', streams: true, text: '' };

/** In the words of providers, none of which says the status. */
export const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'One of the parameters of this request is not supported.',
  401: 'Incorrect credentials were given.',
  402: 'Insufficient Balance',
  403: 'Your account may not use this.',
  404: 'There is no such model.',
  429: 'Too many requests were sent in a short time.',
  500: 'The server had an error while processing your request. Sorry about that!',
  502: 'Bad Gateway',
  503: 'That model is currently overloaded with other requests.',
  529: 'Overloaded',
};

export const CREDIT = 'Your credit balance is too low. Go to Plans & Billing to purchase credits.';

/** What every reply is said to have used, so that tests can do the sum. */
export const USAGE = { input: 100, cached: 40, output: 10 } as const;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listAt = (fields: Fields, name: string): readonly Fields[] => {
  const list = fields[name];
  return Array.isArray(list) ? list.filter(isFields) : [];
};

export const textAt = (fields: Fields, name: string): string => {
  const text = fields[name];
  return typeof text === 'string' ? text : '';
};

/** Text of a message whose content is a text or a list of parts. */
export const contentText = (fields: Fields): string =>
  typeof fields['content'] === 'string'
    ? fields['content']
    : listAt(fields, 'content')
        .map((part) => textAt(part, 'text'))
        .join('\n');

export const retryAfter = (seconds: number | undefined): Readonly<Record<string, string>> =>
  seconds === undefined ? {} : { 'retry-after': String(seconds) };

let ids = 0;

/** Agents take two replies with one id for one. */
export const nextId = (prefix: string): string => {
  ids += 1;
  return `${prefix}_${ids}`;
};
