// All restorable work of all runs: commits held by refs, and files in sandboxes.
import type { SandboxFailure } from '../../core/protocol/sandbox-failure.ts';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nearest } from '../../core/plan/language/nearest-name.ts';
import { parsePlan } from '../../core/plan/build/parse.ts';
import type { SandboxPlan } from '../../core/plan/plan.ts';
import { assert } from '../../core/assert.ts';
import { planIn } from '../../core/engine/apply/fold.ts';
import { Refused } from '../refused.ts';
import type { Refusal } from '../../core/view/text/refusal.ts';
import { eventsFrom } from '../fold-run.ts';
import { openProject, type OpenProject } from '../open-project.ts';
import { findProject, type Project } from '../project.ts';
import { REFS } from '../../shell/git/store/ref-names.ts';
import type { Integration } from '../git-parts.ts';
import { openIntegration } from '../sandbox-parts.ts';
import { CLOCK } from '../local-parts.ts';
import type { FoundSandbox } from '../../shell/sandbox/sandbox.ts';

/** One thing that can be restored. */
export interface Produced {
  /** The name for people: the run, the kind of work, the task, and a number among several. */
  readonly name: string;
  readonly ref: string;
  readonly commit: string;
  readonly at: number;
  readonly subject: string;
}

/** Everything that runs have ever produced and that is still there. */
export interface AllProduced {
  readonly produced: readonly Produced[];
  readonly sandboxes: readonly FoundSandbox[];
  /** Folders that could not be read and were moved away with their content. */
  readonly kept: readonly string[];
  /** Why work of sandboxes could not be saved. */
  readonly failures: readonly SandboxFailure[];
}

const REFS_OF_RUNS = 'refs/heddle/';
const RUN_BRANCHES = 'refs/heads/heddle/';

/** A project whose store may be unreadable: refs and sandboxes are enough to list and restore work (P4). */
export interface Recovering {
  readonly project: Project;
  readonly store: OpenProject['store'] | undefined;
  /** Why the store cannot be read. */
  readonly problem: Refusal | undefined;
}

export function openForRecovery(project: Project = findProject()): Recovering {
  try {
    return { ...openProject('read', project), problem: undefined };
  } catch (cause) {
    if (!(cause instanceof Refused) || cause.refusal.code !== 'store') throw cause;
    return { project, store: undefined, problem: cause.refusal };
  }
}

/** Uncommitted files of sandboxes are saved behind refs first, so that they are listed too. */
export async function producedIn(open: Recovering): Promise<AllProduced> {
  const integration = await integrationFor(open, undefined);
  const sandboxes = await integration.sandboxes.find();
  const failures: SandboxFailure[] = [];
  for (const found of sandboxes) failures.push(...(await makeSafe(open, found)));
  const refs = [
    ...(await integration.repository.listDated(RUN_BRANCHES)).map((ref) => ({
      ...ref,
      name: `${ref.ref.slice(RUN_BRANCHES.length)}/merged`,
    })),
    ...(await integration.repository.listDated(REFS_OF_RUNS))
      .map((ref) => ({ ...ref, name: ref.ref.slice(REFS_OF_RUNS.length) }))
      // The fence of the merge queue holds no work.
      .filter(({ name, ref }) => ref !== REFS.mergeFence(name.split('/', 1)[0] ?? '')),
  ];
  const produced = refs.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return { produced, sandboxes, kept: foldersBelow(join(open.project.home, 'kept')), failures };
}

/** Opens a sandbox with the kind of tree it was made with, and with its plan's isolation. */
async function makeSafe(open: Recovering, found: FoundSandbox): Promise<readonly SandboxFailure[]> {
  const { run, task, head, kind } = found;
  const { sandboxes } = await integrationFor(open, { run, kind });
  const opened = await sandboxes.open({ run, task, base: head, from: head, at: CLOCK.now() });
  if (opened.type === 'failed') return [opened.failure];
  const saved = await opened.sandbox.salvage('asked for by a person');
  return saved.type === 'failed' ? [saved.failure] : [];
}

export async function integrationFor(
  { project, store }: Pick<Recovering, 'project' | 'store'>,
  of: { readonly run: string; readonly kind: FoundSandbox['kind'] } | undefined,
): Promise<Integration> {
  // A list runs nothing inside, so it needs no isolation.
  const settings =
    of === undefined ? { ...usual(), isolation: 'none' as const } : (settingsOf(store, of.run) ?? usual());
  const tree = of?.kind ?? 'auto';
  const { home, root } = project;
  const integration = await openIntegration({ home, project: root, settings: { ...settings, tree }, repairs: false });
  if (integration.type === 'refused') throw new Refused({ code: 'git', failure: integration.failure });
  return integration;
}

/** Undefined when the store has no such run, or its log cannot be read. */
function settingsOf(store: Recovering['store'], run: string): SandboxPlan | undefined {
  try {
    return store?.find(run) === undefined ? undefined : planIn(eventsFrom(store, run, 0).events).sandbox;
  } catch {
    // A damaged store: the work is in git and on the disk, and the usual settings open it.
    return undefined;
  }
}

/** The sandbox settings of a plan that has none. */
export function usual(): SandboxPlan {
  const { plan } = parsePlan('heddle: 1\nname: usual\ntasks: { one: { run: "true" } }\n', { file: 'usual' });
  assert(plan !== undefined, 'The smallest plan is a plan.');
  return plan.sandbox;
}

function foldersBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((run) => readdirSync(join(folder, run)).map((name) => join(folder, run, name)));
  } catch {
    // No folder was ever moved away.
    return [];
  }
}

/** By its name, or by the start of its commit. */
export function pickProduced({ produced }: AllProduced, named: string): Produced {
  const found =
    produced.find(({ name }) => name === named) ??
    (/^[\da-f]{7,64}$/.test(named) ? produced.find(({ commit }) => commit.startsWith(named)) : undefined);
  if (found !== undefined) return found;
  const names = produced.map(({ name }) => name);
  throw new Refused({ code: 'not-produced', name: named, like: nearest(named, names) });
}

/** Of a run, or of the beginning of a name up to a slash; all when nothing is named. */
export function narrowProduced(all: AllProduced, named: string | undefined): AllProduced {
  if (named === undefined) return all;
  const isOf = (name: string): boolean => name === named || name.startsWith(`${named}/`);
  const produced = all.produced.filter(({ name }) => isOf(name));
  const sandboxes = all.sandboxes.filter(({ run, task }) => isOf(run) || isOf(`${run}/${task}`));
  if (produced.length === 0 && sandboxes.length === 0)
    throw new Refused({ code: 'not-produced', name: named, like: undefined });
  return { ...all, produced, sandboxes };
}

export interface RestoreTo {
  /** A branch that is not there yet. */
  readonly branch: string | undefined;
  /** A folder that is empty or not there; counts before a branch. */
  readonly folder: string | undefined;
}

export async function restoreProduced(open: Recovering, { commit }: Produced, to: RestoreTo): Promise<RestoreTo> {
  const { repository } = await integrationFor(open, undefined);
  const folder = to.folder === undefined ? undefined : resolve(to.folder);
  const place = folder === undefined ? { commit, branch: to.branch ?? '' } : { commit, folder };
  const restored = await repository.restore(place);
  if (restored.type !== 'restored') throw new Refused({ code: 'git', failure: restored.failure });
  return { branch: to.branch, folder };
}
