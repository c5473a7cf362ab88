import { compile } from '../../core/compile/compile.ts';
import type { Compiled } from '../../core/compile/compiled.ts';
import type { RunStarted } from '../../core/engine/event.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { RunRecord } from '../../shell/ports.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { Failure } from '../../app/failure.ts';
import { loadPlanToRun, planOf, type LoadedPlan } from '../../app/plan/load-plan.ts';
import { printDiagnostics } from '../text/diagnostic-text.ts';
import { mustNotBeNested } from '../../app/nested.ts';
import { openHere, type OpenProject } from '../../app/open-project.ts';
import { excludeFromGit } from '../../app/exclude.ts';
import { readInputs } from '../../app/run/inputs.ts';
import { isProved } from '../run/proved.ts';
import { mustBeRunnable } from '../../app/run/runnable.ts';
import { attend, attendDetached, type AttendFlags } from '../run/attend.ts';
import type { SettingsFlags } from '../../app/plan/settings-flags.ts';
import { findProject, type Project } from '../../app/project.ts';
import type { Terminal } from '../terminal.ts';
import { prioritiesFor } from '../../app/learnt.ts';
import { CLOCK } from '../../app/local-parts.ts';

export interface RunFlags extends SettingsFlags, AttendFlags {
  readonly detach: boolean;
  readonly policy: 'parallel' | 'serial';
  readonly seed: number | undefined;
  readonly input: readonly string[];
  readonly git: boolean;
}

/** `heddle run`: carries a plan out. */
export async function run(terminal: Terminal, file: string | undefined, flags: RunFlags): Promise<ExitCode> {
  mustNotBeNested();
  const loaded = loadPlanToRun(file, flags);
  const parsed = planOf(loaded);
  printDiagnostics({ ...terminal, out: terminal.err }, loaded.diagnostics, loaded.texts);
  if (parsed === undefined) return EXIT.wrong;
  const plan = flags.git ? parsed : { ...parsed, sandbox: { ...parsed.sandbox, tree: 'none' as const } };
  await mustBeRunnable(plan);
  const compiled = compile(plan);
  if (!isProved(terminal, compiled)) return EXIT.wrong;
  const inputs = readInputs(plan, flags.input);
  const start = plan.sandbox.tree === 'none' ? undefined : await startOf(findProject(), plan);
  for (const line of start?.says ?? []) terminal.err(line);
  // A run that is refused leaves no store behind.
  const open = openHere('write');
  // What it lands on is settled now, whatever is checked out by then.
  const frozen = { ...plan, target: plan.target ?? start?.branch };
  const settled = { ...compiled, plan: { ...compiled.plan, target: frozen.target } };
  const record = createRun(open, loaded, { plan: frozen, compiled: settled, inputs, flags, start });
  if (flags.detach) return attendDetached(terminal, open, record);
  return await attend(terminal, open, { record, flags, compiled: settled });
}

interface Start {
  /** The commit that everything starts from. */
  readonly base: string;
  /** What is checked out; undefined when that is no branch. */
  readonly branch: string | undefined;
  /** What a person should know of their repository. */
  readonly says: readonly string[];
  /** Ids whose branches the user has already. */
  readonly taken: ReadonlySet<string>;
}

async function startOf(project: Project, plan: Plan): Promise<Start> {
  const { home, root } = project;
  excludeFromGit(project);
  const { openGround, wordsOnUser } = await import('../../app/sandbox-parts.ts');
  const ground = await openGround({ home, project: root, settings: plan.sandbox, mends: false });
  if (ground.type === 'refused') throw new Failure(withWayOut(ground.message));
  const { repository } = ground;
  const inTheWay = await repository.inTheWay();
  if (inTheWay !== undefined) throw new Failure(inTheWay);
  const base = await repository.baseOf(plan.base);
  if (base !== undefined) {
    const [says, taken] = [await wordsOnUser(repository), await repository.takenRuns()];
    return { base, branch: repository.user.branch, says, taken };
  }
  throw new Failure(
    `The plan starts from ${plan.base}, which is no commit here. Commit something, or name another base.`,
  );
}

const withWayOut = (message: string): string =>
  message.includes('--no-git') ? message : `${message} heddle run --no-git works in place, without git.`;

interface Creating {
  readonly plan: Plan;
  readonly compiled: Compiled;
  readonly inputs: RunStarted['inputs'];
  readonly flags: RunFlags;
  readonly start: Start | undefined;
}

function createRun(
  { store }: OpenProject,
  { file, text }: LoadedPlan,
  { plan, compiled, inputs, flags, start }: Creating,
): RunRecord {
  const createdAt = CLOCK.now();
  const seed = flags.seed ?? createdAt % SEEDS;
  const { policy } = flags;
  const priorities = prioritiesFor(store, compiled, { policy, seed });
  const ofRun = { at: createdAt, policy, inputs, seed, base: start?.base };
  const started: RunStarted = { type: 'run.started', ...ofRun, plan, priorities };
  const created = store.create({ createdAt, name: plan.name, file, source: text }, started, start?.taken);
  if (created.type === 'failed') throw new Failure(created.message);
  return created.record;
}

/** Seeds are small, so that people can write them down. */
const SEEDS = 1_000_000;
