// Checks budgets against the reservations under them.
//
// check-budgets/M1. A step starts only when its reservation fits every enclosing budget, so a reservation that never
//   fits is an error.

import { isDraft } from '../grown-plan.ts';
import { sourceOf } from './plan-index.ts';
import { sourceOfStep } from './step-order.ts';
import type { SourcePath } from '../diagnostic.ts';
import type { Budget } from '../budget.ts';
import type { ReportFinding } from './plan-finding.ts';
import type { IndexedTask, PlanIndex } from './plan-index.ts';

type JoinedPart = 'usd' | 'tokens';
const PARTS: readonly JoinedPart[] = ['usd', 'tokens'];

/** A budget that holds here, and whose it is. */
interface Ceiling {
  readonly amount: number;
  readonly of: string;
  /** The task or subplan that has it; undefined of the plan. */
  readonly task: string | undefined;
}

/** Tasks that an agent writes spend without a limit where no budget is around them. */
function checkGrowth(index: PlanIndex, report: ReportFinding): void {
  for (const at of index.tasks) {
    if (!isDraft(at.task) || at.task.drafts.agents.length === 0 || index.plan.budget !== undefined) continue;
    const around = [...aroundOf(index, at)];
    if (around.some(({ task }) => task.budget !== undefined)) continue;
    report({
      code: 'growth-without-budget',
      severity: 'warning',
      path: sourceOf(index, at),
      message: `\`${around[0]?.task.path ?? at.task.path}\` may grow by ${at.task.drafts.tasksMax} tasks, and no budget limits what they spend.`,
      hint: 'Add budget: { usd: … } to it, to a subplan around it, or to the plan.',
    });
  }
}

function* aroundOf({ tasks }: PlanIndex, of: IndexedTask): Generator<IndexedTask> {
  for (let at = tasks[of.parent]; at !== undefined; at = tasks[at.parent]) yield at;
}

export function checkBudgets(index: PlanIndex, report: ReportFinding): void {
  checkGrowth(index, report);
  const hasBudget = index.plan.budget !== undefined || index.tasks.some(({ task }) => task.budget !== undefined);
  if (!hasBudget) return;
  for (const part of PARTS) checkPart(index, part, report);
}

function checkPart(index: PlanIndex, part: JoinedPart, report: ReportFinding): void {
  const smallest = smallestReservations(index, part);
  const whole = index.plan.budget?.[part];
  const ofPlan: Ceiling | undefined =
    whole === undefined ? undefined : { amount: whole, of: 'the plan', task: undefined };
  const small = new Uint8Array(index.tasks.length);
  const ceilings: (Ceiling | undefined)[] = [];
  const leastOfAll = smallest.reduce((least, amount) => Math.min(least, amount), Infinity);
  const isPlanSmall = reportSmall({ budget: ofPlan, least: leastOfAll, part, path: ['budget', part], report });
  for (const at of index.tasks) {
    const around = at.parent < 0 ? ofPlan : ceilings[at.parent];
    const isAroundSmall = at.parent < 0 ? isPlanSmall : small[at.parent] === 1;
    const own = at.task.budget?.[part];
    ceilings[at.index] =
      own === undefined || (around !== undefined && around.amount < own)
        ? around
        : { amount: own, of: `\`${at.task.path}\``, task: at.task.path };
    small[at.index] = isAroundSmall ? 1 : 0;
    if (own !== undefined) {
      const path = [...sourceOf(index, at), 'budget', part];
      const isSmall = reportSmall({
        budget: { amount: own, of: `\`${at.task.path}\``, task: at.task.path },
        least: smallest[at.index] ?? Infinity,
        part,
        path,
        report,
      });
      if (isSmall) small[at.index] = 1;
      if (around !== undefined && own > around.amount) reportLarger({ at, own, around, part, path, report });
    }
    if (small[at.index] === 0) reportOver({ index, at, ceiling: ceilings[at.index], part, report });
  }
}

/** The smallest reservation of any step in or inside each task; none is infinite. */
function smallestReservations(index: PlanIndex, part: JoinedPart): readonly number[] {
  const smallest = index.tasks.map(() => Infinity);
  for (let place = index.tasks.length - 1; place >= 0; place -= 1) {
    const at = index.tasks[place];
    if (at === undefined) continue;
    let least = smallest[place] ?? Infinity;
    for (const step of at.task.type === 'work' ? at.task.steps : []) {
      least = Math.min(least, reservedBy(step.reserve, part));
    }
    smallest[place] = least;
    if (at.parent >= 0) smallest[at.parent] = Math.min(smallest[at.parent] ?? Infinity, least);
  }
  return smallest;
}

/** A step that reserves nothing asks nothing of a budget. */
function reservedBy(reserve: Budget, part: JoinedPart): number {
  const amount = reserve[part] ?? 0;
  return amount > 0 ? amount : Infinity;
}

interface Small {
  readonly budget: Ceiling | undefined;
  readonly least: number;
  readonly part: JoinedPart;
  readonly path: SourcePath;
  readonly report: ReportFinding;
}

function reportSmall({ budget, least, part, path, report }: Small): boolean {
  if (budget === undefined || least === Infinity || budget.amount >= least) return false;
  report({
    code: 'budget-too-small',
    path,
    other: budget.task,
    message: `The budget of ${budget.of} is ${say(budget.amount, part)}, and the smallest reservation under it is ${say(least, part)}, so nothing could start.`,
    hint: `Raise the budget to at least ${say(least, part)}, or lower the \`reserve\` of its agents.`,
  });
  return true;
}

function reportLarger(given: {
  readonly at: IndexedTask;
  readonly own: number;
  readonly around: Ceiling;
  readonly part: JoinedPart;
  readonly path: SourcePath;
  readonly report: ReportFinding;
}): void {
  const { at, own, around, part, path, report } = given;
  report({
    code: 'budget-over-enclosing',
    severity: 'warning',
    path,
    other: around.task,
    message: `The budget of \`${at.task.path}\` is ${say(own, part)}, and that of ${around.of} around it only ${say(around.amount, part)}.`,
    hint: 'Lower this one, raise the other, or delete it.',
  });
}

function reportOver(given: {
  readonly index: PlanIndex;
  readonly at: IndexedTask;
  readonly ceiling: Ceiling | undefined;
  readonly part: JoinedPart;
  readonly report: ReportFinding;
}): void {
  const { index, at, ceiling, part, report } = given;
  const { task } = at;
  if (ceiling === undefined || task.type !== 'work') return;
  for (const [place, step] of task.steps.entries()) {
    const stronger = step.type === 'prompt' ? step.fallbacks.map(({ reserve }) => reserve?.[part] ?? 0) : [];
    const amount = Math.max(step.reserve[part] ?? 0, ...stronger);
    if (amount <= ceiling.amount) continue;
    report({
      code: 'reservation-over-budget',
      path: [...sourceOfStep(sourceOf(index, at), task, place), 'reserve', part],
      other: ceiling.task,
      message: `Step \`${step.id}\` of \`${task.path}\` reserves ${say(amount, part)}, and the budget of ${ceiling.of} is ${say(ceiling.amount, part)}, so it could never start.`,
      hint: 'Lower reserve, or raise the budget.',
    });
  }
}

const say = (amount: number, part: JoinedPart): string => (part === 'usd' ? `$${amount}` : `${amount} tokens`);
