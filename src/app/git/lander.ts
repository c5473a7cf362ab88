// Lands task after task during a run, for plans that ask for it. One landing at a time; tasks that are merged during a
// landing are landed by the next.
import type { LandOutcome } from './land-run.ts';

export interface Lander {
  /** Something may have been merged. */
  readonly wake: () => void;
  /** Resolves when nothing is being landed any more. */
  readonly close: () => Promise<void>;
}

export interface LanderOrder {
  readonly land: () => Promise<LandOutcome>;
  readonly onLanded: (outcome: LandOutcome) => void;
}

export function openLander({ land, onLanded }: LanderOrder): Lander {
  let going: Promise<void> | undefined;
  let isAskedAgain = false;
  let lastTold = '';
  const landAll = async (): Promise<void> => {
    do {
      isAskedAgain = false;
      const outcome = await land();
      // An obstacle to one landing is an obstacle to the next; it is reported once.
      const told = outcome.type === 'nothing' ? '' : JSON.stringify(outcome);
      if (told !== '' && told !== lastTold) onLanded(outcome);
      lastTold = told;
    } while (isAskedAgain);
    going = undefined;
  };
  return {
    wake: () => {
      isAskedAgain = true;
      going ??= landAll();
    },
    close: async () => {
      await going;
    },
  };
}
