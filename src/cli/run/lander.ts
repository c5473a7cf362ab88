// Lands task after task while a run goes on, for plans that say so. One landing at a time; whatever was merged during one
// is landed by the next.
import type { LandOutcome } from '../../app/git/land-run.ts';
import { landingLines } from '../text/landing-text.ts';

export interface Lander {
  /** Something may have been merged. */
  readonly wake: () => void;
  /** Resolves when nothing is being landed any more. */
  readonly close: () => Promise<void>;
}

export interface LanderOrder {
  readonly run: string;
  readonly land: () => Promise<LandOutcome>;
  readonly say: (line: string) => void;
}

export function openLander({ run, land, say }: LanderOrder): Lander {
  let going: Promise<void> | undefined;
  let isAskedAgain = false;
  let lastSaid = '';
  const landAll = async (): Promise<void> => {
    do {
      isAskedAgain = false;
      const outcome = await land();
      const said = outcome.type === 'nothing' ? '' : landingLines(run, outcome).join(' ');
      // What stands in the way of one stands in the way of the next; it is said once.
      if (said !== '' && said !== lastSaid) say(said);
      lastSaid = said;
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
