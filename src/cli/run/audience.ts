// Whoever attends a run to its end.
import type { Coordinated, Spectator } from './coordinate.ts';

export interface Audience extends Spectator {
  readonly ends: (coordinated: Coordinated) => void;
  /** Leaves the terminal as it was found. */
  readonly close: () => void;
}
