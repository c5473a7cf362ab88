// One way of telling people something.
import type { Notice } from '../../core/view/notice/notice.ts';

export interface Channel {
  /** For sentences: `The webhook https://hooks.example.com/…`. */
  readonly name: string;
  /** Ends within its own limits, and soon after the signal says so. It never throws. */
  readonly tell: (notice: Notice, signal: AbortSignal) => Promise<Delivery>;
}

/** `failed` has a sentence on why, to follow the name. */
export type Delivery = { readonly type: 'told' } | { readonly type: 'failed'; readonly message: string };

export const DELIVERED: Delivery = { type: 'told' };
