// One way of telling people something.
import type { Notice } from '../../core/view/notice/notice.ts';

export interface Way {
  /** For sentences: `The webhook https://hooks.example.com/…`. */
  readonly name: string;
  /** Ends within its own limits, and soon after the signal says so. It never throws. */
  readonly tell: (notice: Notice, signal: AbortSignal) => Promise<Told>;
}

/** `failed` has a sentence on why, to follow the name. */
export type Told = { readonly type: 'told' } | { readonly type: 'failed'; readonly message: string };

export const TOLD: Told = { type: 'told' };
