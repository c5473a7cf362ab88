// What a server may want to say to the person who started it: a code, and values.
import type { StoreFailure } from '../../core/protocol/store-failure.ts';
import type { TransferFailure } from '../../core/protocol/transfer-failure.ts';
import type { Refusal } from '../../core/view/text/refusal.ts';
import type { LoopLeft } from '../../shell/loop/loop.ts';
import type { RunOver } from '../../shell/ports/log.ts';
import type { ObserverNote } from '../run/observer.ts';
import type { HostChange } from './gateway.ts';

export type ServerNote =
  | { readonly code: 'taken-up'; readonly run: string }
  | { readonly code: 'run-over'; readonly run: string; readonly over: RunOver | LoopLeft }
  /** `refusal` is undefined for a bug of ours. */
  | {
      readonly code: 'run-failed';
      readonly run: string;
      readonly refusal: Refusal | undefined;
      readonly cause: unknown;
    }
  | { readonly code: 'of-run'; readonly run: string; readonly note: ObserverNote }
  | { readonly code: 'store-away'; readonly refusal: Refusal }
  /** Undefined when the engine is well again. */
  | { readonly code: 'engine'; readonly failure: StoreFailure | undefined }
  /** The repository that servers share; undefined when it is well again. */
  | { readonly code: 'remote'; readonly failure: TransferFailure | undefined }
  | { readonly code: 'host'; readonly change: HostChange };
