// Judges the fragment that a draft has written: alone, and inside the plan that the run follows. A pure function: an
// agent proposes, this decides (P10).
//
// judge/J1. An accepted fragment makes a plan that passes every check of a plan and whose net is proved sound; the proof
//   of the plan around it stays true (decision 0019).
// judge/J2. All findings at once, each with a place in the fragment and a hint, for the one who wrote it.
import { assert } from '../assert.ts';
import { compile } from '../compile/compile.ts';
import type { Compiled, CompiledTask } from '../compile/compiled.ts';
import { claimOnStep, taskAt } from '../engine/facts.ts';
import { accountsOf } from '../engine/ledger.ts';
import type { Priorities } from '../engine/order.ts';
import type { Judged } from '../engine/scope.ts';
import type { State } from '../engine/state.ts';
import { parseFragment, type ParsedFragment } from '../plan/build/parse-fragment.ts';
import { reportAtPath } from '../plan/build/building.ts';
import { checkPlan } from '../plan/check/check-plan.ts';
import { PLAN_FINDING_CODES, type PlanFinding } from '../plan/check/plan-finding.ts';
import type { Diagnostic, SourcePath } from '../plan/diagnostic.ts';
import { growPlan, isDraft } from '../plan/grown-plan.ts';
import type { Plan, Subplan, Task } from '../plan/plan.ts';
import { longestRemainingMs } from '../schedule/priorities.ts';
import { NO_HISTORY, type History } from '../simulate/estimate.ts';
import { problemOf } from '../simulate/problem-of.ts';
import { byPosition } from '../plan/source/source-reader.ts';
import { verify } from '../verify/verify.ts';
import type { FragmentLimits } from './fragment-finding.ts';
import { checkLimits } from './check-limits.ts';

/** `history` gives the estimates of earlier runs. */
export function judgeFragment(
  state: State,
  draft: CompiledTask,
  { written, history = NO_HISTORY }: { readonly written: string; readonly history?: History },
): Judged {
  const limits = limitsOf(state, draft);
  const { plan, subplan } = limits;
  const parsed = parseFragment(written, { plan, subplan });
  const { tasks } = parsed;
  if (tasks === undefined || hasErrors(parsed)) return refused(parsed);
  const grown = growPlan(plan, draft.task.path, tasks);
  checkLimits(limits, tasks, (finding) => reportIn(parsed, finding));
  checkInside(parsed, { plan: grown, subplan, tasks });
  if (hasErrors(parsed)) return refused(parsed);
  const compiled = compile(grown);
  checkSound(parsed, compiled);
  if (hasErrors(parsed)) return refused(parsed);
  const isInPlanOrder = state.order.priorities.length === 0;
  const priorities = isInPlanOrder ? NO_PRIORITIES : prioritiesOf(compiled, { subplan, history });
  return { type: 'accepted', fragment: { tasks }, priorities };
}

const NO_PRIORITIES: Priorities = { tasks: [], holds: [] };

const hasErrors = ({ reading }: ParsedFragment): boolean => reading.counts.error > 0;

function limitsOf(state: State, { task: draft, parent, steps: [writer] }: CompiledTask): FragmentLimits {
  assert(isDraft(draft) && parent !== undefined && writer !== undefined, 'A draft is the first task of a subplan.');
  const { task: subplan } = taskAt(state, parent);
  assert(subplan.type === 'subplan', 'Only a subplan has tasks in it.');
  // The turn that wrote the fragment may still hold its reservation.
  const own = claimOnStep(state, writer)?.reserve;
  const left = (part: 'usd' | 'tokens'): number | undefined => {
    const rooms = accountsOf(state.ledger, parent).flatMap(({ ceiling, spent }) =>
      ceiling[part] === undefined ? [] : [ceiling[part] - spent[part] - (own?.[part] ?? 0)],
    );
    return rooms.length === 0 ? undefined : Math.min(...rooms);
  };
  return { plan: state.compiled.plan, subplan, draft, left: { usd: left('usd'), tokens: left('tokens') } };
}

