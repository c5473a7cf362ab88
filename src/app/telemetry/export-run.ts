// Exports the spans of a run, old or running: as JSON, or to a collector.
import { planIn, startOf } from '../../core/engine/apply/fold.ts';
import { otlpOf } from '../../core/view/trace/otlp-json.ts';
import { openOtlpClient } from '../../shell/telemetry/otlp-client.ts';
import { findOtlp, type OtlpSettings } from '../../shell/telemetry/otlp-settings.ts';
import { pumpSpans, type Pumped } from '../../shell/telemetry/pump-spans.ts';
import { eventsFrom } from '../fold-run.ts';
import type { OpenProject, RunRecord } from '../open-project.ts';
import { programVersion } from '../package-root.ts';
import { allSpansOf, spansOfRun } from './traced-run.ts';
import type { OtlpError } from './telemetry-note.ts';

export type Exported =
  | ({ readonly type: 'exported'; readonly host: string } & Pumped)
  /** Neither the call, nor the environment, nor the settings of the run name a collector. */
  | { readonly type: 'nowhere' }
  | { readonly type: 'wrong'; readonly error: OtlpError };

/** A person waits for it, who may also interrupt it. */
const EXPORT_WITHIN_MS = 600_000;
const TRIES_MAX = 5;

/** Sends every span of the run, whatever was sent before: spans that a collector has are equal to these. */
export async function exportRun(
  { store, project }: OpenProject,
  { run }: RunRecord,
  { address }: { readonly address: string | undefined },
): Promise<Exported> {
  const version = programVersion();
  const { telemetry } = planIn(eventsFrom(store, run, 0).events);
  const found = findOtlp({ telemetry, environment: process.env, version, address });
  if (found.type === 'off') return { type: 'nowhere' };
  if (found.type === 'wrong') return found;
  const { settings } = found;
  const source = spansOfRun(
    store,
    { home: project.home, run, settings },
    { delivered: 0, onDelivered: () => undefined },
  );
  const pumped = await pumpSpans({
    source,
    client: openOtlpClient(settings, version),
    batchMax: settings.batchMax,
    delayMs: 0,
    onFailure: () => undefined,
    ending: AbortSignal.abort(),
    closeWithinMs: EXPORT_WITHIN_MS,
    lastTriesMax: TRIES_MAX,
  });
  return { type: 'exported', host: settings.host, ...pumped };
}

/** The body that a collector would get, in one piece. */
export function otlpOfRun({ store, project }: OpenProject, { run }: RunRecord): unknown {
  const version = programVersion();
  const { plan } = startOf(eventsFrom(store, run, 0, 1).events);
  const { settings } = settingsToPrint(plan.telemetry, version);
  const spans = allSpansOf(store, { home: project.home, run, settings });
  return otlpOf(spans, { resource: settings.resource, version });
}

/** What is printed goes to nobody's address, so any will do. */
function settingsToPrint(
  telemetry: Parameters<typeof findOtlp>[0]['telemetry'],
  version: string,
): { readonly settings: OtlpSettings } {
  const found = findOtlp({ telemetry, environment: process.env, version, address: 'http://localhost' });
  if (found.type !== 'on') throw new Error('An address on the command line is always used.');
  return found;
}
