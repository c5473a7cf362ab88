// The score of the drafts for one goal, from 0 to 100: what a good plan has, and how quickly it came about.
import { compile } from '../../src/core/compile/compile.ts';
import type { DraftFinding } from '../../src/core/draft/draft-finding.ts';
import { extractPlan } from '../../src/core/draft/extract-plan.ts';
import { isAcceptable, judgeDraft } from '../../src/core/draft/judge-draft.ts';
import type { ProjectFacts } from '../../src/core/draft/project-facts.ts';
import { hasPrompt, workIn } from '../../src/core/draft/task-findings.ts';
import { completedText } from '../../src/core/draft/written-plan.ts';
import { overlapsOf } from '../../src/core/plan/check/files-overlap.ts';
import { parsePlan } from '../../src/core/plan/build/parse.ts';
import type { Plan } from '../../src/core/plan/plan.ts';
import { NO_HISTORY } from '../../src/core/simulate/estimate.ts';
import { forecast, type Forecast } from '../../src/core/simulate/forecast.ts';
import { prepare } from '../../src/core/simulate/prepare-run.ts';
import { verify } from '../../src/core/verify/verify.ts';
import type { RecordedGoal } from './recorded-goals.ts';

export interface DraftScore {
  readonly name: string;
  readonly by: string;
  /** Of the last draft. */
  readonly tasks: number;
  /** The share of tasks that change code and have a check of their own. */
  readonly checked: number;
  /** The mean number of steps that run at once, by the estimates, and the most that the estimates allow. */
  readonly width: number;
  readonly bound: number;
  /** Pairs of tasks that may write the same files at once. */
  readonly overlaps: number;
  readonly isSoundAtFirst: boolean;
  /** Drafts until nothing was wrong; undefined when something still is. */
  readonly rounds: number | undefined;
  /** The codes that went back, each once. */
  readonly codes: readonly string[];
  readonly score: number;
}

interface Judged {
  readonly findings: readonly DraftFinding[];
  readonly plan: Plan | undefined;
  readonly forecast: Forecast | undefined;
}

function judge(answer: string, facts: ProjectFacts, withinMs: number | undefined): Judged {
  const extracted = extractPlan(answer);
  const added = { agent: [`agent: ${facts.agents[0] ?? ''}`], sandbox: [] };
  const text = extracted.type === 'plan' ? completedText(extracted.text, added) : '';
  const parsed = parsePlan(text, { file: 'plan.yaml' });
  const { plan } = parsed;
  const compiled = plan === undefined ? undefined : compile(plan);
  const predicted = compiled && forecast(compiled, prepare(compiled, { history: NO_HISTORY, seed: 1 }));
  const checked =
    plan === undefined || compiled === undefined
      ? undefined
      : { plan, verification: verify(compiled.net), forecast: predicted };
  const diagnostics = extracted.type === 'plan' ? parsed.diagnostics : [];
  const limits = { withinMs, budgetUsd: undefined };
  const findings = judgeDraft({ extracted, diagnostics, checked, facts, limits, revised: undefined });
  return { findings, plan, forecast: predicted };
}

/** Tasks with checks, soundness and rounds weigh most: they decide whether a run ends well. */
const WEIGHTS = { checked: 30, sound: 20, rounds: 20, overlaps: 15, width: 15 } as const;
const ROUNDS_MAX = 4;

export function scoreDrafts({ name, by, answers, withinMs }: RecordedGoal, facts: ProjectFacts): DraftScore {
  const judged = answers.map((answer) => judge(answer, facts, withinMs));
  const last = judged.at(-1);
  const [tasks, predicted] = [last?.plan === undefined ? [] : workIn(last.plan.tasks), last?.forecast];
  const prompted = tasks.filter(hasPrompt);
  const guarded = prompted.filter(({ check }) => check !== undefined).length;
  const checked = last?.plan === undefined ? 0 : prompted.length === 0 ? 1 : guarded / prompted.length;
  const serialMs = predicted?.serialMs ?? 0;
  const [width, bound] = [
    serialMs / (predicted?.expectedMs ?? Infinity),
    serialMs / (predicted?.lowerBoundMs ?? Infinity),
  ];
  const overlaps = last?.plan === undefined ? 0 : overlapsOf(last.plan).overlaps.length;
  const first = judged.findIndex(({ findings }) => findings.length === 0);
  const rounds = first < 0 ? undefined : first + 1;
  const [draft] = judged;
  const isSoundAtFirst = draft?.plan !== undefined && isAcceptable(draft.findings);
  const codes = [...new Set(judged.flatMap(({ findings }) => findings.map(({ code }) => code)))];
  const score =
    WEIGHTS.checked * checked +
    (isSoundAtFirst ? WEIGHTS.sound : 0) +
    (rounds === undefined ? 0 : WEIGHTS.rounds * Math.max(0, 1 - (rounds - 1) / ROUNDS_MAX)) +
    (last?.plan === undefined || overlaps > 0 ? 0 : WEIGHTS.overlaps) +
    (bound === 0 ? 0 : WEIGHTS.width * Math.min(1, width / bound));
  return { name, by, tasks: tasks.length, checked, width, bound, overlaps, isSoundAtFirst, rounds, codes, score };
}
