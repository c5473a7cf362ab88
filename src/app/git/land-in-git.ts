// Lands a run with the settings of its plan; flags of the command override them.
import { checksOfRun } from '../../core/engine/owed/task-checks.ts';
import { Refused } from '../refused.ts';
import { mustBeWritable, type Project } from '../project.ts';
import type { RunInGit } from './open-run.ts';
import { environmentFor } from '../given-for.ts';
import { whatToLand } from './what-to-land.ts';
import { landRun, type LandRunRequest, type LandOutcome } from './land-run.ts';

export interface LandInGitRequest extends Pick<LandRunRequest, 'how' | 'isDry' | 'confirm' | 'onCheck'> {
  /** A branch instead of the plan's target. */
  readonly onto: string | undefined;
  /** A task or subplan to land, with the tasks it needs; undefined lands the whole run. */
  readonly task?: string | undefined;
}

export async function landInGit(project: Project, inGit: RunInGit, request: LandInGitRequest): Promise<LandOutcome> {
  mustBeWritable(project);
  const { home } = project;
  const { folded, base, integration } = inGit;
  const { state } = folded;
  const { plan } = folded.compiled;
  const { merge, timeoutMs, idleTimeoutMs } = plan.settings;
  const given = { inputs: state.run.inputs, env: environmentFor(plan) };
  const target = targetOf(inGit, request.onto);
  const { commits, isChecked } = await whatToLand(inGit, target, request.task);
  const only = request.task === undefined ? undefined : new Set(commits.map(({ task }) => task));
  return landRun({
    ...request,
    run: folded.record.run,
    state,
    take: merge.take,
    commits,
    isChecked,
    checks: checksOfRun(state, given, only),
    limits: { timeoutMs, idleTimeoutMs },
    base,
    home,
    integration,
    target,
    strategy: merge.strategy,
  });
}

export function targetOf({ folded, integration }: RunInGit, onto: string | undefined): string {
  const target = onto ?? folded.compiled.plan.target ?? integration.repository.user.branch;
  if (target !== undefined) return target;
  throw new Refused({ code: 'no-target' });
}
