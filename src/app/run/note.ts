// Notes for people while a run is coordinated, besides its events.
import type { SandboxBackend } from '../../core/protocol/sandbox-backend.ts';
import type { LandOutcome } from '../git/land-run.ts';
import type { StoreFailure } from '../refusal.ts';
import type { GitNote } from '../sandbox-parts.ts';

export type Note =
  /** An interrupt asked running steps to end; another one kills them. */
  | { readonly code: 'stopping' }
  | { readonly code: 'stop-not-posted'; readonly failure: StoreFailure }
  | { readonly code: 'ending-now' }
  /** Which trees sandboxes got, and how they are isolated. */
  | { readonly code: 'sandboxes'; readonly backend: SandboxBackend }
  | { readonly code: 'notification-failed'; readonly message: string }
  | { readonly code: 'landed'; readonly run: string; readonly outcome: LandOutcome }
  | GitNote;
