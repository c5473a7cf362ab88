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

/** Content of `attempt.json`: the worker of the claim, and finally the outcome. */
export interface AttemptRecord extends Process {
  readonly claim: ClaimRef;
  readonly at: number;
  /** For people and for a later host; undefined in a fence, which no worker runs. */
  readonly assignment: Assignment | undefined;
  readonly outcome: WorkOutcome | undefined;
}

/** Content of `live.json`: replaced whole whenever it changes. */
export interface LiveRecord {
  readonly spend: Spend;
}

/** Content of `turn.json`, written when an agent's turn is complete: for people, and for turns that continue it. */
export interface TurnRecord {
  readonly agent: { readonly name: string; readonly use: string; readonly model: string | undefined };
  readonly prompt: string;
  /** The conversation that the turn continued. */
  readonly from: Conversation | undefined;
  readonly launchedAt: number;
  readonly completedAt: number;
  /** The conversation after the turn. */
  readonly conversation: Omit<Conversation, 'mode'> | undefined;
  readonly usage: Usage | undefined;
  readonly verdict: Verdict | { readonly type: 'stopped'; readonly by?: 'lease' };
}

export const ATTEMPT_FILES = {
  attempt: 'attempt.json',
  live: 'live.json',
  turn: 'turn.json',
  /** Its modification time is the worker's latest heartbeat. */
  heartbeat: 'heartbeat',
  /** Both streams, with secrets redacted; older parts are `output.1.log` and so on, the highest number the oldest. */
  output: 'output.log',
  /** For an agent's turn, the raw output of its program; `output.log` is then the readable form. */
  transcript: 'transcript.log',
  /** On a host of another machine: the server has the outcome. */
  reported: 'reported',
  /** The files in which an agent's program keeps the conversation, for another machine that goes on with it. */
  conversation: 'conversation.json',
} as const;

/**
 * Below the store's folder, so that the store and its runs move together. Ids of steps are safe file names without
 * dots.
 */
export const attemptFolder = (home: string, run: string, { task, step, attempt }: ClaimRef): string =>
  join(home, 'runs', run, `${task}.${step ?? CHECK_FOLDER}.${attempt}`);

/** Not a valid id of a step. */
const CHECK_FOLDER = '@check';

export const attemptFile = (folder: string): string => join(folder, ATTEMPT_FILES.attempt);

/** Writes a file, and creates its folder when it is missing. */
export function inFolder<Value>(file: string, write: (file: string) => Value): Value {
  try {
    return write(file);
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause;
    mkdirSync(dirname(file), { recursive: true });
    return write(file);
  }
}
