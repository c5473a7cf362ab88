// All that one frame of the live view is made of. The same look gives the same frame.
import type { State } from '../../core/engine/state.ts';
import type { AtWork, Status } from '../../core/view/run/status.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import type { Outlook } from './outlook.ts';
import type { Focus } from './focus.ts';

export interface Look {
  readonly record: Pick<RunRecord, 'run'>;
  readonly state: State;
  readonly status: Status;
  readonly now: number;
  readonly width: number;
  readonly height: number;
  readonly focus: Focus;
  /** The last thing that whoever is at work said or did; undefined when nothing is known. */
  readonly doing: (work: AtWork) => string | undefined;
  /** The last lines that a task printed, oldest first. */
  readonly outputOf: (task: string) => readonly string[];
  readonly outlook: Outlook | undefined;
  /** Who carries the run out: this process, another, or nobody. */
  readonly coordinator: 'here' | 'elsewhere' | 'gone';
  /** What the run, or the view, has to say to the person. */
  readonly message: string | undefined;
  /** Whether somebody can press keys. */
  readonly hasKeys: boolean;
}
