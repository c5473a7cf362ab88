// When what was at work, from the events of a run: one spell per attempt of a step, check and merge.
import type { RunEvent } from '../engine/event.ts';

export interface Spell {
  readonly type: 'step' | 'check' | 'merge';
  readonly task: string;
  readonly step: string | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly ending: 'done' | 'failed' | 'cancelled';
}

/** Times count from the run's start. Something still at work is left out. */
export function spellsOf(events: readonly RunEvent[]): readonly Spell[] {
  const startedAt = events[0]?.at ?? 0;
  const open = new Map<string, { readonly type: Spell['type']; readonly startMs: number }>();
  const drawn: Spell[] = [];
  const begin = (type: Spell['type'], event: { at: number; task: string; step?: string }): void => {
    open.set(keyOf(type, event), { type, startMs: event.at - startedAt });
  };
  const end = (
    type: Spell['type'],
    event: { at: number; task: string; step?: string },
    ending: Spell['ending'],
  ): void => {
    const begun = open.get(keyOf(type, event));
    if (begun === undefined) return;
    open.delete(keyOf(type, event));
    drawn.push({ ...begun, task: event.task, step: event.step, endMs: event.at - startedAt, ending });
  };
  for (const event of events) {
    switch (event.type) {
      case 'step.claimed':
        begin('step', event);
        break;
      case 'step.ended':
        end('step', event, event.ending === 'skipped' ? 'done' : event.ending);
        break;
      case 'step.returned':
        end('step', event, 'failed');
        break;
      case 'step.asked':
        end('step', event, 'done');
        break;
      case 'check.claimed':
        begin('check', event);
        break;
      case 'check.passed':
        end('check', event, 'done');
        break;
      case 'check.failed':
      case 'check.returned':
        end('check', event, 'failed');
        break;
      case 'task.merging':
        begin('merge', event);
        break;
      case 'task.requeued':
        end('merge', event, 'cancelled');
        break;
      case 'task.ended': {
        const ending = event.ending === 'skipped' ? 'done' : event.ending;
        end('check', event, ending);
        end('merge', event, ending);
        break;
      }
    }
  }
  return drawn;
}

const keyOf = (type: Spell['type'], { task, step }: { task: string; step?: string }): string =>
  `${type} ${task} ${step ?? ''}`;
