// Where a claim runs in a sandbox: the sandbox is opened at the right commit before, and the work is committed after.
//
// open-workplace/A1. A task starts from the merge of exactly its needs; a later step, or another attempt, from the last
//     checkpoint.
// open-workplace/A2. Nothing of a check or of a read-only turn is kept. A check may write anything; a read-only turn
//     cannot write to the tree where there is isolation, and is told what is thrown away where there is none.
// open-workplace/A3. A turn on a conflict finds both sides in the tree, and its work is kept only when it resolves the
//     conflict.
import type { Assignment, ClaimRef, Conversation, SandboxSource } from '../../core/protocol/assignment.ts';
import { coAuthor } from '../git/store/step-message.ts';
import { REFS } from '../git/store/ref-names.ts';
import type { Repository } from '../git/repository.ts';
import type { WorkKept, Workplace, WorkplaceOpened } from '../ports/workplace.ts';
import type { Sandbox } from './sandbox.ts';
import { failedBy, type SandboxFailed } from '../../core/protocol/sandbox-failure.ts';
import { openWrittenConflict } from './open-conflict.ts';
import type { ConflictPlace, ConflictContext } from './open-conflict.ts';

export async function openWorkplace(
  context: ConflictContext,
  { claim, work }: Assignment,
  source: SandboxSource,
): Promise<WorkplaceOpened> {
  if (source.onto !== undefined && source.from !== undefined)
    return openTurn(context, claim, { tip: source.from, onto: source.onto, at: source.at });
  const { run, repository, sandboxes } = context;
  const base = await baseOf(repository, claim, source);
  if (base.type === 'failed') return base;
  const { from, at, life, isClean } = source;
  const conversation = work.type === 'turn' ? ofOtherTask(work.conversation) : undefined;
  const isReadOnly = work.type === 'turn' && work.isReadOnly === true;
  const task = { run, task: claim.task, base: base.commit, from, at, life, isClean, conversation, isReadOnly };
  const opened = await sandboxes.open(task);
  if (opened.type === 'failed') return opened;
  const { sandbox } = opened;
  const isKept = claim.work !== 'check' && !isReadOnly;
  const start = from ?? base.commit;
  const keep = isKept ? () => keepWork({ run, sandbox, claim, at, start, trailer: trailerOf(work) }) : keepNothing;
  const workplace = placeOf(sandbox, keep);
  return { type: 'opened', workplace: { ...workplace, environment: withBase(workplace.environment, base.commit) } };
}

/** Programs can compare the work of the task with where it began. */
const withBase = (environment: Workplace['environment'], commit: string): Workplace['environment'] => ({
  ...environment,
  HEDDLE_BASE: commit,
});

const trailerOf = (work: Assignment['work']): string => (work.type === 'turn' ? coAuthor(work.agent) : '');

const ofOtherTask = (of: Conversation | undefined): { readonly task: string; readonly id: string } | undefined =>
  of?.task === undefined ? undefined : { task: of.task, id: of.id };

const placeOf = (
  { folder: cwd, environment, home, wrap, codesSignals, monitor }: Sandbox,
  keep: Workplace['keep'],
): Workplace => ({
  cwd,
  environment,
  home,
  wrap,
  codesSignals,
  monitor,
  keep,
});

interface PathOverlap {
  readonly tip: string;
  readonly onto: string;
  readonly at: number;
}

/** Rejected work of an earlier turn is kept by its ref: this turn begins with both sides again. */
async function openTurn(context: ConflictContext, claim: ClaimRef, sides: PathOverlap): Promise<WorkplaceOpened> {
  const { task, step = '', attempt } = claim;
  const ref = REFS.checkpoint(context.run, { task, step, attempt });
  const about = { task, ref, from: undefined, subject: `${task}: resolved by its agent`, mayDrop: false };
  const opened = await openWrittenConflict(context, { ...about, ...sides });
  if (opened.type === 'failed') return opened;
  return { type: 'opened', workplace: placeOf(opened.sandbox, () => keepResolution(opened)) };
}

async function keepResolution({ keep }: ConflictPlace): Promise<WorkKept> {
  const resolved = await keep();
  switch (resolved.type) {
    case 'kept':
    case 'failed':
      return resolved;
    case 'unresolved':
      return failedBy({ code: 'unresolved', reasons: resolved.reasons });
  }
}

type Base = { readonly type: 'based'; readonly commit: string } | SandboxFailed;

async function baseOf(repository: Repository, { task }: ClaimRef, source: SandboxSource): Promise<Base> {
  const { base, needs, at, take } = source;
  const [first, ...rest] = needs;
  if (first === undefined) return { type: 'based', commit: base };
  // All needs descend from the run's base, so the first of them stands for both.
  const links = rest.map((tip) => ({ tip, message: `Start ${task} from what it needs` }));
  const merged = await repository.mergeAll({ base: first, links, at, usesResolutions: true, take });
  switch (merged.type) {
    case 'merged':
      return { type: 'based', commit: merged.commit };
    case 'conflict': {
      const paths = merged.conflict.paths.map(({ path }) => path);
      return failedBy({ code: 'needs-conflict', task, paths });
    }
    case 'failed':
      return merged;
  }
}

const keepNothing = async (): Promise<WorkKept> => ({ type: 'kept', commit: undefined });

interface Keeping {
  readonly run: string;
  readonly sandbox: Sandbox;
  readonly claim: ClaimRef;
  readonly at: number;
  /** The commit that the step began with. */
  readonly start: string;
  /** Names the agent of the step. */
  readonly trailer: string;
}

async function keepWork({ run, sandbox, claim, at, start, trailer }: Keeping): Promise<WorkKept> {
  const { task, step = '', attempt } = claim;
  const ref = REFS.checkpoint(run, { task, step, attempt });
  const checkpoint = await sandbox.checkpoint({ message: `${task}: ${step}`, at, ref, trailer });
  if (checkpoint.type === 'failed') return checkpoint;
  const { commit } = checkpoint;
  return { type: 'kept', commit, hasChanges: commit !== start };
}
