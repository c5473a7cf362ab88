// Everything that can be known of a plan before the first dollar: proof, eligibility, overlaps, forecast.
import { compile } from '../../core/compile/compile.ts';
import type { Compiled } from '../../core/compile/compiled.ts';
import type { Net } from '../../core/net/net.ts';
import { overlapsOf, type Overlaps } from '../../core/plan/check/files-overlap.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { Contradiction } from '../../core/simulate/estimate.ts';
import { forecast, type Forecast } from '../../core/simulate/forecast.ts';
import { prepare, SERIAL } from '../../core/simulate/prepare-run.ts';
import type { TrackRecord } from '../../core/simulate/track-record.ts';
import { simulate, type Simulation } from '../../core/simulate/simulate-run.ts';
import { verify, type Verification } from '../../core/verify/verify.ts';
import { eligibilityOf, type Eligibility } from '../../core/view/run/eligibility.ts';
import { historyHere } from '../run-history.ts';
import { findProject, type Project } from '../project.ts';

export interface Proof {
  readonly net: Net;
  readonly verification: Verification;
  readonly ms: number;
}

/** A plan that can run: its proof, its forecast, and what is worth knowing before it starts. */
export interface PlanCheck {
  readonly plan: Plan;
  readonly compiled: Compiled;
  readonly proof: Proof;
  readonly eligibility: Eligibility;
  readonly overlaps: Overlaps;
  /** Of a plan that may finish; there is nothing to forecast of one that cannot. */
  readonly forecast: Forecast | undefined;
  /** Stated estimates that earlier runs do not bear out. */
  readonly contradictions: readonly Contradiction[];
  readonly record: TrackRecord | undefined;
}

/** `project` is the project whose earlier runs give estimates. */
export async function checkedPlan(plan: Plan, seed: number, project: Project = findProject()): Promise<PlanCheck> {
  const compiled = compile(plan);
  const proof = proveNet(compiled);
  const [eligibility, overlaps] = [eligibilityOf(compiled), overlapsOf(plan)];
  if (isUnsound(proof))
    return { plan, compiled, proof, eligibility, overlaps, forecast: undefined, contradictions: [], record: undefined };
  const { history, record } = await historyHere(compiled, project);
  const prepared = prepare(compiled, { history, seed });
  const predicted = forecast(compiled, prepared);
  return {
    plan,
    compiled,
    proof,
    eligibility,
    overlaps,
    forecast: predicted,
    contradictions: history.contradictions,
    record,
  };
}

export function proveNet({ net }: Compiled): Proof {
  const from = performance.now();
  const verification = verify(net);
  return { net, verification, ms: performance.now() - from };
}

/** A plan whose proof is inconclusive may run. */
export const isUnsound = ({ verification }: Proof): boolean =>
  verification.type === 'workflow' && verification.verdict.type === 'unsound';

export interface SimulatePlanRequest {
  readonly seed: number;
  readonly policy: 'parallel' | 'serial';
  /** The share of attempts that fail, 0 to 1; undefined is none in the run, and in the forecast as in earlier runs. */
  readonly failureShare: number | undefined;
  /** How far durations deviate from their estimates, 0 to 3; undefined as above. */
  readonly spread: number | undefined;
}

/** A plan, its forecast, and one run of it in virtual time. */
export interface Simulated {
  readonly compiled: Compiled;
  readonly record: TrackRecord;
  readonly forecast: Forecast;
  readonly run: Simulation;
}

/** One run of a plan in virtual time, and the forecast over many. */
export async function simulatePlan(
  plan: Plan,
  { seed, policy, failureShare, spread }: SimulatePlanRequest,
  project: Project = findProject(),
): Promise<Simulated> {
  const compiled = compile(plan);
  const { history, record } = await historyHere(compiled, project);
  const planned = prepare(compiled, { history, seed });
  const prepared = policy === 'serial' ? { ...planned, order: SERIAL } : planned;
  const once = { seed, history, spread: spread ?? 0, failureShare: failureShare ?? 0, endsWell: false };
  return {
    compiled,
    record,
    forecast: forecast(compiled, prepared, { spread, failureShare }),
    run: simulate(compiled, prepared.order, once),
  };
}
