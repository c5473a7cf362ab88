// Starts a run from another program: shows what would run and what it may cost, and starts exactly that or nothing.
//
// start-shown/S1. Nothing is written before the caller brings back the name of what was shown. The name changes with the
//     plan and all its settings, the inputs, the ceiling and the commit that the run would start from.
// start-shown/S2. The run has a process of its own, so it outlives the process that started it.
import { createHash } from 'node:crypto';
import type { Diagnostic } from '../../core/plan/diagnostic.ts';
import type { Json, Plan } from '../../core/plan/plan.ts';
import { writePlan } from '../../core/plan/plan-json.ts';
import { capture } from '../../shell/exec/capture.ts';
import { checkedPlan, isUnsound, type PlanCheck, type Proof } from '../plan/checked-plan.ts';
import { loadNamedPlan, planOf, type LoadedPlan, type NamedPlan } from '../plan/load-plan.ts';
import type { Project } from '../project.ts';
import { Refused } from '../refused.ts';
import type { UserNotes } from '../sandbox-parts.ts';
import { createRun } from './create-run.ts';
import { detach } from './detach.ts';
import { readInputs } from './read-inputs.ts';
import { mustBeRunnable } from './runnable.ts';

export interface ShownStartRequest {
  readonly project: Project;
  readonly plan: NamedPlan;
  /** The most that the run may spend; a lower budget of the plan stays. */
  readonly ceilingUsd: number;
  /** `name=value` each. */
  readonly inputs: readonly string[];
}

export interface ShownStart {
  readonly checked: PlanCheck;
  readonly diagnostics: readonly Diagnostic[];
  /** The lower of the ceiling asked for and the budget of the plan. */
  readonly ceilingUsd: number;
  /** The commit that the run would start from; undefined when it works in place. */
  readonly base: string | undefined;
  readonly inputs: Readonly<Record<string, Json>>;
  /** Names exactly this start. */
  readonly expects: string;
}

type Unstartable =
  | { readonly type: 'wrong'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly type: 'unsound'; readonly proof: Proof };

export type StartPreview = { readonly type: 'ready'; readonly shown: ShownStart } | Unstartable;

export async function previewStart(request: ShownStartRequest): Promise<StartPreview> {
  const given = loadWithin(request);
  if (given.plan === undefined) return { type: 'wrong', diagnostics: given.loaded.diagnostics };
  const { loaded, plan, ceilingUsd } = given;
  await mustBeRunnable(plan, request.project);
  const checked = await checkedPlan(plan, SEED, request.project);
  if (isUnsound(checked.proof)) return { type: 'unsound', proof: checked.proof };
  const inputs = readInputs(plan, request.inputs);
  const base = await baseFor(request.project, plan);
  const expects = nameOf({ plan, base, inputs: request.inputs });
  return { type: 'ready', shown: { checked, diagnostics: loaded.diagnostics, ceilingUsd, base, inputs, expects } };
}

export type StartSent =
  | { readonly type: 'started'; readonly run: string; readonly notes: UserNotes | undefined }
  /** The plan, its settings or the repository are not any more as they were shown; nothing was done. */
  | { readonly type: 'outdated' }
  | Unstartable;

export async function startAsShown(request: ShownStartRequest, expects: string): Promise<StartSent> {
  const { project, inputs } = request;
  const { loaded, plan } = loadWithin(request);
  if (plan === undefined) return { type: 'wrong', diagnostics: loaded.diagnostics };
  const base = await baseFor(project, plan);
  if (nameOf({ plan, base, inputs }) !== expects) return { type: 'outdated' };
  const created = await createRun({
    project,
    loaded,
    plan,
    isInPlace: false,
    inputs,
    policy: 'parallel',
    seed: undefined,
  });
  if (created.type === 'unsound') return created;
  const { open, record, notes } = created;
  try {
    await detach(open, record);
    return { type: 'started', run: record.run, notes };
  } finally {
    open.store.close();
  }
}

/** A forecast that is shown twice is the same. */
const SEED = 1;

interface LoadedWithin {
  readonly loaded: LoadedPlan;
  readonly plan: Plan | undefined;
  readonly ceilingUsd: number;
}

function loadWithin({ project, plan: named, ceilingUsd: asked }: ShownStartRequest): LoadedWithin {
  const own = planOf(loadNamedPlan(named, project))?.budget?.usd;
  const ceilingUsd = Math.min(asked, own ?? Infinity);
  const loaded = loadNamedPlan(named, project, { budgetUsd: String(ceilingUsd) });
  return { loaded, plan: planOf(loaded), ceilingUsd };
}

interface Named {
  readonly plan: Plan;
  readonly base: string | undefined;
  readonly inputs: readonly string[];
}

const nameOf = ({ plan, base, inputs }: Named): string =>
  createHash('sha256')
    .update(JSON.stringify({ plan: writePlan(plan), base, inputs }))
    .digest('base64url');

const COMMIT_MS_MAX = 20_000;

/** Undefined for a run in place. Refused before the person is asked where there is nothing to start from. */
async function baseFor({ root }: Project, { sandbox, base }: Plan): Promise<string | undefined> {
  if (sandbox.tree === 'none') return undefined;
  const options = { cwd: root, timeoutMs: COMMIT_MS_MAX, keptBytesMax: 1_000 };
  const words = ['git', 'rev-parse', '--verify', '--quiet', '--end-of-options', `${base}^{commit}`];
  const { end, stdout } = await capture(words, options);
  if (end.type === 'exited' && end.code === 0) return stdout.toString('utf8').trim();
  if (end.type === 'exited' && end.code === 1) throw new Refused({ code: 'base-unknown', base });
  throw new Refused({ code: 'no-sandboxes', failure: { code: 'not-a-repository', folder: root } });
}
