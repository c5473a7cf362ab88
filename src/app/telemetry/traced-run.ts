// The spans of a run in a store, fit to leave the machine: without secrets, and with prompts only where they are asked for.
import { join } from 'node:path';
import { followTrace } from '../../core/view/trace/follow-trace.ts';
import { redacted } from '../../core/view/report/redacted.ts';
import type { TraceGiven } from '../../core/view/trace/trace-memory.ts';
import type { TraceSpan } from '../../core/view/trace/trace-span.ts';
import { ATTEMPT_FILES, attemptFolder } from '../../shell/host/attempt-folder.ts';
import { readJson } from '../../shell/host/read-json.ts';
import { isObject } from '../../core/plan/json-fields.ts';
import { secretsIn } from '../../shell/host/worker/redact.ts';
import type { Store } from '../../shell/ports/store.ts';
import { logSpans, type LogSpansGiven } from '../../shell/telemetry/log-spans.ts';
import type { OtlpSettings } from '../../shell/telemetry/otlp-settings.ts';
import type { SpanSource } from '../../shell/telemetry/pump-spans.ts';
import { eventsFrom } from '../fold-run.ts';
import { stepEnvironment } from '../given-for.ts';

export interface TracedRun {
  readonly home: string;
  readonly run: string;
  readonly settings: Pick<OtlpSettings, 'hasContent' | 'areAgentsJoined'>;
}

export function spansOfRun(
  store: Store,
  traced: TracedRun,
  progress: Pick<LogSpansGiven, 'delivered' | 'onDelivered'>,
): SpanSource {
  const { run } = traced;
  return logSpans({
    given: givenFor(traced),
    read: (position, max) => eventsFrom(store, run, position, max).events,
    clean: cleaner(traced),
    ...progress,
  });
}

/** Every span that has ended, and a marker for each that has only begun. */
export function allSpansOf(store: Store, traced: TracedRun): readonly TraceSpan[] {
  const { events } = eventsFrom(store, traced.run, 0);
  const [started] = events;
  if (started?.type !== 'run.started') return [];
  const follower = followTrace(started, givenFor(traced));
  const spans = events.flatMap((event) => follower.add(event));
  return [...spans, ...follower.begun()].map(cleaner(traced));
}

const givenFor = ({ home, run, settings: { hasContent, areAgentsJoined } }: TracedRun): TraceGiven => ({
  run,
  hasContent,
  areAgentsJoined,
  promptOf: hasContent ? (claim) => promptIn(attemptFolder(home, run, claim)) : undefined,
});

/** Names and numbers hold no secrets; only texts of people and agents do. */
function cleaner({ settings: { hasContent } }: TracedRun): (span: TraceSpan) => TraceSpan {
  const secrets = hasContent ? secretsIn(stepEnvironment()) : [];
  return (span) => redacted(span, secrets);
}

function promptIn(folder: string): string | undefined {
  const read = readJson(join(folder, ATTEMPT_FILES.turn));
  const prompt = read.type === 'value' && isObject(read.value) ? read.value['prompt'] : undefined;
  return typeof prompt === 'string' ? prompt : undefined;
}
