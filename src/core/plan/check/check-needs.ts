// Needs between tasks: do they exist, do they make sense, can they ever be met.

import { onceAsked } from '../expressions/bounded-cache.ts';
import { evaluate, readExpression } from '../expressions/expression.ts';
import { quotedList } from './known-names.ts';
import { needCycles } from './event-order.ts';
import { contains, findTask, forEachAround, sourceOf, sourceOfNeed } from './plan-index.ts';
import type { Expression } from '../plan.ts';
import type { ReportFinding } from './plan-finding.ts';
import type { NameGuesses } from './known-names.ts';
import type { NeedsIndex } from './needs-index.ts';
import type { IndexedTask, PlanIndex } from './plan-index.ts';

export function checkNeeds(needs: NeedsIndex, names: NameGuesses, report: ReportFinding): void {
  const { index } = needs;
  const lookUp = makeLookUp(index, names);
  const hasCopies = index.tasks.some(({ task }) => task.type === 'for_each');
  for (const at of index.tasks) {
    // Where every need was found and none twice, and no copies are about, there is nothing to say.
    const isSound = needs.needs[at.index]?.length === at.task.needs.of.length && !hasCopies;
    if (!isSound) checkEach({ index, at, lookUp, report });
    checkKind(index, at, report);
  }
  for (const cycle of needCycles(needs.events)) reportCycle(needs, cycle, report);
  reportUnreachable(needs, report);
}

interface OneTask {
  readonly index: PlanIndex;
  readonly at: IndexedTask;
  readonly lookUp: (path: string) => string | undefined;
  readonly report: ReportFinding;
}

function checkEach({ index, at, lookUp, report }: OneTask): void {
  const seen = new Set<string>();
  for (const [place, path] of at.task.needs.of.entries()) {
    const isTwin = seen.has(path);
    seen.add(path);
    const needed = findTask(index, path);
    const isSound = needed !== undefined && !contains(needed, at) && !contains(at, needed) && needed.task.path === path;
    if (!isTwin && isSound && forEachAround(index, needed) === undefined) continue;
    const where = { path: sourceOfNeed(index, at, place) };
    if (isTwin) {
      report({
        ...where,
        code: 'duplicate-need',
        severity: 'warning',
        message: `\`${at.task.path}\` needs \`${path}\` twice.`,
        hint: 'Delete one of them.',
      });
      continue;
    }
    if (needed === undefined) {
      const nearestPath = lookUp(path);
      const meant = nearestPath === at.task.path ? undefined : nearestPath;
      report({
        ...where,
        code: 'unknown-need',
        message: `\`${at.task.path}\` needs \`${path}\`, and there is no such task.`,
        hint:
          meant === undefined
            ? `Name a task of this plan: ${quotedList(siblingsOf(index, at), 'there is no other')}.`
            : `Did you mean \`${meant}\`?`,
      });
    } else if (needed === at) {
      report({ ...where, code: 'need-on-self', message: `\`${path}\` needs itself.`, hint: 'Delete this need.' });
    } else if (contains(needed, at)) {
      report({
        ...where,
        code: 'need-on-ancestor',
        other: path,
        message: `\`${at.task.path}\` needs \`${path}\`, which contains it, so each would wait for the other.`,
        hint: `Need a task inside \`${path}\` instead, or move this task out of it.`,
      });
    } else if (contains(at, needed)) {
      report({
        ...where,
        code: 'need-on-descendant',
        other: path,
        message: `\`${at.task.path}\` needs \`${path}\`, which is inside it, so each would wait for the other.`,
        hint: `Let a task inside \`${at.task.path}\` need \`${path}\`, or move \`${path}\` out of it.`,
      });
    } else reportNeedOfCopy({ index, at, needed, where, report });
  }
}

function reportNeedOfCopy(need: {
  readonly index: PlanIndex;
  readonly at: IndexedTask;
  readonly needed: IndexedTask;
  readonly where: { readonly path: readonly (string | number)[] };
  readonly report: ReportFinding;
}): void {
  const { index, at, needed, where, report } = need;
  const around = forEachAround(index, needed);
  const isWritten = at.task.needs.of.includes(needed.task.path);
  if (around === undefined || contains(around, at) || !isWritten) return;
  report({
    ...where,
    code: 'need-inside-for-each',
    other: around.task.path,
    message: `\`${needed.task.path}\` is copied for each item of \`${around.task.path}\`, so there is no single task to wait for.`,
    hint: `Need \`${around.task.path}\`, which waits for all copies.`,
  });
}

function siblingsOf(index: PlanIndex, at: IndexedTask): readonly string[] {
  const around = index.tasks[at.parent];
  const inside =
    around === undefined
      ? index.plan.tasks.slice(0, 20).map((task) => task.path)
      : around.children.slice(0, 20).map((child) => index.tasks[child]?.task.path ?? '');
  return inside.filter((path) => path !== at.task.path);
}

