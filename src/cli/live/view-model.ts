// The view model of the live view. The same model gives the same rows.
import type { State } from '../../core/engine/state.ts';
import type { RunningClaim, Status } from '../../core/view/run/run-status.ts';
import type { RunRecord } from '../../app/open-project.ts';
import type { TurnLine } from '../../app/read/turns-of.ts';
import type { Eta } from '../../core/simulate/eta.ts';
import type { Focus } from './focus.ts';

export interface ViewModel {
  readonly record: Pick<RunRecord, 'run'>;
  readonly state: State;
  readonly status: Status;
  readonly now: number;
  readonly width: number;
  readonly height: number;
  readonly focus: Focus;
  /** The last line of a running claim's output; undefined when unknown. */
  readonly doing: (work: RunningClaim) => string | undefined;
  /** The output of a task's latest attempt, or of an earlier one, counted back; undefined without an attempt. */
  readonly outputOf: (task: string, attemptsBack: number) => AttemptOutput | undefined;
  readonly turnsOf: (task: string) => readonly TurnLine[];
  readonly eta: Eta | undefined;
  /** Where the run's coordinator is: in this process, in another, or nowhere. */
  readonly coordinator: 'here' | 'elsewhere' | 'gone';
  /** A message of the run or of the view to the person. */
  readonly message: string | undefined;
  /** Whether the keyboard is read. */
  readonly hasKeys: boolean;
}

export interface OutputLine {
  /** Where it begins, in bytes from the start of the output: it stays the same while more comes. */
  readonly at: number;
  readonly text: string;
}

export interface Output {
  readonly lines: readonly OutputLine[];
  /** Whether something came before the lines. */
  readonly isCut: boolean;
}

export interface AttemptOutput extends Output {
  /** The step, or `check`. */
  readonly step: string;
  readonly attempt: number;
  readonly agent: string | undefined;
  /** How many attempts were made before this one, and after it. */
  readonly earlier: number;
  readonly later: number;
}

/** Tenths of a second would only flicker. */
export const wholeSeconds = (ms: number): number => Math.max(0, Math.floor(ms / 1000) * 1000);