function reportIn({ reading, root }: ParsedFragment, finding: { readonly path: SourcePath } & FindingText): void {
  const { path, ...text } = finding;
  if (root !== undefined) reportAtPath({ reading, root }, path, text);
}

type FindingText = Pick<Diagnostic, 'code' | 'message' | 'hint'>;

interface Composed {
  readonly plan: Plan;
  readonly subplan: Subplan;
  readonly tasks: readonly Task[];
}

/** The checks of plans, on the plan with the fragment; only errors that the fragment brings in count. */
function checkInside(parsed: ParsedFragment, { plan, subplan, tasks }: Composed): void {
  const inside = wayTo(subplan);
  const ids = new Set<string | number | undefined>(tasks.map(({ id }) => id));
  checkPlan(plan, (finding) => {
    if (severityOf(finding) === 'warning') return;
    const isInside = inside.every((part, at) => finding.path[at] === part) && ids.has(finding.path[inside.length + 1]);
    if (isInside) reportIn(parsed, { ...finding, path: finding.path.slice(inside.length) });
    else if (OF_THE_WHOLE.has(finding.code)) reportIn(parsed, { ...finding, path: ['tasks'] });
  });
}

/** Faults that a fragment may cause elsewhere. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set(['cycle', 'hold-cycle', 'pool-demand']);

const severityOf = ({ code, severity }: PlanFinding): 'error' | 'warning' =>
  severity ?? PLAN_FINDING_CODES[code].severity;

/** The way to a subplan in a plan without any for_each. */
const wayTo = ({ path }: Subplan): SourcePath => path.split('.').flatMap((id) => ['tasks', id]);

function checkSound(parsed: ParsedFragment, { net }: Compiled): void {
  const verification = verify(net);
  if (verification.type === 'workflow' && verification.verdict.type === 'sound') return;
  reportIn(parsed, {
    code: 'grown-unsound',
    path: ['tasks'],
    message: 'It is not proved that the plan can finish with these tasks.',
    hint: 'Use plain needs between fewer tasks.',
  });
}

/** The longest remaining path in the plan with the fragment, as for the steps of a plan before a run. */
function prioritiesOf(
  compiled: Compiled,
  { subplan, history }: { readonly subplan: Subplan; readonly history: History },
): Priorities {
  const { problem, steps } = problemOf(compiled, history);
  const remainingMs = longestRemainingMs(problem);
  const tasks = compiled.tasks.flatMap(({ task, index, steps: own }) =>
    own.length > 0 && task.path.startsWith(`${subplan.path}.`)
      ? [{ task: task.path, steps: (steps[index] ?? []).map((activity) => remainingMs[activity] ?? 0) }]
      : [],
  );
  return { tasks, holds: [] };
}

/** More than this is not read. */
const SHOWN_MAX = 20;

function refused({ reading }: ParsedFragment): Judged {
  const errors = reading.diagnostics.filter(({ severity }) => severity === 'error').toSorted(byPosition);
  const lines = errors
    .slice(0, SHOWN_MAX)
    .map(
      ({ position, code, message, hint }) =>
        `- line ${position.line}, column ${position.column} (${code}): ${message} ${hint}`,
    );
  const more = errors.length > SHOWN_MAX ? [`- and ${errors.length - SHOWN_MAX} more`] : [];
  const head = 'The tasks cannot be added to the plan:';
  // What is wrong comes first, because most views have room for little more.
  const causes = errors
    .slice(0, SHOWN_MAX)
    .map(({ position, code, message }) => `line ${position.line}: ${message} (${code})`);
  return {
    type: 'refused',
    says: [head, ...lines, ...more, ANSWER_AGAIN].join('\n'),
    cause: [...causes, ...more].join('\n'),
  };
}

const ANSWER_AGAIN = 'Answer again with the whole fragment, as YAML that begins with tasks: and nothing else.';
