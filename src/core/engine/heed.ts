// What a person's command means for a run: outcomes for the engine, and one sentence for the person.
import type { Command } from './command.ts';
import type { Outcome } from './outcome.ts';
import type { State } from './state.ts';

export interface Heeded {
  readonly outcomes: readonly Outcome[];
  /** What the command does, or why it does nothing. */
  readonly answer: string;
}

export function heed(_state: State, command: Command): Heeded {
  if (!('tasks' in command)) return { outcomes: [], answer: 'Nothing is asked.' };
  return { outcomes: [command], answer: `It is told to ${command.type}.` };
}
