// What passes between the adapter and the program that speaks the protocol for it.
import type { TurnEvent } from '../../ports.ts';
import type { PermissionRules } from '../turn/permission.ts';

/** Given to the program on its standard input. */
export interface AcpOrder {
  readonly words: readonly string[];
  readonly prompt: string;
  readonly conversation: string | undefined;
  readonly mode: string | undefined;
  readonly leavingMs: number;
  /** What it may use, each time it asks. */
  readonly rules: PermissionRules;
}

/** Printed by it, one a line. */
export type AcpSaid =
  | Extract<TurnEvent, { type: 'conversation' | 'tool.called' | 'tool.ended' | 'asked' }>
  /** `message` is the number of the message that it is a piece of, where there are any. */
  | (Extract<TurnEvent, { type: 'text' }> & { readonly message: string })
  | (Extract<TurnEvent, { type: 'permission' }> & { readonly isByPerson: boolean })
  | { readonly type: 'end'; readonly stop: string; readonly usage: unknown }
  | {
      readonly type: 'trouble';
      readonly status: number | undefined;
      readonly kind: string;
      readonly message: string;
    };
