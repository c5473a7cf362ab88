// Lands each task during the run, where the plan has `strategy: per_task` and `auto: auto`.
import type { Compiled } from '../../core/compile/compiled.ts';
import { Refused } from '../refusal.ts';
import type { Lander } from '../git/lander.ts';
import type { LandOutcome } from '../git/land-run.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import type { Note } from './note.ts';
import type { OpenProject } from '../open-project.ts';

export interface Landing extends OpenProject {
  readonly record: RunRecord;
  readonly observer: { readonly onNote: (note: Note) => void };
}

export async function landerFor(landing: Landing, { plan }: Compiled): Promise<Lander | undefined> {
  const { strategy, auto } = plan.settings.merge;
  if (strategy !== 'per_task' || auto !== 'auto' || plan.sandbox.tree === 'none') return undefined;
  const { openLander } = await import('../git/lander.ts');
  const { record, observer } = landing;
  return openLander({
    land: () => landNow(landing),
    onLanded: (outcome) => observer.onNote({ code: 'landed', run: record.run, outcome }),
  });
}

async function landNow({ project, store, record }: Landing): Promise<LandOutcome> {
  const { landInGit } = await import('../git/land-in-git.ts');
  const { openRunInGit } = await import('../git/open-run.ts');
  try {
    const inGit = await openRunInGit({ project, store }, record, { settings: {}, mends: false });
    const confirm = (): Promise<boolean> => Promise.resolve(true);
    return await landInGit(project, inGit, { onto: undefined, how: 'auto', isDry: false, confirm });
  } catch (cause) {
    if (cause instanceof Refused) return { type: 'refused', refusal: cause.refusal };
    throw cause;
  }
}
