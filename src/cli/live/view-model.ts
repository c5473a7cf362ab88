// The view model of the live view. The same model gives the same rows.
import type { State } from '../../core/engine/state.ts';
import type { AtWork, Status } from '../../core/view/run/status.ts';
import type { RunRecord } from '../../app/open-project.ts';
import type { Eta } from './eta.ts';
import type { Focus } from './focus.ts';

export interface ViewModel {
  readonly record: Pick<RunRecord, 'run'>;
  readonly state: State;
  readonly status: Status;
  readonly now: number;
  readonly width: number;
  readonly height: number;
  readonly focus: Focus;
  /** What a running step last said or did; undefined when nothing is known. */
  readonly doing: (work: AtWork) => string | undefined;
  /** The last lines that a task printed, oldest first. */
  readonly outputOf: (task: string) => readonly string[];
  readonly eta: Eta | undefined;
  /** Where the run's coordinator is: in this process, in another, or nowhere. */
  readonly coordinator: 'here' | 'elsewhere' | 'gone';
  /** What the run, or the view, has to say to the person. */
  readonly message: string | undefined;
  /** Whether somebody can press keys. */
  readonly hasKeys: boolean;
}
