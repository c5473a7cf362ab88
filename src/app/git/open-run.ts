// The git side of one run, for the commands of a person: its plan, its state, its refs and its sandboxes.
import type { SandboxPlan } from '../../core/plan/plan.ts';
import { Refused } from '../refused.ts';
import { foldRun, type FoldedRun } from '../fold-run.ts';
import type { OpenProject } from '../open-project.ts';
import type { Integration } from '../git-parts.ts';
import { openIntegration } from '../sandbox-parts.ts';
import type { RunRecord } from '../../shell/ports/log.ts';

export interface RunInGit {
  readonly folded: FoldedRun;
  /** The commit that it starts from. */
  readonly base: string;
  readonly integration: Integration;
}

export interface OpenRunOptions {
  /** Overrides the plan's sandbox settings. */
  readonly settings: Partial<SandboxPlan>;
  /** Whether to repair leftovers of killed processes; not beside a coordinator in the same process. */
  readonly repairs: boolean;
}

/** Refuses a run that works in place, and a folder where git does not work. */
export async function openRunInGit(
  { project, store }: OpenProject,
  record: RunRecord,
  { settings, repairs }: OpenRunOptions = { settings: {}, repairs: true },
): Promise<RunInGit> {
  const folded = foldRun(store, record);
  const { base } = folded.state.run;
  if (base === undefined) throw new Refused({ code: 'in-place', run: record.run });
  const { home, root } = project;
  const sandbox = { ...folded.compiled.plan.sandbox, ...settings };
  const integration = await openIntegration({ home, project: root, settings: sandbox, repairs });
  if (integration.type === 'refused') throw new Refused({ code: 'git', failure: integration.failure });
  return { folded, base, integration };
}
