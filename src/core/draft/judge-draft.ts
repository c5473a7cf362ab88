// Judges a draft: everything that is wrong with it for this repository and for what was asked, as findings.
//
// judge-draft/J1. Pure: the same draft and the same facts give the same findings, in the order of their weight.
// judge-draft/J2. A draft without an error can be run: it was parsed, compiled and proved.
import type { Diagnostic } from '../plan/diagnostic.ts';
import type { Plan } from '../plan/plan.ts';
import type { Forecast } from '../simulate/forecast.ts';
import type { Verification } from '../verify/verify.ts';
import { formatMoment, formatMoney } from '../view/chart/format.ts';
import { ofDiagnostic, readDraft, type DraftFinding, type DraftSource } from './draft-finding.ts';
import type { Extracted } from './extract-plan.ts';
import type { ProjectFacts } from './project-facts.ts';
import { keysOfPeople } from './set-by-people.ts';
import { taskFindings, workIn } from './task-findings.ts';

/** What the person asked for, besides the goal. */
export interface DraftLimits {
  readonly withinMs: number | undefined;
  readonly budgetUsd: number | undefined;
}

/** A draft that needs more is for `for_each`, for `heddle split`, or for several plans. */
export const DRAFT_TASKS_MAX = 80;

export interface Judging {
  readonly extracted: Extracted;
  /** Of the text of the plan; empty when there is none. */
  readonly diagnostics: readonly Diagnostic[];
  /** Undefined when it has errors. */
  readonly checked: CheckedDraft | undefined;
  readonly facts: ProjectFacts;
  readonly limits: DraftLimits;
  /** The text of the plan that the draft revises. */
  readonly revised: string | undefined;
}

export interface CheckedDraft {
  readonly plan: Plan;
  readonly verification: Verification;
  readonly forecast: Forecast | undefined;
}

export function judgeDraft(judging: Judging): readonly DraftFinding[] {
  const { extracted, diagnostics, checked, facts, revised } = judging;
  if (extracted.type === 'none') return [NO_PLAN];
  if (extracted.type === 'half') return [halfPlan(extracted.lines)];
  const draft = readDraft(extracted.text);
  const found = [...keysOfPeople(draft, { revised, setup: facts.setup?.run }), ...diagnostics.map(ofDiagnostic)];
  if (checked === undefined) return inOrder(found);
  const { plan } = checked;
  return inOrder([
    ...found.filter(({ code }) => code !== 'no-check'),
    ...unsound(checked),
    ...tooMany(plan, draft),
    ...taskFindings({ plan, draft, facts }),
    ...overLimits(checked, draft, judging.limits),
  ]);
}

/** Errors first, then in the order of the text. */
const inOrder = (findings: readonly DraftFinding[]): readonly DraftFinding[] =>
  findings.toSorted(
    (one, other) =>
      Number(one.severity === 'advice') - Number(other.severity === 'advice') ||
      (one.position?.line ?? 0) - (other.position?.line ?? 0),
  );

export const isAcceptable = (findings: readonly DraftFinding[]): boolean =>
  findings.every(({ severity }) => severity !== 'error');

const NO_PLAN: DraftFinding = {
  code: 'no-plan',
  severity: 'error',
  message: 'The answer holds no plan.',
  hint: 'Answer with the whole plan in one ```yaml fence that begins with heddle: 1.',
  position: undefined,
  task: undefined,
};

const halfPlan = (lines: number): DraftFinding => ({
  code: 'half-plan',
  severity: 'error',
  message: `The answer ends after ${lines} lines of the plan, and its fence is not closed.`,
  hint: 'Answer with the whole plan again, shorter if it is long; for_each writes tasks that are alike once.',
  position: undefined,
  task: undefined,
});

function unsound({ verification }: CheckedDraft): readonly DraftFinding[] {
  if (verification.type !== 'workflow' || verification.verdict.type !== 'unsound') return [];
  const { finding } = verification.verdict;
  return [
    {
      code: finding.code,
      severity: 'error',
      message: `The plan cannot always finish: ${finding.sentence}`,
      hint: 'Change the needs, joins or loops that this names.',
      position: undefined,
      task: undefined,
    },
  ];
}

function tooMany({ tasks }: Plan, draft: DraftSource): readonly DraftFinding[] {
  const count = workIn(tasks).length;
  if (count <= DRAFT_TASKS_MAX) return [];
  return [
    {
      code: 'too-many-tasks',
      severity: 'error',
      message: `The plan has ${count} tasks, and a draft may have ${DRAFT_TASKS_MAX}.`,
      hint: 'Put small changes together, or write tasks that are alike once with for_each.',
      position: draft.positionOf(['tasks']),
      task: undefined,
    },
  ];
}

function overLimits(
  { plan, forecast }: CheckedDraft,
  draft: DraftSource,
  { withinMs, budgetUsd }: DraftLimits,
): readonly DraftFinding[] {
  if (forecast === undefined) return [];
  const finding = { severity: 'error', position: draft.positionOf(['tasks']), task: undefined } as const;
  const path = forecast.critical.filter(({ type }) => type === 'step').map(({ task }) => task);
  const late: readonly DraftFinding[] =
    withinMs === undefined || forecast.makespanMs.likely <= withinMs
      ? []
      : [
          {
            ...finding,
            code: 'over-time',
            message: `The plan takes about ${formatMoment(forecast.makespanMs.likely)}, and ${formatMoment(withinMs)} were asked for.`,
            hint: `Shorten the longest path (${[...new Set(path)].join(' → ')}): let more run at the same time, or do less.`,
          },
        ];
  return [...late, ...overBudget({ plan, forecast }, finding, budgetUsd)];
}

function overBudget(
  { plan, forecast }: { readonly plan: Plan; readonly forecast: Forecast },
  finding: Pick<DraftFinding, 'severity' | 'position' | 'task'>,
  budgetUsd: number | undefined,
): readonly DraftFinding[] {
  if (budgetUsd === undefined) return [];
  if (forecast.usd.likely > budgetUsd)
    return [
      {
        ...finding,
        code: 'over-budget',
        message: `The plan costs about ${formatMoney(forecast.usd.likely)}, and ${formatMoney(budgetUsd)} were asked for.`,
        hint: 'Use fewer or smaller tasks, or a lower reserve: where a turn is short.',
      },
    ];
  const ceiling = plan.budget?.usd;
  if (ceiling !== undefined && ceiling <= budgetUsd) return [];
  return [
    {
      ...finding,
      code: 'no-ceiling',
      message: `The plan ${ceiling === undefined ? 'sets no budget' : `sets a budget of ${formatMoney(ceiling)}`}, and ${formatMoney(budgetUsd)} were asked for.`,
      hint: `Add budget: { usd: ${budgetUsd} } to the plan.`,
    },
  ];
}
