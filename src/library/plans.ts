// Plans, before they run: check, simulate, import, split, onboard.
import { resolve } from 'node:path';
import { proposeFiles, writeProposed, type Onboarding } from '../app/onboarding/onboard.ts';
import { checkedPlan, simulatePlan, type PlanCheck, type Simulated } from '../app/plan/checked-plan.ts';
import { planFromTasks, type ImportedTasks, type ImportFilesRequest } from '../app/plan/read-sources.ts';
import { loadPlan, loadPlanToRun, planOf, type LoadedPlan } from '../app/plan/load-plan.ts';
import type { SettingsFlags } from '../app/plan/settings-flags.ts';
import { splitTree, type SplitTree } from '../app/plan/split-tree.ts';
import type { Diagnostic } from '../core/plan/diagnostic.ts';
import type { Plan } from '../core/plan/plan.ts';
import { BOUNDS_DEFAULT, type SplitBounds } from '../core/split/source-file.ts';
import { projectOf, refusable, type InFolder, type RefusedResult } from './call.ts';

/** Names a plan: a file of a project, with settings that override those in it. */
export interface OfPlan extends InFolder {
  /** The plan's file, from the folder; `plan.yaml` by default. */
  readonly plan?: string;
  /** Settings that override the plan's. */
  readonly settings?: SettingsFlags;
}

/** The plan has mistakes; all of them, each with its place. */
export interface WrongPlan {
  readonly type: 'wrong';
  readonly diagnostics: readonly Diagnostic[];
}

export const fileOf = ({ folder = '.', plan = 'plan.yaml' }: OfPlan): string => resolve(folder, plan);

/** The plan to run, or its diagnostics. */
export function loadedPlan(request: OfPlan): { readonly loaded: LoadedPlan; readonly plan: Plan } | WrongPlan {
  const loaded = loadPlanToRun(fileOf(request), request.settings ?? {}, projectOf(request));
  const plan = planOf(loaded);
  return plan === undefined ? { type: 'wrong', diagnostics: loaded.diagnostics } : { loaded, plan };
}

/** Diagnoses a plan, proves that it can finish and forecasts it. */
export const check = (
  request: OfPlan & { readonly seed?: number } = {},
): Promise<({ readonly type: 'checked' } & PlanCheck) | WrongPlan | RefusedResult> =>
  refusable(async () => {
    const given = loadedPlan(request);
    if ('type' in given) return given;
    return { type: 'checked', ...(await checkedPlan(given.plan, request.seed ?? 1, projectOf(request))) };
  });

/** A plan to run in virtual time, and how much goes wrong there. */
export interface SimulateRequest extends OfPlan {
  readonly seed?: number;
  readonly policy?: 'parallel' | 'serial';
  /** The share of attempts that fail, 0 to 1. */
  readonly failureShare?: number;
  /** How far durations deviate from their estimates, 0 to 3. */
  readonly spread?: number;
}

/** Runs a plan in virtual time. */
export const simulate = (
  request: SimulateRequest = {},
): Promise<({ readonly type: 'simulated' } & Simulated) | WrongPlan | RefusedResult> =>
  refusable(async () => {
    const loaded = loadPlan(fileOf(request), request.settings ?? {});
    const plan = planOf(loaded);
    if (plan === undefined) return { type: 'wrong', diagnostics: loaded.diagnostics };
    const { seed = 1, policy = 'parallel', failureShare, spread } = request;
    const simulated = await simulatePlan(plan, { seed, policy, failureShare, spread }, projectOf(request));
    return { type: 'simulated', ...simulated };
  });

/** A task list of another tool, and how its tasks become a plan. */
export type ImportRequest = Pick<ImportFilesRequest, 'format' | 'path'> & Partial<ImportFilesRequest>;

/** Makes the text of a plan from a task list of another tool. */
export const importTasks = (request: ImportRequest): Promise<ImportedTasks | RefusedResult> =>
  refusable(() => Promise.resolve(planFromTasks({ agent: 'claude', check: undefined, tag: undefined, ...request })));

/** A job for a code base, and how the code is split for it. */
export interface SplitRequest extends InFolder {
  /** The job, for every part. */
  readonly goal: string;
  /** Folders or files, from the folder; the folder itself by default. */
  readonly places?: readonly string[];
  /** Only files with one of these endings. */
  readonly endings?: readonly string[];
  readonly bounds?: Partial<SplitBounds>;
  readonly cutsCycles?: boolean;
  /** A file with a Liquid template of the prompts. */
  readonly template?: string;
  readonly agent?: string;
  /** The check of merged trees. */
  readonly check?: string;
  /** An agent that names and describes the parts. */
  readonly describeWith?: string;
  /** The file that the plan is for; its settings apply. */
  readonly file?: string;
}

/** Splits a code base into a plan of tasks that can run side by side. */
export const split = (request: SplitRequest): Promise<SplitTree | RefusedResult> =>
  refusable(() => {
    const { goal, places = ['.'], endings, cutsCycles = false, template, agent, describeWith, file } = request;
    return splitTree({
      goal,
      places,
      cwd: resolve(request.folder ?? '.'),
      endings,
      bounds: { ...BOUNDS_DEFAULT, ...request.bounds },
      cutsCycles,
      template,
      agent,
      check: request.check,
      describeWith,
      file,
      project: projectOf(request),
    });
  });

/** Proposes settings and a first plan for a repository; `writes` also writes the files that are missing. */
export const onboard = (
  request: InFolder & { readonly writes?: boolean } = {},
): Promise<({ readonly type: 'proposed' | 'written' } & Onboarding) | RefusedResult> =>
  refusable(async () => {
    const proposed = await proposeFiles(request.folder);
    if (request.writes === true) writeProposed(proposed);
    return { type: request.writes === true ? 'written' : 'proposed', ...proposed };
  });
