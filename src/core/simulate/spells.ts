// When what was at work, from the events of a run: one spell per attempt of a step, check, merge and turn on a conflict.
import type { Ending, RunEvent } from '../engine/event.ts';

export interface Spell {
  readonly type: 'step' | 'check' | 'merge' | 'resolve';
  readonly task: string;
  readonly step: string | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly ending: 'done' | 'failed' | 'cancelled';
}

/** Times count from the run's start. Something still at work is left out. */
export function spellsOf(events: readonly RunEvent[]): readonly Spell[] {
  const startedAt = events[0]?.at ?? 0;
  const open = new Map<string, number>();
  const drawn: Spell[] = [];
  const end = (type: Spell['type'], event: About, ending: Spell['ending']): void => {
    const startMs = open.get(keyOf(type, event));
    if (startMs === undefined) return;
    open.delete(keyOf(type, event));
    drawn.push({ type, task: event.task, step: event.step, startMs, endMs: event.at - startedAt, ending });
  };
  for (const event of events) {
    if (!('task' in event)) continue;
    const begun = begunBy(event);
    if (begun !== undefined) open.set(keyOf(begun, event), event.at - startedAt);
    if (event.type === 'task.ended') for (const type of ['check', 'merge'] as const) end(type, event, endOf(event));
    const ended = endedBy(event);
    if (ended !== undefined) end(ended.type, event, ended.ending);
  }
  return drawn;
}

interface About {
  readonly at: number;
  readonly task: string;
  readonly step?: string;
}

function begunBy({ type }: RunEvent): Spell['type'] | undefined {
  switch (type) {
    case 'step.claimed':
      return 'step';
    case 'check.claimed':
      return 'check';
    case 'task.merging':
      return 'merge';
    case 'resolve.claimed':
      return 'resolve';
  }
  return undefined;
}

function endedBy(event: RunEvent): Pick<Spell, 'type' | 'ending'> | undefined {
  switch (event.type) {
    case 'step.ended':
      return { type: 'step', ending: endOf(event) };
    case 'step.returned':
      return { type: 'step', ending: 'failed' };
    case 'step.asked':
      return { type: 'step', ending: 'done' };
    case 'check.passed':
      return { type: 'check', ending: 'done' };
    case 'check.failed':
    case 'check.returned':
      return { type: 'check', ending: 'failed' };
    case 'task.requeued':
      return { type: 'merge', ending: 'cancelled' };
    case 'task.conflicted':
    case 'merge.failed':
      return { type: 'merge', ending: 'failed' };
    case 'resolve.ended':
      return { type: 'resolve', ending: endOf(event) };
    case 'resolve.returned':
      return { type: 'resolve', ending: 'failed' };
  }
  return undefined;
}

const endOf = ({ ending }: { readonly ending: Ending }): Spell['ending'] => (ending === 'skipped' ? 'done' : ending);

const keyOf = (type: Spell['type'], { task, step }: { task: string; step?: string }): string =>
  `${type} ${task} ${step ?? ''}`;
