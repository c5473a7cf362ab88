// Composes the traces of a run: the thread that sends them, and the span that each worker works for.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RunStarted } from '../../core/engine/event.ts';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import { traceIdsOf, traceParentOf } from '../../core/protocol/trace-context.ts';
import { outlineOf } from '../../core/view/trace/plan-outline.ts';
import type { ClaimTrace, TurnTelemetry } from '../../shell/ports/agents.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { destinationOf, isAllowed } from '../../shell/sandbox/isolation/allow-list.ts';
import { findOtlp, type OtlpSettings } from '../../shell/telemetry/otlp-settings.ts';
import { programVersion } from '../package-root.ts';
import type { Project } from '../project.ts';
import type { TelemetryNote, TraceThread } from './telemetry-note.ts';

export interface TelemetryGiven {
  readonly project: Project;
  readonly record: RunRecord;
  readonly started: RunStarted;
  readonly onNote: (note: TelemetryNote) => void;
}

export interface RunTelemetry {
  readonly traceOf: (claim: ClaimRef) => ClaimTrace;
  /** The run is over, or this process leaves it: what is finished is sent, within a time limit. */
  readonly ends: () => Promise<void>;
}

/** Beside the attempts of the run; no attempt can have this name. */
const NOTE_FILE = '@traced.json';

export function openTelemetry(given: TelemetryGiven): RunTelemetry | undefined {
  const { project, record, started, onNote } = given;
  const { run } = record;
  const version = programVersion();
  const found = findOtlp({ telemetry: started.plan.telemetry, environment: process.env, version });
  if (found.type === 'wrong') onNote({ code: 'telemetry-wrong', error: found.error });
  if (found.type !== 'on') return undefined;
  const { settings } = found;
  const { at: startedAt, plan, seed, base } = started;
  const ids = traceIdsOf({ run, startedAt, seed, base, tasks: outlineOf(plan).tasks.size });
  const telemetry = settings.areAgentsJoined ? forAgents(given, settings) : undefined;
  const file = join(project.home, 'runs', run, NOTE_FILE);
  const ended = startThread({ home: project.home, run, version, file, settings }, onNote);
  return {
    traceOf: (claim) => ({ parent: traceParentOf(ids.ofClaim(claim)), telemetry }),
    ends: ended,
  };
}

/** What agents need to send their own spans; undefined where they could not. */
function forAgents({ started, onNote }: TelemetryGiven, settings: OtlpSettings): TurnTelemetry | undefined {
  const { url, host, headers, hasContent } = settings;
  if (!isReachable(started, url)) {
    onNote({ code: 'telemetry-unreachable', host });
    return undefined;
  }
  return { url, headers, hasContent };
}

/** Without isolation agents reach what this process reaches. The policy is the plan's: nothing is opened for traces. */
function isReachable({ plan: { sandbox }, sandboxes }: RunStarted, url: string): boolean {
  if (sandboxes?.isolation !== 'os' || sandbox.network === 'all') return true;
  const { host, protocol } = new URL(url);
  const destination = destinationOf(host, protocol === 'https:' ? HTTPS_PORT : HTTP_PORT);
  const allowed = sandbox.network === 'none' ? [] : (sandbox.network ?? []);
  return destination !== undefined && isAllowed(allowed, destination);
}

const [HTTP_PORT, HTTPS_PORT] = [80, 443];

/** Far more than a page of events and a batch of spans take. */
const HEAP_MB_MAX = 256;

/** Returns how the thread is ended. No failure of the thread reaches the run. */
function startThread(data: TraceThread, onNote: (note: TelemetryNote) => void): () => Promise<void> {
  const program = new URL(import.meta.url.endsWith('.ts') ? './trace-main.ts' : './trace-main.js', import.meta.url);
  const thread = new Worker(program, { workerData: data, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX } });
  thread.unref();
  thread.on('message', onNote);
  thread.on('error', (cause) => onNote({ code: 'telemetry-failed', message: messageOf(cause) }));
  const gone = new Promise<void>((resolve) => {
    thread.on('exit', () => resolve());
  });
  return async () => {
    thread.ref();
    thread.postMessage('end', []);
    await gone;
  };
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
