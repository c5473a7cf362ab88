// Lands task after task while a run goes on, where the plan says that (`strategy: per_task`, `auto: auto`).
import type { Compiled } from '../../../core/compile/compiled.ts';
import { Failure } from '../../failure.ts';
import type { Lander } from '../../git/landing/lander.ts';
import type { LandOutcome } from '../../git/landing/land-run.ts';
import type { Coordinating } from './coordinate.ts';

export async function landerFor(coordinating: Coordinating, { plan }: Compiled): Promise<Lander | undefined> {
  const { strategy, auto } = plan.settings.merge;
  if (strategy !== 'per_task' || auto !== 'auto' || plan.sandbox.tree === 'none') return undefined;
  const { openLander } = await import('../../git/landing/lander.ts');
  const { record, spectator } = coordinating;
  return openLander({ run: record.run, land: () => landNow(coordinating), say: spectator.hears });
}

async function landNow({ project, store, record, spectator }: Coordinating): Promise<LandOutcome> {
  const { landInGit } = await import('../../git/landing/land-in-git.ts');
  const { openRunInGit } = await import('../../git/open-run.ts');
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
