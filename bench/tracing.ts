// A log of ten thousand tasks → spans, and the same as the bytes that a collector gets. The reference in the same run is
// one pass over the same events that copies each, which is the least that any view of a log must do.
import { gzipSync } from 'node:zlib';
import { compile } from '../src/core/compile/compile.ts';
import { fold, runStarted } from '../src/core/engine/apply/fold.ts';
import type { RunEvent } from '../src/core/engine/event.ts';
import { parsePlan } from '../src/core/plan/build/parse.ts';
import { spansOf } from '../src/core/view/trace/follow-trace.ts';
import { otlpOf } from '../src/core/view/trace/otlp-json.ts';
import { planText } from './plan-sizes.ts';

export interface TracingFigure {
  readonly tasks: number;
  readonly events: number;
  readonly spans: number;
  readonly passMs: number;
  readonly spansMs: number;
  readonly foldMs: number;
  readonly writeMs: number;
  readonly megabytes: number;
  readonly compressedMegabytes: number;
}

const TASKS = 10_000;
const BATCH = 512;

export function benchTracing(): TracingFigure {
  // Once beforehand, so that the row is measured on code that is warm.
  measure(logOf(1_000));
  return measure(logOf(TASKS));
}

function measure(log: readonly RunEvent[]): TracingFigure {
  const pass = timed(() => log.map((event) => ({ ...event })));
  const folded = timed(() => fold(log));
  const traced = timed(() => spansOf(log, { run: 'large-1', hasContent: false, areAgentsJoined: false }));
  const spans = traced.value;
  const source = { resource: { 'service.name': 'heddle' }, version: '0' };
  const written = timed(() => {
    const bodies: string[] = [];
    for (let at = 0; at < spans.length; at += BATCH)
      bodies.push(JSON.stringify(otlpOf(spans.slice(at, at + BATCH), source)));
    return bodies;
  });
  const bytes = Buffer.from(written.value.join(''));
  return {
    tasks: folded.value.compiled.tasks.length,
    events: log.length,
    spans: spans.length,
    passMs: pass.ms,
    spansMs: traced.ms,
    foldMs: folded.ms,
    writeMs: written.ms,
    megabytes: bytes.length / 1e6,
    compressedMegabytes: gzipSync(bytes).length / 1e6,
  };
}

/** Each task is opened, worked on, merged and ended, one after the other as its needs allow. */
function logOf(tasks: number): readonly RunEvent[] {
  const { plan } = parsePlan(planText(tasks), { file: 'large.yaml' });
  if (plan === undefined) throw new Error('The generated plan is right.');
  const compiled = compile(plan);
  const order = { policy: 'parallel', priorities: [], holds: [] } as const;
  let at = 1_700_000_000_000;
  const log: RunEvent[] = [runStarted(compiled, order, { at, seed: 1, base: 'b1a5ed5' })];
  for (const { task } of compiled.tasks) {
    const { path } = task;
    const of = { task: path, attempt: 1 };
    const ended = { ending: 'done', reason: undefined, cause: undefined } as const;
    const result = { ok: true, response: 'Done.', output: undefined, exitCode: undefined, commit: 'c0ffee1' };
    const [free, cost] = [
      { usd: undefined, tokens: undefined },
      { usd: 0.1, tokens: 1_000 },
    ];
    const step = { ...of, work: 'step', step: 'main' } as const;
    const merge = { ...of, work: 'merge', step: undefined } as const;
    log.push(
      { type: 'task.opened', at: (at += 1), task: path },
      { type: 'claim.made', at: (at += 10), ...step, reserve: cost },
      { type: 'claim.ended', at: (at += 100), ...step, ...ended, result, spend: cost },
      { type: 'task.queued', at: (at += 1), task: path },
      { type: 'claim.made', at: (at += 5), ...merge, reserve: free },
      { type: 'claim.ended', at: (at += 20), ...merge, ...ended, result, spend: free },
      { type: 'task.ended', at, task: path, ...ended, result },
    );
  }
  log.push({ type: 'run.ended', at });
  return log;
}

function timed<Value>(work: () => Value): { readonly value: Value; readonly ms: number } {
  const began = performance.now();
  const value = work();
  return { value, ms: performance.now() - began };
}

export function printTracing(figure: TracingFigure): void {
  const { tasks, events, spans, passMs, spansMs, foldMs, writeMs, megabytes, compressedMegabytes } = figure;
  console.log(`Traces: a log of ${tasks} tasks (${events} events) → ${spans} spans in ${spansMs.toFixed(0)} ms`);
  console.log(
    `  one copying pass ${passMs.toFixed(0)} ms, folding the log ${foldMs.toFixed(0)} ms, writing OTLP/JSON ${writeMs.toFixed(0)} ms (${megabytes.toFixed(1)} MB, ${compressedMegabytes.toFixed(1)} MB compressed)`,
  );
}
