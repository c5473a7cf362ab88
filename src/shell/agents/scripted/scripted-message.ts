// The output of the scripted agent's program: one JSON object per line, written by the program and read by the adapter.
import type { Permission, Reason } from '../../../core/protocol/result.ts';
import type { Json } from '../../../core/plan/plan.ts';

/** Reasons that an agent may report itself; the worker reports the others. */
export const FAIL_REASONS: readonly Reason[] = [
  'failed',
  'refused',
  'asked',
  'crashed',
  'cost',
  'timeout',
  'idle',
  'overloaded',
  'authentication',
  'bad_request',
  'context',
  'turns',
  'permission',
  'cut_off',
];

/** Reasons for which a retry would fail as well. */
export const FINAL_REASONS: ReadonlySet<Reason> = new Set([
  'refused',
  'authentication',
  'bad_request',
  'context',
  'turns',
  'permission',
]);

export type ScriptedMessage =
  | { readonly type: 'text'; readonly text: string }
  /** A tool begins. */
  | { readonly type: 'using'; readonly command: string }
  | { readonly type: 'tool'; readonly command: string; readonly exitCode: number | undefined }
  /** The turn's total so far; a part that was never mentioned is left out. */
  | { readonly type: 'spent'; readonly usd: number | undefined; readonly tokens: number | undefined }
  | { readonly type: 'limited'; readonly until: number | undefined; readonly by: 'quota' | 'rate_limit' }
  /** The id by which the conversation can be continued. */
  | { readonly type: 'conversation'; readonly id: string }
  /** The agent asks a person, and ends its turn. */
  | { readonly type: 'asked'; readonly question: string; readonly permission: Permission | undefined }
  /** The agent asked for permission to run a command, and this was the answer. */
  | { readonly type: 'permission'; readonly tool: string; readonly isAllowed: boolean }
  /** The last line of a complete turn. */
  | Finished
  | Failed;

interface Finished {
  readonly type: 'result';
  readonly ok: true;
  readonly response: string;
  readonly output: Json | undefined;
}

interface Failed {
  readonly type: 'result';
  readonly ok: false;
  readonly reason: Reason;
  readonly message: string;
  readonly isFinal: boolean;
}
