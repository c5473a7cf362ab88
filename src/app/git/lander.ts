// Lands task after task while a run goes on, for plans that say so. One landing at a time; whatever was merged during one
// is landed by the next.
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
      // What stands in the way of one stands in the way of the next; it is told once.
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
