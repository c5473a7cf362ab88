// What people are told about the traces of a run, as codes.
import type { Untaken } from '../../shell/telemetry/otlp-client.ts';
import type { OtlpError, OtlpSettings } from '../../shell/telemetry/otlp-settings.ts';

export type { OtlpError } from '../../shell/telemetry/otlp-settings.ts';
export type { Untaken } from '../../shell/telemetry/otlp-client.ts';

export type TelemetryNote =
  /** The collector does not take spans at the moment. Said once. */
  | { readonly code: 'telemetry-away'; readonly host: string; readonly run: string; readonly why: Untaken }
  /** The run is over, and these spans were not taken; said where nothing was said before. */
  | {
      readonly code: 'telemetry-left';
      readonly host: string;
      readonly run: string;
      readonly spans: number;
      readonly why: Untaken | undefined;
    }
  /** The collector refused them for good. */
  | {
      readonly code: 'telemetry-dropped';
      readonly host: string;
      readonly spans: number;
      readonly why: Untaken | undefined;
    }
  | { readonly code: 'telemetry-wrong'; readonly error: OtlpError }
  /** The network policy of the sandboxes keeps agents from the collector. */
  | { readonly code: 'telemetry-unreachable'; readonly host: string }
  /** A bug of ours, or a store that cannot be read. */
  | { readonly code: 'telemetry-failed'; readonly message: string };

/** What the thread is started with. */
export interface TraceThread {
  readonly home: string;
  readonly run: string;
  readonly version: string;
  /** Where the thread notes how far it has come. */
  readonly file: string;
  readonly settings: OtlpSettings;
}
