// What the scripted agent's program prints: one JSON object a line. The program writes it and the adapter reads it.
import type { Permission, Reason } from '../../../core/protocol/result.ts';
import type { Json } from '../../../core/plan/plan.ts';

/** Reasons that an agent may give itself; the rest are for whoever watches it to say. */
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

/** Of these the next try would come to the same end. */
export const FINAL_REASONS: ReadonlySet<Reason> = new Set([
  'refused',
  'authentication',
  'bad_request',
  'context',
  'turns',
  'permission',
]);

export type Said =
  | { readonly type: 'text'; readonly text: string }
  /** A tool begins. */
  | { readonly type: 'using'; readonly command: string }
  | { readonly type: 'tool'; readonly command: string; readonly exitCode: number | undefined }
  /** All of the turn so far; a part that was never mentioned is left out. */
  | { readonly type: 'spent'; readonly usd: number | undefined; readonly tokens: number | undefined }
  | { readonly type: 'limited'; readonly until: number | undefined; readonly by: 'quota' | 'rate_limit' }
  /** The name by which the turn can be taken up again. */
  | { readonly type: 'conversation'; readonly id: string }
  /** It wants something of a person, and ends its turn. */
  | { readonly type: 'asked'; readonly question: string; readonly permission: Permission | undefined }
  /** It wanted leave for a command, and this was the answer. */
  | { readonly type: 'permission'; readonly tool: string; readonly isAllowed: boolean }
  /** The last line of a turn that came to its end. */
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
