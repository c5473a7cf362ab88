// The codes of findings about a fragment besides those of plans, and what the limits of a fragment are. The reference
// documents list the same codes.
import type { SourcePath } from '../plan/diagnostic.ts';
import type { Draft } from '../plan/grown-plan.ts';
import type { Plan, Subplan } from '../plan/plan.ts';

export const FRAGMENT_CODES = {
  'grown-too-many': 'A fragment has more tasks than max_tasks allows.',
  'grown-too-deep': 'A fragment grows deeper than depth allows.',
  'grown-taken': 'A task of a fragment has the id of a task that was there before.',
  'grown-need': 'A task of a fragment needs a task outside the fragment.',
  'grown-setting': 'A task of a fragment widens a setting of the task that grew it.',
  'grown-agent': 'A task of a fragment uses an agent that the task that grew it may not use.',
  'grown-pool': 'A task of a fragment takes a pool that the task that grew it may not take.',
  'grown-host': 'A task of a fragment asks for a host that the task that grew it does not ask for.',
  'grown-files': 'A task of a fragment writes outside the files of the task that grew it, or does not say where.',
  'grown-reserve': 'A task of a fragment reserves less than its agent does.',
  'grown-command': 'A task of a fragment runs a command that the permissions of the plan do not allow.',
  'grown-check':
    'A task of a fragment has a check that can never fail, or that loses the exit code of its test in a pipe.',
  'grown-schema': 'A task of a fragment reads a schema from a file.',
  'grown-conversation': 'A task of a fragment continues the conversation of a task outside the fragment.',
  'grown-budget': 'The budgets of a fragment are more than what is left.',
  'grown-unsound': 'The plan could not finish with this fragment, or that it can is not proved.',
} as const;

export type FragmentCode = keyof typeof FRAGMENT_CODES;

export interface LimitFinding {
  readonly code: FragmentCode;
  /** The place in the fragment. */
  readonly path: SourcePath;
  readonly message: string;
  readonly hint: string;
}

export interface FragmentLimits {
  readonly plan: Plan;
  readonly subplan: Subplan;
  readonly draft: Draft;
  /** What is left of the budgets around the subplan; undefined without a ceiling. */
  readonly left: { readonly usd: number | undefined; readonly tokens: number | undefined };
}

export type ReportLimit = (finding: LimitFinding) => void;

export interface Checking {
  readonly limits: FragmentLimits;
  /** Paths of all tasks of the fragment. */
  readonly inside: ReadonlySet<string>;
  readonly report: ReportLimit;
}
