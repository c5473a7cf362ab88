// Lands task after task during a run, where the plan has `strategy: per_task` and `auto: auto`. One landing at a time;
// tasks that are merged during a landing are landed by the next.
import type { Compiled } from '../../core/compile/compiled.ts';
import { Refused } from '../refused.ts';
import type { LandOutcome } from '../git/land-run.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import type { ObserverNote } from './observer.ts';
import type { OpenProject } from '../open-project.ts';

interface Landing extends OpenProject {
  readonly record: RunRecord;
  readonly observer: { readonly onNote: (note: ObserverNote) => void };
}

export async function landerFor(landing: Landing, { plan }: Compiled): Promise<Lander | undefined> {
  const { strategy, auto } = plan.settings.merge;
  if (strategy !== 'per_task' || auto !== 'auto' || plan.sandbox.tree === 'none') return undefined;
  const { record, observer } = landing;
  const onLanded = (outcome: LandOutcome): void => observer.onNote({ code: 'landed', run: record.run, outcome });
  return openLander(() => landNow(landing), onLanded);
}

/** Lands what is done, without asking. */
export async function landNow({ project, store, record }: Omit<Landing, 'observer'>): Promise<LandOutcome> {
  const { landInGit } = await import('../git/land-in-git.ts');
  const { openRunInGit } = await import('../git/open-run.ts');
  try {
    const inGit = await openRunInGit({ project, store }, record, { settings: {}, repairs: false });
    const confirm = (): Promise<boolean> => Promise.resolve(true);
    return await landInGit(project, inGit, { onto: undefined, how: 'auto', isDry: false, confirm });
  } catch (cause) {
    if (cause instanceof Refused) return { type: 'refused', refusal: cause.refusal };
    throw cause;
  }
}

export interface Lander {
  /** Something may have been merged. */
  readonly wake: () => void;
  /** Resolves when nothing is being landed any more. */
  readonly close: () => Promise<void>;
}

function openLander(land: () => Promise<LandOutcome>, onLanded: (outcome: LandOutcome) => void): Lander {
  let going: Promise<void> | undefined;
  let isAskedAgain = false;
  let lastReported = '';
  const landAll = async (): Promise<void> => {
    do {
      isAskedAgain = false;
      const outcome = await land();
      // An obstacle to one landing is an obstacle to the next; it is reported once.
      const reported = outcome.type === 'nothing' ? '' : JSON.stringify(outcome);
      if (reported !== '' && reported !== lastReported) onLanded(outcome);
      lastReported = reported;
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
