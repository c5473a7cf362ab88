// Receives the events of a run while it is coordinated or followed, and notes for people besides.
import type { Compiled } from '../../core/compile/compiled.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import type { State } from '../../core/engine/state.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import type { SandboxBackend } from '../../core/protocol/sandbox-backend.ts';
import type { LandOutcome } from '../git/land-run.ts';
import type { StoreFailure } from '../../core/protocol/store-failure.ts';
import type { TelemetryNote } from '../telemetry/telemetry-note.ts';
import type { GitNote } from '../sandbox-parts.ts';

/** Is told of a run while it goes on. */
export interface Observer {
  /** `past` reads the earlier events. */
  readonly onStart: (record: RunRecord, compiled: Compiled, past: () => readonly RunEvent[]) => void;
  /** Called after each append; the state may be read and must not be kept. */
  readonly onEvents: (events: readonly RunEvent[], state: State) => void;
  readonly onNote: (note: ObserverNote) => void;
  /** Called when the loop is up: `ring` makes it read its inbox at once, after a command from this process. */
  readonly onLoop?: ((ring: () => void) => void) | undefined;
}

/** Something that an observer may want to say to a person: a code, and values. */
export type ObserverNote =
  /** An interrupt asked running steps to end; another one kills them. */
  | { readonly code: 'stopping' }
  | { readonly code: 'stop-not-posted'; readonly failure: StoreFailure }
  | { readonly code: 'ending-now' }
  /** An interrupt came when the run had ended and was being closed; another one ends the process. */
  | { readonly code: 'closing' }
  /** Which trees sandboxes got, and how they are isolated. */
  | { readonly code: 'sandboxes'; readonly backend: SandboxBackend }
  | { readonly code: 'notification-failed'; readonly message: string }
  | { readonly code: 'landed'; readonly run: string; readonly outcome: LandOutcome }
  | TelemetryNote
  | GitNote;
