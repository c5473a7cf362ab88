// Reads files of tasks for the live view: output, turns, and the message of a failed check.
import type { RunEvent } from '../../core/engine/event.ts';
import type { OpenProject, RunRecord } from '../../app/open-project.ts';
import { readTurns, type TurnLine } from '../../app/read/turns-of.ts';
import type { Tails } from './tails.ts';
import type { AttemptOutput, ViewModel } from './view-model.ts';

export type TaskReader = Pick<ViewModel, 'doing' | 'outputOf' | 'turnsOf' | 'checkSaid'>;

export interface ReadTasks {
  readonly open: OpenProject;
  readonly record: RunRecord;
  /** Grows during the run. */
  readonly events: readonly RunEvent[];
  readonly tails: Tails;
}

type Made = Extract<RunEvent, { type: 'claim.made' }>;

export function readTasks({ open, record, events, tails }: ReadTasks): TaskReader {
  const attempts = attemptsIn(events);
  let told: { readonly task: string; readonly events: number; readonly lines: readonly TurnLine[] } | undefined;
  return {
    doing: ({ type: work, task, step, attempt }) =>
      work === 'merge' ? undefined : tails.lastLine({ work, task, step, attempt }),
    outputOf: (task, attemptsBack) => {
      const made = attempts().get(task) ?? [];
      const at = Math.max(0, made.length - 1 - attemptsBack);
      const claim = made[at];
      return claim === undefined ? undefined : outputOf(claim, tails, { earlier: at, later: made.length - 1 - at });
    },
    turnsOf: (task) => {
      if (told?.task !== task || told.events !== events.length)
        told = { task, events: events.length, lines: readTurns(open, record, task) };
      return told.lines;
    },
    checkSaid: (task) => {
      const check = attempts()
        .get(task)
        ?.findLast(({ work }) => work === 'check');
      return check === undefined
        ? undefined
        : tails.lastLine({ work: 'check', task, step: undefined, attempt: check.attempt });
    },
  };
}

/** The claims of hosts on each task, in their order. Events are read once. */
function attemptsIn(events: readonly RunEvent[]): () => ReadonlyMap<string, readonly Made[]> {
  const attempts = new Map<string, Made[]>();
  let read = 0;
  return () => {
    for (; read < events.length; read += 1) {
      const event = events[read];
      if (event?.type !== 'claim.made' || event.work === 'merge') continue;
      attempts.set(event.task, [...(attempts.get(event.task) ?? []), event]);
    }
    return attempts;
  };
}

function outputOf(
  { work, task, step, attempt, agent }: Made,
  tails: Tails,
  others: Pick<AttemptOutput, 'earlier' | 'later'>,
): AttemptOutput {
  return { ...tails.output({ work, task, step, attempt }), step: step ?? 'check', attempt, agent, ...others };
}
