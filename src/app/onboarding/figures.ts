// Figures of a run, from its log.
import type { RunEvent } from '../../core/engine/event.ts';
import type { State } from '../../core/engine/state.ts';
import { claimSpans } from '../../core/view/report/claim-spans.ts';
import { tellTimes } from '../../core/view/report/times.ts';

export interface Figures {
  readonly tasks: number;
  readonly tasksDone: number;
  /** From the start of the run to its end. */
  readonly tookMs: number;
  /** The sequential time, and its ratio to the real time, as in `heddle report`. */
  readonly serialMs: number;
  readonly speedUp: number;
  /** The most tasks that ran at the same time. */
  readonly peak: number;
  readonly checksFailed: readonly FailedCheck[];
  readonly conflicts: readonly ResolvedConflict[];
  readonly usdSpent: number;
  readonly usdCeiling: number | undefined;
}

export interface FailedCheck {
  readonly task: string;
  /** The first line of the check's output. */
  readonly said: string;
}

export interface ResolvedConflict {
  readonly task: string;
  readonly with: readonly string[];
  readonly paths: readonly string[];
}

export function figuresOf(state: State, events: readonly RunEvent[]): Figures {
  const { compiled, run } = state;
  const tookMs = (run.endedAt ?? run.now) - run.startedAt;
  const spells = claimSpans(compiled, events);
  const { times } = tellTimes({ compiled, spells, pauses: [], questions: [], nowMs: tookMs });
  const ended = state.tasks.filter((task) => task.ended !== undefined);
  const { spent, ceiling } = state.ledger.run;
  return {
    tasks: state.tasks.length,
    tasksDone: ended.filter((task) => task.ended?.ending === 'done').length,
    tookMs,
    serialMs: times.workMs,
    speedUp: times.speedUp,
    peak: times.peak,
    checksFailed: events.flatMap((event) =>
      event.type === 'claim.ended' && event.work === 'check' && event.redo !== undefined
        ? [{ task: event.task, said: firstLine(event.says ?? '') }]
        : [],
    ),
    conflicts: events.flatMap((event) =>
      (event.type === 'claim.ended' || event.type === 'claim.asked') && event.conflict !== undefined
        ? [{ task: event.task, with: event.conflict.with, paths: event.conflict.paths }]
        : [],
    ),
    usdSpent: spent.usd,
    usdCeiling: ceiling.usd,
  };
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';