/** A task with the same last id is suggested before one with a similar spelling. */
function makeLookUp(index: PlanIndex, names: NameGuesses): (path: string) => string | undefined {
  // Most plans have no unknown need, so these lists are made on first use. The inner task of a for_each has no name of its own that anybody could mean.
  const nameable = onceAsked(() => index.tasks.filter((at) => index.tasks[at.parent]?.task.type !== 'for_each'));
  const paths = onceAsked(() => nameable().map((at) => at.task.path));
  const byId = onceAsked(() => new Map(nameable().map((at) => [at.task.id, at.task.path])));
  const ids = onceAsked(() => [...byId().keys()]);
  return (path) => {
    const id = path.slice(path.lastIndexOf('.') + 1);
    const meant = byId().get(id) ?? names.nearestOf(path, paths());
    return meant ?? byId().get(names.nearestOf(id, ids()) ?? '');
  };
}

function checkKind(index: PlanIndex, at: IndexedTask, report: ReportFinding): void {
  const { needs, path } = at.task;
  if (needs.type === 'all') return;
  const among = new Set(needs.of).size;
  const where = [...sourceOf(index, at), 'needs'];
  if (needs.type === 'at_least' && (needs.count > among || needs.count < 1)) {
    report({
      code: 'at-least-out-of-range',
      path: [...where, 'at_least'],
      message: `\`${path}\` waits for at least ${needs.count} of ${among} tasks.`,
      hint: among === 0 ? 'Name the tasks in of.' : `Write a number between 1 and ${among}.`,
    });
  }
  if (needs.type !== 'at_least' && among === 1) {
    report({
      code: 'single-choice',
      severity: 'warning',
      path: [...where, needs.type],
      message: `\`${path}\` has only one task to choose from.`,
      hint: `Write needs: [${needs.of[0]}], or name more tasks.`,
    });
  }
}

function reportCycle({ index, needs }: NeedsIndex, cycle: readonly number[], report: ReportFinding): void {
  const paths = cycle.map((task) => index.tasks[task]?.task.path ?? '');
  const place = cycle.findIndex((task, next) => (needs[task] ?? []).includes(cycle[(next + 1) % cycle.length] ?? -1));
  const at = index.tasks[cycle[Math.max(0, place)] ?? 0];
  const waited = paths[(place + 1) % paths.length];
  if (at === undefined) return;
  const written = at.task.needs.of.findIndex((path) => findTask(index, path)?.task.path === waited);
  report({
    code: 'cycle',
    path: written < 0 ? sourceOf(index, at) : sourceOfNeed(index, at, written),
    message: `These tasks wait for each other, so none can start: ${drawCycle(paths)}.`,
    hint: 'Remove one of these needs.',
  });
}

const NAMES_DRAWN_MAX = 100;

/** In full, up to a readable length. */
function drawCycle(paths: readonly string[]): string {
  const around = [...paths, paths[0] ?? ''];
  if (around.length <= NAMES_DRAWN_MAX) return around.join(' → ');
  const left = around.length - NAMES_DRAWN_MAX;
  return [...around.slice(0, NAMES_DRAWN_MAX - 1), `… ${left} more …`, around[0]].join(' → ');
}

/** A task whose needs can never be met, because some of them can never start. */
function reportUnreachable(needs: NeedsIndex, report: ReportFinding): void {
  const { index } = needs;
  const dead = new Uint8Array(index.tasks.length);
  for (const task of needs.order) {
    const at = index.tasks[task];
    if (at === undefined) continue;
    if (at.parent >= 0 && dead[at.parent] === 1) {
      dead[task] = 1;
      continue;
    }
    const need = at.task.needs;
    const among = needs.needs[task] ?? [];
    const alive = among.filter((needed) => dead[needed] !== 1).length;
    const isImpossible = need.type === 'at_least' && need.count > new Set(need.of).size;
    const lacks =
      need.type === 'all'
        ? alive < among.length
        : alive < Math.min(among.length, need.type === 'at_least' ? need.count : 1);
    if (isImpossible || lacks) dead[task] = 1;
    if (!isImpossible && lacks) {
      const blocking = among
        .filter((needed) => dead[needed] === 1)
        .map((needed) => index.tasks[needed]?.task.path ?? '');
      report({
        code: 'unreachable-task',
        severity: 'warning',
        path: [...sourceOf(index, at), 'needs'],
        message: `\`${at.task.path}\` can never start, because it needs ${quotedList(blocking, '')}, which can never start.`,
        hint: 'Mend the needs of those, or do not wait for them.',
      });
    }
  }
}

/** True for an expression that is false in every run. */
export function isAlwaysFalse(when: Expression): boolean {
  const { references, problems } = readExpression(when);
  if (references.length > 0 || problems.length > 0) return false;
  const evaluated = evaluate(when, {});
  return evaluated.type === 'value' && evaluated.value === false;
}
