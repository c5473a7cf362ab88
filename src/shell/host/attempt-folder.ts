// The folder of one attempt: a worker writes it, hosts and people read it.
//
// attempt/F1. The attempt file is created exclusively, before the work begins: of two workers that were given one claim,
//     one works. It comes first, so a claim without an attempt file was not begun.
// attempt/F2. The outcome is added by replacing the attempt file as a whole, so an outcome is there whole or not at all.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Assignment, ClaimRef, Conversation } from '../../core/protocol/assignment.ts';
import type { Spend, Usage } from '../../core/protocol/result.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import type { Process } from '../ports/log.ts';
import type { Verdict } from '../ports/agents.ts';

/** What `attempt.json` holds: who works on the claim, and in the end how it ended. */
export interface AttemptRecord extends Process {
  readonly claim: ClaimRef;
  readonly at: number;
  /** For people and for a later host; none when nobody is to work on it. */
  readonly assignment: Assignment | undefined;
  readonly outcome: WorkOutcome | undefined;
}

/** What `live.json` holds: replaced whole whenever it changes. */
export interface LiveRecord {
  readonly spend: Spend;
}

/** What `turn.json` holds, of an agent's turn that came to its end: for people, and for turns that take it up again. */
export interface TurnRecord {
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
  attempt: 'attempt.json',
  live: 'live.json',
  turn: 'turn.json',
  /** Its time of change is when the worker last showed that it lives. */
  heartbeat: 'heartbeat',
  /** Both streams as they came, without secrets; older parts are `output.1.log` and so on, the highest number the oldest. */
  output: 'output.log',
  /** Of an agent's turn, what its program printed; `output.log` is then what people read of it. */
  transcript: 'transcript.log',
} as const;

/** Under the store's folder, so that a run's folders go where its store goes. Ids of steps are safe names without dots. */
export const attemptFolder = (home: string, run: string, { task, step, attempt }: ClaimRef): string =>
  join(home, 'runs', run, `${task}.${step ?? CHECK_FOLDER}.${attempt}`);

/** No step can have this id. */
const CHECK_FOLDER = '@check';

export const attemptFile = (folder: string): string => join(folder, ATTEMPT_FILES.attempt);

/** Writes a file, and makes its folder when there is none. */
export function inFolder<Value>(file: string, write: (file: string) => Value): Value {
  try {
    return write(file);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause;
    mkdirSync(dirname(file), { recursive: true });
    return write(file);
  }
}
