// What a run showed, in figures that its log gives.
import type { RunEvent } from '../../../core/engine/event.ts';
import type { State } from '../../../core/engine/state.ts';
import { spellsOf, type Spell } from '../../../core/simulate/spells.ts';

export interface Figures {
  readonly tasks: number;
  readonly tasksDone: number;
  /** From the start of the run to its end. */
  readonly tookMs: number;
  /** All steps, checks and turns one after the other; merging, which goes on beside them, not counted. */
  readonly serialMs: number;
  /** The most that were at work at once. */
  readonly peak: number;
  readonly checksFailed: readonly FailedCheck[];
  readonly conflicts: readonly ResolvedConflict[];
  readonly usdSpent: number;
  readonly usdCeiling: number | undefined;
}

export interface FailedCheck {
  readonly task: string;
  /** The first line of what the check said. */
  readonly said: string;
}

export interface ResolvedConflict {
  readonly task: string;
  readonly with: readonly string[];
  readonly paths: readonly string[];
}

export function figuresOf(state: State, events: readonly RunEvent[]): Figures {
  const work = spellsOf(events).filter(({ type }) => type !== 'merge');
  const ended = state.tasks.filter((task) => task.ended !== undefined);
  const { spent, ceiling } = state.ledger.run;
  return {
    tasks: state.tasks.length,
    tasksDone: ended.filter((task) => task.ended?.ending === 'done').length,
    tookMs: (state.run.endedAt ?? state.run.now) - state.run.startedAt,
    serialMs: work.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0),
    peak: peakOf(work),
    checksFailed: events.flatMap((event) =>
      event.type === 'check.failed' ? [{ task: event.task, said: firstLine(event.tail) }] : [],
    ),
    conflicts: events.flatMap((event) =>
      event.type === 'task.conflicted' ? [{ task: event.task, with: event.with, paths: event.paths }] : [],
    ),
    usdSpent: spent.usd,
    usdCeiling: ceiling.usd,
  };
}

const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';

/** What ends at the moment at which another begins was not at work with it. */
function peakOf(spells: readonly Spell[]): number {
  const moments = spells.flatMap(({ startMs, endMs }) => [
    { at: startMs, by: 1 },
    { at: endMs, by: -1 },
  ]);
  moments.sort((one, other) => one.at - other.at || one.by - other.by);
  let now = 0;
  let peak = 0;
  for (const { by } of moments) {
    now += by;
    peak = Math.max(peak, now);
  }
  return peak;
}
