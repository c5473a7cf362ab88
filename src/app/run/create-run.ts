// Starts a run: proves its plan, resolves its starting point, and writes its first event. No step runs yet.
import { compile } from '../../core/compile/compile.ts';
import type { Compiled } from '../../core/compile/compiled.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import type { SandboxBackend } from '../../core/protocol/sandbox-backend.ts';
import type { Author, RunStarted } from '../../core/engine/event.ts';
import { excludeFromGit, mustBeWritable, type Project } from '../project.ts';
import { prioritiesFor } from '../run-history.ts';
import { CLOCK } from '../local-parts.ts';
import { openProject, type OpenProject } from '../open-project.ts';
import { isUnsound, proveNet, type Proof } from '../plan/checked-plan.ts';
import type { LoadedPlan } from '../plan/load-plan.ts';
import { Refused } from '../refused.ts';
import { callersBase, type CallingRepository } from './callers-base.ts';
import type { UserNotes } from '../sandbox-parts.ts';
import { mustBeRunnable, mustHaveDescriptors } from './runnable.ts';
import { readInputs } from './read-inputs.ts';

export interface CreateRunRequest {
  readonly project: Project;
  readonly loaded: LoadedPlan;
  readonly plan: Plan;
  /** Works in the project's own folder, without sandboxes. */
  readonly isInPlace: boolean;
  /** `name=value` each. */
  readonly inputs: readonly string[];
  readonly policy: 'parallel' | 'serial';
  /** Undefined is any. */
  readonly seed: number | undefined;
  readonly purpose?: RunRecord['purpose'];
  /** Who calls from another machine, out of a repository there. */
  readonly caller?: CallingRepository | undefined;
}

export type RunCreated =
  | {
      readonly type: 'created';
      readonly open: OpenProject;
      readonly record: RunRecord;
      readonly compiled: Compiled;
      readonly notes: UserNotes | undefined;
    }
  | { readonly type: 'unsound'; readonly proof: Proof };

/** A run that is refused leaves no store behind. */
export async function createRun(request: CreateRunRequest): Promise<RunCreated> {
  mustHaveDescriptors();
  const { project, loaded, policy } = request;
  mustBeWritable(project);
  const plan = request.isInPlace
    ? { ...request.plan, sandbox: { ...request.plan.sandbox, tree: 'none' as const } }
    : request.plan;
  await mustBeRunnable(plan, project);
  const compiled = compile(plan);
  const proof = proveNet(compiled);
  if (isUnsound(proof)) return { type: 'unsound', proof };
  const inputs = readInputs(plan, request.inputs);
  const base = plan.sandbox.tree === 'none' ? undefined : await baseOf(project, plan, request.caller);
  const open = openProject('write', project);
  // The target is fixed now, regardless of the branch checked out when the run lands.
  const frozen = { ...plan, target: plan.target ?? base?.branch };
  const createdAt = CLOCK.now();
  const seed = request.seed ?? createdAt % SEEDS;
  const settled = { ...compiled, plan: { ...compiled.plan, target: frozen.target } };
  const priorities = prioritiesFor(open.store, settled, { policy, seed });
  const ofRun = {
    at: createdAt,
    policy,
    inputs,
    seed,
    base: base?.commit,
    author: base?.author,
    sandboxes: base?.sandboxes,
  };
  const started: RunStarted = { type: 'run.started', ...ofRun, plan: frozen, priorities };
  const record = { createdAt, name: plan.name, file: loaded.file, source: loaded.text, purpose: request.purpose };
  const created = open.store.create(record, started, base?.taken);
  if (created.type === 'failed') throw new Refused({ code: 'store', failure: created.failure });
  return {
    type: 'created',
    open,
    record: created.record,
    compiled: settled,
    notes: base?.notes,
  };
}

/** Seeds are small, so that people can write them down. */
const SEEDS = 1_000_000;

interface Base {
  /** The commit that the run starts from. */
  readonly commit: string;
  /** The branch that is checked out; undefined for a detached head. */
  readonly branch: string | undefined;
  readonly author: Author | undefined;
  readonly sandboxes: SandboxBackend;
  readonly notes: UserNotes;
  /** Ids of runs whose branches exist in the user's repository. */
  readonly taken: ReadonlySet<string>;
}

async function baseOf(project: Project, plan: Plan, caller: CallingRepository | undefined): Promise<Base> {
  const { home, root } = project;
  excludeFromGit(project);
  const { openIntegration, notesOnUser } = await import('../sandbox-parts.ts');
  const integration = await openIntegration({ home, project: root, settings: plan.sandbox, repairs: false });
  if (integration.type === 'refused') throw new Refused({ code: 'no-sandboxes', failure: integration.failure });
  const { repository } = integration;
  const inTheWay = await repository.inTheWay();
  if (inTheWay !== undefined) throw new Refused({ code: 'git', failure: inTheWay });
  const called = await callersBase(repository, plan, caller);
  const commit = called?.commit ?? (await repository.baseOf(plan.base));
  if (commit === undefined) throw new Refused({ code: 'base-unknown', base: plan.base });
  const [notes, taken] = [await notesOnUser(repository), await repository.takenRuns()];
  const { branch, author } = repository.user;
  return {
    commit,
    branch: called?.branch ?? branch,
    author: called?.author ?? author,
    sandboxes: integration.backend,
    notes,
    taken,
  };
}
