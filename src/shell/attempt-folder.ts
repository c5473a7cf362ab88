// What is left of one attempt: a note and, beside it, a folder. Workers write them, hosts and people read them.
//
// F1. The note is created exclusively, before the work begins: of two workers that were given one claim, one works. It
//     comes first, so a claim without it was not begun.
// F2. A line of it says whose the claim is, and the next one how it ended. A line counts when it is whole, which JSON shows
//     by itself. Lines of other attempts may stand in the same file.
// F3. The folder is made by whoever has something to put there. A short step has nothing, and files and folders are a good
//     part of what it costs.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Assignment, ClaimRef, Conversation } from '../core/protocol/assignment.ts';
import type { Spend, Usage } from '../core/protocol/result.ts';
import type { WorkOutcome } from '../core/protocol/work-outcome.ts';
import type { Process, Verdict } from './ports.ts';

/** The line that says whose the claim is. */
export interface WorkerNote extends Process {
  readonly claim: ClaimRef;
  readonly at: number;
  /** For people and for a later host; none when nobody is to work on it. */
  readonly assignment: Assignment | undefined;
}

/** The line that says how it ended. */
export type OutcomeNote = WorkOutcome;

/** What `live.json` holds: replaced whole whenever it changes. */
export interface LiveNote {
  readonly spend: Spend;
}

/** What `turn.json` holds, of an agent's turn that came to its end: for people, and for turns that take it up again. */
export interface TurnNote {
  readonly agent: { readonly name: string; readonly use: string; readonly model: string | undefined };
  readonly prompt: string;
  /** The conversation that it took up. */
  readonly from: Conversation | undefined;
  readonly launchedAt: number;
  readonly completedAt: number;
  /** The conversation as it left it. */
  readonly conversation: Omit<Conversation, 'mode'> | undefined;
  readonly usage: Usage | undefined;
  readonly verdict: Verdict | { readonly type: 'stopped' };
}

export const ATTEMPT_FILES = {
  live: 'live.json',
  turn: 'turn.json',
  /** Its time of change is when the worker last showed that it lives. */
  beat: 'beat',
  /** Both streams as they came, without secrets; older parts are `output.1.log` and so on, the highest number the oldest. */
  output: 'output.log',
  /** Of an agent's turn, what its program printed; `output.log` is then what people read of it. */
  transcript: 'transcript.log',
} as const;

/**
 * Under the store's folder, so that a run's folders go where its store goes. Ids of steps are safe names without dots. One
 * folder and not one in another: making folders is a good part of what a short step costs.
 */
export const attemptFolder = (home: string, run: string, { task, step, attempt }: ClaimRef): string =>
  join(home, 'runs', run, `${task}.${step ?? CHECK_FOLDER}.${attempt}`);

/** No step can have this id. */
const CHECK_FOLDER = '@check';

/** Of the attempt with this folder. */
export const attemptNote = (folder: string): string => `${folder}.jsonl`;

/** Writes a file, and makes its folder when that is missed. */
export function inFolder<Value>(file: string, write: (file: string) => Value): Value {
  try {
    return write(file);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause;
    mkdirSync(dirname(file), { recursive: true });
    return write(file);
  }
}

/** The environment that marks every process of a claim, so that none is left behind unknown. */
export const MARKS = {
  run: 'HEDDLE_RUN',
  task: 'HEDDLE_TASK',
  step: 'HEDDLE_STEP',
  attempt: 'HEDDLE_ATTEMPT',
  /** The store's folder: which run of which project. */
  home: 'HEDDLE_HOME',
} as const;
