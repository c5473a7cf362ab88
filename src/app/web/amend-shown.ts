// Amends a run from a text: shows the effect, and does what was shown or nothing.
import type { ExpectedChanges } from '../../core/engine/command.ts';
import type { Replied } from '../../core/engine/commands/reply.ts';
import type { PlanGiven } from '../../core/engine/event.ts';
import type { Diagnostic } from '../../core/plan/diagnostic.ts';
import type { Verification } from '../../core/verify/verify.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { resolve } from 'node:path';
import { foldRun, type FoldedRun } from '../fold-run.ts';
import type { OpenProject } from '../open-project.ts';
import { loadPlanText, planOf, type LoadedPlan } from '../plan/load-plan.ts';
import { amendRun, changePlan, type AmendmentPreview } from '../run/amend-run.ts';
import { detach } from '../run/detach.ts';

/** The effect without the plan, which the caller has as text. */
export type ShownAmendment = Omit<AmendmentPreview, 'changed'>;

export type AmendPreview =
  | { readonly type: 'preview'; readonly preview: ShownAmendment; readonly diagnostics: readonly Diagnostic[] }
  /** The text is no plan. */
  | { readonly type: 'wrong'; readonly diagnostics: readonly Diagnostic[] }
  /** The plan could not finish. */
  | { readonly type: 'unsound'; readonly verification: Verification };

export type AmendSent =
  | { readonly type: 'replied' | 'paused'; readonly replied: Replied; readonly isDone: boolean }
  /** The run is not any more as it was shown; nothing was done. */
  | { readonly type: 'outdated' | 'impossible' | 'same'; readonly preview: ShownAmendment }
  | { readonly type: 'vacant'; readonly commandLine: readonly string[] }
  | { readonly type: 'started' }
  | Exclude<AmendPreview, { type: 'preview' }>;

export async function previewAmend(open: OpenProject, record: RunRecord, change: ChangedText): Promise<AmendPreview> {
  const read = await readChange(open, record, change);
  if (read.type !== 'changed') return read;
  const shown: AmendmentPreview[] = [];
  const { folded, changed, diagnostics } = read;
  const { preview } = await amendRun(open, {
    folded,
    changed,
    isDry: true,
    onPreview: (each) => void shown.push(each),
    confirm: () => Promise.resolve(false),
    onMovedOn: () => undefined,
  });
  return { type: 'preview', preview: withoutPlan(preview), diagnostics };
}

export interface ChangedText {
  readonly text: string;
  /** A plan that names no ceiling in dollars keeps the one that the run was given at its start. */
  readonly keepsCeiling?: boolean;
}

export interface AmendText extends ChangedText {
  /** What was shown and confirmed. */
  readonly expects: ExpectedChanges;
  /** Starts a coordinator in the background when the run has none. */
  readonly starts: boolean;
}

export async function amendAsShown(
  open: OpenProject,
  record: RunRecord,
  { expects, starts, ...change }: AmendText,
): Promise<AmendSent> {
  const read = await readChange(open, record, change);
  if (read.type !== 'changed') return read;
  const { folded, changed } = read;
  const amended = await amendRun(open, {
    folded,
    changed,
    isDry: false,
    onPreview: () => undefined,
    confirm: ({ expects: actual }) => Promise.resolve(isSame(actual, expects)),
    onMovedOn: () => undefined,
  });
  const preview = withoutPlan(amended.preview);
  switch (amended.type) {
    case 'impossible':
    case 'same':
      return { type: amended.type, preview };
    case 'dry':
    case 'declined':
      return { type: 'outdated', preview };
    case 'replied':
    case 'paused':
      return amended.hasMovedOn
        ? { type: 'outdated', preview }
        : { type: amended.type, replied: amended.replied, isDone: amended.isDone };
    case 'vacant':
      if (!starts) return { type: 'vacant', commandLine: ['heddle', 'resume', record.run] };
      await detach(open, record);
      return { type: 'started' };
  }
}

type ChangeRead =
  | {
      readonly type: 'changed';
      readonly folded: FoldedRun;
      readonly changed: PlanGiven;
      readonly diagnostics: readonly Diagnostic[];
    }
  | Exclude<AmendPreview, { type: 'preview' }>;

async function readChange(open: OpenProject, record: RunRecord, change: ChangedText): Promise<ChangeRead> {
  const folded = foldRun(open.store, record);
  const loaded = loadChange(open, folded, change);
  const { diagnostics } = loaded;
  const plan = planOf(loaded);
  if (plan === undefined) return { type: 'wrong', diagnostics };
  const made = await changePlan(open, folded, plan);
  if (made.type === 'unsound') return { type: 'unsound', verification: made.proof.verification };
  return { type: 'changed', folded, changed: made.changed, diagnostics };
}

function loadChange(
  { project }: OpenProject,
  folded: FoldedRun,
  { text, keepsCeiling = false }: ChangedText,
): LoadedPlan {
  const file = resolve(project.root, folded.record.file);
  const loaded = loadPlanText(text, file, project);
  const ceilingUsd = folded.compiled.plan.budget?.usd;
  const isKept = keepsCeiling && ceilingUsd !== undefined && loaded.plan?.budget?.usd === undefined;
  return isKept ? loadPlanText(text, file, project, { budgetUsd: String(ceilingUsd) }) : loaded;
}

const withoutPlan = ({ changed: _plan, ...shown }: AmendmentPreview): ShownAmendment => shown;

const isSame = (one: ExpectedChanges, other: ExpectedChanges): boolean =>
  (['restarted', 'added', 'cancelled'] as const).every((part) => {
    const [these, those] = [new Set(one[part]), new Set(other[part])];
    return these.size === those.size && these.isSubsetOf(those);
  });
