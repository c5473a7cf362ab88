// How one provider's interface is spoken: what a request says, and how replies and errors are written.
import type { Move, Part, Trouble } from '../script.ts';

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
  readonly overload: StreamEvent;
  readonly fail: (trouble: Extract<Trouble, { type: 'error' }>, now: number) => Failing;
}

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
