// Reads files of tasks for the live view: output and turns.
import type { RunEvent } from '../../core/engine/event.ts';
import type { OpenProject, RunRecord } from '../../app/open-project.ts';
import { readTurns, type TurnLine } from '../../app/read/turns-of.ts';
import type { AttemptOutput, ViewModel, OutputLine, Output } from './view-model.ts';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { ReadEnd } from '../../app/read/output-reader.ts';
import { terminalText } from '../terminal/terminal-text.ts';

export type TaskReader = Pick<ViewModel, 'doing' | 'outputOf' | 'turnsOf'>;

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
  let turns: { readonly task: string; readonly events: number; readonly lines: readonly TurnLine[] } | undefined;
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
      if (turns?.task !== task || turns.events !== events.length)
        turns = { task, events: events.length, lines: readTurns(open, record, task) };
      return turns.lines;
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

/** The length of a line on a screen, with a margin for blank lines. */
const LINE_BYTES = 4 * 1024;
/** As far back as the output of a task can be read and searched in the view; heddle logs has all of it. */
const LINES_BYTES = 1024 * 1024;

export interface Tails {
  /** The last line that is not blank; undefined when there is none. */
  readonly lastLine: (claim: ClaimRef) => string | undefined;
  readonly output: (claim: ClaimRef) => Output;
}

interface Kept extends Output {
  readonly mark: string;
}

const NOTHING: Output = { lines: [], isCut: false };

export function openTails(readEnd: ReadEnd): Tails {
  const short = new Map<string, Kept>();
  const long = new Map<string, Kept>();
  const read = (kept: Map<string, Kept>, claim: ClaimRef, bytes: number): Output => {
    const key = `${claim.task} ${claim.step ?? ''} ${claim.attempt}`;
    const end = readEnd(claim, bytes, kept.get(key));
    if (end === undefined) return NOTHING;
    const read = 'lines' in end ? end : { mark: end.mark, isCut: end.from > 0, lines: linesOf(end.text, end.from) };
    kept.set(key, read);
    return read;
  };
  return {
    lastLine: (claim) => read(short, claim, LINE_BYTES).lines.findLast(({ text }) => text.trim() !== '')?.text,
    output: (claim) => {
      // Only one is looked at.
      if (long.size > 1) long.clear();
      return read(long, claim, LINES_BYTES);
    },
  };
}

/** As a terminal shows them: text before a carriage return is overwritten, and control sequences are removed. */
function linesOf(text: string, from: number): readonly OutputLine[] {
  let at = from;
  const lines = text.split('\n').map((line) => {
    const begins = at;
    at += Buffer.byteLength(line) + 1;
    const shown = line.replace(/\r+$/u, '');
    return { at: begins, text: terminalText(shown.slice(shown.lastIndexOf('\r') + 1), { colour: false }) };
  });
  const whole = text.endsWith('\n') ? lines.slice(0, -1) : lines;
  // The first piece after a cut is the end of a line.
  return from > 0 ? whole.slice(1) : whole;
}
