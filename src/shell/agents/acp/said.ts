// What passes between the adapter and the program that speaks the protocol for it.
import type { TurnEvent } from '../../ports.ts';

/** Given to the program on its standard input. */
export interface AcpOrder {
  readonly words: readonly string[];
  readonly prompt: string;
  readonly conversation: string | undefined;
  readonly mode: string | undefined;
  /** What it may use, by the beginnings of what it calls it; nothing said is everything, each time it asks. */
  readonly allow: readonly string[];
}

/** Printed by it, one a line. */
export type AcpSaid =
  | Extract<TurnEvent, { type: 'conversation' | 'text' | 'tool.called' | 'tool.ended' | 'permission' }>
  | { readonly type: 'end'; readonly stop: string; readonly usage: unknown }
  | {
      readonly type: 'trouble';
      readonly status: number | undefined;
      readonly kind: string;
      readonly message: string;
    };
