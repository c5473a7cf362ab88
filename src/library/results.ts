// The work of runs, and this machine: land, recover, restore, doctor.
import { chooseRun } from '../app/open-project.ts';
import { diagnose, type Diagnosis } from '../app/doctor/diagnose.ts';
import { landInGit } from '../app/git/land-in-git.ts';
import type { LandStrategy, LandOutcome, Preview } from '../app/git/land-run.ts';
import { openRunInGit } from '../app/git/open-run.ts';
import {
  narrowProduced,
  openForRecovery,
  pickProduced,
  producedIn,
  restoreProduced,
  type AllProduced,
  type Recovering,
} from '../app/git/produced.ts';
import { mustBeWhole } from '../app/git/what-to-land.ts';
import { mustNotBeNested } from '../app/project.ts';
import { projectOf, refusable, withStore, type InFolder, type OfRun, type RefusedResult } from './call.ts';

/** A run to land, and how. */
export interface LandRequest extends OfRun {
  /** A branch instead of the plan's target. */
  readonly onto?: string;
  readonly how?: LandStrategy;
  /** A task or subplan to land with its needs, instead of the whole run. */
  readonly task?: string;
  /** Lands the done part of an incomplete run. */
  readonly isPartial?: boolean;
  /** Previews only. */
  readonly isDry?: boolean;
  /** Whether to proceed with the preview; yes by default. */
  readonly confirm?: (preview: Preview) => Promise<boolean>;
}

/** Moves the target branch to the work of a run. */
export const land = (request: LandRequest = {}): Promise<LandOutcome | RefusedResult> =>
  refusable(() =>
    withStore(request, 'read', async (open): Promise<LandOutcome> => {
      mustNotBeNested(open.project);
      const inGit = await openRunInGit(open, chooseRun(open.store, request.run));
      if (request.isPartial !== true && request.task === undefined) mustBeWhole(inGit);
      const { onto, task, how = 'auto', isDry = false, confirm = () => Promise.resolve(true) } = request;
      return await landInGit(open.project, inGit, { onto, task, how, isDry, confirm });
    }),
  );

/** Names the runs whose work is to be listed. */
export interface RecoverRequest extends InFolder {
  /** A run, or the beginning of a name up to a slash. */
  readonly named?: string;
}

/** Lists all work of all runs, committed or not; `problem` is the reason for an unreadable store. */
export const recover = (
  request: RecoverRequest = {},
): Promise<({ readonly type: 'produced' } & AllProduced & Pick<Recovering, 'problem'>) | RefusedResult> =>
  refusable(() =>
    recovering(request, async (open) => {
      const { problem } = open;
      return { type: 'produced' as const, problem, ...narrowProduced(await producedIn(open), request.named) };
    }),
  );

async function recovering<Result>(request: InFolder, work: (open: Recovering) => Promise<Result>): Promise<Result> {
  const project = projectOf(request);
  mustNotBeNested(project);
  const open = openForRecovery(project);
  try {
    return await work(open);
  } finally {
    open.store?.close();
  }
}

/** Names work that is to be brought back, and where. */
export interface RestoreRequest extends InFolder {
  /** A name that `recover` lists, or the start of its commit. */
  readonly name: string;
  /** A branch that does not exist, or a folder that is empty or does not exist. */
  readonly to: { readonly branch: string } | { readonly folder: string };
}

/** Gives back one thing that a run produced. */
export const restore = (
  request: RestoreRequest,
): Promise<{ readonly type: 'restored'; readonly name: string; readonly commit: string } | RefusedResult> =>
  refusable(() =>
    recovering(request, async (open) => {
      const picked = pickProduced(await producedIn(open), request.name);
      const { branch, folder } = { branch: undefined, folder: undefined, ...request.to };
      await restoreProduced(open, picked, { branch, folder });
      return { type: 'restored' as const, name: picked.name, commit: picked.commit };
    }),
  );

/** Diagnoses this machine and a project; `repairs` also makes the repairs that lose nothing. */
export const doctor = (
  request: InFolder & { readonly repairs?: boolean } = {},
): Promise<({ readonly type: 'diagnosis' } & Diagnosis) | RefusedResult> =>
  refusable(async () => ({
    type: 'diagnosis',
    ...(await diagnose({ repairs: request.repairs ?? false }, projectOf(request))),
  }));
