// Lands task after task while a run goes on, where the plan says that (`strategy: per_task`, `auto: auto`).
import type { Compiled } from '../../core/compile/compiled.ts';
import { Failure } from '../../app/failure.ts';
import type { Lander } from './lander.ts';
import type { LandOutcome } from '../../app/git/land-run.ts';
import type { RunRecord } from '../../shell/ports.ts';
import type { OpenProject } from '../../app/open-project.ts';

export interface Landing extends OpenProject {
  readonly record: RunRecord;
  readonly spectator: { readonly hears: (message: string) => void };
}

export async function landerFor(landing: Landing, { plan }: Compiled): Promise<Lander | undefined> {
  const { strategy, auto } = plan.settings.merge;
  if (strategy !== 'per_task' || auto !== 'auto' || plan.sandbox.tree === 'none') return undefined;
  const { openLander } = await import('./lander.ts');
  const { record, spectator } = landing;
  return openLander({ run: record.run, land: () => landNow(landing), say: spectator.hears });
}

async function landNow({ project, store, record, spectator }: Landing): Promise<LandOutcome> {
  const { landInGit } = await import('../../app/git/land-in-git.ts');
  const { openRunInGit } = await import('../../app/git/open-run.ts');
  try {
    const inGit = await openRunInGit({ project, store }, record, { settings: {}, mends: false });
    const confirm = (): Promise<boolean> => Promise.resolve(true);
    return await landInGit(project, inGit, {
      onto: undefined,
      how: 'auto',
      isDry: false,
      confirm,
      say: spectator.hears,
    });
  } catch (cause) {
    if (cause instanceof Failure) return { type: 'refused', message: cause.message };
    throw cause;
  }
}
