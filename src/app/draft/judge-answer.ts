// Judges the answer of an agent as a draft for a project: extracts, completes, loads and checks the plan in it.
import type { DraftFinding } from '../../core/draft/draft-finding.ts';
import { extractPlan, type Extracted } from '../../core/draft/extract-plan.ts';
import { isAcceptable, judgeDraft, type DraftLimits } from '../../core/draft/judge-draft.ts';
import type { ProjectFacts } from '../../core/draft/project-facts.ts';
import { completedText, type AddedKeys } from '../../core/draft/written-plan.ts';
import { checkedPlan, type PlanCheck } from '../plan/checked-plan.ts';
import { loadPlanText, planOf, type LoadedPlan } from '../plan/load-plan.ts';
import type { Project } from '../project.ts';

export interface JudgedDraft {
  /** With the keys that Heddle adds; undefined when the answer holds no whole plan. */
  readonly text: string | undefined;
  readonly reasons: readonly string[];
  readonly assumptions: readonly string[];
  readonly findings: readonly DraftFinding[];
  /** Undefined while the plan has errors. */
  readonly checked: PlanCheck | undefined;
  readonly loaded: LoadedPlan | undefined;
}

export interface JudgeOptions {
  readonly project: Project;
  /** The file that the plan is for; its settings apply. */
  readonly file: string;
  readonly facts: ProjectFacts;
  readonly limits: DraftLimits;
  readonly added: AddedKeys;
  /** The text of the plan that is revised. */
  readonly revised: string | undefined;
}

export const judgeAnswer = (answer: string, settings: JudgeOptions): Promise<JudgedDraft> =>
  judge(extractPlan(answer), settings);

/** A plan that a person has edited. */
export const judgeText = (text: string, settings: JudgeOptions): Promise<JudgedDraft> =>
  judge({ type: 'plan', text, reasons: [], assumptions: [] }, settings);

const SEED = 1;

async function judge(
  extracted: Extracted,
  { project, file, facts, limits, added, revised }: JudgeOptions,
): Promise<JudgedDraft> {
  const whole = extracted.type === 'plan' ? completedText(extracted.text, added) : undefined;
  const loaded = whole === undefined ? undefined : loadPlanText(whole, file, project);
  const plan = loaded === undefined ? undefined : planOf(loaded);
  const checked = plan === undefined ? undefined : await checkedPlan(plan, SEED, project);
  const findings = judgeDraft({
    extracted,
    diagnostics: loaded?.diagnostics ?? [],
    checked: checked && { ...checked, verification: checked.proof.verification },
    facts,
    limits,
    revised,
  });
  const { reasons, assumptions } = extracted.type === 'plan' ? extracted : { reasons: [], assumptions: [] };
  return { text: whole, reasons, assumptions, findings, checked, loaded };
}

export const isGood = ({ text, findings }: JudgedDraft): boolean => text !== undefined && isAcceptable(findings);
