// How the parts of a scene look: what of it depends on the run, and in which colours.
import type { TaskGroup } from '../model/task-rows.ts';

/** How a node is drawn. */
export interface NodeLook {
  readonly group: TaskGroup;
  /** State, cost. */
  readonly foot: string;
  /** How far it is, from 0 to 1; of a folded subplan, the share that ended. */
  readonly share: number | undefined;
  readonly isCritical: boolean;
  /** Not what the search looks for. */
  readonly isDim: boolean;
  readonly isSelected: boolean;
  /** Of a place. */
  readonly tokens: number;
  /** Of a transition: the latest to fire. */
  readonly hasFired: boolean;
}

/** Plain, one that keeps a task waiting, or one of the critical path. */
export type EdgeLook = 'plain' | 'holds' | 'critical';

export const SCENE_COLOURS = {
  paper: '--paper',
  panel: '--panel',
  text: '--text',
  quiet: '--quiet',
  line: '--line-strong',
  edge: '--quiet',
  box: '--line',
  boxFill: '--sunken',
  accent: '--accent',
  focus: '--focus',
  done: '--done',
  doneFill: '--done-fill',
  doneTint: '--done-tint',
  running: '--running',
  runningFill: '--running-fill',
  runningTint: '--running-tint',
  asks: '--asks',
  asksFill: '--asks-fill',
  asksTint: '--asks-tint',
  failed: '--failed',
  failedFill: '--failed-fill',
  failedTint: '--failed-tint',
  waiting: '--waiting',
  waitingFill: '--waiting-fill',
  waitingTint: '--waiting-tint',
} as const;

export type SceneColours = Readonly<Record<keyof typeof SCENE_COLOURS, string>>;
